package infer

import "gonum.org/v1/gonum/floats"

// MaxMarginals computes the max-marginals of each label,
//
//	m_i(v) = max over y with y_i = v of  sum_i c_i y_i + sum_ij w_ij y_i y_j,
//
// and its margin m_i(1) - m_i(0): what it costs to have the label off, or less what
// it costs to have it on. Where the best labeling is the only one, the margin of each
// of its labels has the label's sign.
//
//   - On a forest they are exact, in O(n) for all labels together: messages go from
//     the leaves to the roots and back.
//   - On a graph with cycles and up to EnumerableLabels labels they are exact too, by
//     a look at all 2^n labelings.
//   - Else they come from the LP relaxation with the label fixed, n + 1 to 2n + 1
//     maximum flows. Each is then an upper bound, and a margin the difference of two
//     of them, which is a bound in neither direction.
//
// The graph may change between calls. A MaxMarginals owns its workspace: it allocates
// nothing once warm, and each goroutine needs its own.
type MaxMarginals struct {
	g          *PairGraph
	auto       autoOracle
	all        enumeration
	margin     []float64 // by visit of the tree oracle
	off        []float64
	best, held Labeling
}

// NewMaxMarginals returns the max-marginals on g.
func NewMaxMarginals(g *PairGraph) *MaxMarginals {
	return &MaxMarginals{
		g: g, auto: autoOracle{tree: treeOracle{g: g}, lp: lpOracle{g: g}},
		margin: make([]float64, g.N), off: make([]float64, g.N),
	}
}

// MarginsTo writes m_i(1) - m_i(0) of all labels to dst, given their unary terms c,
// and reports whether all of them are certainly exact. It panics when dst or c has the
// wrong length.
func (o *MaxMarginals) MarginsTo(dst, c []float64) (exact bool) {
	o.check(len(dst), len(c))
	if o.auto.forest() {
		o.forestTo(dst, c)
		return true
	}
	exact = o.graphTo(o.off, dst, c)
	floats.Sub(dst, o.off)
	return exact
}

// MaximaTo writes m_i(0) of all labels to off and m_i(1) to on, given their unary terms
// c, and reports whether all of them are certainly exact. It panics when one has the wrong
// length.
func (o *MaxMarginals) MaximaTo(off, on, c []float64) (exact bool) {
	o.check(len(off), len(c))
	o.check(len(on), len(c))
	if !o.auto.forest() {
		return o.graphTo(off, on, c)
	}
	best := o.forestTo(on, c)
	for i, margin := range on { // the larger of the two is the maximum over all labelings
		off[i], on[i] = best-max(0, margin), best+min(0, margin)
	}
	return true
}

func (o *MaxMarginals) check(labels, terms int) {
	if labels != o.g.N || terms != o.g.N {
		panic("infer: unequal numbers of labels")
	}
}

// forestTo writes the margins on a forest and returns the maximum over all labelings.
func (o *MaxMarginals) forestTo(dst, c []float64) (best float64) {
	t := &o.auto.tree
	for _, i := range t.isolated {
		dst[i] = c[i]
		best += max(0, c[i])
	}
	best = t.collect(best, c)
	edges := o.g.Edges
	for k, v := range t.visits {
		margin := t.gain[k]
		if v.Parent >= 0 {
			w := edges[v.Edge].Weight
			rest := o.margin[v.Parent] - message(margin, w) // the parent's, without the subtree of k
			margin += message(rest, w)
		}
		o.margin[k], dst[v.Label] = margin, margin
	}
	return best
}

// message returns what a label whose margin is a is worth more to a neighbor that is on
// than to one that is off.
func message(a, w float64) float64 { return max(0, a+w) - max(0, a) }

// graphTo writes the max-marginals on a graph with cycles.
func (o *MaxMarginals) graphTo(off, on, c []float64) (exact bool) {
	if o.g.N <= EnumerableLabels {
		o.enumerateTo(off, on, c)
		return true
	}
	return o.relaxTo(off, on, c)
}

// enumerateTo scores all labelings. It takes the labels off from the last one on: each
// of the scores that are left is the best over the values of those that are gone.
func (o *MaxMarginals) enumerateTo(off, on, c []float64) {
	o.all.reserve(len(c))
	o.all.scoreAll(o.g, c)
	for i := len(c) - 1; i >= 0; i-- {
		without, with := o.all.score[:1<<i], o.all.score[1<<i:2<<i]
		off[i], on[i] = floats.Max(without), floats.Max(with)
		for s, v := range with {
			without[s] = max(without[s], v)
		}
	}
}

// relaxTo writes maxima over the local polytope. The value of a label that is integral
// at the optimum needs no second look.
func (o *MaxMarginals) relaxTo(off, on, c []float64) (exact bool) {
	if o.best == nil {
		o.best, o.held = make(Labeling, o.g.N), make(Labeling, o.g.N)
	}
	value := o.auto.lp.Maximize(o.best, c)
	exact = o.best.IsIntegral()
	for i, v := range o.best {
		off[i], on[i] = value, value
		if v != Off {
			off[i] = o.hold(i, Off, c)
			exact = exact && o.held.IsIntegral()
		}
		if v != On {
			on[i] = o.hold(i, On, c)
			exact = exact && o.held.IsIntegral()
		}
	}
	return exact
}

// hold solves the relaxation with label i held at v.
func (o *MaxMarginals) hold(i int, v uint8, c []float64) float64 {
	for j := range o.held {
		o.held[j] = Half // open, to complete
	}
	o.held[i] = v
	return o.auto.lp.complete(o.held, c)
}
