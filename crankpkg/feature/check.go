package feature

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// CheckRow returns an error that wraps ErrData, and names the feature, unless x is a row of
// the features called names with finite values, whose indices increase strictly where it is
// sparse. The zero Row is one of any length.
func CheckRow(x Row, names []string) error {
	d := len(names)
	switch {
	case x.Index == nil && len(x.Value) != d && len(x.Value) != 0:
		return fmt.Errorf("%w: a row of %d features for a model of %d", errs.ErrData, len(x.Value), d)
	case x.Index != nil && len(x.Index) != len(x.Value):
		return fmt.Errorf("%w: a sparse row of %d indices and %d values", errs.ErrData, len(x.Index), len(x.Value))
	}
	last := int32(-1)
	for _, k := range x.Index {
		if k < 0 || int(k) >= d {
			return fmt.Errorf("%w: a row with feature %d for a model of %d", errs.ErrData, k, d)
		}
		if k <= last {
			return fmt.Errorf("%w: a sparse row with feature %d (%q) after feature %d", errs.ErrData, k, names[k], last)
		}
		last = k
	}
	for q, v := range x.Value {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			k := q
			if x.Index != nil {
				k = int(x.Index[q])
			}
			return fmt.Errorf("%w: feature %q: %v", errs.ErrData, names[k], v)
		}
	}
	return nil
}

// CheckSize returns an error that wraps ErrData unless x has numCols columns and every row
// of it can be taken. It does not look at the rows.
func CheckSize(x *Matrix, numCols int) error {
	switch {
	case x == nil:
		return fmt.Errorf("%w: no rows", errs.ErrData)
	case x.NumCols != numCols:
		return fmt.Errorf("%w: rows of %d features for a model of %d", errs.ErrData, x.NumCols, numCols)
	case !x.IsSparse() && len(x.Value) != x.NumRows*x.NumCols:
		return fmt.Errorf("%w: %d values for %d rows of %d features", errs.ErrData, len(x.Value), x.NumRows, x.NumCols)
	case x.IsSparse() && !startsFit(x):
		return fmt.Errorf("%w: the starts of %d sparse rows do not fit %d indices and %d values", errs.ErrData, x.NumRows, len(x.Index), len(x.Value))
	}
	return nil
}

// startsFit reports whether every row of a sparse matrix lies within its values.
func startsFit(x *Matrix) bool {
	return x.NumRows >= 0 && len(x.Start) == x.NumRows+1 && x.Start[0] >= 0 && slices.IsSorted(x.Start) &&
		x.Start[x.NumRows] <= min(len(x.Index), len(x.Value))
}
