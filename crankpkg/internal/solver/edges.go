package solver

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// SetEdges changes the edges that the solver may use, given in the order of
// Edge.Index.
func (s *Solver) SetEdges(edges []labelgraph.Edge) { s.setPairs(s.p.graph.pairsOf(edges)) }

// GraphEdges returns the edges that the solver may use.
func (s *Solver) GraphEdges() []labelgraph.Edge { return s.p.graph.edgesOf(s.pairs) }

// GraphSupport returns the edges whose weights are not all zero, in the order of
// Edge.Index, with their norms |w_ij|_1 (for one scalar weight, w_ij).
func (s *Solver) GraphSupport() ([]labelgraph.Edge, []float64) { return s.p.graph.support(s) }

// SpanningTree returns the maximum spanning tree of |w_ij|_1, completed by the
// edges with the largest |u_ij|_1, in the order of Edge.Index.
func (s *Solver) SpanningTree(seed uint64) []labelgraph.Edge { return s.p.graph.spanningTree(s, seed) }

// Linearize writes the subgradient of f2 at the pair weights w to v (see
// Regularizer.SubgradientTo).
func (s *Solver) Linearize(v []float64, r *envelope.Regularizer, w []float64) envelope.Penalty {
	return s.p.graph.linearize(s, v, r, w)
}

// PairWeights returns the weights of the pairs, for each as many as z(x) has
// entries. They are the solver's own.
func (s *Solver) PairWeights() []float64 { return s.pw.w }

// PairNorms returns |w_ij|_1 by pair.
func (s *Solver) PairNorms() []float64 { return s.pw.norms(s.pw.w) }

// setPairs changes the pairs that the solver may use; the dual point keeps
// what they have in common, and the penalty is taken away. A pair that is new
// takes, in each labeling, the value that PairHalves gives it for w = 0, which
// keeps every labeling in the local polytope.
func (s *Solver) setPairs(edges []labelgraph.Edge) {
	old := s.pairs
	s.pairs = s.p.graph.index(edges)
	from, to := matchEdges(old.edges, edges)
	before := s.pw
	s.pw = newPairWeights(len(edges), before.k, before.lambda)
	for e, f := range from {
		if f >= 0 {
			copy(s.pw.vector(s.pw.u, e), before.vector(before.u, int(f)))
		}
	}
	s.remapAtoms(from, to)
	s.isDirty, s.dirty = make([]bool, len(edges)), nil
	for len(s.graph.Edges) > 0 {
		e := s.graph.Edges[len(s.graph.Edges)-1]
		s.graph.Set(labelgraph.Edge{I: int(e.I), J: int(e.J)}, 0)
	}
	if s.pw.k > 1 || s.p.InGroups() {
		s.ws = nil // they have graphs and scores of the pairs
		s.addWorkspace()
	}
	s.resetPairs()
}

// matchEdges returns, for two lists in the order of Edge.Index, the position
// of each edge of one in the other, or -1.
func matchEdges(old, edges []labelgraph.Edge) (from, to []int32) {
	from, to = make([]int32, len(edges)), make([]int32, len(old))
	k := 0
	for f, e := range old {
		for k < len(edges) && edges[k].Index() < e.Index() {
			from[k] = -1
			k++
		}
		to[f] = -1
		if k < len(edges) && edges[k] == e {
			to[f], from[k] = int32(k), int32(f)
			k++
		}
	}
	for ; k < len(edges); k++ {
		from[k] = -1
	}
	return from, to
}

func (s *Solver) remapAtoms(from, to []int32) {
	var fresh []int32
	for e, f := range from {
		if f < 0 {
			fresh = append(fresh, int32(e))
		}
	}
	y := make(infer.Labeling, s.n)
	var list []term // of one atom
	for m := range s.ex {
		s.ex[m].known = 0
		truth := s.labelsOf(m)
		for k := range s.ex[m].atoms {
			a := &s.ex[m].atoms[k]
			list = a.pairs.renumber(list[:0], to)
			if len(fresh) > 0 && len(a.labels) > 0 {
				a.labelingTo(y, truth)
				before := len(list)
				for _, e := range fresh {
					i, j := s.pairs.edges[e].I, s.pairs.edges[e].J
					if diff := pairDifference(y[i], y[j], truth[i]&truth[j], 0); diff != 0 { // no pair has a weight yet
						list = append(list, term{e, diff})
					}
				}
				for _, t := range list[before:] {
					if s.pw.k > 1 {
						s.pw.addVector(t.index, -s.step*a.weight*float64(t.value), s.p.z.Row(m))
					} else {
						s.pw.u[t.index] -= s.step * a.weight * float64(t.value)
					}
				}
			}
			a.pairs = a.pairs.sorted(list)
		}
	}
}

// labelingTo writes the labeling of a, which belongs to an example with the
// labels truth.
func (a *atom) labelingTo(y infer.Labeling, truth []uint8) {
	for i, v := range truth {
		y[i] = 2 * v
	}
	for t := range a.labels.all() {
		y[t.index] = uint8(float32(y[t.index]) + 2*t.value)
	}
}

// Fork returns a clone. Where s is not kept, and has made no pass, it takes over all that
// s has but its counts, so that the labelings are not there twice.
func (s *Solver) Fork(keep bool) *Solver {
	if keep || s.passes > 0 {
		return s.Clone()
	}
	c := *s
	*s = Solver{p: s.p, n: s.n}
	return &c
}

// Clone returns a solver at the same dual point that shares nothing with s
// but the data.
func (s *Solver) Clone() *Solver {
	c := newPairSolver(s.p, s.pairs.edges, s.pw.lambda)
	copy(c.unary.w, s.unary.w)
	copy(c.unary.bias, s.unary.bias)
	copy(c.pw.u, s.pw.u)
	c.pw.beta, c.pw.shift = s.pw.beta, slices.Clone(s.pw.shift)
	c.pw.share = slices.Clone(s.pw.share)
	c.loss, c.passes, c.calls, c.offClock, c.gapAsked, c.gapSeen = s.loss, s.passes, s.calls, s.offClock, s.gapAsked, s.gapSeen
	c.crawled, c.interior, c.left = s.crawled, s.interior, slices.Clone(s.left)
	words := 0
	for m := range s.ex {
		for _, a := range s.ex[m].atoms {
			words += len(a.labels) + len(a.pairs)
		}
	}
	slab := make(terms, 0, words)
	copyTerms := func(t terms) terms {
		at := len(slab)
		slab = append(slab, t...)
		return slab[at:len(slab):len(slab)]
	}
	for m := range s.ex {
		atoms := make([]atom, len(s.ex[m].atoms))
		for k, a := range s.ex[m].atoms {
			atoms[k] = atom{weight: a.weight, loss: a.loss, labels: copyTerms(a.labels), pairs: copyTerms(a.pairs)}
		}
		c.ex[m].atoms = atoms
	}
	c.resetPairs()
	return c
}

// support returns the pairs with w_ij != 0, in the order of Edge.Index, and
// their weights; where those are vectors, their norms |w_ij|_1.
func (s *Solver) support() (edges []labelgraph.Edge, weights []float64) {
	all := s.pw.w
	if s.pw.k > 1 {
		all = s.pw.norms(s.pw.w)
	}
	for e, w := range all {
		if w != 0 {
			edges = append(edges, s.pairs.edges[e])
			weights = append(weights, w)
		}
	}
	return edges, weights
}

// LargestDual returns the largest |u_ij|, of all entries where those are vectors:
// the smallest beta at which, with v = 0, no pair would be open.
func (s *Solver) LargestDual() float64 { return floats.Norm(s.pw.u, math.Inf(1)) }
