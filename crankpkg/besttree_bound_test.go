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
		for tree := range SpanningTrees(t.n, t.edges) {
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

func randomTreeSet(rng *rand.Rand, n int) *treeSet {
	set := newTreeSet(n, AllPairs(n))
	for e := range set.state {
		if rng.IntN(4) == 0 {
			set.state[e] = membership(1 + rng.IntN(2))
		}
	}
	return set
}

// TestTreeSet compares with all trees: the heaviest one, and that settle drops
// no tree whose bound is below the cutoff and decides what it can.
func TestTreeSet(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 2))
		set := randomTreeSet(rng, 2+rng.IntN(4))
		squares := make([]float64, len(set.edges))
		for e := range squares {
			squares[e] = rng.Float64()
		}
		weight := func(tree []int) (sum float64) {
			for _, e := range tree {
				sum += squares[e]
			}
			return sum
		}
		want := math.Inf(-1)
		for tree := range set.trees() {
			want = max(want, weight(tree))
		}
		tree, total, ok := set.heaviest(squares)
		if ok != !math.IsInf(want, -1) || (ok && !scalar.EqualWithinAbs(total, want, 1e-12)) {
			t.Fatalf("seed %d: %v %v of weight %v, want %v", seed, ok, tree, total, want)
		}
		const base, c = 1, 0.3
		cutoff := base - c*want + 0.2*rng.Float64()
		settled := set.clone()
		left := settled.settle(base, c, squares, cutoff)
		for tree := range set.trees() {
			bad := base-c*weight(tree) >= cutoff
			kept := left
			for e, m := range settled.state {
				kept = kept && (m == free || slices.Contains(tree, e) == (m == in))
			}
			if !bad && !kept {
				t.Fatalf("seed %d: the tree %v is gone", seed, tree)
			}
		}
		if !left {
			continue
		}
		for e, m := range settled.state {
			if m != free {
				continue
			}
			with, without := false, false
			for tree := range settled.trees() {
				if base-c*weight(tree) < cutoff-1e-9 {
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
		set := newTreeSet(n, AllPairs(n))
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
