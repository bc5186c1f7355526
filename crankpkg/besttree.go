package crankpkg

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
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
	s := newTreeSearch(t, treeset.NewFamily(t.problem.NumLabels(), b.MaxEdges, b.MaxDegree))
	t.known.admits = func(edges []Edge) bool { return b.admits(t.problem.NumLabels(), edges) }
	if b.Enumerate {
		s.enumerate()
	} else {
		s.start()
		s.run()
	}
	t.trace.Solves = s.solves
	certified := s.bounds()
	t.overTrees = true
	status := t.statusOf(certified, t.trace.Passes, t.set.Gap)
	if s.stalled && status == NotConverged {
		status = PassLimit
	}
	return t.finish(s.best.solver, certified, status)
}

// admits reports whether a forest of these edges is within the limits.
func (b BestTree) admits(n int, edges []Edge) bool {
	if b.MaxEdges > 0 && len(edges) > b.MaxEdges || !labelgraph.IsForest(n, edges) {
		return false
	}
	return b.MaxDegree == 0 || labelgraph.MaxDegree(n, edges) <= b.MaxDegree
}

// treeSearch is a search for the best tree under way.
type treeSearch struct {
	t     *training
	trees treeset.Family
	edges []Edge
	root  *solver.Solver // at some dual point of the problem with all pairs
	best  *trainedTree
	tried map[string]bool // trees by their edges
	open  []*treeNode
	// closed is the least bound of the sets of trees that are done with.
	closed float64
	solves int // nodes and trees
	// stalled says that a tree could not be trained: its bounds would not end the search.
	stalled bool
}

// trainedTree is a tree with its weights.
type trainedTree struct {
	solver *solver.Solver
	bounds solver.Bounds
	status Status // of the solve
}

// treeGap is the part of the gap that may be left in the training of one tree.
const treeGap = 0.5

func newTreeSearch(t *training, trees treeset.Family) *treeSearch {
	return &treeSearch{t: t, trees: trees, edges: labelgraph.AllPairs(trees.N), tried: make(map[string]bool), closed: math.Inf(1)}
}

// bounds returns the objective of the best tree and the lower bound on all.
func (s *treeSearch) bounds() solver.Bounds {
	lower := min(s.closed, s.best.bounds.Primal)
	for _, node := range s.open {
		lower = min(lower, node.bound)
	}
	return solver.Bounds{Primal: s.best.bounds.Primal, Dual: max(lower, 0)}
}

// record adds the bounds to the trace.
func (s *treeSearch) record() {
	b := s.bounds()
	s.t.trace.Points = append(s.t.trace.Points, TracePoint{
		Solve: s.solves, Pass: s.t.trace.Passes, OracleCalls: s.t.trace.OracleCalls,
		Elapsed: time.Since(s.t.begin), Primal: b.Primal, Dual: b.Dual, Support: s.trees.Size,
	})
	s.t.tell(fmt.Sprintf("%d open nodes", len(s.open)), s.t.trace.Passes, b)
}

// done reports whether the search is over.
func (s *treeSearch) done() bool {
	return s.stalled || s.t.statusOf(s.bounds(), s.t.trace.Passes, s.t.set.Gap) != NotConverged
}

// start trains the first trees and opens the set of all trees.
func (s *treeSearch) start() {
	var found [][]Edge
	s.t.detour(max(s.t.set.Gap, 0.01), func() {
		s.root, _, _ = s.t.allPairs(0.3, false)
		_, trace, _ := CRANK{}.learn(s.t)
		for _, start := range trace.Restarts {
			found = append(found, start.Edges)
		}
		if m, _, _ := (Greedy{}).learn(s.t); m != nil {
			found = append(found, m.Edges)
		}
	})
	var trees []candidateTree
	for _, edges := range found {
		trees = append(trees, candidateTree{s.nearest(edges), s.root})
	}
	s.try(trees)
	root := &treeNode{set: treeset.NewSet(s.trees, s.edges), from: s.root, theta: make([]float64, len(s.edges))}
	squares := s.root.LeastSquares(s.edges)
	root.set.Reprice(squares)
	_, total, _ := root.set.Heaviest(squares)
	root.bound = s.root.UnaryDual() - total/(2*s.t.lambda)
	s.open = []*treeNode{root}
	s.record()
}

// nearest returns the member of the family that has most of the given edges,
// those with the largest weights in the problem with all pairs first.
func (s *treeSearch) nearest(edges []Edge) []Edge {
	rank := make([]int, len(s.edges))
	for e, edge := range s.edges {
		if !slices.Contains(edges, edge) {
			rank[e] = 1
		}
	}
	var tree []Edge
	for _, e := range s.trees.Best(s.edges, s.root.PairNorms(), rank) {
		tree = append(tree, s.edges[e])
	}
	return tree
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

// candidateTree is a tree to be tried, with a dual point to start from.
type candidateTree struct {
	edges []Edge
	from  *solver.Solver
}

// try trains those of the trees that are new, each as far as it takes to see
// whether it is the best so far.
func (s *treeSearch) try(trees []candidateTree) []*trainedTree {
	var fresh []candidateTree
	for _, c := range trees {
		if key := fmt.Sprint(c.edges); !s.tried[key] {
			s.tried[key] = true
			fresh = append(fresh, c)
		}
	}
	results := make([]*trainedTree, len(fresh))
	s.t.parallel(len(fresh), func(k int) { results[k] = s.trainTree(fresh[k]) })
	for k, r := range results {
		s.t.count(fresh[k].from, r.solver)
		s.solves++
		s.stalled = s.stalled || s.t.stalled(r.status)
		if s.best == nil || r.bounds.Primal < s.best.bounds.Primal {
			s.best = r
		}
	}
	return results
}

// trainTree solves for the weights of a tree, or until its bound tells that it
// is not better than the best one.
func (s *treeSearch) trainTree(c candidateTree) *trainedTree {
	r := &trainedTree{solver: c.from.Clone()}
	r.solver.SetEdges(c.edges)
	gap := treeGap * s.t.set.Gap
	rule := solver.StopRule{
		Gap: gap, Passes: s.t.mostPasses(gap), Deadline: s.t.deadline, Workers: 1, Seed: s.t.set.Seed,
	}
	if s.best != nil {
		limit := s.best.bounds.Primal
		rule.Prune = func(b solver.Bounds) bool { return b.Dual >= limit }
	}
	r.bounds, r.status = r.solver.Solve(s.t.ctx, rule)
	return r
}

// enumerate trains every tree.
func (s *treeSearch) enumerate() {
	const batch = 64
	s.t.detour(s.t.set.Gap, func() { s.root, _, _ = s.t.allPairs(0.1, false) })
	_, total, _ := treeset.NewSet(s.trees, s.edges).Heaviest(s.root.LeastSquares(s.edges))
	s.closed = s.root.UnaryDual() - total/(2*s.t.lambda) // as long as trees are to come
	lower := math.Inf(1)
	var trees []candidateTree
	flush := func() {
		for _, r := range s.try(trees) {
			lower = min(lower, r.bounds.Dual)
		}
		trees = trees[:0]
		s.record()
	}
	for tree := range s.trees.Members(s.edges) {
		trees = append(trees, candidateTree{tree, s.root})
		if len(trees) < batch {
			continue
		}
		if flush(); s.done() {
			return
		}
	}
	flush()
	s.closed = max(s.closed, lower)
	s.record()
}
