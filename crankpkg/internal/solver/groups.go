package solver

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// labelGroups are groups of labels of which exactly one is on: variables of
// several states. The table w_ij(s, t) of a pair of variables is the vector of
// the weights of its pairs of labels, and pi_ij = |w_ij|_1. All of the solver
// carries over, except for the oracle, which knows that one label of each group
// is on, and for the graph, whose edges join groups.
type labelGroups struct{ *groups.Layout }

func (g labelGroups) count() int { return g.NumGroups() }

func (g labelGroups) pairsOf(edges []labelgraph.Edge) []labelgraph.Edge { return g.Pairs(edges) }

func (g labelGroups) index(pairs []labelgraph.Edge) *pairIndex {
	index := newPairIndex(g.NumLabels(), pairs)
	index.tables = g.Tables(pairs)
	return index
}

func (g labelGroups) edgesOf(x *pairIndex) []labelgraph.Edge { return x.tables.Edges }

// norms returns |a_ij|_1 by edge for entries a by pair of labels.
func (g labelGroups) norms(s *Solver, a []float64) []float64 {
	norms := make([]float64, len(s.pairs.tables.Edges))
	for p, v := range s.pw.norms(a) {
		norms[s.pairs.tables.Owner[p]] += v
	}
	return norms
}

func (g labelGroups) support(s *Solver) (edges []labelgraph.Edge, weights []float64) {
	for e, norm := range g.norms(s, s.pw.w) {
		if norm != 0 {
			edges = append(edges, s.pairs.tables.Edges[e])
			weights = append(weights, norm)
		}
	}
	return edges, weights
}

// SpanningTree knows of no edges but those that the solver uses.
func (g labelGroups) spanningTree(s *Solver, seed uint64) []labelgraph.Edge {
	score := g.norms(s, s.pw.u)
	most := floats.Norm(score, math.Inf(1))
	for e, w := range g.norms(s, s.pw.w) {
		if w != 0 {
			score[e] = most + w
		}
	}
	return labelgraph.MaximumSpanningEdges(g.count(), s.pairs.tables.Edges, score, seed)
}

// linearize makes v the sign of each entry on the maximum spanning tree of
// |w_ij|_1, and zero elsewhere.
func (g labelGroups) linearize(s *Solver, v []float64, r *envelope.Regularizer, w []float64) envelope.Penalty {
	t := s.pairs.tables
	p, tree := r.EvaluateTree(g.count(), t.Edges, g.norms(s, w))
	clear(v)
	for _, e := range tree {
		for _, pos := range t.At[e] {
			for at := int(pos) * s.pw.k; at < (int(pos)+1)*s.pw.k; at++ {
				if w[at] != 0 {
					v[at] = math.Copysign(1, w[at])
				}
			}
		}
	}
	return p
}

func (g labelGroups) equip(s *Solver, ws *workspace) {
	ws.groups = newGroupOracle(g.Layout, s.pairs.tables, s.p.loss)
}

func (g labelGroups) checkLoss(loss infer.Loss, cycles bool) error {
	if loss.ExampleF1 != 0 {
		return fmt.Errorf("%w: the F1 loss takes labels without groups only", errs.ErrSettings)
	}
	labelings := 1
	for _, k := range g.Sizes {
		labelings = min(labelings*k, 1<<infer.EnumerableLabels+1)
	}
	if labelings > 1<<infer.EnumerableLabels && !loss.IsSum() && cycles {
		return fmt.Errorf("%w: the loss %v on graphs with cycles takes at most %d labelings", errs.ErrSettings, loss, 1<<infer.EnumerableLabels)
	}
	return nil
}

func (g labelGroups) inGroups() bool { return true }
