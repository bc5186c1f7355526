package crankpkg

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
)

// candidates are the edges that a method may add to a forest, each with what
// is known of its gain: how far it lowers the objective of the components that
// it joins. Gains are computed only as far as the method's choice needs them:
// an upper bound from the dual tells for most edges that they cannot be it.
type candidates struct {
	t    *training
	gap  float64      // relative gap to which gains are computed
	of   []*component // by vertex; one for all where the objective is no sum over the labels
	list []*edgeGain  // in the order of Edge.Index
	tree unionfind.Set
}

type edgeGain struct {
	edge  Edge
	bound float64 // upper bound on the gain
	known bool    // gain is computed
	gain  float64
	// joined is the component with the edge, of the best candidate alone: the
	// components of all would take far more memory than the data.
	joined *component
}

// newCandidates trains every label by itself and bounds the gains of all
// pairs.
func newCandidates(t *training, gap float64) (*candidates, bounds, Status) {
	c := &candidates{t: t, gap: gap, of: make([]*component, t.problem.graph.count())}
	c.tree.Reset(len(c.of))
	b, status := c.trainLabels()
	for _, e := range AllPairs(len(c.of)) {
		c.list = append(c.list, &edgeGain{edge: e})
	}
	c.boundAll(c.list)
	return c, b, status
}

// trainLabels fills in the components without any edge.
func (c *candidates) trainLabels() (bounds, Status) {
	t := c.t
	if !t.problem.isSumOfLabels() {
		whole := &component{solver: newSolver(t.problem, nil, t.lambda)}
		var status Status
		whole.bounds, status = t.solve(whole.solver, c.gap, "no pairs")
		for i := range c.of {
			whole.labels = append(whole.labels, i)
			c.of[i] = whole
		}
		return whole.bounds, status
	}
	svms, b, status := t.solveSVMs(c.gap)
	t.parallel(len(svms), func(i int) { c.of[i] = newLabelComponent(t.problem, i, svms[i]) })
	return b, status
}

// boundAll bounds the gains of the given candidates.
func (c *candidates) boundAll(list []*edgeGain) {
	c.t.parallel(len(list), func(k int) {
		e := list[k].edge
		list[k].bound = gainBound(c.of[e.I], c.of[e.J], e)
		list[k].known, list[k].joined = false, nil
	})
}

// gainBound returns an upper bound on how far the edge can lower the objective
// of the components a and b of its ends: their gaps plus u_ij^2 / (2 lambda),
// which is how far the dual falls when the edge is added at the present dual
// point. The joint marginal of the two labels is free within Frechet's bounds,
// since their components are independent; the one that makes |u_ij| smallest
// counts.
func gainBound(a, b *component, e Edge) float64 {
	i, _ := slices.BinarySearch(a.labels, e.I)
	j, _ := slices.BinarySearch(b.labels, e.J)
	if a == b {
		return a.ownBound(e)
	}
	if a.solver.pw.k > 1 {
		return vectorGainBound(a, b, i, j)
	}
	var lo, hi float64 // of M u_ij
	for m := range a.solver.ex {
		mi, mj := a.mu[m*len(a.labels)+i], b.mu[m*len(b.labels)+j]
		truth := float64(a.solver.labelsOf(m)[i] & b.solver.labelsOf(m)[j])
		lo += truth - min(mi, mj)
		hi += truth - max(0, mi+mj-1)
	}
	u := max(lo, -hi, 0) * a.solver.step
	return a.bounds.width() + b.bounds.width() + u*u/(2*a.solver.pw.lambda)
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
	before := a.bounds.primal
	var joined *component
	if a == b {
		joined = a.with(k.edge)
	} else {
		before += b.bounds.primal
		joined = join(c.t.problem, a, b, &k.edge)
	}
	s := joined.solver
	points := []TracePoint{}
	joined.bounds, _ = c.t.solveInto(&points, s, crew{workers: 1}, c.t.set.Seed, c.gap, fmt.Sprintf("edge %d-%d", k.edge.I, k.edge.J))
	if a != b {
		joined.mu = s.marginals()
	}
	k.gain = before - joined.bounds.primal
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
	for _, i := range joined.labels {
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
func (c *candidates) forest() *solver {
	whole := c.of[0]
	for i := 1; i < len(c.of); i++ {
		if k, found := slices.BinarySearch(whole.labels, i); !found || whole.labels[k] != i {
			whole = join(c.t.problem, whole, c.of[i], nil)
		}
	}
	return whole.solver
}
