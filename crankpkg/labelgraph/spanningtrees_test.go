package labelgraph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/mat"
)

// SpanningTrees yields as many different trees as the matrix-tree theorem says.
func TestSpanningTreesAreAllThere(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	for range 30 {
		n := 2 + rng.IntN(5)
		edges := testkit.RandomEdges(n, 0.7, rng)
		laplacian := mat.NewDense(n-1, n-1, nil)
		add := func(i, j int, v float64) {
			if i < n-1 && j < n-1 {
				laplacian.Set(i, j, laplacian.At(i, j)+v)
			}
		}
		for _, e := range edges {
			add(e.I, e.I, 1)
			add(e.J, e.J, 1)
			add(e.I, e.J, -1)
			add(e.J, e.I, -1)
		}
		seen := make(map[string]bool)
		for tree := range labelgraph.SpanningTrees(n, edges) {
			outside := slices.ContainsFunc(tree, func(e labelgraph.Edge) bool { return !slices.Contains(edges, e) })
			if len(tree) != n-1 || !labelgraph.IsForest(n, tree) || outside {
				t.Fatalf("%v is not a spanning tree of %v", tree, edges)
			}
			seen[fmt.Sprint(tree)] = true
		}
		if want := math.Round(mat.Det(laplacian)); float64(len(seen)) != want {
			t.Fatalf("%d spanning trees of %v, want %v", len(seen), edges, want)
		}
	}
	for range labelgraph.SpanningTrees(4, labelgraph.AllPairs(4)) {
		break // stops without a panic
	}
}
