package treeset

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats/scalar"
)

// TestTreeMarginals sums over all trees.
func TestTreeMarginals(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(4)
		edges := labelgraph.AllPairs(n)
		set := NewSet(Trees(n), edges)
		for e := range edges {
			if rng.IntN(4) == 0 {
				set.State[e] = Membership(1 + rng.IntN(2))
			}
		}
		theta := make([]float64, len(edges))
		spread := []float64{1, 10, 60}[seed%3]
		for e := range theta {
			theta[e] = spread * rng.NormFloat64()
		}
		want, total := make([]float64, len(edges)), 0.0
		for tree := range set.trees() {
			p := 1.0
			for _, e := range tree {
				if set.State[e] == Free {
					p *= math.Exp(theta[e])
				}
			}
			total += p
			for _, e := range tree {
				want[e] += p
			}
		}
		if total == 0 {
			continue
		}
		got := make([]float64, len(edges))
		newTreeMarginals(n).marginals(got, edges, theta, set.State)
		for e := range got {
			if !scalar.EqualWithinAbsOrRel(got[e], want[e]/total, 1e-300, 1e-12) {
				t.Fatalf("seed %d, edge %v: %v, want %v", seed, edges[e], got[e], want[e]/total)
			}
		}
	}
}
