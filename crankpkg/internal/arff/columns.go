package arff

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// sparseWidening is how many times as many columns as feature attributes may
// come of one-hot coding before the rows of a dense file are stored sparsely.
const sparseWidening = 4

// newDataset lays out the columns and returns the empty data, with a sparse
// matrix if one-hot columns make that the smaller form.
func (h *header) newDataset(in *reader, name string) (*Data, error) {
	ds := &Data{Name: name}
	features, nameBytes := 0, 0
	for k := range h.attrs {
		a := &h.attrs[k]
		switch a.role {
		case labelRole:
			a.column = int32(len(ds.LabelNames))
			ds.LabelNames = append(ds.LabelNames, a.name)
		case featureRole:
			features++
			nameBytes += a.layOut(len(ds.FeatureNames))
			if !in.affords(nameBytes) || len(ds.FeatureNames) > math.MaxInt32-len(a.values)-1 {
				return nil, fmt.Errorf("%w: %s:%d: attribute %q: too many nominal values for so long a name",
					errs.ErrData, in.file, a.lineNo, a.name)
			}
			ds.FeatureNames = a.appendColumnNames(ds.FeatureNames)
		}
	}
	ds.X = &feature.Matrix{NumCols: len(ds.FeatureNames)}
	if len(ds.FeatureNames) > sparseWidening*features {
		ds.X.Start = []int{0}
	}
	return ds, nil
}

// layOut gives a its columns and returns the bytes of their names.
func (a *attribute) layOut(first int) int {
	a.column, a.width = int32(first), 1
	if a.kind == numericKind || len(a.values) == 2 {
		return len(a.name)
	}
	a.width = int32(len(a.values))
	size := 0
	for _, value := range a.values {
		size += len(a.name) + 1 + len(value)
	}
	return size
}

func (a *attribute) appendColumnNames(names []string) []string {
	if _, plain := trueValue(a.values); plain || a.kind == numericKind {
		return append(names, a.name)
	}
	if len(a.values) == 2 {
		return append(names, a.name+"="+a.values[a.one])
	}
	for _, value := range a.values {
		names = append(names, a.name+"="+value)
	}
	return names
}

// code returns the column of a cell that is not zero and its value there. A
// nominal cell has the place of its value in number.
func (a *attribute) code(number float64) (column int32, value float64) {
	switch {
	case a.kind == numericKind:
		return a.column, number
	case len(a.values) != 2:
		return a.column + int32(number), 1
	case int32(number) == a.one:
		return a.column, 1
	}
	return a.column, 0
}
