package crankpkg

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
)

// trees yields the trees of the set, as positions in edges.
func (t *treeSet) trees() iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for tree := range t.members(t.edges) {
			var positions []int
			for _, e := range tree {
				positions = append(positions, slices.Index(t.edges, e))
			}
			member := true
			for e, m := range t.state {
				has := slices.Contains(positions, e)
				member = member && (m == free || has == (m == in))
			}
			if member && !yield(positions) {
				return
			}
		}
	}
}

func randomTreeSet(rng *rand.Rand, f family) *treeSet {
	set := newTreeSet(f, AllPairs(f.n))
	for e := range set.state {
		if rng.IntN(4) == 0 {
			set.state[e] = membership(1 + rng.IntN(2))
		}
	}
	return set
}

// weight returns the sum of the squares of a tree.
func weight(squares []float64, tree []int) (sum float64) {
	for _, e := range tree {
		sum += squares[e]
	}
	return sum
}

// TestTreeSet compares with all trees: the heaviest one, and that settle drops
// no tree whose bound is below the cutoff and decides what it can.
func TestTreeSet(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 2 + rng.IntN(4)
		set := randomTreeSet(rng, newFamily(n, (1+rng.IntN(n-1))*int(seed%2), 0))
		squares := make([]float64, len(set.edges))
		for e := range squares {
			squares[e] = rng.Float64()
		}
		want := math.Inf(-1)
		for tree := range set.trees() {
			want = max(want, weight(squares, tree))
		}
		tree, total, ok := set.heaviest(squares)
		if ok != !math.IsInf(want, -1) || (ok && !scalar.EqualWithinAbs(total, want, 1e-12)) {
			t.Fatalf("seed %d: %v %v of weight %v, want %v", seed, ok, tree, total, want)
		}
		if ok && !slices.Equal(tree, set.member(squares)) {
			t.Fatalf("seed %d: %v is the heaviest, but %v is chosen", seed, tree, set.member(squares))
		}
		cutoff := 1 - 0.3*want + 0.2*rng.Float64()
		settled, left := checkSettle(t, set, squares, cutoff)
		if !left {
			continue
		}
		for e, m := range settled.state {
			if m != free {
				continue
			}
			with, without := false, false
			for tree := range settled.trees() {
				if 1-0.3*weight(squares, tree) < cutoff-1e-9 {
					with = with || slices.Contains(tree, e)
					without = without || !slices.Contains(tree, e)
				}
			}
			if !with || !without {
				t.Fatalf("seed %d: edge %v is decided, but free", seed, set.edges[e])
			}
		}
	}
}

// checkSettle settles a copy of the set where 1 - 0.3 max_T sum_{e in T} squares_e
// is the bound, and checks that no tree below the cutoff is gone.
func checkSettle(t *testing.T, set *treeSet, squares []float64, cutoff float64) (settled *treeSet, left bool) {
	t.Helper()
	settled = set.clone()
	left = settled.settle(1, 0.3, squares, cutoff)
	for tree := range set.trees() {
		kept := left
		for e, m := range settled.state {
			kept = kept && (m == free || slices.Contains(tree, e) == (m == in))
		}
		if 1-0.3*weight(squares, tree) < cutoff && !kept {
			t.Fatalf("%v: the tree %v is gone", set.family, tree)
		}
	}
	return settled, left
}

// TestBoundedDegreeSet holds the bound on the weight of trees with bounded
// degrees against all of them: it is never below, the prices bring it closer than
// no prices, and a set without free edges is told to be empty or its one tree.
func TestBoundedDegreeSet(t *testing.T) {
	free0, priced := 0.0, 0.0 // excess of the bound, summed
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n := 3 + rng.IntN(3)
		f := newFamily(n, 1+rng.IntN(n-1), 1+rng.IntN(n-1))
		set := newTreeSet(f, AllPairs(n))
		if seed%2 == 1 {
			set = randomTreeSet(rng, f)
		}
		squares := make([]float64, len(set.edges))
		for e, edge := range set.edges {
			squares[e] = rng.Float64() / float64(1+edge.I) // low labels have heavy edges
		}
		want := math.Inf(-1)
		for tree := range set.trees() {
			want = max(want, weight(squares, tree))
		}
		_, before, _ := set.heaviest(squares)
		set.reprice(squares)
		_, total, ok := set.heaviest(squares)
		if !math.IsInf(want, -1) {
			if !ok || total < want-1e-12 || total > before+1e-12 {
				t.Fatalf("seed %d, %+v: bound %v %v, %v without prices, but a tree weighs %v", seed, f, total, ok, before, want)
			}
			free0, priced = free0+before-want, priced+total-want
			checkSettle(t, set, squares, 1-0.3*want+0.1*rng.Float64())
		}
		member := set.member(squares)
		if len(member) != f.size || !f.holds(set.edges, member) {
			t.Fatalf("seed %d: %v is not in %+v", seed, member, f)
		}
		for e := range set.state { // a set of one tree, or of none
			set.state[e] = membership(1 + rng.IntN(2))
		}
		var chosen []int
		for e, m := range set.state {
			if m == in {
				chosen = append(chosen, e)
			}
		}
		if _, _, ok := set.heaviest(squares); ok != (len(chosen) == f.size && f.holds(set.edges, chosen)) {
			t.Fatalf("seed %d: %v is in %+v: %v", seed, chosen, f, ok)
		}
	}
	if priced > free0/2 {
		t.Errorf("the prices leave %v of an excess of %v", priced, free0)
	}
}

// holds reports whether the edges at the given positions are a forest within the
// bounds of f.
func (f family) holds(edges []Edge, positions []int) bool {
	var forest []Edge
	for _, e := range positions {
		forest = append(forest, edges[e])
	}
	return IsForest(f.n, forest) && len(forest) <= f.size && MaxDegree(f.n, forest) <= f.degree
}

// TestTreeBound holds the bound at dual points of all kinds against the optima
// of all trees, and its maximum against Full's bound.
func TestTreeBound(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 3 + rng.IntN(2)
		p := randomTraining(rng, 40, 3, n, seed%2 == 0)
		lambda := 0.02 + 0.2*rng.Float64()
		s := newSolver(p, AllPairs(n), lambda)
		optimum := make(map[int]float64) // of each tree of the set, by its number
		set := newTreeSet(treeFamily(n), AllPairs(n))
		number := 0
		for tree := range SpanningTrees(n, AllPairs(n)) {
			forest := newSolver(p, tree, lambda)
			b, _ := forest.solve(context.Background(), stopRule{gap: 1e-7, workers: 1})
			optimum[number] = b.primal
			number++
		}
		shares := make([]float64, len(set.edges))
		theta := make([]float64, len(set.edges))
		for round := range 8 {
			for e := range theta {
				theta[e] = rng.NormFloat64()
			}
			newTreeMarginals(n).marginals(shares, set.edges, theta, set.state)
			s.setShares(shares)
			for range 30 * round {
				s.visit(rng.IntN(40), true)
			}
			squares := s.leastSquares(set.edges)
			number := 0
			for tree := range set.trees() {
				bound := s.unaryDual()
				for _, e := range tree {
					bound -= squares[e] / (2 * lambda)
				}
				if bound > optimum[number]+1e-9 {
					t.Fatalf("seed %d: the bound %v is above %v for the tree %v", seed, bound, optimum[number], tree)
				}
				number++
			}
		}
	}
}

// TestShares checks the solver's state and that the dual does not decrease
// while each pair has a ridge of its own, and the optimum against the same
// problem with scaled features.
func TestShares(t *testing.T) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 4))
		n := 3 + rng.IntN(3)
		s := newSolver(randomTraining(rng, 30, 3, n, seed%2 == 0), AllPairs(n), 0.05)
		z := make([]float64, len(s.pairs.edges))
		for range 3 {
			for e := range z {
				z[e] = max(0, rng.Float64()-0.2)
			}
			s.setShares(z)
			for range 100 {
				before := s.dual()
				s.visit(rng.IntN(30), true)
				if after := s.dual(); after < before-1e-12*(1+math.Abs(before)) {
					t.Fatalf("seed %d: the dual fell from %v to %v", seed, before, after)
				}
			}
			checkState(t, s)
			for e, w := range s.pw.w {
				checkNear(t, "pair weight", w, z[e]*s.pw.u[e]/s.pw.lambda)
			}
		}
		b, status := s.solve(context.Background(), stopRule{gap: 1e-6, workers: 1})
		if status != Converged || b.dual > b.primal+1e-9 {
			t.Fatalf("seed %d: %v, bounds %v", seed, status, b)
		}
		c := s.clone()
		checkState(t, c)
		if c.dual() != s.dual() {
			t.Fatalf("seed %d: the clone's dual is %v, not %v", seed, c.dual(), s.dual())
		}
	}
}

// TestUnaryDualByDefinition compares with Objective: the part without pairs is the
// dual of the problem that has none, and what a tree's pairs take from it leaves
// the dual of the problem on that tree.
func TestUnaryDualByDefinition(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 25))
		n := 3 + rng.IntN(3)
		o := randomObjective(rng, 30, 3, n, seed%2 == 0)
		tree := RandomTree(n, rng)
		slices.SortFunc(tree, func(a, b Edge) int { return a.Index() - b.Index() })
		s := newSolver(newProblem(o.data.X, o.data.Y, n, Loss{}, nil, nil), tree, o.Lambda)
		for range 40 {
			s.visit(rng.IntN(s.m), true)
		}
		mu := s.dualPoint()
		o.Edges = []Edge{}
		without, _ := o.Dual(mu)
		checkNear(t, "unary part", s.unaryDual(), without)
		o.Edges = tree
		want, w := o.Dual(mu)
		var squares float64 // of the u_e of the labelings; the bound may take smaller ones
		for _, v := range w.Pair {
			squares += o.Lambda * o.Lambda * v * v
		}
		if squares == 0 {
			t.Fatalf("seed %d: no pair has a part in the dual", seed)
		}
		checkNear(t, "dual on the tree", s.unaryDual()-squares/(2*o.Lambda), want)
		bound := s.unaryDual()
		for _, square := range s.leastSquares(tree) {
			bound -= square / (2 * o.Lambda)
		}
		if bound < want-1e-12 {
			t.Errorf("seed %d: the bound %v is below %v, that of the labelings", seed, bound, want)
		}
	}
}
