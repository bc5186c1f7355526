// Package even has sparse rows of one value each, as zeros and ones have, also at length one: their
// products with weights are sums of some of these, which take less memory and time.
package even

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/feature"
)

// Rows takes so little memory that the rows of Delicious, and what a label has beside them in its training,
// stay in the second cache.
type Rows struct {
	Rows  []Row     // by example
	value []float64 // by example; nil: all are 1
	// Index has the features of one row after the other. Each row is filled up to
	// eights with the number of features, where weights have a zero.
	Index []uint16
}

// Row says where Index has a row, and how many features it has.
type Row struct{ First, Size uint32 }

// New returns the rows of x, or nil where a row has several values, or there are more features than two bytes tell apart
// or more entries than four bytes count.
func New(x *feature.Matrix) *Rows {
	if !x.IsSparse() || x.NumCols > math.MaxUint16 {
		return nil
	}
	r := &Rows{Rows: make([]Row, x.NumRows), value: make([]float64, x.NumRows)}
	ones := true
	for m := range r.Rows {
		first, row := len(r.Index), x.Row(m)
		if uint64(first) > math.MaxUint32 {
			return nil
		}
		r.Rows[m], r.value[m] = Row{uint32(first), uint32(len(row.Index))}, 1
		for p, k := range row.Index {
			if row.Value[p] != row.Value[0] {
				return nil
			}
			r.Index = append(r.Index, uint16(k))
			r.value[m] = row.Value[0]
		}
		ones = ones && r.value[m] == 1
		for len(r.Index) == first || len(r.Index)%8 != 0 {
			r.Index = append(r.Index, uint16(x.NumCols))
		}
	}
	if ones {
		r.value = nil
	}
	return r
}

// IsOnes reports whether all values are 1.
func (r *Rows) IsOnes() bool { return r != nil && r.value == nil }

// Features returns those of row m.
func (r *Rows) Features(m int32) []uint16 {
	row := r.Rows[m]
	return r.Index[row.First:][:row.Size]
}

// Dot returns w . x^m, added up from the first feature to the last. Behind the weights w has a zero.
func (r *Rows) Dot(m int32, w []float64) (sum float64) {
	row := r.Rows[m]
	index := r.Index[row.First:][:(row.Size+7)&^7]
	if r.value == nil {
		for ; len(index) >= 8; index = index[8:] {
			sum += w[index[0]]
			sum += w[index[1]]
			sum += w[index[2]]
			sum += w[index[3]]
			sum += w[index[4]]
			sum += w[index[5]]
			sum += w[index[6]]
			sum += w[index[7]]
		}
		return sum
	}
	v := r.value[m]
	for ; len(index) >= 8; index = index[8:] {
		sum += v * w[index[0]]
		sum += v * w[index[1]]
		sum += v * w[index[2]]
		sum += v * w[index[3]]
		sum += v * w[index[4]]
		sum += v * w[index[5]]
		sum += v * w[index[6]]
		sum += v * w[index[7]]
	}
	return sum
}

// AddScaledTo adds a x^m to w.
func (r *Rows) AddScaledTo(w []float64, a float64, m int32) {
	if r.value == nil {
		for _, k := range r.Features(m) {
			w[k] += a
		}
		return
	}
	v := r.value[m]
	for _, k := range r.Features(m) {
		w[k] += a * v
	}
}
