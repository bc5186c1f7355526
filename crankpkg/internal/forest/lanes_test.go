package forest_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestLanesAreLabels finds the labels of eight rows together, of each by itself, and by the
// oracle. Whole numbers make ties frequent, which go to 0.
func TestLanesAreLabels(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(23, 24))
	for range 300 {
		n := 1 + rnd.IntN(20)
		edges := labelgraph.RandomTree(n, rnd)
		edges = edges[:rnd.IntN(len(edges)+1)]
		weights := make([]float64, len(edges))
		for k := range weights {
			weights[k] = float64(rnd.IntN(7) - 3)
		}
		g := infer.NewPairGraph(n, edges, weights)
		order, _ := infer.ForestOrder(g)
		nodes := forest.New(g, order)
		lanes, oracle, best := forest.NewLanes(nodes), infer.NewTreeOracle(g), make(infer.Labeling, n)
		for range 2 { // a second time, with what the first has left
			got, want := make([]uint8, forest.Width*n), make([]uint8, forest.Width*n)
			for r := range forest.Width {
				gain := make([]float64, n+1)
				for k := range n {
					gain[k] = float64(rnd.IntN(7) - 3)
				}
				lanes.Set(r, gain[:n])
				unary := make([]float64, n)
				for k, node := range nodes {
					unary[node.Label] = gain[k]
				}
				oracle.Maximize(best, unary)
				forest.Label(want[r*n:(r+1)*n], nodes, gain, make([]uint8, n+1))
				for i, v := range want[r*n : (r+1)*n] {
					if (v == 1) != (best[i] == infer.On) {
						t.Fatalf("label %d is %d, the oracle's labeling %v", i, v, best)
					}
				}
			}
			if lanes.Label(got); !slices.Equal(got, want) {
				t.Fatalf("%d labels, %d edges: %v, one by one %v", n, len(edges), got, want)
			}
		}
	}
}
