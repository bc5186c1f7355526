package table

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/schema"
)

// Imputer holds what takes the place of missing values: the mean of numbers, the most
// frequent of names (the first of the declaration, or of the alphabet in a file that
// declares none, among equals). The zero Imputer is not fitted yet; a reader fits it to
// the file that it reads, over the values that are not missing. Fit it to the training
// file, then read the test file with it. Coding.Imputer gives that of a model.
type Imputer struct {
	// Columns are the feature names that it was fitted on; nil: not fitted.
	Columns []string
	// Fill has, for each column, what stands there when its attribute is
	// missing.
	Fill []float64
}

// Gap is a missing cell of a field: the value at Pos of the matrix, NaN, stands for it.
type Gap struct {
	Field int32
	Pos   int
}

// EmptyField is the error that a field has no values at all, by its place.
type EmptyField int

func (e EmptyField) Error() string { return "every value is missing; drop it" }

// Complete fits f if that is still to do, and fills the gaps of x, which has columns of
// these names. Fields that are nil are no features.
func (f *Imputer) Complete(x *feature.Matrix, names []string, fields []*Field, gaps []Gap) error {
	if f.Columns == nil {
		if err := f.fit(x, names, fields, gaps); err != nil {
			return err
		}
	}
	fill, err := f.fillOf(names)
	if err != nil {
		return fmt.Errorf("%w: the imputer was fitted on other features: %w", errs.ErrSettings, err)
	}
	for _, gap := range gaps {
		field := fields[gap.Field]
		values := fill[field.Column : field.Column+field.Width]
		one := max(0, slices.Index(values, 1))
		switch {
		case field.Width == 1:
			x.Value[gap.Pos] = values[0]
		case x.IsSparse():
			x.Index[gap.Pos], x.Value[gap.Pos] = field.Column+int32(one), 1
		default:
			x.Value[gap.Pos], x.Value[gap.Pos+one] = 0, 1
		}
	}
	return nil
}

// fillOf returns what fills in the columns of these names: those that f was fitted on, in
// any order.
func (f *Imputer) fillOf(names []string) ([]float64, error) {
	if len(f.Fill) != len(f.Columns) {
		return nil, fmt.Errorf("%d columns and %d values", len(f.Columns), len(f.Fill))
	}
	order, err := schema.Match("feature", names, f.Columns)
	if err != nil || order == nil {
		return f.Fill, err
	}
	fill := make([]float64, len(names))
	for k, from := range order {
		fill[k] = f.Fill[from]
	}
	return fill, nil
}

// fit fits f to the rows that were read.
func (f *Imputer) fit(x *feature.Matrix, names []string, fields []*Field, gaps []Gap) error {
	present := make([]int, len(fields))
	for k := range present {
		present[k] = x.NumRows
	}
	for _, gap := range gaps {
		present[gap.Field]--
	}
	count := make([]float64, x.NumCols) // values present, for each column
	for k, field := range fields {
		if field == nil {
			continue
		}
		if present[k] == 0 {
			return EmptyField(k)
		}
		for c := field.Column; c < field.Column+field.Width; c++ {
			count[c] = float64(present[k])
		}
	}
	means := columnMeans(x, count)
	for k, field := range fields {
		if field != nil && field.Values != nil {
			field.toMostFrequent(means[field.Column:field.Column+field.Width], float64(present[k]))
		}
	}
	f.Columns, f.Fill = names, means
	return nil
}

// toMostFrequent turns the shares that f's columns have of so many rows into
// the code of f's most frequent value.
func (f *Field) toMostFrequent(share []float64, rows float64) {
	for c, s := range share {
		share[c] = math.Round(s * rows) // exact counts, so that ties are ties
	}
	if len(f.Values) == 2 {
		often := 2*share[0] > rows || 2*share[0] == rows && f.One == 0
		share[0] = 0
		if often {
			share[0] = 1
		}
		return
	}
	best := 0
	for c, s := range share {
		if s > share[best] {
			best = c
		}
	}
	clear(share)
	share[best] = 1
}

// columnMeans returns the mean of each column over count[c] values, leaving out
// NaN. It divides before it adds, so that large values do not overflow.
func columnMeans(x *feature.Matrix, count []float64) []float64 {
	means := make([]float64, x.NumCols)
	for m := range x.NumRows {
		row := x.Row(m)
		for p, v := range row.Value {
			if v != v {
				continue
			}
			c := p
			if row.Index != nil {
				c = int(row.Index[p])
			}
			means[c] += v / count[c]
		}
	}
	return means
}
