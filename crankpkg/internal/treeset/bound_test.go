package treeset

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats/scalar"
)

// trees yields the trees of the set, as positions in edges.
func (t *Set) trees() iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for tree := range t.Members(t.Edges) {
			var positions []int
			for _, e := range tree {
				positions = append(positions, slices.Index(t.Edges, e))
			}
			member := true
			for e, m := range t.State {
				has := slices.Contains(positions, e)
				member = member && (m == Free || has == (m == In))
			}
			if member && !yield(positions) {
				return
			}
		}
	}
}

func randomTreeSet(rng *rand.Rand, f Family) *Set {
	set := NewSet(f, labelgraph.AllPairs(f.N))
	for e := range set.State {
		if rng.IntN(4) == 0 {
			set.State[e] = Membership(1 + rng.IntN(2))
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
	t.Parallel()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 2 + rng.IntN(4)
		set := randomTreeSet(rng, NewFamily(n, (1+rng.IntN(n-1))*int(seed%2), 0))
		squares := make([]float64, len(set.Edges))
		for e := range squares {
			squares[e] = rng.Float64()
		}
		want := math.Inf(-1)
		for tree := range set.trees() {
			want = max(want, weight(squares, tree))
		}
		tree, total, ok := set.Heaviest(squares)
		if ok != !math.IsInf(want, -1) || (ok && !scalar.EqualWithinAbs(total, want, 1e-12)) {
			t.Fatalf("seed %d: %v %v of weight %v, want %v", seed, ok, tree, total, want)
		}
		if ok && !slices.Equal(tree, set.Member(squares)) {
			t.Fatalf("seed %d: %v is the heaviest, but %v is chosen", seed, tree, set.Member(squares))
		}
		cutoff := 1 - 0.3*want + 0.2*rng.Float64()
		settled, left := checkSettle(t, set, squares, cutoff)
		if !left {
			continue
		}
		for e, m := range settled.State {
			if m != Free {
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
				t.Fatalf("seed %d: edge %v is decided, but free", seed, set.Edges[e])
			}
		}
	}
}

// checkSettle settles a copy of the set where 1 - 0.3 max_T sum_{e in T} squares_e
// is the bound, and checks that no tree below the cutoff is gone.
func checkSettle(t *testing.T, set *Set, squares []float64, cutoff float64) (settled *Set, left bool) {
	t.Helper()
	settled = set.Clone()
	left = settled.Settle(1, 0.3, squares, cutoff)
	for tree := range set.trees() {
		kept := left
		for e, m := range settled.State {
			kept = kept && (m == Free || slices.Contains(tree, e) == (m == In))
		}
		if 1-0.3*weight(squares, tree) < cutoff && !kept {
			t.Fatalf("%v: the tree %v is gone", set.Family, tree)
		}
	}
	return settled, left
}

// TestBoundedDegreeSet holds the bound on the weight of trees with bounded
// degrees against all of them: it is never below, the prices bring it closer than
// no prices, and a set without free edges is told to be empty or its one tree.
func TestBoundedDegreeSet(t *testing.T) {
	t.Parallel()
	free0, priced := 0.0, 0.0 // excess of the bound, summed
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n := 3 + rng.IntN(3)
		f := NewFamily(n, 1+rng.IntN(n-1), 1+rng.IntN(n-1))
		set := NewSet(f, labelgraph.AllPairs(n))
		if seed%2 == 1 {
			set = randomTreeSet(rng, f)
		}
		squares := make([]float64, len(set.Edges))
		for e, edge := range set.Edges {
			squares[e] = rng.Float64() / float64(1+edge.I) // low labels have heavy edges
		}
		want := math.Inf(-1)
		for tree := range set.trees() {
			want = max(want, weight(squares, tree))
		}
		_, before, _ := set.Heaviest(squares)
		set.Reprice(squares)
		_, total, ok := set.Heaviest(squares)
		if !math.IsInf(want, -1) {
			if !ok || total < want-1e-12 || total > before+1e-12 {
				t.Fatalf("seed %d, %+v: bound %v %v, %v without prices, but a tree weighs %v", seed, f, total, ok, before, want)
			}
			free0, priced = free0+before-want, priced+total-want
			checkSettle(t, set, squares, 1-0.3*want+0.1*rng.Float64())
		}
		member := set.Member(squares)
		if len(member) != f.Size || !f.holds(set.Edges, member) {
			t.Fatalf("seed %d: %v is not in %+v", seed, member, f)
		}
		for e := range set.State { // a set of one tree, or of none
			set.State[e] = Membership(1 + rng.IntN(2))
		}
		var chosen []int
		for e, m := range set.State {
			if m == In {
				chosen = append(chosen, e)
			}
		}
		if _, _, ok := set.Heaviest(squares); ok != (len(chosen) == f.Size && f.holds(set.Edges, chosen)) {
			t.Fatalf("seed %d: %v is in %+v: %v", seed, chosen, f, ok)
		}
	}
	if priced > free0/2 {
		t.Errorf("the prices leave %v of an excess of %v", priced, free0)
	}
}

// holds reports whether the edges at the given positions are a forest within the
// bounds of f.
func (f Family) holds(edges []labelgraph.Edge, positions []int) bool {
	var forest []labelgraph.Edge
	for _, e := range positions {
		forest = append(forest, edges[e])
	}
	return labelgraph.IsForest(f.N, forest) && len(forest) <= f.Size && labelgraph.MaxDegree(f.N, forest) <= f.degree
}
