package labelgraph

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
)

// kruskal is the textbook algorithm with the documented order of ties.
func kruskal(n int, edges []Edge, weights []float64, seed uint64) []int {
	s := Spanner{seed: seed}
	order := make([]int, len(edges))
	for k := range order {
		order[k] = k
	}
	tie := func(k int) uint64 { return s.tie(&candidate{i: int32(edges[k].I), j: int32(edges[k].J)}) }
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(weights[b], weights[a]); c != 0 {
			return c
		}
		return cmp.Compare(tie(a), tie(b))
	})
	var sets unionfind.Set
	sets.Reset(n)
	var forest []int
	for _, k := range order {
		if sets.Union(edges[k].I, edges[k].J) {
			forest = append(forest, k)
		}
	}
	slices.Sort(forest)
	return forest
}

func TestMaximumSpanningForestIsKruskals(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for round := range 500 {
		n := 1 + rng.IntN(15)
		density := rng.Float64()
		edges := slices.DeleteFunc(AllPairs(n), func(Edge) bool { return rng.Float64() >= density })
		weights := make([]float64, len(edges))
		for k := range weights {
			weights[k] = float64(rng.IntN(4) - 1)
			if round%2 == 0 {
				weights[k] = rng.NormFloat64()
			}
		}
		seed := uint64(round % 5)
		got, want := MaximumSpanningForest(n, edges, weights, seed), kruskal(n, edges, weights, seed)
		if !slices.Equal(got, want) {
			t.Fatalf("edges %v, weights %v, seed %d: got %v, want %v", edges, weights, seed, got, want)
		}
	}
}

// TestOutsideForest takes random graphs apart: outside and forest together are all edges, in order.
func TestOutsideForest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 3))
	for range 200 {
		n := 2 + rng.IntN(6)
		var edges []Edge
		for _, e := range AllPairs(n) {
			if rng.IntN(2) == 0 {
				edges = append(edges, e)
			}
		}
		weights := make([]float64, len(edges))
		for k := range weights {
			weights[k] = float64(rng.IntN(4))
		}
		outside := OutsideForest(n, edges, weights)
		if len(outside) != CircuitRank(n, edges) {
			t.Fatalf("%d edges outside, circuit rank %d", len(outside), CircuitRank(n, edges))
		}
		inside := MaximumSpanningEdges(n, edges, weights, 0)
		for _, e := range edges {
			switch {
			case len(inside) > 0 && inside[0] == e:
				inside = inside[1:]
			case len(outside) > 0 && outside[0] == e:
				outside = outside[1:]
			default:
				t.Fatalf("%v of %v is in neither, or out of order", e, edges)
			}
		}
	}
}

// TestMix holds the order of ties to the numbers that SplitMix64 gives from the state 0 on, as published with it.
func TestMix(t *testing.T) {
	t.Parallel()
	state := uint64(0)
	for _, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := mix(state); got != want {
			t.Errorf("from %#x: %#x, want %#x", state, got, want)
		}
		state += 0x9e3779b97f4a7c15
	}
}
