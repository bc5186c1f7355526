package infer

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// NewCutsetOracle returns an exact oracle for graphs with few cycles, by cut-set
// conditioning (Pearl 1986): it fixes the labels of a feedback vertex set, with
// which all cycles are gone, to each of their 2^k values and finds the rest by
// max-product. The set has at most as many labels as the graph has circuit rank,
// so that a call takes O(n 2^r) at rank r. Where the rank is large, see
// NewExactOracle.
//
// Ties go to 0, as in NewTreeOracle, and to the label of the set that is 0. The
// set is chosen anew only when the edge set of g has changed.
func NewCutsetOracle(g *PairGraph) Oracle {
	rest := NewPairGraph(g.N, nil, nil)
	return &cutsetOracle{g: g, rest: rest, tree: treeOracle{g: rest}}
}

type cutsetOracle struct {
	g         *PairGraph
	built     bool
	structure uint64 // g.Structure when the cut set was chosen
	cut       cutset
	rest      *PairGraph // the forest outside the set
	tree      treeOracle // on rest

	levels [][]float64 // unary terms, by the number of fixed labels
	fixed  []uint8     // of the labels of the set
	y      Labeling    // of the forest
	value  float64     // of the best labeling so far
	best   Labeling
}

// Maximize implements Oracle.
func (o *cutsetOracle) Maximize(y Labeling, c []float64) float64 {
	if len(y) != o.g.N || len(c) != o.g.N {
		panic("infer: unequal numbers of labels")
	}
	o.update()
	copy(o.levels[0], c)
	o.best, o.value = y, math.Inf(-1)
	for i := range y {
		y[i] = Off // should no labeling have a value, as with c_i of NaN
	}
	o.condition(0, 0)
	o.best = nil
	return y.Value(o.g, c)
}

// condition tries both values of the labels of the set from the k-th on. The
// terms in levels[k] and value are what the labels fixed before leave.
func (o *cutsetOracle) condition(k int, value float64) {
	if k == len(o.cut.labels) {
		o.maximizeForest(o.levels[k], value)
		return
	}
	i := o.cut.labels[k]
	next := o.levels[k+1]
	for v := range uint8(2) {
		copy(next, o.levels[k])
		if v == 1 {
			value += next[i]
			for _, a := range o.g.Adj[i] {
				next[a.To] += a.Weight
			}
		}
		o.fixed[k] = v * On
		o.condition(k+1, value)
	}
}

// maximizeForest finds the labels outside the set. Those of the set have no edges
// in the forest, and get the terms 0.
func (o *cutsetOracle) maximizeForest(c []float64, value float64) {
	for _, i := range o.cut.labels {
		c[i] = 0
	}
	if value += o.tree.Maximize(o.y, c); !(value > o.value) {
		return
	}
	o.value = value
	copy(o.best, o.y)
	for k, i := range o.cut.labels {
		o.best[i] = o.fixed[k]
	}
}

// update chooses the set anew if it must, and gives the forest its weights.
func (o *cutsetOracle) update() {
	g := o.g
	if !o.built || o.structure != g.Structure {
		o.built, o.structure = true, g.Structure
		o.cut.choose(g)
		for len(o.levels) <= len(o.cut.labels) {
			o.levels, o.fixed = append(o.levels, make([]float64, g.N)), append(o.fixed, Off)
		}
		if o.y == nil {
			o.y = make(Labeling, g.N)
		}
		for len(o.rest.Edges) > 0 {
			e := o.rest.Edges[len(o.rest.Edges)-1]
			o.rest.Set(labelgraph.Edge{I: int(e.I), J: int(e.J)}, 0)
		}
	}
	for _, e := range g.Edges {
		if !o.cut.has[e.I] && !o.cut.has[e.J] {
			o.rest.Set(labelgraph.Edge{I: int(e.I), J: int(e.J)}, e.Weight)
		}
	}
}

// FeedbackVertexSet returns labels, increasing, without which the graph over n
// labels is a forest. No label of the set can be left out, so there are at most
// CircuitRank of them; there may be smaller sets, which are hard to find.
func FeedbackVertexSet(n int, edges []labelgraph.Edge) []int {
	ones := slices.Repeat([]float64{1}, len(edges))
	var s cutset
	s.choose(NewPairGraph(n, edges, ones))
	set := make([]int, len(s.labels))
	for k, i := range s.labels {
		set[k] = int(i)
	}
	return set
}

// cutset chooses feedback vertex sets, and allocates nothing once warm.
type cutset struct {
	labels []int32 // increasing
	has    []bool  // by label
	degree []int32 // in what is left of the graph, -1 once off it
	leaves []int32
	sets   unionfind.Set
}

// choose takes labels off the graph: those with at most one neighbor left, which
// are on no cycle, and when there are none the label with most neighbors, which
// goes into the set. Labels that turn out not to be needed leave the set again.
func (s *cutset) choose(g *PairGraph) {
	if s.has == nil {
		s.has, s.degree = make([]bool, g.N), make([]int32, g.N)
		s.leaves, s.labels = make([]int32, 0, g.N), make([]int32, 0, g.N)
	}
	s.labels, s.leaves = s.labels[:0], s.leaves[:0]
	for i := range g.N {
		s.has[i], s.degree[i] = false, int32(len(g.Adj[i]))
		if s.degree[i] <= 1 {
			s.leaves = append(s.leaves, int32(i))
		}
	}
	for {
		for len(s.leaves) > 0 {
			i := s.leaves[len(s.leaves)-1]
			s.leaves = s.leaves[:len(s.leaves)-1]
			s.takeOff(g, i)
		}
		most := int32(-1)
		for i, d := range s.degree {
			if d > 0 && (most < 0 || d > s.degree[most]) {
				most = int32(i)
			}
		}
		if most < 0 {
			break
		}
		s.has[most] = true
		s.labels = append(s.labels, most)
		s.takeOff(g, most)
	}
	s.shrink(g)
}

// takeOff takes label i off what is left of the graph.
func (s *cutset) takeOff(g *PairGraph, i int32) {
	if s.degree[i] < 0 {
		return
	}
	s.degree[i] = -1
	for _, a := range g.Adj[i] {
		if s.degree[a.To] < 0 {
			continue
		}
		s.degree[a.To]--
		if s.degree[a.To] == 1 {
			s.leaves = append(s.leaves, a.To)
		}
	}
}

// shrink puts labels of the set back that close no cycle with the others outside
// it.
func (s *cutset) shrink(g *PairGraph) {
	s.sets.Reset(g.N)
	for _, e := range g.Edges {
		if !s.has[e.I] && !s.has[e.J] {
			s.sets.Union(int(e.I), int(e.J))
		}
	}
	kept := s.labels[:0]
	for _, i := range s.labels {
		if s.closesCycle(g, i) {
			kept = append(kept, i)
			continue
		}
		s.has[i] = false
		for _, a := range g.Adj[i] {
			if !s.has[a.To] {
				s.sets.Union(int(i), int(a.To))
			}
		}
	}
	s.labels = kept
	slices.Sort(s.labels)
}

// closesCycle reports whether two neighbors of label i are joined outside the
// set already.
func (s *cutset) closesCycle(g *PairGraph, i int32) bool {
	for k, a := range g.Adj[i] {
		if s.has[a.To] {
			continue
		}
		for _, b := range g.Adj[i][:k] {
			if !s.has[b.To] && s.sets.Find(int(a.To)) == s.sets.Find(int(b.To)) {
				return true
			}
		}
	}
	return false
}
