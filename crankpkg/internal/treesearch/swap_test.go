package treesearch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/internal/treeset"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestSwapNeighbors lists the trees one swap away by enumeration: those whose dual
// bound does not tell that they are no better, and only those, are neighbors, the
// lowest bounds first, and none that training finds better is left out.
func TestSwapNeighbors(t *testing.T) {
	t.Parallel()
	kept, dropped, better := 0, 0, 0
	for seed := range uint64(6) {
		const n, lambda = 5, 0.05
		rng := rand.New(rand.NewPCG(seed, 17))
		p := problem(rng, 40, n)
		first := labelgraph.RandomTree(n, rng)
		slices.SortFunc(first, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
		s := New(treeset.Trees(n), config(lambda, 0.01, new([]Point)))
		s.try([]candidate{{first, solver.New(p, first, lambda)}})
		bounds := make(map[string]float64)
		last := math.Inf(-1)
		for _, c := range s.neighbors() {
			b := s.treeBound(c.edges)
			bounds[fmt.Sprint(c.edges)] = b
			if b < last-1e-12 {
				t.Errorf("seed %d: a bound of %v after one of %v", seed, b, last)
			}
			last = b
		}
		for tree := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
			_, listed := bounds[fmt.Sprint(tree)]
			switch neighbor := testkit.SharedEdges(first, tree) == n-2; {
			case listed && !neighbor:
				t.Errorf("seed %d: %v is not one swap from %v", seed, tree, first)
			case neighbor && listed != (s.treeBound(tree) < s.cutoff()):
				t.Errorf("seed %d: %v of bound %v at a cutoff of %v: listed %v", seed, tree, s.treeBound(tree), s.cutoff(), listed)
			case listed:
				kept++
			case neighbor:
				dropped++
				if b, _ := solve(solver.New(p, tree, lambda), 3e-3, nil); b.Primal < s.cutoff() {
					t.Errorf("seed %d: %v with %v is left out at a cutoff of %v", seed, tree, b.Primal, s.cutoff())
				}
			}
		}
		before := s.best.bounds.Primal
		if improved, _ := s.swap(); improved != (s.best.bounds.Primal < before) {
			t.Errorf("seed %d: improved %v, from %v to %v", seed, improved, before, s.best.bounds.Primal)
		} else if improved {
			better++
		}
	}
	if kept == 0 || dropped == 0 || better == 0 {
		t.Errorf("%d neighbors are kept, %d dropped, and %d trees improved: the test needs all three", kept, dropped, better)
	}
}

// treeBound returns the lower bound on the objective of a tree at the dual point
// of the best one: what the tree's pairs take from the unary part of the dual.
func (s *Search) treeBound(tree []labelgraph.Edge) float64 {
	bound := s.best.solver.UnaryDual()
	for _, square := range s.best.solver.LeastSquares(tree) {
		bound -= square / (2 * s.Lambda)
	}
	return bound
}
