package treesearch

import (
	"cmp"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/treeset"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// treeNode is a set of trees that is not done with.
type treeNode struct {
	set   *treeset.Set
	bound float64 // on the objective of all trees of the set
	theta []float64
	from  *solver.Solver // a dual point to start from; shared, so clone it
}

// The rhythm of a search. The two shares were chosen by CPU time on Scene,
// Emotions and Yeast.
const (
	// nodeBatch nodes are looked at side by side. It does not follow the number
	// of workers, which must not change a result.
	nodeBatch = 4
	// nodeRounds bounds the changes of the shares z at one node.
	nodeRounds = 8
	// nodeShare is the part of the distance between the best tree and the bound
	// that the relaxation may be off by when a node is split, and solveShare
	// the part that a solve at fixed shares may be off by.
	nodeShare  = 0.3
	solveShare = 0.1
	// keptSolvers bounds the open nodes that keep a solver to start from. The
	// others start from the root's.
	keptSolvers = 100
)

// run splits nodes until the gap is certified.
func (s *Search) run() {
	for len(s.open) > 0 && !s.done() {
		nodes := s.take()
		cutoff := s.cutoff()
		results := make([]*relaxedNode, len(nodes))
		s.parallel(len(nodes), func(k int) { results[k] = s.relax(nodes[k], cutoff) })
		var trees []candidate
		for k, r := range results {
			s.solves++
			if r.solver != nil {
				s.Count(nodes[k].from, r.solver)
			}
			for _, tree := range r.trees {
				trees = append(trees, candidate{tree, r.solver})
			}
		}
		s.try(trees)
		for _, r := range results {
			s.split(r)
		}
		s.record()
	}
}

// cutoff is the bound from which on a set of trees is done with.
func (s *Search) cutoff() float64 {
	const rounding, ulps = 1e-9, 1e-15 // of the gap, and of the bounds themselves
	return s.best.bounds.Primal * (1 - max(0, min((1-rounding)*s.Gap, s.Gap-ulps)))
}

// take removes the nodes with the lowest bounds from the open ones. Nodes that
// have come to be above the cutoff are closed.
func (s *Search) take() []*treeNode {
	slices.SortStableFunc(s.open, func(a, b *treeNode) int { return cmp.Compare(a.bound, b.bound) })
	for len(s.open) > 0 && s.open[len(s.open)-1].bound >= s.cutoff() {
		s.close(s.open[len(s.open)-1].bound)
		s.open = s.open[:len(s.open)-1]
	}
	k := min(nodeBatch, len(s.open))
	nodes := s.open[:k]
	s.open = slices.Clone(s.open[k:])
	return nodes
}

func (s *Search) close(bound float64) { s.closed = min(s.closed, bound) }

// relaxedNode is what the relaxation says of a node.
type relaxedNode struct {
	set     *treeset.Set // without the edges that can not be in a good tree
	bound   float64
	done    bool // no tree of the set has to be looked at
	solver  *solver.Solver
	theta   []float64
	shares  []float64           // z by edge
	squares []float64           // least u_e^2 by edge
	base    float64             // the part of the bound that does not depend on the tree
	trees   [][]labelgraph.Edge // trees that may be good
}

// relax solves the relaxation of a node, as far as it pays.
func (s *Search) relax(node *treeNode, cutoff float64) *relaxedNode {
	r := &relaxedNode{
		set: node.set.Clone(), bound: node.bound, solver: node.from.Clone(),
		theta: slices.Clone(node.theta), shares: make([]float64, len(s.edges)),
	}
	c := 1 / (2 * s.Lambda)
	for range nodeRounds {
		r.set.SharesTo(r.shares, r.theta)
		r.solver.SetShares(r.shares)
		missing := s.best.bounds.Primal - r.bound
		gap := max(treeGap*s.Gap, solveShare*min(missing/s.best.bounds.Primal, 0.1))
		b, _ := s.Solve(r.solver, gap, nil)
		r.squares = r.solver.LeastSquares(s.edges)
		r.base = r.solver.UnaryDual()
		r.set.Reprice(r.squares)
		if !r.set.Settle(r.base, c, r.squares, cutoff) {
			r.bound, r.done = max(r.bound, cutoff), true
			return r
		}
		_, total, _ := r.set.Heaviest(r.squares)
		r.bound = max(r.bound, r.base-c*total)
		if s.Stopped() || b.Primal-r.bound <= nodeShare*(s.best.bounds.Primal-r.bound) {
			break
		}
		r.set.ShiftShares(r.theta, r.squares)
	}
	r.addTree(r.solver.PairNorms())
	r.addTree(r.squares)
	return r
}

// addTree keeps a tree of the set with large weights.
func (r *relaxedNode) addTree(weights []float64) {
	sizes := make([]float64, len(weights))
	for e, w := range weights {
		sizes[e] = math.Abs(w)
	}
	var tree []labelgraph.Edge
	for _, e := range r.set.Member(sizes) {
		tree = append(tree, r.set.Edges[e])
	}
	r.trees = append(r.trees, tree)
}

// split replaces a node by the two sets of its trees with and without an edge.
func (s *Search) split(r *relaxedNode) {
	if r.done || r.bound >= s.cutoff() {
		s.close(r.bound)
		return
	}
	e := r.branch()
	if e < 0 {
		s.closeTree(r)
		return
	}
	from := r.solver
	if len(s.open) >= keptSolvers {
		from = s.root
	}
	for _, m := range []treeset.Membership{treeset.In, treeset.Out} {
		set := r.set.Clone()
		set.State[e] = m
		if !set.Settle(r.base, 1/(2*s.Lambda), r.squares, s.cutoff()) {
			s.close(max(r.bound, s.cutoff()))
			continue
		}
		_, total, _ := set.Heaviest(r.squares)
		bound := max(r.bound, r.base-total/(2*s.Lambda))
		s.open = append(s.open, &treeNode{set: set, bound: bound, theta: r.theta, from: from})
	}
}

// branch returns the edge to split at: one that competes with others for a
// large share, or -1 when the set has one tree.
func (r *relaxedNode) branch() int {
	best, most := -1, -1.0
	for e, z := range r.shares {
		if r.set.State[e] != treeset.Free {
			continue
		}
		if score := r.squares[e] * (z*(1-z) + 1e-9); score > most {
			best, most = e, score
		}
	}
	return best
}

// closeTree closes a set of one tree by the bound of that tree.
func (s *Search) closeTree(r *relaxedNode) {
	tree := r.trees[len(r.trees)-1]
	trained := s.trainTree(candidate{tree, r.solver})
	s.close(max(r.bound, trained.bounds.Dual))
	if trained.bounds.Primal < s.best.bounds.Primal {
		s.best = trained
	}
}
