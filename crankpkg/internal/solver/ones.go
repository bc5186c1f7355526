package solver

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/shuffle"
)

// ahead is by how many visits the memory of a row is touched before its own: the fastest of 2, 4 and 8.
const ahead = 4

// touch loads the row of the visit that comes so far behind visit i.
func (b *SVM) touch(i int) {
	if b.even != nil {
		b.touched |= b.even.Index[b.even.Rows[b.active[min(i+ahead, len(b.active)-1)]].First]
	}
}

// onesEpoch is epoch for sparse rows without a value but 1, whose products with w are sums of some
// of its entries: the same steps, to the same bits, in half of the time. What a test takes is
// known early where it can be, and no visit waits for memory. PERFORMANCE.md has the measurements.
func (b *SVM) onesEpoch(step, shrink float64) (total, worst float64) {
	b.passes++
	b.all = false
	shuffle.List(b.rng, b.active)
	kept, active := 0, b.active
	w, bias := b.w[:len(b.w)+1], b.bias
	rows, index := b.even.Rows, b.even.Index
	signs, alpha := b.t[:len(rows)], b.alpha[:len(rows)]
	var touched uint16
	for i, m := range active {
		touched |= index[rows[active[min(i+ahead, len(active)-1)]].First]
		row := rows[m]
		t, a := float64(signs[m]), alpha[m]
		var sum float64 // as Dot of the rows has it
		for index := index[row.First:][:(row.Size+7)&^7]; len(index) >= 8; index = index[8:] {
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
		next := min(max(a+relaxation*v/(step*float64(int32(row.Size)+1)), 0), 1)
		if delta := next - a; delta != 0 {
			alpha[m] = next
			delta *= t * step
			bias += delta
			for _, k := range index[row.First:][:row.Size] {
				w[k] += delta
			}
		}
	}
	b.active, b.bias, b.touched = active[:kept], bias, touched
	return total, worst
}
