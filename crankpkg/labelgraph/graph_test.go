package labelgraph_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

func TestEdgeIndexIsPositionInAllPairs(t *testing.T) {
	for k, e := range labelgraph.AllPairs(12) {
		if e.Index() != k {
			t.Fatalf("Index of %v is %d, want %d", e, e.Index(), k)
		}
	}
}

// reachable is a reference for Components: depth-first search on a matrix.
func reachable(n int, edges []labelgraph.Edge, from int) []bool {
	adjacent := make([]bool, n*n)
	for _, e := range edges {
		adjacent[e.I*n+e.J], adjacent[e.J*n+e.I] = true, true
	}
	seen := make([]bool, n)
	var walk func(int)
	walk = func(i int) {
		seen[i] = true
		for j := range n {
			if adjacent[i*n+j] && !seen[j] {
				walk(j)
			}
		}
	}
	walk(from)
	return seen
}

func TestComponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		n := 1 + rng.IntN(15)
		edges := testkit.RandomEdges(n, rng.Float64()*2/float64(n), rng)
		component, count := labelgraph.Components(n, edges)
		next := 0
		for i := range n {
			if component[i] > next {
				t.Fatalf("component %d appears before %d in %v", component[i], next, component)
			}
			if component[i] == next {
				next++
			}
			for j, yes := range reachable(n, edges, i) {
				if yes != (component[i] == component[j]) {
					t.Fatalf("labels %d and %d of %v: wrong components %v", i, j, edges, component)
				}
			}
		}
		if next != count {
			t.Fatalf("count %d, want %d", count, next)
		}
		if got := labelgraph.CircuitRank(n, edges); got != len(edges)+count-n || labelgraph.IsForest(n, edges) != (got == 0) {
			t.Fatalf("CircuitRank %d, IsForest %v for %v", got, labelgraph.IsForest(n, edges), edges)
		}
	}
}

// TestMaximumSpanningForest checks what makes a forest maximal: the forest
// spans, and no edge outside of it is heavier than an edge on the path that it
// would close.
func TestMaximumSpanningForest(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for round := range 300 {
		n := 1 + rng.IntN(12)
		edges := testkit.RandomEdges(n, rng.Float64(), rng)
		weights := make([]float64, len(edges))
		for k := range weights {
			weights[k] = float64(rng.IntN(5) - 1) // many ties, some zeros, some negative
		}
		at := labelgraph.MaximumSpanningForest(n, edges, weights, uint64(round%3))
		forest := make([]labelgraph.Edge, len(at))
		for p, k := range at {
			forest[p] = edges[k]
		}
		if !slices.IsSorted(at) || !labelgraph.IsForest(n, forest) {
			t.Fatalf("%v is no sorted forest", forest)
		}
		if _, c1 := labelgraph.Components(n, edges); len(forest) != n-c1 {
			t.Fatalf("%v does not span %v", forest, edges)
		}
		for k, e := range edges {
			// The forest edges that are at least as heavy as e must connect its
			// ends, or e could take the place of a lighter one.
			var heavy []labelgraph.Edge
			for _, f := range at {
				if weights[f] >= weights[k] {
					heavy = append(heavy, edges[f])
				}
			}
			if !reachable(n, heavy, e.I)[e.J] {
				t.Fatalf("edge %v of weight %v would improve %v", e, weights[k], forest)
			}
		}
	}
}

func TestMaximumSpanningForestTies(t *testing.T) {
	const n = 8
	edges := labelgraph.AllPairs(n)
	weights := make([]float64, len(edges))
	for k := range weights {
		weights[k] = float64(k % 2)
	}
	rng := rand.New(rand.NewPCG(5, 1))
	distinct := map[string]bool{}
	for seed := range uint64(20) {
		pick := func(order []int) []labelgraph.Edge {
			es, ws := make([]labelgraph.Edge, len(order)), make([]float64, len(order))
			for p, k := range order {
				es[p], ws[p] = edges[k], weights[k]
			}
			var forest []labelgraph.Edge
			for _, p := range labelgraph.MaximumSpanningForest(n, es, ws, seed) {
				forest = append(forest, es[p])
			}
			slices.SortFunc(forest, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
			return forest
		}
		inOrder := make([]int, len(edges))
		for k := range inOrder {
			inOrder[k] = k
		}
		a, b := pick(inOrder), pick(rng.Perm(len(edges)))
		if !slices.Equal(a, b) {
			t.Fatalf("seed %d: the forest depends on the order of the edges: %v, %v", seed, a, b)
		}
		key := ""
		for _, e := range a {
			key += string(rune('a'+e.I)) + string(rune('a'+e.J))
		}
		distinct[key] = true
	}
	if len(distinct) < 10 {
		t.Errorf("20 seeds gave %d forests, want more", len(distinct))
	}
}

// TestRandomTreeIsUniform draws trees over 4 labels; each of the 16 must come
// up about equally often (chi-squared with 15 degrees of freedom, 99.99 %).
func TestRandomTreeIsUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	const draws = 16000
	counts := map[[3]labelgraph.Edge]int{}
	for range draws {
		counts[[3]labelgraph.Edge(labelgraph.RandomTree(4, rng))]++
	}
	var chi2 float64
	for _, c := range counts {
		chi2 += math.Pow(float64(c)-draws/16, 2) / (draws / 16)
	}
	if len(counts) != 16 || chi2 > 44.3 {
		t.Errorf("%d different trees, chi-squared %.1f", len(counts), chi2)
	}
	for n := range 30 {
		tree := labelgraph.RandomTree(n, rng)
		if len(tree) != max(0, n-1) || !labelgraph.IsForest(n, tree) {
			t.Errorf("n = %d: %v is no spanning tree", n, tree)
		}
		if !slices.IsSortedFunc(tree, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() }) {
			t.Errorf("n = %d: %v is not in the order of Index", n, tree)
		}
	}
}

// TestRandomConnected draws graphs of all circuit ranks: connected, without a pair twice, and the same for a seed.
func TestRandomConnected(t *testing.T) {
	t.Parallel()
	for n := 1; n < 7; n++ {
		for rank := range labelgraph.NumPairs(n) - (n - 1) + 1 {
			draw := func() []labelgraph.Edge {
				return labelgraph.RandomConnected(n, rank, rand.New(rand.NewPCG(uint64(rank), 5)))
			}
			edges, seen := draw(), map[labelgraph.Edge]bool{}
			for _, e := range edges {
				if seen[e] || e.I >= e.J {
					t.Errorf("%d labels, rank %d: %v in %v", n, rank, e, edges)
				}
				seen[e] = true
			}
			if _, parts := labelgraph.Components(n, edges); parts != 1 || labelgraph.CircuitRank(n, edges) != rank {
				t.Errorf("%d labels, rank %d: %v", n, rank, edges)
			}
			if again := draw(); !slices.Equal(again, edges) {
				t.Errorf("%v and then %v", edges, again)
			}
		}
	}
	for _, rank := range []int{-1, 4} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("rank %d of 4 labels is drawn", rank)
				}
			}()
			labelgraph.RandomConnected(4, rank, rand.New(rand.NewPCG(1, 1)))
		}()
	}
}
