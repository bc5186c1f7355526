package infer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// The search with bounds finds what a look at all labelings finds, to the bits, also where
// many are equally good, from any labeling that it begins with; and it does not give up where
// the relaxation is tight.
func TestBoundedIsEnumeration(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	ended := 0
	const tries = 600
	for try := range tries {
		n := 3 + try%6
		edges := labelgraph.AllPairs(n)
		weights, c, truth := make([]float64, len(edges)), make([]float64, n), make([]uint8, n)
		draw := rng.NormFloat64
		if try%2 == 0 {
			draw = func() float64 { return float64(rng.IntN(3) - 1) } // ties
		}
		for k := range weights {
			weights[k] = draw()
		}
		for i := range c {
			c[i], truth[i] = draw(), uint8(rng.IntN(2))
		}
		loss := Loss{Hamming: float64(try % 3), ZeroOne: float64(1 + try%2)}
		g := NewPairGraph(n, edges, weights)
		var all enumeration
		var few bounded
		want, got := make(Labeling, n), make(Labeling, n)
		value := all.maximize(want, g, c, truth, loss)
		for i := range got {
			got[i] = On * uint8(rng.IntN(2))
		}
		if try%4 < 2 {
			copy(got, want)
		}
		switch found, ok := few.maximize(got, g, c, truth, loss); {
		case ok && (found != value || !slices.Equal(got, want)):
			t.Fatalf("%d labels, %+v: %v of %v, and %v of %v among all", n, loss, got, found, want, value)
		case ok:
			ended++
		}
	}
	if ended < tries*9/10 {
		t.Errorf("%d of %d searches have ended", ended, tries)
	}
}
