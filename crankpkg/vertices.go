package crankpkg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// vertices are those of the graph that is learned: the labels themselves
// (freeLabels), or groups of labels of which exactly one is on (labelGroups). An
// edge then stands for one pair of labels, or for a table of them. This is all
// that the solver needs to know of the difference.
type vertices interface {
	// count returns the number of vertices.
	count() int
	// pairsOf returns the pairs of labels of the given edges; both are in the order
	// of Edge.Index.
	pairsOf(edges []Edge) []Edge
	// index returns the index of such pairs.
	index(pairs []Edge) *pairIndex
	// edgesOf returns the edges that the pairs in x belong to.
	edgesOf(x *pairIndex) []Edge
	// support returns the edges whose weights are not all zero, in the order of
	// Edge.Index, with their norms |w_ij|_1 (for one scalar weight, w_ij).
	support(s *solver) (edges []Edge, weights []float64)
	// spanningTree returns the maximum spanning tree of |w_ij|_1, completed by the
	// edges with the largest |u_ij|_1, in the order of Edge.Index.
	spanningTree(s *solver, seed uint64) []Edge
	// linearize writes the subgradient of f2 at the pair weights w to v (see
	// Regularizer.SubgradientTo).
	linearize(s *solver, v []float64, r *Regularizer, w []float64) Penalty
	// equip gives a new workspace what it maximizes the hinge with.
	equip(s *solver, ws *workspace)
	// checkLoss returns an error when the label loss cannot be trained, with cycles
	// in the graph if so.
	checkLoss(loss Loss, cycles bool) error
	// inGroups reports whether labels come in groups, whose oracle reads the pair
	// weights themselves and not the solver's graph.
	inGroups() bool
}

// freeLabels are so many labels that each may be on or off.
type freeLabels int

func (n freeLabels) count() int { return int(n) }

func (n freeLabels) pairsOf(edges []Edge) []Edge { return edges }

func (n freeLabels) index(pairs []Edge) *pairIndex { return newPairIndex(int(n), pairs) }

func (n freeLabels) edgesOf(x *pairIndex) []Edge { return x.edges }

func (n freeLabels) support(s *solver) ([]Edge, []float64) { return s.support() }

// spanningTree also takes pairs that the solver does not use (see leastResiduals).
func (n freeLabels) spanningTree(s *solver, seed uint64) []Edge {
	score := s.pw.norms(s.leastResiduals())
	most := floats.Norm(score, math.Inf(1))
	for e, w := range s.pw.norms(s.pw.w) {
		if w != 0 {
			score[s.pairs.edges[e].Index()] = most + w
		}
	}
	return MaximumSpanningEdges(s.n, AllPairs(s.n), score, seed)
}

func (n freeLabels) linearize(s *solver, v []float64, r *Regularizer, w []float64) Penalty {
	return r.vectorSubgradientTo(v, s.n, s.pairs.edges, w)
}

func (n freeLabels) equip(s *solver, ws *workspace) {
	if s.general {
		ws.hinge = newLossOracle(ws.graph, s.p.loss)
	}
}

func (n freeLabels) checkLoss(loss Loss, cycles bool) error {
	if !loss.isSum() && n > EnumerableLabels && cycles {
		return fmt.Errorf("%w: the loss %v on graphs with cycles takes at most %d labels, not %d", ErrSettings, loss, EnumerableLabels, n)
	}
	return nil
}

func (n freeLabels) inGroups() bool { return false }
