package arff

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// Imputer holds what takes the place of missing values: the mean of a numeric
// attribute, the most frequent value of a nominal one (the one declared first,
// among equals). The zero Imputer is not fitted yet; ReadARFF fits it to the
// file that it reads, over the values that are not missing. Fit it to the
// training file, then read the test file with it.
type Imputer struct {
	// Columns are the feature names that it was fitted on; nil: not fitted.
	Columns []string
	// Fill has, for each column, what stands there when its attribute is
	// missing.
	Fill []float64
}

// impute fits fill if that is still to do, and replaces what is missing.
func (r *rows) impute(fill *Imputer) error {
	if fill == nil {
		return nil
	}
	if fill.Columns == nil {
		if err := r.fit(fill); err != nil {
			return err
		}
	}
	if !slices.Equal(fill.Columns, r.ds.FeatureNames) {
		return fmt.Errorf("%w: %s: the imputer was fitted on other features", errs.ErrSettings, r.file)
	}
	x := r.ds.X
	for _, gap := range r.missing {
		a := &r.header.attrs[gap.attr]
		values := fill.Fill[a.column : a.column+a.width]
		one := max(0, slices.Index(values, 1))
		switch {
		case a.width == 1:
			x.Value[gap.pos] = values[0]
		case x.IsSparse():
			x.Index[gap.pos], x.Value[gap.pos] = a.column+int32(one), 1
		default:
			x.Value[gap.pos], x.Value[gap.pos+one] = 0, 1
		}
	}
	return nil
}

// fit fits the imputer to the rows that were read.
func (r *rows) fit(fill *Imputer) error {
	x := r.ds.X
	present := make([]int, len(r.header.attrs))
	for k := range present {
		present[k] = x.NumRows
	}
	for _, gap := range r.missing {
		present[gap.attr]--
	}
	count := make([]float64, x.NumCols) // values present, for each column
	for k := range r.header.attrs {
		a := &r.header.attrs[k]
		if a.role != featureRole {
			continue
		}
		if present[k] == 0 {
			return fmt.Errorf("%w: %s:%d: attribute %q: every value is missing", errs.ErrData, r.file, a.lineNo, a.name)
		}
		for c := a.column; c < a.column+a.width; c++ {
			count[c] = float64(present[k])
		}
	}
	means := columnMeans(x, count)
	for k := range r.header.attrs {
		if a := &r.header.attrs[k]; a.role == featureRole && a.kind == nominalKind {
			a.toMostFrequent(means[a.column:a.column+a.width], float64(present[k]))
		}
	}
	fill.Columns, fill.Fill = r.ds.FeatureNames, means
	return nil
}

// toMostFrequent turns the shares that a's columns have of so many rows into
// the code of a's most frequent value.
func (a *attribute) toMostFrequent(share []float64, rows float64) {
	for c, s := range share {
		share[c] = math.Round(s * rows) // exact counts, so that ties are ties
	}
	if len(a.values) == 2 {
		often := 2*share[0] > rows || 2*share[0] == rows && a.one == 0
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
