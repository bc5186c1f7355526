package infer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestPairGraphAgainstMap sets weights at random, mostly on few pairs so that
// edges come and go, and compares with a map.
func TestPairGraphAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 1))
	for range 40 {
		n := 2 + rng.IntN(12)
		pairs := labelgraph.AllPairs(n)
		start := pairs[:rng.IntN(len(pairs)+1)]
		weights := testkit.RandomNumbers(len(start), rng)
		g := NewPairGraph(n, start, weights)
		want := map[labelgraph.Edge]float64{}
		for k, e := range start {
			if weights[k] != 0 {
				want[e] = weights[k]
			}
		}
		size := math.Exp(5 * rng.NormFloat64())
		for step := range 1500 {
			e := pairs[rng.IntN(len(pairs))]
			var w float64
			if rng.Float64() < 0.6 {
				w = size * rng.NormFloat64()
			}
			_, had := want[e]
			before := g.Structure
			g.Set(e, w)
			if w == 0 {
				delete(want, e)
			} else {
				want[e] = w
			}
			if changed := had != (w != 0); changed != (g.Structure != before) {
				t.Fatalf("the edge set changed: %v; Structure went from %d to %d", changed, before, g.Structure)
			}
			if step%50 == 0 {
				checkPairGraph(t, g, want)
			}
		}
	}
}

// TestSetAllForgets compares with a new graph, to the order of edges and arcs and the last bit of the sums.
func TestSetAllForgets(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(27, 2))
	for range 40 {
		n := 2 + rng.IntN(7)
		edges := labelgraph.AllPairs(n)
		g := NewPairGraph(n, nil, nil)
		for range 30 {
			if rng.IntN(3) == 0 {
				g.Set(edges[rng.IntN(len(edges))], rng.NormFloat64())
			}
			weights := testkit.RandomNumbers(len(edges), rng)
			for k := range weights {
				weights[k] *= math.Exp(9 * rng.NormFloat64())
				if rng.IntN(4) == 0 {
					weights[k] = 0
				}
			}
			g.SetAll(edges, weights)
			want := NewPairGraph(n, edges, weights)
			if !slices.Equal(g.Edges, want.Edges) {
				t.Fatalf("edges %v, want %v", g.Edges, want.Edges)
			}
			for i := range n {
				if !slices.Equal(g.Adj[i], want.Adj[i]) || g.sums[i].positive != want.sums[i].positive || g.sums[i].negative != want.sums[i].negative {
					t.Fatalf("label %d: %v %v, want %v %v", i, g.Adj[i], g.sums[i], want.Adj[i], want.sums[i])
				}
			}
		}
	}
}

func checkPairGraph(t *testing.T, g *PairGraph, want map[labelgraph.Edge]float64) {
	t.Helper()
	if len(g.Edges) != len(want) {
		t.Fatalf("%d edges, want %d", len(g.Edges), len(want))
	}
	for _, e := range labelgraph.AllPairs(g.N) {
		if g.Weight(e) != want[e] {
			t.Fatalf("weight %v of %v, want %v", g.Weight(e), e, want[e])
		}
	}
	arcs := 0
	for i, adj := range g.Adj {
		var sums weightSums
		var size float64
		for _, a := range adj {
			arcs++
			e := g.Edges[a.Edge]
			if labelgraph.NewEdge(i, int(a.To)) != (labelgraph.Edge{I: int(e.I), J: int(e.J)}) || a.Weight != e.Weight || a.Weight != want[labelgraph.NewEdge(i, int(a.To))] {
				t.Fatalf("arc %v of label %d belongs to edge %v", a, i, e)
			}
			sums.positive += max(0, a.Weight)
			sums.negative += min(0, a.Weight)
			size += math.Abs(a.Weight)
		}
		got := g.sums[i]
		if math.Abs(got.positive-sums.positive) > 1e-10*size || math.Abs(got.negative-sums.negative) > 1e-10*size {
			t.Fatalf("label %d: sums %v, want %v", i, got, sums)
		}
	}
	if arcs != 2*len(want) {
		t.Fatalf("%d arcs for %d edges", arcs, len(want))
	}
}

// TestPairGraphForgetsLargeWeights lets a huge weight come and go: what is left
// of its rounding errors in the sums must be gone after some more changes.
func TestPairGraphForgetsLargeWeights(t *testing.T) {
	g := NewPairGraph(3, labelgraph.AllPairs(3), []float64{0.1, 0.2, 0.3})
	g.Set(labelgraph.Edge{I: 0, J: 1}, 1e17)
	for range 100 {
		g.Set(labelgraph.Edge{I: 0, J: 1}, 0.1)
		g.Set(labelgraph.Edge{I: 0, J: 2}, 0.2)
	}
	checkPairGraph(t, g, map[labelgraph.Edge]float64{{I: 0, J: 1}: 0.1, {I: 0, J: 2}: 0.2, {I: 1, J: 2}: 0.3})
}

func TestPairGraphIsDeterministic(t *testing.T) {
	build := func() *PairGraph {
		rng := rand.New(rand.NewPCG(28, 1))
		g := NewPairGraph(9, nil, nil)
		for range 500 {
			g.Set(labelgraph.AllPairs(9)[rng.IntN(36)], float64(rng.IntN(3)))
		}
		return g
	}
	a, b := build(), build()
	if !slices.Equal(a.Edges, b.Edges) || !slices.EqualFunc(a.Adj, b.Adj, slices.Equal) {
		t.Error("the same calls gave different graphs")
	}
}

// BenchmarkPairGraphSet changes all weights of a complete graph, as a training
// step with a dense atom does.
func BenchmarkPairGraphSet(b *testing.B) {
	const n = 14
	pairs := labelgraph.AllPairs(n)
	g := NewPairGraph(n, pairs, slices.Repeat([]float64{1}, len(pairs)))
	w := 1.0
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range pairs {
			g.Set(e, w)
		}
		w = -w
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(pairs)), "ns/set")
}
