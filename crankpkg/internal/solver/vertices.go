package solver

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
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
	pairsOf(edges []labelgraph.Edge) []labelgraph.Edge
	// index returns the index of such pairs.
	index(pairs []labelgraph.Edge) *pairIndex
	// edgesOf returns the edges that the pairs in x belong to.
	edgesOf(x *pairIndex) []labelgraph.Edge
	// support returns the edges whose weights are not all zero, in the order of
	// Edge.Index, with their norms |w_ij|_1 (for one scalar weight, w_ij).
	support(s *Solver) (edges []labelgraph.Edge, weights []float64)
	// SpanningTree returns the maximum spanning tree of |w_ij|_1, completed by the
	// edges with the largest |u_ij|_1, in the order of Edge.Index.
	spanningTree(s *Solver, seed uint64) []labelgraph.Edge
	// linearize writes the subgradient of f2 at the pair weights w to v (see
	// Regularizer.SubgradientTo).
	linearize(s *Solver, v []float64, r *envelope.Regularizer, w []float64) envelope.Penalty
	// equip gives a new workspace what it maximizes the hinge with.
	equip(s *Solver, ws *workspace)
	// CheckLoss returns an error when the label loss cannot be trained, with cycles
	// in the graph if so.
	checkLoss(loss infer.Loss, cycles bool) error
	// InGroups reports whether labels come in groups, whose oracle reads the pair
	// weights themselves and not the solver's graph.
	inGroups() bool
}

// freeLabels are so many labels that each may be on or off.
type freeLabels int

func (n freeLabels) count() int { return int(n) }

func (n freeLabels) pairsOf(edges []labelgraph.Edge) []labelgraph.Edge { return edges }

func (n freeLabels) index(pairs []labelgraph.Edge) *pairIndex { return newPairIndex(int(n), pairs) }

func (n freeLabels) edgesOf(x *pairIndex) []labelgraph.Edge { return x.edges }

func (n freeLabels) support(s *Solver) ([]labelgraph.Edge, []float64) { return s.support() }

// SpanningTree also takes pairs that the solver does not use (see LeastResiduals).
func (n freeLabels) spanningTree(s *Solver, seed uint64) []labelgraph.Edge {
	score := s.pw.norms(s.LeastResiduals())
	most := floats.Norm(score, math.Inf(1))
	for e, w := range s.pw.norms(s.pw.w) {
		if w != 0 {
			score[s.pairs.edges[e].Index()] = most + w
		}
	}
	return labelgraph.MaximumSpanningEdges(s.n, labelgraph.AllPairs(s.n), score, seed)
}

func (n freeLabels) linearize(s *Solver, v []float64, r *envelope.Regularizer, w []float64) envelope.Penalty {
	return r.VectorSubgradientTo(v, s.n, s.pairs.edges, w)
}

func (n freeLabels) equip(s *Solver, ws *workspace) {
	switch {
	case s.p.loss.Squared:
		ws.squared = newSquaredWork(ws.graph)
	case s.general:
		ws.hinge = infer.NewLossOracle(ws.graph, s.p.loss)
	}
}

func (n freeLabels) checkLoss(loss infer.Loss, cycles bool) error {
	if !loss.IsSum() && n > infer.EnumerableLabels && cycles {
		return fmt.Errorf("%w: the loss %v on graphs with cycles takes at most %d labels, not %d", errs.ErrSettings, loss, infer.EnumerableLabels, n)
	}
	return nil
}

func (n freeLabels) inGroups() bool { return false }
