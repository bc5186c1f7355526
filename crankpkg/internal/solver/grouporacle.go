package solver

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/mrf"
)

// groupOracle solves the maximization inside the hinge of eq. (1) for variables
// of several states,
//
//	max over y  sum_i c_i(y_i) + sum_ij w_ij(y_i, y_j) + Delta(y, truth),
//
// with Delta = Hamming * number of wrong variables + ZeroOne * [some variable is
// wrong]: by max-product where the tables that are not zero form a forest;
// elsewhere by the linear programming relaxation, or by enumeration where Delta
// is no sum over variables.
type groupOracle struct {
	layout *groups.Layout
	tables *groups.Tables
	loss   infer.Loss
	truth  []int
	worth  []float64   // c plus the Hamming loss
	unary  [][]float64 // the same by variable
	pair   [][]float64 // by edge
	// What follows is for the edges whose tables are not zero.
	used   []bool
	edges  []int // their numbers
	active [][]float64
	tree   *mrf.Tree // nil: they close a cycle
	lp     *mrf.LP

	y, other []int
	value    float64 // of the maximizer
	bound    float64 // upper bound on the maximum
	integral bool    // the maximizer is y; else it is lp's solution
	entry    []float32
	product  []float64 // workspace of productOf
	rounded  []int32
	left     []int32
}

func newGroupOracle(layout *groups.Layout, tables *groups.Tables, loss infer.Loss) *groupOracle {
	n := layout.NumGroups()
	o := &groupOracle{
		layout: layout, tables: tables, loss: loss.OrHamming(), truth: make([]int, n),
		worth: make([]float64, layout.NumLabels()), used: make([]bool, len(tables.Edges)),
		y: make([]int, n), other: make([]int, n), entry: make([]float32, len(tables.Owner)),
	}
	for i := range n {
		o.unary = append(o.unary, o.worth[layout.Start[i]:layout.Start[i+1]])
	}
	most := slices.Max(layout.Sizes)
	o.product, o.rounded, o.left = make([]float64, most*most), make([]int32, most*most), make([]int32, 2*most)
	for _, at := range tables.At {
		o.pair = append(o.pair, make([]float64, len(at)))
	}
	o.build()
	return o
}

// build prepares for the edges in use.
func (o *groupOracle) build() {
	o.edges, o.active, o.tree, o.lp = o.edges[:0], o.active[:0], nil, nil
	var edges []labelgraph.Edge
	for e, used := range o.used {
		if used {
			o.edges = append(o.edges, e)
			o.active = append(o.active, o.pair[e])
			edges = append(edges, o.tables.Edges[e])
		}
	}
	var err error
	if labelgraph.IsForest(len(o.layout.Sizes), edges) {
		o.tree, err = mrf.NewTree(o.layout.Sizes, edges)
	} else {
		o.lp, err = mrf.NewLP(o.layout.Sizes, edges)
	}
	if err != nil {
		panic(err.Error()) // edges of a solver are valid
	}
}

// maximize finds a maximizer for the scores c by label and pairs by pair of
// labels. The true labels are zeros and ones.
func (o *groupOracle) maximize(c, pairs []float64, truth []uint8) {
	o.load(c, pairs, truth)
	o.integral = true
	switch {
	case o.tree != nil:
		o.value = o.maximizeTree()
		o.bound = o.value
	case o.loss.IsSum():
		o.value, o.bound = o.lp.Maximize(o.unary, o.active)
		o.integral = o.lp.Integral()
		o.lp.LabelingTo(o.y)
	default:
		o.value = math.Inf(-1)
		o.enumerate(0, 0, false)
		o.bound = o.value
	}
}

// load sets the tables, and looks which are in use.
func (o *groupOracle) load(c, pairs []float64, truth []uint8) {
	for label, v := range truth {
		o.worth[label] = c[label]
		if v == 0 {
			o.worth[label] += o.loss.Hamming
			continue
		}
		i := o.layout.Group[label]
		o.truth[i] = label - o.layout.Start[i]
	}
	changed := false
	for e, at := range o.tables.At {
		used := false
		for k, p := range at {
			o.pair[e][k] = pairs[p]
			used = used || pairs[p] != 0
		}
		changed = changed || used != o.used[e]
		o.used[e] = used
	}
	if changed {
		o.build()
	}
}

// maximizeTree finds the best labeling of a forest. With a zero-one loss, where
// the truth is that, the best other one differs from it in some variable.
func (o *groupOracle) maximizeTree() float64 {
	value := o.tree.Maximize(o.y, o.unary, o.active)
	if o.loss.ZeroOne == 0 {
		return value
	}
	if !slices.Equal(o.y, o.truth) {
		return value + o.loss.ZeroOne
	}
	for i, s := range o.truth {
		kept := o.unary[i][s]
		o.unary[i][s] = math.Inf(-1)
		if v := o.tree.Maximize(o.other, o.unary, o.active) + o.loss.ZeroOne; v > value {
			value = v
			copy(o.y, o.other)
		}
		o.unary[i][s] = kept
	}
	return value
}

// enumerate tries all states of the variables from number i on, given those
// before and their value.
func (o *groupOracle) enumerate(i int, value float64, wrong bool) {
	if i == len(o.other) {
		if wrong {
			value += o.loss.ZeroOne
		}
		if value > o.value {
			o.value = value
			copy(o.y, o.other)
		}
		return
	}
	for s, v := range o.unary[i] {
		o.other[i] = s
		sum := value + v
		for k, e := range o.edges {
			if edge := o.tables.Edges[e]; edge.J == i {
				sum += o.active[k][o.other[edge.I]*o.layout.Sizes[i]+s]
			}
		}
		o.enumerate(i+1, sum, wrong || s != o.truth[i])
	}
}

// lossOf returns Delta at the maximizer.
func (o *groupOracle) lossOf() float64 {
	var loss float64
	wrong := false
	for i, s := range o.truth {
		if o.integral {
			wrong = wrong || o.y[i] != s
			if o.y[i] != s {
				loss += o.loss.Hamming
			}
		} else {
			loss += o.loss.Hamming * (1 - o.lp.Marginal(i, s))
		}
	}
	if wrong {
		loss += o.loss.ZeroOne
	}
	return loss
}

// askGroups is askOracle for groups of labels.
func (s *Solver) askGroups(ws *workspace, y []uint8, pairs []float64) float64 {
	o := ws.groups
	o.maximize(ws.c, pairs, y)
	ws.slack = max(o.bound-o.value, 0)
	if o.integral {
		clear(ws.y)
		for i, state := range o.y {
			ws.y[o.layout.Start[i]+state] = infer.On
		}
		ws.on = ws.candidate.setLabeling(ws.y, y, s.pairs, pairs, ws.on)
	} else {
		o.fractionalTo(&ws.candidate, y)
	}
	ws.candidate.loss = o.lossOf()
	return ws.candidate.value(ws.c, pairs)
}

// fractionalTo makes a the difference of the relaxation's solution to the true
// labels. Edges without weights get the product of their ends' marginals.
func (o *groupOracle) fractionalTo(a *atom, truth []uint8) {
	a.labels, a.pairs = a.labels[:0], a.pairs[:0]
	for label, v := range truth {
		i := int(o.layout.Group[label])
		mu := float32(o.lp.Marginal(i, label-o.layout.Start[i]))
		if diff := mu - float32(v); diff != 0 {
			a.labels = a.labels.add(int32(label), diff)
		}
	}
	next := 0
	for e, at := range o.tables.At {
		var mu []int32
		if next < len(o.edges) && o.edges[next] == e {
			mu = o.lp.PairMarginals(next)
			next++
		} else {
			mu = o.productOf(o.tables.Edges[e])
		}
		for k, p := range at {
			o.entry[p] = float32(mu[k]) / mrf.MarginalUnit
		}
	}
	for e, at := range o.tables.At {
		edge := o.tables.Edges[e]
		o.entry[at[o.truth[edge.I]*o.layout.Sizes[edge.J]+o.truth[edge.J]]]--
	}
	for p, v := range o.entry {
		if v != 0 {
			a.pairs = a.pairs.add(int32(p), v)
		}
	}
}

// productOf returns the product of the marginals of an edge's ends, rounded.
func (o *groupOracle) productOf(e labelgraph.Edge) []int32 {
	row, col := o.lp.Marginals(e.I), o.lp.Marginals(e.J)
	x := o.product[:len(row)*len(col)]
	for s, p := range row {
		for t, q := range col {
			x[s*len(col)+t] = float64(p) * float64(q) / (mrf.MarginalUnit * mrf.MarginalUnit)
		}
	}
	mrf.RoundTransport(o.rounded[:len(x)], x, row, col, o.left)
	return o.rounded[:len(x)]
}
