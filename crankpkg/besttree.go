package crankpkg

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/treesearch"
	"github.com/crank-ml/crank/crankpkg/internal/treeset"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// BestTree learns the best of all trees,
//
//	min_T min_{w on T} lambda/2 |w|^2 + (1/M) sum_m h^m(w)              (eq. 4)
//
// with a certificate: the trace's Dual is a lower bound on the objective of
// every tree, and its Primal is the objective of the model. The problem is
// NP-hard (theorem 3.1), so the time can grow without bounds with the number of
// labels; cut short, BestTree returns the best tree so far and the certified
// gap.
//
// With MaxEdges or MaxDegree the choice is among the forests within these bounds
// instead, called trees below as well.
//
// The method is branch and bound. A node is a set of trees, those that have
// some edges and do not have others; its bound is that of a convex relaxation
// (see Set), which also tells which further edges all good trees of the
// set have or do not have. The node with the lowest bound is split next. The
// first trees come from CRANK and Greedy, further ones from the relaxations:
// the maximum spanning trees of their |w_ij|.
//
// Points of the trace are the certified bounds after each round of nodes, with
// the number of nodes in Solve.
type BestTree struct {
	Lambda float64 // l2 regularization; zero means 1/M
	// MaxEdges bounds the number of edges, so that the best forest with so many
	// is found. Zero means n-1, a spanning tree; Empty has none.
	MaxEdges int
	// MaxDegree bounds the number of edges at a label. Zero means no bound, 1 a
	// matching, 2 a chain.
	MaxDegree int
	// Enumerate trains all trees, n^(n-2) of them, one after the other instead:
	// the same answer for few labels, in the plainest way.
	Enumerate bool
	// Settings are those of the whole search. Gap is the relative distance of
	// the model's objective to the lower bound at which it ends; zero means
	// 0.001. MaxPasses bounds the passes of each solve, and ends the search once
	// all of them together have made as many.
	Settings
}

// Name returns "BestTree".
func (BestTree) Name() string { return "BestTree" }

// WithLambda returns b with another lambda.
func (b BestTree) WithLambda(lambda float64) Trainer { b.Lambda = lambda; return b }

// Train searches for the best tree.
func (b BestTree) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, b, ds)
}

func (b BestTree) common() (float64, Settings) {
	b.Gap = cmp.Or(b.Gap, 0.001)
	return b.Lambda, b.Settings
}

func (b BestTree) check() error {
	if b.HingeCap > 0 {
		return fmt.Errorf("%w: BestTree certifies the hinge, without a HingeCap", ErrSettings)
	}
	return treeset.CheckLimits(b.MaxEdges, b.MaxDegree)
}

func (BestTree) takesGroups() error { return freeLabelsOnly("BestTree") }

func (b BestTree) learn(t *training) (*Model, *Trace, error) {
	search := t.newSearch(treeset.NewFamily(t.problem.NumLabels(), b.MaxEdges, b.MaxDegree))
	t.known.admits = func(edges []Edge) bool { return b.admits(t.problem.NumLabels(), edges) }
	if b.Enumerate {
		var root *solver.Solver
		t.detour(t.set.Gap, func() { root, _, _ = t.allPairs(0.1, false) })
		search.Enumerate(root)
	} else {
		search.BranchAndBound(t.firstGraphs())
	}
	t.trace.Solves = search.Solves()
	certified := search.Bounds()
	t.overTrees = true
	status := t.statusOf(certified, t.trace.Passes, t.set.Gap)
	if search.Stalled() && status == NotConverged {
		status = PassLimit
	}
	best, _, _ := search.Best()
	return t.finish(best, certified, status)
}

// firstGraphs returns the graphs that CRANK and Greedy find, and a solver that is at a dual
// point of the problem with all pairs.
func (t *training) firstGraphs() (root *solver.Solver, found [][]Edge) {
	t.detour(max(t.set.Gap, 0.01), func() {
		root, _, _ = t.allPairs(0.3, false)
		_, trace, _ := CRANK{Restarts: 10}.learn(t) // ten trees that differ
		for _, start := range trace.Restarts {
			found = append(found, start.Edges)
		}
		if m, _, _ := (Greedy{}).learn(t); m != nil {
			found = append(found, m.Edges)
		}
	})
	return root, found
}

// admits reports whether a forest of these edges is within the limits.
func (b BestTree) admits(n int, edges []Edge) bool {
	if b.MaxEdges > 0 && len(edges) > b.MaxEdges || !labelgraph.IsForest(n, edges) {
		return false
	}
	return b.MaxDegree == 0 || labelgraph.MaxDegree(n, edges) <= b.MaxDegree
}

// detour runs another method within this training: to another gap and with a
// trace of its own.
func (t *training) detour(gap float64, do func()) {
	trace, set := t.trace, t.set
	t.trace = &Trace{Method: trace.Method, Lambda: trace.Lambda, Seed: trace.Seed}
	t.set.Gap, t.set.HingeCap = gap, 0
	do()
	trace.Passes += t.trace.Passes
	trace.OracleCalls += t.trace.OracleCalls
	t.trace, t.set = trace, set
}

// newSearch returns a search by the training's settings, which keeps its bounds in the trace.
func (t *training) newSearch(trees treeset.Family) *treesearch.Search {
	return treesearch.New(trees, treesearch.Config{
		Lambda: t.lambda, Gap: t.set.Gap, Workers: t.set.Workers,
		Solve: func(s *solver.Solver, gap float64, prune func(solver.Bounds) bool) (solver.Bounds, Status) {
			return s.Solve(t.ctx, solver.StopRule{
				Gap: gap, Passes: t.mostPasses(gap), Deadline: t.deadline, Workers: 1, Seed: t.set.Seed, Prune: prune,
			})
		},
		Stalls: t.stalled, Stopped: t.stopped, Count: t.count,
		Ends: func(b solver.Bounds) bool { return t.statusOf(b, t.trace.Passes, t.set.Gap) != NotConverged },
		Record: func(p treesearch.Point) {
			t.trace.Points = append(t.trace.Points, TracePoint{
				Solve: p.Solves, Pass: t.trace.Passes, OracleCalls: t.trace.OracleCalls,
				Elapsed: time.Since(t.begin), Primal: p.Bounds.Primal, Dual: p.Bounds.Dual, Support: p.Support,
			})
			t.tell(p.Phase, t.trace.Passes, p.Bounds)
		},
	})
}
