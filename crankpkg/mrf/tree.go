package mrf

import (
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Tree maximizes over variables that take any number of states and
// are joined in a forest,
//
//	max over y  sum_i unary_i[y_i] + sum_ij pair_ij[y_i, y_j],
//
// exactly by max-product (dynamic programming), in O(sum over edges of
// states_i states_j). Integers below 2^53 in size are added without rounding,
// so with integer tables the result is exact. A Tree owns its
// workspace: Maximize allocates nothing, and each goroutine needs its own.
type Tree struct {
	states []int
	edges  []labelgraph.Edge
	visits []stateVisit // parents first; every variable has one
	at     []int        // by visit: where its states begin in worth
	worth  []float64    // by state: of the subtree below, the edge upwards left out
	choose [][]int32    // by visit: its best state for each state of the parent
	belief []float64    // by state: its max-marginal; nil until asked for
	rest   []float64    // for one visit
}

// stateVisit is one variable in an order in which parents come before children.
type stateVisit struct {
	variable int32
	parent   int32 // position of the parent's visit, or -1 at a root
	edge     int32 // position of the edge to the parent
}

// NewTree returns the maximizer for len(states) variables, of which
// number i takes the values 0..states[i]-1. It returns an error that wraps
// ErrData when a variable has no state, an edge is out of range or the edges
// close a cycle.
func NewTree(states []int, edges []labelgraph.Edge) (*Tree, error) {
	n := len(states)
	for i, s := range states {
		if s < 1 {
			return nil, fmt.Errorf("%w: variable %d has %d states", errs.ErrData, i, s)
		}
	}
	for _, e := range edges {
		if e.I < 0 || e.J >= n || e.I >= e.J {
			return nil, fmt.Errorf("%w: edge %v among %d variables", errs.ErrData, e, n)
		}
	}
	if !labelgraph.IsForest(n, edges) {
		return nil, fmt.Errorf("%w: max-product needs a forest, and the edges close a cycle", errs.ErrData)
	}
	t := &Tree{states: slices.Clone(states), edges: slices.Clone(edges)}
	t.order()
	size := 0
	for _, v := range t.visits {
		t.at = append(t.at, size)
		size += states[v.variable]
		var choose []int32
		if v.parent >= 0 {
			choose = make([]int32, states[t.visits[v.parent].variable])
		}
		t.choose = append(t.choose, choose)
	}
	t.worth = make([]float64, size)
	return t, nil
}

// order visits each tree breadth first from its smallest variable.
func (t *Tree) order() {
	type arc struct{ to, edge int32 }
	n := len(t.states)
	adjacent := make([][]arc, n)
	for k, e := range t.edges {
		adjacent[e.I] = append(adjacent[e.I], arc{int32(e.J), int32(k)})
		adjacent[e.J] = append(adjacent[e.J], arc{int32(e.I), int32(k)})
	}
	seen := make([]bool, n)
	for root := range n {
		if seen[root] {
			continue
		}
		next := len(t.visits)
		seen[root] = true
		t.visits = append(t.visits, stateVisit{int32(root), -1, -1})
		for ; next < len(t.visits); next++ {
			for _, arc := range adjacent[t.visits[next].variable] {
				if !seen[arc.to] {
					seen[arc.to] = true
					t.visits = append(t.visits, stateVisit{arc.to, int32(next), arc.edge})
				}
			}
		}
	}
}

// Maximize writes a maximizer to y and returns its value. unary[i] has one
// entry for each state of variable i; pair[k] is the table of edge k, row
// after row: the entry of (a, b) = (y_I, y_J) is pair[k][a*states[J]+b]. Ties
// go to the smaller state, parents before children. It panics when a length
// does not match.
func (t *Tree) Maximize(y []int, unary, pair [][]float64) float64 {
	if len(y) != len(t.states) {
		panic("mrf: unequal numbers of variables or edges")
	}
	t.collect(unary, pair)
	var value float64
	for k, v := range t.visits {
		if v.parent >= 0 {
			y[v.variable] = int(t.choose[k][y[t.visits[v.parent].variable]])
			continue
		}
		best := 0
		for s, worth := range t.worthOf(k) {
			if worth > t.worthOf(k)[best] {
				best = s
			}
		}
		y[v.variable] = best
		value += t.worthOf(k)[best]
	}
	return value
}

// collect passes messages from the leaves to the roots.
func (t *Tree) collect(unary, pair [][]float64) {
	if len(unary) != len(t.states) || len(pair) != len(t.edges) {
		panic("mrf: unequal numbers of variables or edges")
	}
	for k, v := range t.visits {
		if len(unary[v.variable]) != t.states[v.variable] {
			panic("mrf: unary table and number of states differ")
		}
		copy(t.worthOf(k), unary[v.variable])
	}
	for k := len(t.visits) - 1; k >= 0; k-- {
		if v := t.visits[k]; v.parent >= 0 {
			t.send(k, pair[v.edge])
		}
	}
}

// worthOf returns the worth of each state of visit k's variable.
func (t *Tree) worthOf(k int) []float64 {
	return t.worth[t.at[k] : t.at[k]+t.states[t.visits[k].variable]]
}

// send adds the message of visit k, the best worth of its subtree for each
// state of its parent, to the parent's worth.
func (t *Tree) send(k int, table []float64) {
	v := t.visits[k]
	e := t.edges[v.edge]
	if len(table) != t.states[e.I]*t.states[e.J] {
		panic("mrf: pair table and numbers of states differ")
	}
	child, parent := t.worthOf(k), t.worthOf(int(v.parent))
	upStride, downStride := t.strides(v)
	for up := range parent {
		row := table[up*upStride:]
		best, choice := child[0]+row[0], 0
		for s := 1; s < len(child); s++ {
			if worth := child[s] + row[s*downStride]; worth > best {
				best, choice = worth, s
			}
		}
		parent[up] += best
		t.choose[k][up] = int32(choice)
	}
}

// strides returns by how much the position in the table of v's edge grows with the state
// of its parent and with its own.
func (t *Tree) strides(v stateVisit) (up, down int) {
	e := t.edges[v.edge]
	if int(v.variable) == e.I {
		return 1, t.states[e.J]
	}
	return t.states[e.J], 1
}

// checkStates panics unless tables for the given numbers of states and edges
// have the right sizes.
func checkStates(states []int, edges []labelgraph.Edge, unary, pair [][]float64) {
	if len(unary) != len(states) || len(pair) != len(edges) {
		panic("mrf: unequal numbers of variables or edges")
	}
	for i, k := range states {
		if len(unary[i]) != k {
			panic("mrf: unary table and number of states differ")
		}
	}
	for k, e := range edges {
		if len(pair[k]) != states[e.I]*states[e.J] {
			panic("mrf: pair table and numbers of states differ")
		}
	}
}
