package feature

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// EdgeFeatures chooses the vector z(x) in which pairwise weights are linear, the
// features on the edges of eq. (2):
//
//	score(x, y) = sum_i (w_i . x) y_i + sum_ij (w_ij . z(x)) y_i y_j,
//	z(x) = (1, Scale x_k for the chosen features k),   pi_ij = |w_ij|_1.
//
// The zero value is z(x) = 1: a scalar w_ij for each pair, as in the paper's
// experiments.
type EdgeFeatures struct {
	// All takes all features of x, Columns those at the given positions,
	// increasing.
	All     bool
	Columns []int
	// Scale multiplies the features, which were scaled as x is. A smaller one
	// regularizes their weights more. Zero means 1.
	Scale float64
}

// Resolve returns f with the columns listed and the default filled in, for d
// features. Columns is nil where z(x) = 1.
func (f EdgeFeatures) Resolve(d int) (EdgeFeatures, error) {
	if !(f.Scale >= 0) || math.IsInf(f.Scale, 0) {
		return f, fmt.Errorf("%w: EdgeFeatures.Scale %v", errs.ErrSettings, f.Scale)
	}
	if f.All {
		if len(f.Columns) > 0 {
			return f, fmt.Errorf("%w: EdgeFeatures with All and %d Columns", errs.ErrSettings, len(f.Columns))
		}
		f.Columns = make([]int, d)
		for k := range f.Columns {
			f.Columns[k] = k
		}
	}
	for p, k := range f.Columns {
		if k < 0 || k >= d || p > 0 && k <= f.Columns[p-1] {
			return f, fmt.Errorf("%w: EdgeFeatures.Columns[%d] = %d is out of order or none of %d features", errs.ErrSettings, p, k, d)
		}
	}
	if len(f.Columns) == 0 {
		return EdgeFeatures{}, nil
	}
	return EdgeFeatures{Columns: slices.Clone(f.Columns), Scale: cmp.Or(f.Scale, 1)}, nil
}

// Size returns the number of entries of z(x), for a resolved f.
func (f EdgeFeatures) Size() int { return 1 + len(f.Columns) }

// Matrix returns the rows z(x^m) for scaled rows x^m and a resolved f, sparse if
// those are; nil where z(x) = 1.
func (f EdgeFeatures) Matrix(x *Matrix) *Matrix {
	if len(f.Columns) == 0 {
		return nil
	}
	if !x.IsSparse() {
		z := &Matrix{NumRows: x.NumRows, NumCols: f.Size(), Value: make([]float64, 0, x.NumRows*f.Size())}
		for m := range x.NumRows {
			z.Value = f.appendTo(z.Value, x.Row(m).Value)
		}
		return z
	}
	z := NewSparse(f.Size())
	place := make([]int32, x.NumCols) // of a feature in z, or 0
	for p, k := range f.Columns {
		place[k] = int32(p + 1)
	}
	var index []int32
	var value []float64
	for m := range x.NumRows {
		row := x.Row(m)
		index, value = append(index[:0], 0), append(value[:0], 1)
		for p, k := range row.Index {
			if place[k] > 0 {
				index, value = append(index, place[k]), append(value, f.Scale*row.Value[p])
			}
		}
		z.AppendSparse(index, value)
	}
	return z
}

// Of returns z(x) of a scaled row, all entries stored, for a resolved f.
func (f EdgeFeatures) Of(x Row) []float64 {
	if len(f.Columns) == 0 {
		return []float64{1}
	}
	dense := make([]float64, f.Columns[len(f.Columns)-1]+1)
	for p, v := range x.Value {
		k := p
		if x.Index != nil {
			k = int(x.Index[p])
		}
		if k < len(dense) {
			dense[k] = v
		}
	}
	return f.appendTo(nil, dense)
}

// appendTo appends z(x) of a dense row.
func (f EdgeFeatures) appendTo(dst, x []float64) []float64 {
	dst = append(dst, 1)
	for _, k := range f.Columns {
		dst = append(dst, f.Scale*x[k])
	}
	return dst
}
