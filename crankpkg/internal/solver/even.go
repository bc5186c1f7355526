package solver

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/feature"
)

// evenRows has sparse rows of one value each, as zeros and ones have, also at length one, in so little
// memory that those of Delicious, and what a label has beside them, stay in the second cache.
type evenRows struct {
	rows  []evenRow // by example
	value []float64 // by example; nil: all are 1
	// index has the features of one row after the other. Each row is filled up to
	// eights with the number of features, where weights have a zero.
	index []uint16
}

// evenRow says where the index has a row, and how many features it has.
type evenRow struct{ first, size uint32 }

// newEvenRows returns nil where a row has several values, or there are more features than two bytes tell apart.
func newEvenRows(x *feature.Matrix) *evenRows {
	if !x.IsSparse() || x.NumCols > math.MaxUint16 {
		return nil
	}
	r := &evenRows{rows: make([]evenRow, x.NumRows), value: make([]float64, x.NumRows)}
	ones := true
	for m := range r.rows {
		first, row := len(r.index), x.Row(m)
		r.rows[m], r.value[m] = evenRow{uint32(first), uint32(len(row.Index))}, 1
		for p, k := range row.Index {
			if row.Value[p] != row.Value[0] {
				return nil
			}
			r.index = append(r.index, uint16(k))
			r.value[m] = row.Value[0]
		}
		ones = ones && r.value[m] == 1
		for len(r.index) == first || len(r.index)%8 != 0 {
			r.index = append(r.index, uint16(x.NumCols))
		}
	}
	if ones {
		r.value = nil
	}
	return r
}

// isOnes reports whether all values are 1.
func (r *evenRows) isOnes() bool { return r != nil && r.value == nil }

// features returns those of row m.
func (r *evenRows) features(m int32) []uint16 {
	row := r.rows[m]
	return r.index[row.first:][:row.size]
}

// dot returns w . x^m, added up from the first feature to the last. Behind the weights w has a zero.
func (r *evenRows) dot(m int32, w []float64) (sum float64) {
	row := r.rows[m]
	index := r.index[row.first:][:(row.size+7)&^7]
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

// addScaledTo adds a x^m to w.
func (r *evenRows) addScaledTo(w []float64, a float64, m int32) {
	if r.value == nil {
		for _, k := range r.features(m) {
			w[k] += a
		}
		return
	}
	v := r.value[m]
	for _, k := range r.features(m) {
		w[k] += a * v
	}
}

// ahead is by how many visits the memory of a row is touched before its own: the fastest of 2, 4 and 8.
const ahead = 4

// touch loads the row of the visit that comes so far behind visit i.
func (b *SVM) touch(i int) {
	if b.even != nil {
		b.touched |= b.even.index[b.even.rows[b.active[min(i+ahead, len(b.active)-1)]].first]
	}
}
