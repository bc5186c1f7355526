package solver

import (
	"math"
	"math/bits"
	"math/rand/v2"
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

// onesEpoch is epoch for sparse rows without a value but 1, whose products with w are sums of some
// of its entries: the same steps, to the same bits, in half of the time. What a test takes is
// known early where it can be, and no visit waits for memory. PERFORMANCE.md has the measurements.
func (b *SVM) onesEpoch(step, shrink float64) (total, worst float64) {
	b.passes++
	b.all = false
	shuffle(b.rng, b.active)
	kept, active := 0, b.active
	w, bias := b.w[:len(b.w)+1], b.bias
	rows, index := b.even.rows, b.even.index
	signs, alpha := b.t[:len(rows)], b.alpha[:len(rows)]
	var touched uint16
	for i, m := range active {
		touched |= index[rows[active[min(i+ahead, len(active)-1)]].first]
		row := rows[m]
		t, a := float64(signs[m]), alpha[m]
		var sum float64 // as the method dot has it
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
