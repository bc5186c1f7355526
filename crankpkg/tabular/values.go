package tabular

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
)

// Names are the names in a data set made of values. Features are x1, x2 and so on where
// Features is nil; labels y1, y2 and so on where Labels is nil, or the names that occur in
// Sets.
type Names struct {
	Dataset  string // "" means "data"
	Features []string
	Labels   []string
}

// FromRows returns the data set of the rows x with these labels. It copies them.
func FromRows(x [][]float64, labels Labels, names Names) (*crankpkg.Dataset, error) {
	d := len(names.Features)
	if len(x) > 0 && names.Features == nil {
		d = len(x[0])
	}
	for m, row := range x {
		if len(row) != d {
			return nil, fmt.Errorf("%w: %s: row %d has %d values, not %d", crankpkg.ErrData, names.name(), m, len(row), d)
		}
	}
	return fromMatrix(feature.NewDense(d, x), labels, names)
}

// FromMatrix returns the data set of the rows of a matrix, of d columns, with these labels.
// It copies them.
func FromMatrix(x mat.Matrix, labels Labels, names Names) (*crankpkg.Dataset, error) {
	rows, d := x.Dims()
	if names.Features != nil && len(names.Features) != d {
		return nil, fmt.Errorf("%w: %s: %d feature names for %d columns", crankpkg.ErrData, names.name(), len(names.Features), d)
	}
	dense := &feature.Matrix{NumRows: rows, NumCols: d, Value: make([]float64, rows*d)}
	for m := range rows {
		mat.Row(dense.Row(m).Value, m, x)
	}
	return fromMatrix(dense, labels, names)
}

func (n *Names) name() string {
	if n.Dataset == "" {
		return "data"
	}
	return n.Dataset
}

// fromMatrix puts features and labels together.
func fromMatrix(x *feature.Matrix, labels Labels, names Names) (*crankpkg.Dataset, error) {
	ds := &crankpkg.Dataset{Name: names.name(), FeatureNames: slices.Clone(names.Features), X: x}
	if names.Features == nil {
		ds.FeatureNames = numbered("x", x.NumCols)
	}
	if labels.rows != x.NumRows {
		return nil, fmt.Errorf("%w: %s: %d rows of features and %d of labels", crankpkg.ErrData, ds.Name, x.NumRows, labels.rows)
	}
	if labels.values == nil {
		return nil, fmt.Errorf("%w: %s: no labels", crankpkg.ErrData, ds.Name)
	}
	if x.NumRows > 0 && x.NumCols == 0 {
		return nil, fmt.Errorf("%w: %s: no features", crankpkg.ErrData, ds.Name)
	}
	var err error
	if ds.LabelNames, ds.Y, err = labels.values(names.Labels); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", crankpkg.ErrData, ds.Name, err)
	}
	if name, twice := repeated(ds.FeatureNames); twice {
		return nil, fmt.Errorf("%w: %s: two features are called %q", crankpkg.ErrData, ds.Name, name)
	}
	if name, twice := repeated(ds.LabelNames); twice {
		return nil, fmt.Errorf("%w: %s: two labels are called %q", crankpkg.ErrData, ds.Name, name)
	}
	if err := ds.Validate(); err != nil {
		return nil, err
	}
	return ds, nil
}

func repeated(names []string) (name string, twice bool) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}

func numbered(letter string, count int) []string {
	names := make([]string, count)
	for k := range names {
		names[k] = letter + strconv.Itoa(k+1)
	}
	return names
}
