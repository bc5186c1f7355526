package treesearch

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Climb improves a tree by swaps of single edges that races choose. It does not certify that
// no better neighbor is left, unlike Search.Swaps, and takes a small part of the time.
//
// The tree has been solved to a coarse gap. Swaps are ranked by how far they would lower its
// dual bound if no label marginal moved, (u_in^2 - u_out^2) / (2 lambda): far more than they
// do in truth, but the best ones tend to come first. A challenger sets out from the tree's
// dual point. It has lost once its dual has come to that of the tree, mostly after a few
// passes. It has won, and takes the tree's place, where it comes to the tree's gap first.
type Climb struct {
	Lambda  float64 // l2 regularization
	Workers int     // races side by side; they never change a result
	// Budget is the work of all races, as Solver.Work counts it; those under way still end.
	Budget float64
	// Solve runs a solver, on one worker, to a relative gap, or until its dual has come to
	// beyond. It is called from several goroutines at once.
	Solve func(s *solver.Solver, gap, beyond float64) (solver.Bounds, solver.Status)
	// Lost is told of a solver that has lost, and of the one that it was cloned from.
	Lost func(from, to *solver.Solver)
	// Stopped reports whether time is up.
	Stopped func() bool

	best   *solver.Solver
	bounds solver.Bounds
	tried  map[string]bool // trees by their edges
	races  int
	spent  float64
}

// The rules of a race were chosen by time and final objective on the paper's four sets, at
// lambda 0.01, 0.001 and 0.0003.
const (
	// raceBatch challengers race side by side. It does not follow the number of workers,
	// which must not change a result.
	raceBatch = 2
	// leastPromise is the part of the objective by which a swap has to promise to lower it.
	leastPromise = 2e-4
	// leastLead is the part of the gap by which the dual of a winner is below that of the
	// tree: trees that are as good are not worth a change.
	leastLead = 0.02
)

// From climbs from the tree of s, which has been solved to these bounds and about this
// relative gap, and returns the solver of the tree that it comes to.
func (c *Climb) From(s *solver.Solver, b solver.Bounds, gap float64) *solver.Solver {
	c.best, c.bounds, c.tried = s, b, map[string]bool{fmt.Sprint(s.GraphEdges()): true}
	for c.step(gap) {
	}
	return c.best
}

// Races counts the challengers so far.
func (c *Climb) Races() int { return c.races }

// step lets one batch of challengers after the other race until one wins, and reports whether
// one has.
func (c *Climb) step(gap float64) bool {
	before := c.best
	list := c.challengers()
	for len(list) > 0 && c.best == before && c.spent < c.Budget && !c.Stopped() {
		k := min(raceBatch, len(list))
		c.race(list[:k], max(c.bounds.Gap(), gap/2))
		list = list[k:]
	}
	return c.best != before
}

// race solves for trees until each has won or lost. Of two that win, that with the lower
// dual is the best one from now on.
func (c *Climb) race(trees [][]labelgraph.Edge, gap float64) {
	from, limit := c.best, c.bounds.Dual*(1-leastLead*gap)
	racers, bounds := make([]*solver.Solver, len(trees)), make([]solver.Bounds, len(trees))
	won := make([]bool, len(trees))
	parallel.ForEach(context.Background(), c.Workers, len(trees), func(_, k int) {
		racers[k] = from.Clone()
		racers[k].SetEdges(trees[k])
		b, status := c.Solve(racers[k], gap, limit)
		bounds[k], won[k] = b, status == solver.Converged && b.Dual < limit
	})
	winner := -1
	for k, r := range racers {
		c.races++
		c.spent += r.Work() - from.Work()
		c.tried[fmt.Sprint(trees[k])] = true
		if won[k] && (winner < 0 || bounds[k].Dual < bounds[winner].Dual) {
			winner = k
		}
	}
	for k, r := range racers {
		if k != winner {
			c.Lost(from, r)
		} else {
			c.best, c.bounds = r, bounds[k]
		}
	}
}

// challengers returns the trees that are one swap away and have not raced yet, those that
// promise most first. A new edge takes the place of the one that pulls least on its cycle.
func (c *Climb) challengers() [][]labelgraph.Edge {
	tree := c.best.GraphEdges()
	squares := c.best.Pull()
	weakest := weakestOnPaths(len(tree)+1, tree, squares)
	promise := func(in labelgraph.Edge) float64 {
		return (squares[in.Index()] - squares[weakest[in].Index()]) / (2 * c.Lambda)
	}
	var in []labelgraph.Edge
	for e := range weakest {
		if promise(e) > leastPromise*c.bounds.Primal {
			in = append(in, e)
		}
	}
	slices.SortFunc(in, func(a, b labelgraph.Edge) int {
		return cmp.Or(cmp.Compare(promise(b), promise(a)), a.Index()-b.Index())
	})
	var trees [][]labelgraph.Edge
	for _, e := range in {
		edges := slices.Clone(tree)
		edges[slices.Index(edges, weakest[e])] = e
		slices.SortFunc(edges, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
		if !c.tried[fmt.Sprint(edges)] {
			trees = append(trees, edges)
		}
	}
	return trees
}

// weakestOnPaths returns, for each edge that is not in the tree of n vertices, the edge of
// least weight, by Edge.Index, on the path between its ends.
func weakestOnPaths(n int, tree []labelgraph.Edge, weights []float64) map[labelgraph.Edge]labelgraph.Edge {
	at := make([][]labelgraph.Edge, n)
	for _, e := range tree {
		at[e.I], at[e.J] = append(at[e.I], e), append(at[e.J], e)
	}
	weakest := make(map[labelgraph.Edge]labelgraph.Edge)
	type visit struct {
		vertex  int
		by      labelgraph.Edge // the edge it was come by
		weakest labelgraph.Edge
	}
	for root := range n {
		var todo []visit
		for _, e := range at[root] {
			todo = append(todo, visit{e.I + e.J - root, e, e})
		}
		for len(todo) > 0 {
			v := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, e := range at[v.vertex] {
				if e == v.by {
					continue
				}
				next := visit{e.I + e.J - v.vertex, e, v.weakest}
				if weights[e.Index()] < weights[next.weakest.Index()] {
					next.weakest = e
				}
				if root < next.vertex {
					weakest[labelgraph.Edge{I: root, J: next.vertex}] = next.weakest
				}
				todo = append(todo, next)
			}
		}
	}
	return weakest
}
