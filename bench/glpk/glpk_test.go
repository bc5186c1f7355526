package glpk

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestSameOptimum holds GLPK and roof duality to the same optimal values, on
// random graphs from no pair to all pairs, from each start.
func TestSameOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	fractional := 0
	for range 200 {
		n := 1 + rng.IntN(12)
		share := math.Sqrt(rng.Float64())
		g := infer.NewPairGraph(n, nil, nil)
		for _, e := range labelgraph.AllPairs(n) {
			if rng.Float64() < share {
				g.Set(e, rng.NormFloat64())
			}
		}
		c := make([]float64, n)
		for i := range c {
			c[i] = 0.3 * rng.NormFloat64()
		}
		labeling := make(crankpkg.Labeling, n)
		want := infer.NewLPOracle(g).Maximize(labeling, c)
		if !labeling.IsIntegral() {
			fractional++
		}
		p := New(g)
		y := make([]float64, n)
		for _, start := range []Start{Cold, Presolve, Warm} {
			got, err := p.Maximize(y, c, start)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%d labels, %d pairs, start %d: GLPK has the optimum %v, roof duality %v", n, len(g.Edges), start, got, want)
			}
			for i, v := range y {
				if v < -1e-9 || v > 1+1e-9 {
					t.Errorf("label %d is %v", i, v)
				}
			}
		}
		p.Close()
	}
	if fractional < 20 {
		t.Errorf("%d of 200 optima are fractional; the test wants more", fractional)
	}
}
