package forest_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// The labeling is the best of all, and a margin is the difference of two maxima, as
// enumeration has them.
func TestForestByEnumeration(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(21, 22))
	for range 200 {
		n := 1 + rnd.IntN(7)
		edges := labelgraph.RandomTree(n, rnd)
		edges = edges[:rnd.IntN(len(edges)+1)]
		weights := testkit.Normals(len(edges), rnd)
		unary := testkit.Normals(n, rnd)
		g := infer.NewPairGraph(n, edges, weights)
		order, ok := infer.ForestOrder(g)
		if !ok {
			t.Fatal("a forest is none")
		}
		nodes := forest.New(g, order)
		gain := func() []float64 {
			by := make([]float64, n+1)
			for pos, node := range nodes {
				by[pos] = unary[node.Label]
			}
			return by
		}
		y, margins := make([]uint8, n), make([]float64, n)
		forest.Label(y, nodes, gain(), make([]uint8, n+1))
		forest.Margins(margins, nodes, gain(), make([]float64, n+1))
		best := [2][]float64{make([]float64, n), make([]float64, n)} // by value, then label
		for i := range n {
			best[0][i], best[1][i] = math.Inf(-1), math.Inf(-1)
		}
		var at, most float64
		most = math.Inf(-1)
		for code := range 1 << n {
			var value float64
			same := true
			for i := range n {
				on := code >> i & 1
				value += unary[i] * float64(on)
				same = same && int(y[i]) == on
			}
			for k, e := range edges {
				value += weights[k] * float64(code>>e.I&1*(code>>e.J&1))
			}
			for i := range n {
				best[code>>i&1][i] = max(best[code>>i&1][i], value)
			}
			if most = max(most, value); same {
				at = value
			}
		}
		if !(math.Abs(at-most) <= 1e-12) {
			t.Errorf("the labeling %v is worth %v, the best %v", y, at, most)
		}
		for i, margin := range margins {
			if want := best[1][i] - best[0][i]; !(math.Abs(margin-want) <= 1e-12) {
				t.Errorf("label %d: margin %v, want %v", i, margin, want)
			}
		}
	}
}
