package treeset

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestForestShares checks that the shares lie in the convex hull of the forests
// with so many edges: they add up to the number of edges, and those within any
// set of k labels to at most k-1.
func TestForestShares(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 3 + rng.IntN(4)
		size := 1 + rng.IntN(n-1)
		set := NewSet(NewFamily(n, size, 0), labelgraph.AllPairs(n))
		theta := make([]float64, len(set.Edges))
		for e := range theta {
			theta[e] = []float64{0.1, 3, 40}[seed%3] * rng.NormFloat64()
		}
		if size > 1 && seed%2 == 1 {
			set.State[0], set.State[2] = In, Out
		}
		z := make([]float64, len(theta))
		set.SharesTo(z, theta)
		var sum float64
		for e, v := range z {
			sum += v
			if m := set.State[e]; v < 0 || v > 1 || m == In && v != 1 || m == Out && v != 0 {
				t.Fatalf("seed %d: edge %v has the share %v", seed, set.Edges[e], v)
			}
		}
		if !(math.Abs(sum-float64(size)) <= 1e-6) {
			t.Fatalf("seed %d: the shares add up to %v, not %d", seed, sum, size)
		}
		for labels := range 1 << n {
			count, within := -1, 0.0
			for i := range n {
				count += labels >> i & 1
			}
			for e, edge := range set.Edges {
				if labels>>edge.I&1 == 1 && labels>>edge.J&1 == 1 {
					within += z[e]
				}
			}
			if count > 0 && within > float64(count)+1e-6 {
				t.Fatalf("seed %d: shares of %v within the %d labels of %b", seed, within, count+1, labels)
			}
		}
	}
}

// TestShiftSharesOfNothing shifts by squares that are all zero, as small as numbers
// are, or far larger at an edge that no tree of the set has: the shares stay finite,
// and without a square where they are.
func TestShiftSharesOfNothing(t *testing.T) {
	t.Parallel()
	const n = 4
	for _, square := range []float64{0, math.SmallestNonzeroFloat64, 1e-300} {
		set := NewSet(NewFamily(n, 0, 0), labelgraph.AllPairs(n))
		set.State[0] = Out
		theta, squares := make([]float64, len(set.Edges)), make([]float64, len(set.Edges))
		for e := range squares {
			theta[e], squares[e] = float64(e), square
		}
		squares[0] = 1e9
		set.ShiftShares(theta, squares)
		z := make([]float64, len(theta))
		set.SharesTo(z, theta)
		var sum float64
		for e, v := range z {
			sum += v
			if square == 0 && theta[e] != float64(e) {
				t.Errorf("without a square, edge %d moved to %v", e, theta[e])
			}
			if math.IsInf(theta[e], 0) || math.IsNaN(theta[e]) {
				t.Errorf("squares of %v: edge %d has the parameter %v", square, e, theta[e])
			}
		}
		if !(math.Abs(sum-(n-1)) < 1e-9) {
			t.Errorf("squares of %v: the shares add up to %v, not %d", square, sum, n-1)
		}
	}
}

// TestShiftSharesByDefinition has edges of the same square, which move alike, and one of twice as much: each moves by half of the logarithm
// of its square by the mean over the heaviest tree, and what all squares are multiplied by does not matter.
func TestShiftSharesByDefinition(t *testing.T) {
	t.Parallel()
	const n = 5
	for _, size := range []int{0, 2} {
		for _, factor := range []float64{1e-6, 1, 1e6} {
			set := NewSet(NewFamily(n, size, 0), labelgraph.AllPairs(n))
			theta, squares := make([]float64, len(set.Edges)), make([]float64, len(set.Edges))
			for e := range squares {
				squares[e] = factor
			}
			squares[3] = 2 * factor
			set.ShiftShares(theta, squares)
			mean := float64(set.Size+1) / float64(set.Size)
			for e, v := range theta {
				if want := 0.5 * math.Log(squares[e]/factor/mean+1e-3); !(math.Abs(v-want) <= 1e-9) {
					t.Errorf("%d edges, squares of %v: edge %d moves by %v, want %v", set.Size, factor, e, v, want)
				}
			}
		}
	}
}
