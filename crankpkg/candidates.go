package crankpkg

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// candidates are the edges that a method may add to a forest, each with what
// is known of its gain: how far it lowers the objective of the components that
// it joins. Gains are computed only as far as the method's choice needs them:
// an upper bound from the dual tells for most edges that they cannot be it.
type candidates struct {
	t    *training
	gap  float64             // relative gap to which gains are computed
	of   []*solver.Component // by vertex; one for all where the objective is no sum over the labels
	list []*edgeGain         // in the order of Edge.Index
	tree unionfind.Set
}

type edgeGain struct {
	edge  Edge
	bound float64 // upper bound on the gain
	known bool    // gain is computed
	gain  float64
	// joined is the component with the edge, of the best candidate alone: the
	// components of all would take far more memory than the data.
	joined *solver.Component
}

// newCandidates trains every label by itself and bounds the gains of all
// pairs.
func newCandidates(t *training, gap float64) (*candidates, solver.Bounds, Status) {
	c := &candidates{t: t, gap: gap, of: make([]*solver.Component, t.problem.NumVertices())}
	c.tree.Reset(len(c.of))
	b, status := c.trainLabels()
	for _, e := range labelgraph.AllPairs(len(c.of)) {
		c.list = append(c.list, &edgeGain{edge: e})
	}
	c.boundAll(c.list)
	return c, b, status
}

// trainLabels fills in the components without any edge.
func (c *candidates) trainLabels() (solver.Bounds, Status) {
	t := c.t
	if !t.problem.SplitsByComponent() {
		whole := solver.NewWholeComponent(solver.New(t.problem, nil, t.lambda))
		b, status := t.solve(whole.Solver, c.gap, "no pairs")
		whole.Settle(b)
		for i := range c.of {
			c.of[i] = whole
		}
		return b, status
	}
	svms, b, status := t.solveSVMs(c.gap)
	t.parallel(len(svms), func(i int) { c.of[i] = solver.NewLabelComponent(t.problem, i, svms[i]) })
	return b, status
}

// boundAll bounds the gains of the given candidates.
func (c *candidates) boundAll(list []*edgeGain) {
	c.t.parallel(len(list), func(k int) {
		e := list[k].edge
		list[k].bound = solver.GainBound(c.of[e.I], c.of[e.J], e)
		list[k].known, list[k].joined = false, nil
	})
}

// batch is how many gains are computed before the next choice. It does not
// follow the number of workers, which must not change a result.
const batch = 4

// best returns the candidate of largest gain, or nil when there is none left
// or time is up. A tie goes to the smaller Edge.Index.
func (c *candidates) best() *edgeGain {
	for !c.t.stopped() {
		var best *edgeGain
		var open []*edgeGain
		for _, k := range c.list {
			switch {
			case !k.known:
				open = append(open, k)
			case best == nil:
				best = k
			case k.gain > best.gain:
				best.joined, best = nil, k
			default:
				k.joined = nil
			}
		}
		if best != nil {
			open = slices.DeleteFunc(open, func(k *edgeGain) bool { return k.bound < best.gain })
		}
		if len(open) == 0 {
			return best
		}
		slices.SortStableFunc(open, func(a, b *edgeGain) int { return cmp.Compare(b.bound, a.bound) })
		open = open[:min(batch, len(open))]
		c.t.parallel(len(open), func(k int) { c.evaluate(open[k]) })
	}
	return nil
}

// evaluate trains the two components of the candidate's ends together.
func (c *candidates) evaluate(k *edgeGain) {
	a, b := c.of[k.edge.I], c.of[k.edge.J]
	before := a.Bounds.Primal
	var joined *solver.Component
	if a == b {
		joined = a.With(k.edge)
	} else {
		before += b.Bounds.Primal
		joined = solver.Join(c.t.problem, a, b, &k.edge)
	}
	points := []TracePoint{}
	after, _ := c.t.solveInto(&points, joined.Solver, crew{workers: 1}, c.t.set.Seed, c.gap, fmt.Sprintf("edge %d-%d", k.edge.I, k.edge.J))
	joined.Settle(after)
	k.gain = before - after.Primal
	k.known, k.joined = true, joined
}

// add makes the candidate's edge part of the forest. Candidates within the new
// component are gone, and those to other components have to be bounded again.
// Where the edge's component was given up, it is trained again, to the same bits.
func (c *candidates) add(k *edgeGain) {
	if k.joined == nil {
		c.evaluate(k)
	}
	joined := k.joined
	for _, i := range joined.Labels {
		c.of[i] = joined
	}
	c.tree.Union(k.edge.I, k.edge.J)
	c.list = slices.DeleteFunc(c.list, func(k *edgeGain) bool { return c.tree.Find(k.edge.I) == c.tree.Find(k.edge.J) })
	var changed []*edgeGain
	for _, k := range c.list {
		if c.of[k.edge.I] == joined || c.of[k.edge.J] == joined {
			changed = append(changed, k)
		}
	}
	c.boundAll(changed)
}

// forest returns one solver for all labels, at the dual point of the
// components.
func (c *candidates) forest() *solver.Solver {
	whole := c.of[0]
	for i := 1; i < len(c.of); i++ {
		if !whole.Has(i) {
			whole = solver.Join(c.t.problem, whole, c.of[i], nil)
		}
	}
	return whole.Solver
}
