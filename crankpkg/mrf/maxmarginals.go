package mrf

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// MaxMarginalsTo writes the max-marginals of all states of all variables to dst,
//
//	dst[i][s] = max over y with y_i = s of  sum_i unary_i[y_i] + sum_ij pair_ij[y_i, y_j],
//
// by messages to the roots and back, in the time of two calls of Maximize. Tables are
// laid out as there, and numbers have to be finite. It panics when a length does not match.
func (t *Tree) MaxMarginalsTo(dst, unary, pair [][]float64) {
	checkMarginals(dst, t.states)
	t.collect(unary, pair)
	if t.belief == nil {
		t.belief = make([]float64, len(t.worth))
		t.rest = make([]float64, mostStates(t.states))
	}
	var value float64 // of the trees
	for k, v := range t.visits {
		copy(t.beliefOf(k), t.worthOf(k))
		if v.parent < 0 {
			value += floats.Max(t.worthOf(k))
		} else {
			t.receive(k, pair[v.edge])
		}
	}
	for k, v := range t.visits { // other trees are worth what they are, whatever the state
		copy(dst[v.variable], t.beliefOf(k))
		floats.AddConst(value-floats.Max(t.beliefOf(k)), dst[v.variable])
	}
}

// beliefOf returns the max-marginals of visit k's variable within its tree.
func (t *Tree) beliefOf(k int) []float64 {
	return t.belief[t.at[k] : t.at[k]+t.states[t.visits[k].variable]]
}

// receive adds to the belief of visit k what the rest of its tree, beyond its parent, is
// worth for each of its states.
func (t *Tree) receive(k int, table []float64) {
	v := t.visits[k]
	upStride, downStride := t.strides(v)
	child, parent := t.worthOf(k), t.beliefOf(int(v.parent))
	rest := t.rest[:len(parent)] // the parent's belief without the message that k sent
	for up, belief := range parent {
		best := math.Inf(-1)
		for s, worth := range child {
			best = max(best, worth+table[up*upStride+s*downStride])
		}
		rest[up] = belief - best
	}
	belief := t.beliefOf(k)
	for s := range belief {
		best := math.Inf(-1)
		for up, worth := range rest {
			best = max(best, worth+table[up*upStride+s*downStride])
		}
		belief[s] += best
	}
}

// MaxMarginalsTo writes upper bounds on the max-marginals that Tree.MaxMarginalsTo has to
// dst: the relaxation is solved once more for each state that its solution has not. It
// reports whether each of them is a max-marginal, to the tolerance of Maximize. It panics
// when a length does not match.
func (o *LP) MaxMarginalsTo(dst, unary, pair [][]float64) (exact bool) {
	checkMarginals(dst, o.states)
	value, bound := o.Maximize(unary, pair)
	best := o.certain(value, bound)
	exact = best
	o.held.prepare(o.states, unary, pair)
	if best {
		o.LabelingTo(o.held.y)
	}
	for i := range dst {
		for s := range dst[i] {
			if best && o.held.y[i] == s {
				dst[i][s] = bound
				continue
			}
			value, dst[i][s] = o.Maximize(o.held.hold(i, s, unary), pair)
			exact = exact && o.certain(value, dst[i][s])
		}
	}
	return exact
}

// certain reports whether the solution is a labeling that meets the bound.
func (o *LP) certain(value, bound float64) bool {
	return o.integral && bound-value <= 10*o.Tolerance(bound)
}

// holder holds a variable at a state, by a term that makes all others worse than any
// labeling with it.
type holder struct {
	y       []int
	term    float64
	unary   [][]float64
	changed []float64
}

func (h *holder) prepare(states []int, unary, pair [][]float64) {
	if h.y == nil {
		h.y, h.unary, h.changed = make([]int, len(states)), make([][]float64, len(states)), make([]float64, mostStates(states))
	}
	h.term = 1
	for _, tables := range [...][][]float64{unary, pair} {
		for _, table := range tables {
			h.term += floats.Max(table) - floats.Min(table)
		}
	}
}

// hold returns the unary terms with variable i held at state s.
func (h *holder) hold(i, s int, unary [][]float64) [][]float64 {
	copy(h.unary, unary)
	h.unary[i] = h.changed[:copy(h.changed, unary[i])]
	for t := range h.unary[i] {
		if t != s {
			h.unary[i][t] -= h.term
		}
	}
	return h.unary
}

func mostStates(states []int) (most int) {
	for _, k := range states {
		most = max(most, k)
	}
	return most
}

// checkMarginals panics unless dst has one number for each state.
func checkMarginals(dst [][]float64, states []int) {
	if len(dst) != len(states) {
		panic("mrf: unequal numbers of variables")
	}
	for i, k := range states {
		if len(dst[i]) != k {
			panic("mrf: max-marginals and number of states differ")
		}
	}
}
