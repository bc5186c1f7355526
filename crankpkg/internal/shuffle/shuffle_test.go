package shuffle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestList holds List to the standard library, list by list and draw by draw.
func TestList(t *testing.T) {
	t.Parallel()
	ours, theirs := rand.NewPCG(3, 1), rand.New(rand.NewPCG(3, 1))
	for size := range 300 {
		got := make([]int32, size)
		for k := range got {
			got[k] = int32(k)
		}
		want := slices.Clone(got)
		List(ours, got)
		theirs.Shuffle(size, func(i, j int) { want[i], want[j] = want[j], want[i] })
		if !slices.Equal(got, want) {
			t.Fatalf("%d numbers: %v, not %v", size, got, want)
		}
	}
	for _, n := range []uint64{1, 2, 3, 1 << 40, 1<<63 + 1, 1<<64 - 1} { // draws are rejected often for the last but one
		for range 100 {
			if got, want := below(ours, n), theirs.Uint64N(n); got != want {
				t.Fatalf("below %d: %d, not %d", n, got, want)
			}
		}
	}
}
