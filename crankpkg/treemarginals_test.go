package crankpkg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
)

// TestTreeMarginals sums over all trees.
func TestTreeMarginals(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(4)
		edges := AllPairs(n)
		set := newTreeSet(treeFamily(n), edges)
		for e := range edges {
			if rng.IntN(4) == 0 {
				set.state[e] = membership(1 + rng.IntN(2))
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
				if set.state[e] == free {
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
		newTreeMarginals(n).marginals(got, edges, theta, set.state)
		for e := range got {
			if !scalar.EqualWithinAbsOrRel(got[e], want[e]/total, 1e-300, 1e-12) {
				t.Fatalf("seed %d, edge %v: %v, want %v", seed, edges[e], got[e], want[e]/total)
			}
		}
	}
}
