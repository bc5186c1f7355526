package crankpkg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// labelGroups are groups of labels of which exactly one is on: variables of
// several states. The table w_ij(s, t) of a pair of variables is the vector of
// the weights of its pairs of labels, and pi_ij = |w_ij|_1. All of the solver
// carries over, except for the oracle, which knows that one label of each group
// is on, and for the graph, whose edges join groups.
type labelGroups struct{ *groupLayout }

func (g labelGroups) count() int { return g.numGroups() }

func (g labelGroups) pairsOf(edges []Edge) []Edge { return g.pairs(edges) }

func (g labelGroups) index(pairs []Edge) *pairIndex {
	index := newPairIndex(g.numLabels(), pairs)
	index.tables = g.tables(pairs)
	return index
}

func (g labelGroups) edgesOf(x *pairIndex) []Edge { return x.tables.edges }

// norms returns |a_ij|_1 by edge for entries a by pair of labels.
func (g labelGroups) norms(s *solver, a []float64) []float64 {
	norms := make([]float64, len(s.pairs.tables.edges))
	for p, v := range s.pw.norms(a) {
		norms[s.pairs.tables.owner[p]] += v
	}
	return norms
}

func (g labelGroups) support(s *solver) (edges []Edge, weights []float64) {
	for e, norm := range g.norms(s, s.pw.w) {
		if norm != 0 {
			edges = append(edges, s.pairs.tables.edges[e])
			weights = append(weights, norm)
		}
	}
	return edges, weights
}

// spanningTree knows of no edges but those that the solver uses.
func (g labelGroups) spanningTree(s *solver, seed uint64) []Edge {
	score := g.norms(s, s.pw.u)
	most := floats.Norm(score, math.Inf(1))
	for e, w := range g.norms(s, s.pw.w) {
		if w != 0 {
			score[e] = most + w
		}
	}
	return MaximumSpanningEdges(g.count(), s.pairs.tables.edges, score, seed)
}

// linearize makes v the sign of each entry on the maximum spanning tree of
// |w_ij|_1, and zero elsewhere.
func (g labelGroups) linearize(s *solver, v []float64, r *Regularizer, w []float64) Penalty {
	t := s.pairs.tables
	p, tree := r.evaluate(g.count(), t.edges, g.norms(s, w))
	clear(v)
	for _, e := range tree {
		for _, pos := range t.at[e] {
			for at := int(pos) * s.pw.k; at < (int(pos)+1)*s.pw.k; at++ {
				if w[at] != 0 {
					v[at] = math.Copysign(1, w[at])
				}
			}
		}
	}
	return p
}

func (g labelGroups) equip(s *solver, ws *workspace) {
	ws.groups = newGroupOracle(g.groupLayout, s.pairs.tables, s.p.loss)
}

func (g labelGroups) checkLoss(loss Loss, cycles bool) error {
	if loss.ExampleF1 != 0 {
		return fmt.Errorf("%w: the F1 loss takes labels without groups only", ErrSettings)
	}
	labelings := 1
	for _, k := range g.sizes {
		labelings = min(labelings*k, 1<<EnumerableLabels+1)
	}
	if labelings > 1<<EnumerableLabels && !loss.isSum() && cycles {
		return fmt.Errorf("%w: the loss %v on graphs with cycles takes at most %d labelings", ErrSettings, loss, 1<<EnumerableLabels)
	}
	return nil
}

func (g labelGroups) inGroups() bool { return true }
