package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// randomLosses are label losses of all kinds.
func randomLosses(rng *rand.Rand) []Loss {
	return []Loss{
		{}, {Hamming: 0.3}, {ZeroOne: 1}, {ExampleF1: 1},
		{Hamming: rng.Float64(), ZeroOne: 2 * rng.Float64()},
		{Hamming: rng.Float64(), ZeroOne: rng.Float64(), ExampleF1: 3 * rng.Float64()},
		{Least: 1}, {Hamming: 0.5, Most: 1 + rng.IntN(3)}, {ZeroOne: 1, ExampleF1: rng.Float64(), Least: 1, Most: 2},
	}
}

// bestAugmented maximizes score plus loss over all labelings.
func bestAugmented(g *PairGraph, c []float64, truth []uint8, loss Loss) float64 {
	best := math.Inf(-1)
	bits := make([]uint8, len(c))
	for _, y := range AllLabelings(len(c)) {
		y.RoundTo(bits, c)
		best = max(best, y.Value(g, c)+loss.Of(bits, truth))
	}
	return best
}

// randomGraph returns a forest or, where cyclic, a graph with any edges.
func randomGraph(rng *rand.Rand, n int, cyclic bool, scale float64) *PairGraph {
	edges := labelgraph.RandomTree(n, rng)
	if cyclic {
		edges = labelgraph.AllPairs(n)
	}
	weights := make([]float64, len(edges))
	for e := range weights {
		if rng.IntN(4) > 0 {
			weights[e] = scale * rng.NormFloat64()
		}
	}
	return NewPairGraph(n, edges, weights)
}

func TestLossOracleBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 1))
	for round := range 300 {
		n := 1 + rng.IntN(8)
		cyclic := round%3 == 0
		scale := []float64{0.2, 1, 4}[rng.IntN(3)]
		g := randomGraph(rng, n, cyclic, scale)
		for _, loss := range randomLosses(rng) {
			if cyclic && loss.IsSum() {
				continue // relaxed
			}
			o := NewLossOracle(g, loss)
			c, truth := make([]float64, n), make([]uint8, n)
			y, bits := make(Labeling, n), make([]uint8, n)
			for range 4 {
				for i := range c {
					c[i] = scale * rng.NormFloat64()
					truth[i] = uint8(rng.IntN(2))
				}
				if rng.IntN(2) == 0 { // the true labeling is the best one
					for i := range c {
						c[i] += 3 * scale * (2*float64(truth[i]) - 1)
					}
				}
				got := o.Maximize(y, c, truth)
				want := bestAugmented(g, c, truth, loss)
				if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
					t.Fatalf("%v, n = %d, edges %v, c %v, truth %v: %v, by enumeration %v", loss, n, g.Edges, c, truth, got, want)
				}
				if !y.IsIntegral() {
					t.Fatalf("%v: %v", loss, y)
				}
				y.RoundTo(bits, c)
				if value := y.Value(g, c) + loss.Of(bits, truth); !(math.Abs(value-want) <= 1e-12*(1+math.Abs(want))) {
					t.Fatalf("%v: the labeling %v is worth %v, not %v", loss, y, value, want)
				}
			}
		}
	}
}

// TestOtherTreeIsSecondBest holds the bit in the state against n passes of plain
// max-product, each with one label forced away from the truth.
func TestOtherTreeIsSecondBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for range 50 {
		n := 2 + rng.IntN(40)
		g := randomGraph(rng, n, false, 1)
		c, truth, y := make([]float64, n), make([]uint8, n), make(Labeling, n)
		for i := range c {
			c[i] = rng.NormFloat64()
		}
		tree := NewTreeOracle(g)
		tree.Maximize(y, c)
		y.RoundTo(truth, c)
		other := otherTree{order: treeOrder{tree: treeOracle{g: g}}}
		got := other.maximize(y, c, truth)
		want := math.Inf(-1)
		const force = 1e3
		for i, v := range truth {
			forced := append([]float64(nil), c...)
			forced[i] += force * (1 - 2*float64(v))
			want = max(want, tree.Maximize(y, forced)-force*float64(1-v))
		}
		if !(math.Abs(got-want) <= 1e-9) {
			t.Fatalf("n = %d: %v, by n passes %v", n, got, want)
		}
	}
}

func TestLossOracleAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for _, cyclic := range []bool{false, true} {
		g := randomGraph(rng, 9, cyclic, 1)
		c, truth, y := make([]float64, 9), make([]uint8, 9), make(Labeling, 9)
		for _, loss := range randomLosses(rng) {
			if loss.IsSum() {
				continue // the other oracles' tests
			}
			o := NewLossOracle(g, loss)
			run := func() {
				for i := range c {
					c[i], truth[i] = rng.NormFloat64(), uint8(rng.IntN(2))
				}
				o.Maximize(y, c, truth)
			}
			for range 20 {
				run()
			}
			if got := testing.AllocsPerRun(20, run); got > 0 {
				t.Errorf("cyclic %v, %v: %v allocations", cyclic, loss, got)
			}
		}
	}
}

func BenchmarkLossOracle(b *testing.B) {
	for _, bench := range []struct {
		name   string
		cyclic bool
		loss   Loss
	}{
		{"Tree/Hamming", false, Loss{}}, {"Tree/ZeroOne", false, Loss{ZeroOne: 1}}, {"Tree/ExampleF1", false, Loss{ExampleF1: 1}},
		{"All/Hamming", true, Loss{}}, {"All/ZeroOne", true, Loss{ZeroOne: 1}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(14, 1))
			g := randomGraph(rng, 14, bench.cyclic, 1)
			o := NewLossOracle(g, bench.loss)
			c, truth, y := make([]float64, 14), make([]uint8, 14), make(Labeling, 14)
			for i := range 4 {
				truth[3*i] = 1
			}
			for i := range c {
				c[i] = rng.NormFloat64()
			}
			b.ReportAllocs()
			for b.Loop() {
				o.Maximize(y, c, truth)
			}
		})
	}
}
