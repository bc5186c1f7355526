package treesearch

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/treeset"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Config is what a search needs of the training that it is part of. All functions have to
// be there. Solve and Stopped are called from several goroutines at once, the others from
// the one of the search.
type Config struct {
	Lambda  float64 // l2 regularization
	Gap     float64 // relative gap at which the search ends
	Workers int     // solves side by side; they never change a result
	// Solve runs a solver, on one worker, to a relative gap, or until prune, where it is
	// not nil, says that its bounds tell enough.
	Solve func(s *solver.Solver, gap float64, prune func(solver.Bounds) bool) (solver.Bounds, solver.Status)
	// Stalls reports whether a solve that ended so could not come to its gap.
	Stalls func(solver.Status) bool
	// Stopped reports whether time is up.
	Stopped func() bool
	// Ends reports whether a search at these bounds has to end, or may.
	Ends func(solver.Bounds) bool
	// Count is told of the work of a solver since it was cloned.
	Count func(from, to *solver.Solver)
	// Record is told of the bounds after each round.
	Record func(Point)
}

// Point is where a search stands after a round.
type Point struct {
	Phase   string // for people
	Solves  int    // nodes and trees so far
	Support int    // edges of the trees
	Bounds  solver.Bounds
}

// Search is a search for the best tree under way. Call one of BranchAndBound, Enumerate
// and Swaps, once.
type Search struct {
	Config
	trees treeset.Family
	edges []labelgraph.Edge
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
	status solver.Status // of the solve
}

// treeGap is the part of the gap that may be left in the training of one tree.
const treeGap = 0.5

// New returns a search among the trees of a family.
func New(trees treeset.Family, c Config) *Search {
	return &Search{Config: c, trees: trees, edges: labelgraph.AllPairs(trees.N), tried: make(map[string]bool), closed: math.Inf(1)}
}

// Bounds returns the objective of the best tree and the lower bound on all that
// BranchAndBound or Enumerate has certified.
func (s *Search) Bounds() solver.Bounds {
	lower := min(s.closed, s.best.bounds.Primal)
	for _, node := range s.open {
		lower = min(lower, node.bound)
	}
	return solver.Bounds{Primal: s.best.bounds.Primal, Dual: max(lower, 0)}
}

// Best returns the solver of the best tree, with its bounds on the optimum on that tree and
// why it ended.
func (s *Search) Best() (*solver.Solver, solver.Bounds, solver.Status) {
	return s.best.solver, s.best.bounds, s.best.status
}

// Solves counts the nodes and the trees so far.
func (s *Search) Solves() int { return s.solves }

// Stalled reports whether the search ended because a tree could not be trained.
func (s *Search) Stalled() bool { return s.stalled }

// record tells the bounds on all trees.
func (s *Search) record() {
	s.Record(Point{fmt.Sprintf("%d open nodes", len(s.open)), s.solves, s.trees.Size, s.Bounds()})
}

// done reports whether the search is over.
func (s *Search) done() bool { return s.stalled || s.Ends(s.Bounds()) }

// parallel calls do(0), ..., do(n-1) on the workers. What do computes must not depend on
// the order. Every call is made, also when time is up: what it computes is then short.
func (s *Search) parallel(n int, do func(i int)) {
	parallel.ForEach(context.Background(), s.Workers, n, func(_, i int) { do(i) })
}

// BranchAndBound searches from the members of the family that are nearest to the graphs
// found. The root is at a dual point of the problem with all pairs.
func (s *Search) BranchAndBound(root *solver.Solver, found [][]labelgraph.Edge) {
	s.start(root, found)
	s.run()
}

// start trains the first trees and opens the set of all trees.
func (s *Search) start(from *solver.Solver, found [][]labelgraph.Edge) {
	s.root = from
	var trees []candidate
	for _, edges := range found {
		trees = append(trees, candidate{s.nearest(edges), s.root})
	}
	s.try(trees)
	root := &treeNode{set: treeset.NewSet(s.trees, s.edges), from: s.root, theta: make([]float64, len(s.edges))}
	squares := s.root.LeastSquares(s.edges)
	root.set.Reprice(squares)
	_, total, _ := root.set.Heaviest(squares)
	root.bound = s.root.UnaryDual() - total/(2*s.Lambda)
	s.open = []*treeNode{root}
	s.record()
}

// nearest returns the member of the family that has most of the given edges,
// those with the largest weights in the problem with all pairs first.
func (s *Search) nearest(edges []labelgraph.Edge) []labelgraph.Edge {
	rank := make([]int, len(s.edges))
	for e, edge := range s.edges {
		if !slices.Contains(edges, edge) {
			rank[e] = 1
		}
	}
	var tree []labelgraph.Edge
	for _, e := range s.trees.Best(s.edges, s.root.PairNorms(), rank) {
		tree = append(tree, s.edges[e])
	}
	return tree
}

// candidate is a tree to be tried, with a dual point to start from.
type candidate struct {
	edges []labelgraph.Edge
	from  *solver.Solver
}

// try trains those of the trees that are new, each as far as it takes to see
// whether it is the best so far.
func (s *Search) try(trees []candidate) []*trainedTree {
	var fresh []candidate
	for _, c := range trees {
		if key := fmt.Sprint(c.edges); !s.tried[key] {
			s.tried[key] = true
			fresh = append(fresh, c)
		}
	}
	results := make([]*trainedTree, len(fresh))
	s.parallel(len(fresh), func(k int) { results[k] = s.trainTree(fresh[k]) })
	for k, r := range results {
		s.Count(fresh[k].from, r.solver)
		s.solves++
		s.stalled = s.stalled || s.Stalls(r.status)
		if s.best == nil || r.bounds.Primal < s.best.bounds.Primal {
			s.best = r
		}
	}
	return results
}

// trainTree solves for the weights of a tree, or until its bound tells that it
// is not better than the best one.
func (s *Search) trainTree(c candidate) *trainedTree {
	r := &trainedTree{solver: c.from.Clone()}
	r.solver.SetEdges(c.edges)
	var prune func(solver.Bounds) bool
	if s.best != nil {
		limit := s.best.bounds.Primal
		prune = func(b solver.Bounds) bool { return b.Dual >= limit }
	}
	r.bounds, r.status = s.Solve(r.solver, treeGap*s.Gap, prune)
	return r
}

// Enumerate trains every tree. The root is at a dual point of the problem with all pairs.
func (s *Search) Enumerate(root *solver.Solver) {
	const batch = 64
	s.root = root
	_, total, _ := treeset.NewSet(s.trees, s.edges).Heaviest(s.root.LeastSquares(s.edges))
	s.closed = s.root.UnaryDual() - total/(2*s.Lambda) // as long as trees are to come
	lower := math.Inf(1)
	var trees []candidate
	flush := func() {
		for _, r := range s.try(trees) {
			lower = min(lower, r.bounds.Dual)
		}
		trees = trees[:0]
		s.record()
	}
	for tree := range s.trees.Members(s.edges) {
		trees = append(trees, candidate{tree, s.root})
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
