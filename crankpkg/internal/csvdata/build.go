package csvdata

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// build makes the data of the columns, fits the coding and fills gaps.
func (in *file) build() (*table.Data, error) {
	ds := &table.Data{Name: textfile.BaseName(in.name), Unlabeled: in.opts.FeaturesOnly}
	if err := in.layOut(ds); err != nil {
		return nil, err
	}
	if err := in.fillLabels(ds); err != nil {
		return nil, err
	}
	gaps := in.fillFeatures(ds)
	coding, err := in.impute(ds, gaps)
	if err != nil {
		return nil, err
	}
	coding.Dropped = in.dropped
	if in.opts.Coding != nil && in.fitted == nil {
		*in.opts.Coding = Coding{Columns: in.header, Labels: slices.Clone(ds.LabelNames), Features: coding.Clone()}
	}
	ds.Coding = table.Coding{Dropped: coding.Dropped}
	if !coding.IsPlain() {
		ds.Coding = coding
	}
	return ds, nil
}

// affords reports whether the file justifies so many bytes of memory.
func (in *file) affords(memory int64) bool {
	return table.Affordable(memory, int(in.rows.InputOffset()))
}

// layOut gives the features their columns.
func (in *file) layOut(ds *table.Data) error {
	nameBytes := 0
	for _, c := range in.features {
		if c.kind == unknownKind || c.kind == nameKind && len(c.Values) == 0 {
			return fmt.Errorf("%w: %s: column %q: %w", errs.ErrData, in.name, c.Name, table.EmptyField(0))
		}
		c.settle()
		nameBytes += c.LayOut(len(ds.FeatureNames))
		if !in.affords(int64(nameBytes)) || table.FitsColumns(len(ds.FeatureNames), len(c.Values)) != nil {
			return fmt.Errorf("%w: %s: column %q: too many names for one so long", errs.ErrData, in.name, c.Name)
		}
		ds.FeatureNames = c.AppendColumnNames(ds.FeatureNames)
	}
	ds.X = &feature.Matrix{NumCols: len(ds.FeatureNames)}
	if in.cells.Sparse || len(ds.FeatureNames) > table.SparseWidening*len(in.features) {
		ds.X.Start = []int{0}
	}
	return nil
}

// fillLabels sets the labels.
func (in *file) fillLabels(ds *table.Data) error {
	if in.listed != nil {
		in.listed.settle()
		ds.LabelNames = slices.Clone(in.listed.names)
		if len(ds.LabelNames) == 0 && !in.opts.FeaturesOnly {
			return fmt.Errorf("%w: %s: column %q: no row has a label", errs.ErrData, in.name, in.opts.LabelColumn)
		}
	} else {
		for _, c := range in.labels {
			ds.LabelNames = append(ds.LabelNames, c.Name)
		}
	}
	n := len(ds.LabelNames)
	if !in.affords(int64(in.count) * int64(n)) {
		return fmt.Errorf("%w: %s: %d labels need too much memory for so short rows", errs.ErrData, in.name, n)
	}
	ds.Y = make([]uint8, in.count*n)
	if in.opts.FeaturesOnly {
		return nil
	}
	if in.listed != nil {
		for m, set := range in.listed.sets {
			for _, i := range set {
				ds.Y[m*n+int(i)] = 1
			}
		}
	}
	for i, c := range in.labels {
		on, err := (*labelColumn)(c).on()
		if err != nil {
			return fmt.Errorf("%w: %s: column %q: %w", errs.ErrData, in.name, c.Name, err)
		}
		for m, cell := range c.cells {
			if int(cell) == on {
				ds.Y[m*n+i] = 1
			}
		}
	}
	return nil
}

// fillFeatures sets the rows of the matrix and returns its gaps.
func (in *file) fillFeatures(ds *table.Data) (gaps []table.Gap) {
	if !ds.X.IsSparse() {
		ds.X.NumRows, ds.X.Value = in.count, make([]float64, in.count*ds.X.NumCols)
	}
	var index []int32
	var value []float64
	stored := in.stored()
	for m := range in.count {
		index, value = index[:0], value[:0]
		for _, k := range stored {
			c := in.features[k]
			column, v := c.Column, math.NaN()
			switch cell := c.cellOf(m); {
			case c.kind == nameKind && cell == unseen:
				continue
			case !math.IsNaN(cell):
				column, v = c.Code(cell)
			case ds.X.IsSparse():
				gaps = append(gaps, table.Gap{Field: int32(k), Pos: len(ds.X.Value) + len(value)})
			default:
				gaps = append(gaps, table.Gap{Field: int32(k), Pos: m*ds.X.NumCols + int(column)})
			}
			if v != 0 {
				index, value = append(index, column), append(value, v)
			}
		}
		if ds.X.IsSparse() {
			ds.X.AppendSparse(index, value)
			continue
		}
		for p, k := range index {
			ds.X.Value[m*ds.X.NumCols+int(k)] = value[p]
		}
	}
	return gaps
}

// stored returns the places of the features that may have something else than 0 in some row.
func (in *file) stored() []int {
	var places []int
	for k, c := range in.features {
		if !c.absent || c.kind == nameKind {
			places = append(places, k)
		}
	}
	return places
}

// cellOf returns the cell of a row. Those of an absent column have what sparse rows leave out.
func (c *column) cellOf(m int) float64 {
	if c.absent {
		return 0
	}
	return c.cells[m]
}

// impute fits the imputer if that is still to do, fills the gaps, and returns the coding of
// the features.
func (in *file) impute(ds *table.Data, gaps []table.Gap) (table.Coding, error) {
	fields := make([]*table.Field, len(in.features))
	for k, c := range in.features {
		fields[k] = &c.Field
	}
	coding, fill := in.cells, in.opts.Imputer
	coding.Columns = table.NewCoding(fields, ds.FeatureNames, nil).Columns
	if in.fitted != nil && (fill == nil || fill.Columns == nil) {
		if own := in.cells.Imputer(ds.FeatureNames); own != nil {
			return in.cells.Clone(), own.Complete(ds.X, ds.FeatureNames, fields, gaps)
		}
	}
	if fill == nil {
		return coding, nil
	}
	err := fill.Complete(ds.X, ds.FeatureNames, fields, gaps)
	var empty table.EmptyField
	switch {
	case errors.As(err, &empty):
		return coding, fmt.Errorf("%w: %s: column %q: %w", errs.ErrData, in.name, fields[empty].Name, err)
	case err != nil:
		return coding, fmt.Errorf("%w (%s)", err, in.name)
	}
	coding.Columns = table.NewCoding(fields, ds.FeatureNames, fill).Columns
	return coding, nil
}
