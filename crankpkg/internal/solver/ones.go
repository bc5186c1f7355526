package solver

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg/feature"
)

// shuffle is the method Shuffle of a rand.Rand over the source, with the same draws,
// in half of its time.
func shuffle(source *rand.PCG, list []int32) {
	for i := len(list) - 1; i > 0; i-- {
		j := below(source, uint64(i+1))
		list[i], list[j] = list[j], list[i]
	}
}

// below is Uint64N.
func below(source *rand.PCG, n uint64) uint64 {
	if n&(n-1) == 0 {
		return source.Uint64() & (n - 1)
	}
	high, low := bits.Mul64(source.Uint64(), n)
	if low < n {
		for rest := -n % n; low < rest; {
			high, low = bits.Mul64(source.Uint64(), n)
		}
	}
	return high
}

// onesRows has sparse rows without a value but 1, in so little memory that those of Delicious, and what
// a label has beside them, stay in the second cache.
type onesRows struct {
	rows []onesRow // by example
	// index has the features of one row after the other. Each row is filled up to
	// eights with the number of features, where weights have a zero.
	index []uint16
}

// onesRow says where the index has a row, and how many features it has.
type onesRow struct{ first, size uint32 }

// newOnesRows returns nil where there are other values, or more features than two bytes tell apart.
func newOnesRows(x *feature.Matrix) *onesRows {
	if !x.IsSparse() || x.NumCols > math.MaxUint16 || slices.ContainsFunc(x.Value, func(v float64) bool { return v != 1 }) {
		return nil
	}
	r := &onesRows{rows: make([]onesRow, x.NumRows)}
	fill := func(from int) {
		for len(r.index) == from || len(r.index)%8 != 0 {
			r.index = append(r.index, uint16(x.NumCols))
		}
	}
	for m := range r.rows {
		first, row := len(r.index), x.Row(m).Index
		r.rows[m] = onesRow{uint32(first), uint32(len(row))}
		for _, k := range row {
			r.index = append(r.index, uint16(k))
		}
		fill(first)
	}
	return r
}

// features returns those of row m.
func (r *onesRows) features(m int32) []uint16 {
	row := r.rows[m]
	return r.index[row.first:][:row.size]
}

// sum returns the sum of the weights w of row m's features, one after the other. Behind them
// w has a zero.
func (r *onesRows) sum(m int32, w []float64) (sum float64) {
	row := r.rows[m]
	for index := r.index[row.first:][:(row.size+7)&^7]; len(index) >= 8; index = index[8:] {
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

// ahead is by how many visits the memory of a row is touched before its own: the fastest of 2, 4 and 8.
const ahead = 4

// onesEpoch is epoch for sparse rows without a value but 1, whose products with w are sums of some
// of its entries: the same steps, to the same bits, in half of the time. What a test takes is
// known early where it can be, and no visit waits for memory. PERFORMANCE.md has the measurements.
func (b *SVM) onesEpoch(step, shrink float64) (total, worst float64) {
	b.passes++
	b.all = false
	shuffle(b.rng, b.active)
	kept, active := 0, b.active
	w, bias := b.w[:len(b.w)+1], b.bias
	rows, index := b.ones.rows, b.ones.index
	signs, alpha := b.t[:len(rows)], b.alpha[:len(rows)]
	var touched uint16
	for i, m := range active {
		touched |= index[rows[active[min(i+ahead, len(active)-1)]].first]
		row := rows[m]
		t, a := float64(signs[m]), alpha[m]
		var sum float64 // as the method sum has it
		for index := index[row.first:][:(row.size+7)&^7]; len(index) >= 8; index = index[8:] {
			sum += w[index[0]]
			sum += w[index[1]]
			sum += w[index[2]]
			sum += w[index[3]]
			sum += w[index[4]]
			sum += w[index[5]]
			sum += w[index[6]]
			sum += w[index[7]]
		}
		v := 1 - t*(bias+sum)
		active[kept] = m
		kept++
		if a*(1-a) == 0 { // at a bound
			if beyond := (2*a - 1) * v; beyond >= 0 {
				if beyond > shrink {
					kept--
				}
				continue
			}
		}
		total += max(v, 0) - a*v
		worst = max(worst, math.Abs(v))
		next := min(max(a+relaxation*v/(step*float64(int32(row.size)+1)), 0), 1)
		if delta := next - a; delta != 0 {
			alpha[m] = next
			delta *= t * step
			bias += delta
			for _, k := range index[row.first:][:row.size] {
				w[k] += delta
			}
		}
	}
	b.active, b.bias, b.touched = active[:kept], bias, touched
	return total, worst
}
