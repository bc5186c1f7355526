package crankpkg

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Variables of several states are trained as labels of zeros and ones, one for
// each state of each variable, of which exactly one is on. The table w_ij(s, t)
// of a pair of variables then is the vector of the weights of its pairs of
// labels, and pi_ij = |w_ij|_1. All of the solver carries over, except for
// the oracle, which knows that one state of each variable is on, and for the
// graph, whose edges join variables.

// stateLayout tells which labels belong to which variable: variable i has the
// labels start[i] to start[i+1]-1, one for each of its states.
type stateLayout struct {
	states   []int
	start    []int
	variable []int32 // by label
}

func newStateLayout(states []int) *stateLayout {
	l := &stateLayout{states: states, start: make([]int, len(states)+1)}
	for i, k := range states {
		l.start[i+1] = l.start[i] + k
		for range k {
			l.variable = append(l.variable, int32(i))
		}
	}
	return l
}

func (l *stateLayout) numVariables() int { return len(l.states) }

func (l *stateLayout) numLabels() int { return len(l.variable) }

// oneHotTo writes the labels of zeros and ones of the states y.
func (l *stateLayout) oneHotTo(labels, y []uint8) {
	clear(labels)
	for i, s := range y {
		labels[l.start[i]+int(s)] = 1
	}
}

// edgeOf returns the edge between the variables of two labels.
func (l *stateLayout) edgeOf(pair Edge) Edge {
	return Edge{int(l.variable[pair.I]), int(l.variable[pair.J])}
}

// pairs returns the pairs of labels of the given edges between variables. Both
// are in the order of Edge.Index.
func (l *stateLayout) pairs(edges []Edge) []Edge {
	var pairs []Edge
	for first := 0; first < len(edges); {
		j, last := edges[first].J, first
		for last < len(edges) && edges[last].J == j {
			last++
		}
		for b := l.start[j]; b < l.start[j+1]; b++ {
			for _, e := range edges[first:last] {
				for a := l.start[e.I]; a < l.start[e.I+1]; a++ {
					pairs = append(pairs, Edge{a, b})
				}
			}
		}
		first = last
	}
	return pairs
}

// pairTables finds the table of each edge between variables among pairs of
// labels.
type pairTables struct {
	edges []Edge
	at    [][]int32 // by edge: where the pair of the states (s, t) is, at s*states[J]+t
	owner []int32   // by pair: its edge
}

// tables returns the tables that the pairs of labels, in the order of
// Edge.Index, make up. All pairs of an edge have to be there.
func (l *stateLayout) tables(pairs []Edge) *pairTables {
	t := &pairTables{owner: make([]int32, len(pairs))}
	number := make(map[Edge]int32)
	for _, pair := range pairs {
		e := l.edgeOf(pair)
		if _, seen := number[e]; !seen {
			number[e] = int32(len(t.edges))
			t.edges = append(t.edges, e)
			t.at = append(t.at, make([]int32, l.states[e.I]*l.states[e.J]))
		}
	}
	for p, pair := range pairs {
		e := l.edgeOf(pair)
		k := number[e]
		t.owner[p] = k
		t.at[k][(pair.I-l.start[e.I])*l.states[e.J]+pair.J-l.start[e.J]] = int32(p)
	}
	return t
}

// pairIndexOf returns the index of pairs of labels, with their tables where
// labels are states.
func (p *problem) pairIndexOf(pairs []Edge) *pairIndex {
	index := newPairIndex(p.n, pairs)
	if p.states != nil {
		index.tables = p.states.tables(pairs)
	}
	return index
}

// numVariables returns the number of vertices of the graph that is learned.
func (p *problem) numVariables() int {
	if p.states != nil {
		return p.states.numVariables()
	}
	return p.n
}

// pairsOf returns the pairs of labels that belong to edges of the graph that is
// learned.
func (p *problem) pairsOf(edges []Edge) []Edge {
	if p.states != nil {
		return p.states.pairs(edges)
	}
	return edges
}

// graphEdges returns the edges of the graph that s may use, and what
// pairWeights.norms returns for them.
func (s *solver) graphEdges() []Edge {
	if t := s.pairs.tables; t != nil {
		return t.edges
	}
	return s.pairs.edges
}

// tableNorms returns |a_ij|_1 by edge between variables for entries a by pair of
// labels.
func (s *solver) tableNorms(a []float64) []float64 {
	norms := make([]float64, len(s.pairs.tables.edges))
	for p, v := range s.pw.norms(a) {
		norms[s.pairs.tables.owner[p]] += v
	}
	return norms
}

// graphSupport returns the edges of the learned graph whose weights are not all
// zero, in the order of Edge.Index, and their norms |w_ij|_1 (for scalar weights,
// w_ij).
func (s *solver) graphSupport() (edges []Edge, weights []float64) {
	if s.pairs.tables == nil {
		return s.support()
	}
	for e, norm := range s.tableNorms(s.pw.w) {
		if norm != 0 {
			edges = append(edges, s.pairs.tables.edges[e])
			weights = append(weights, norm)
		}
	}
	return edges, weights
}

// tableTree is spanningTree for tables; the solver has to have those of all
// edges.
func (s *solver) tableTree(seed uint64) []Edge {
	score := s.tableNorms(s.pw.u)
	most := floats.Norm(score, math.Inf(1))
	for e, w := range s.tableNorms(s.pw.w) {
		if w != 0 {
			score[e] = most + w
		}
	}
	var tree []Edge
	for _, e := range MaximumSpanningForest(s.p.numVariables(), s.pairs.tables.edges, score, seed) {
		tree = append(tree, s.pairs.tables.edges[e])
	}
	return tree
}

// tableSubgradientTo is Regularizer.SubgradientTo for tables: v is the sign of
// each entry on the maximum spanning tree of pi_ij = |w_ij|_1, and zero
// elsewhere.
func (s *solver) tableSubgradientTo(v []float64, r *Regularizer, w []float64) Penalty {
	t := s.pairs.tables
	p, tree := r.evaluate(s.p.numVariables(), t.edges, s.tableNorms(w))
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

// checkStates panics unless tables for the given numbers of states and edges
// have the right sizes.
func checkStates(states []int, edges []Edge, unary, pair [][]float64) {
	if len(unary) != len(states) || len(pair) != len(edges) {
		panic("crankpkg: unequal numbers of variables or edges")
	}
	for i, k := range states {
		if len(unary[i]) != k {
			panic("crankpkg: unary table and number of states differ")
		}
	}
	for k, e := range edges {
		if len(pair[k]) != states[e.I]*states[e.J] {
			panic("crankpkg: pair table and numbers of states differ")
		}
	}
}
