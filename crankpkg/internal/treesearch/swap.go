package treesearch

import (
	"cmp"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Swaps trains the first tree, starting from a dual point, and takes swaps that lower the
// objective until none does so by more than the gap. It is cut when time runs out first.
func (s *Search) Swaps(first []labelgraph.Edge, from *solver.Solver) (cut bool) {
	s.try([]candidate{{first, from}})
	s.recordTree()
	improved := true
	for improved && !cut {
		improved, cut = s.swap()
		s.recordTree()
	}
	return cut
}

// swap looks for a better neighbor of the best tree. Of the neighbors that
// nothing is known of, those with the lowest bounds are trained first. It is cut
// when time runs out first.
func (s *Search) swap() (improved, cut bool) {
	before := s.best
	neighbors := s.neighbors()
	for len(neighbors) > 0 && s.best == before && !s.Stopped() && !s.stalled {
		k := min(nodeBatch, len(neighbors))
		s.try(neighbors[:k])
		neighbors = neighbors[k:]
	}
	return s.best != before, s.stalled || s.Stopped() && len(neighbors) > 0
}

// neighbors returns the trees one swap away that may be better than the best
// one by more than the gap, the lowest bounds first.
func (s *Search) neighbors() []candidate {
	from := s.best.solver
	tree := from.GraphEdges()
	squares := from.LeastSquares(s.edges)
	base := from.UnaryDual()
	for _, e := range tree {
		base -= squares[e.Index()] / (2 * s.Lambda)
	}
	type neighbor struct {
		edges []labelgraph.Edge
		bound float64
	}
	var found []neighbor
	for k, old := range tree {
		rest := slices.Delete(slices.Clone(tree), k, k+1)
		part, _ := labelgraph.Components(s.trees.N, rest)
		for _, e := range s.edges {
			if e == old || part[e.I] == part[e.J] {
				continue
			}
			bound := base + (squares[old.Index()]-squares[e.Index()])/(2*s.Lambda)
			if bound >= s.cutoff() {
				continue
			}
			edges := append(slices.Clone(rest), e)
			slices.SortFunc(edges, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
			found = append(found, neighbor{edges, bound})
		}
	}
	slices.SortStableFunc(found, func(a, b neighbor) int { return cmp.Compare(a.bound, b.bound) })
	var trees []candidate
	for _, f := range found {
		trees = append(trees, candidate{f.edges, from})
	}
	return trees
}

// recordTree tells the bounds of the best tree.
func (s *Search) recordTree() {
	s.Record(Point{"swaps", s.solves, len(s.best.solver.GraphEdges()), s.best.bounds})
}
