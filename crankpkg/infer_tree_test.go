package crankpkg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// bruteForce maximizes over all 2^n labelings.
func bruteForce(g *PairGraph, c []float64) (best Labeling, value float64) {
	y := make(Labeling, g.N)
	value = math.Inf(-1)
	for code := range 1 << g.N {
		for i := range y {
			y[i] = uint8(code>>i&1) * On
		}
		if v := y.Value(g, c); v > value {
			value = v
			best = append(best[:0], y...)
		}
	}
	return best, value
}

// randomForest returns a random tree over n labels without some of its edges.
func randomForest(n int, keep float64, rng *rand.Rand) []Edge {
	var edges []Edge
	for _, e := range RandomTree(n, rng) {
		if rng.Float64() < keep {
			edges = append(edges, e)
		}
	}
	return edges
}

// randomNumbers returns k numbers of one of several kinds: normal, small
// integers with many ties and zeros, or of very different sizes.
func randomNumbers(k int, rng *rand.Rand) []float64 {
	v := make([]float64, k)
	kind := rng.IntN(3)
	for i := range v {
		switch kind {
		case 0:
			v[i] = rng.NormFloat64()
		case 1:
			v[i] = float64(rng.IntN(7) - 3)
		case 2:
			v[i] = rng.NormFloat64() * math.Exp(3*rng.NormFloat64())
		}
	}
	return v
}

func TestTreeOracleIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 2000 {
		n := rng.IntN(11)
		edges := randomForest(n, rng.Float64()*1.3, rng)
		g := NewPairGraph(n, edges, randomNumbers(len(edges), rng))
		o := NewTreeOracle(g)
		for range 2 { // the second time on a changed graph
			c := randomNumbers(n, rng)
			y := make(Labeling, n)
			got := o.Maximize(y, c)
			_, want := bruteForce(g, c)
			scale := problemScale(g, c)
			if math.Abs(got-want) > 1e-12*scale || math.Abs(y.Value(g, c)-got) > 1e-12*scale || !y.IsIntegral() {
				t.Fatalf("value %v, labeling %v worth %v, want %v", got, y, y.Value(g, c), want)
			}
			for k, w := range randomNumbers(len(edges), rng) {
				g.Set(edges[k], w)
			}
		}
	}
}

// problemScale returns the sum of the absolute values of all terms.
func problemScale(g *PairGraph, c []float64) float64 {
	var s float64
	for _, v := range c {
		s += math.Abs(v)
	}
	for _, e := range g.Edges {
		s += math.Abs(e.Weight)
	}
	return s
}

// TestTreeOracleTiesGoToZero has all labels on, or all off, worth the same.
func TestTreeOracleTiesGoToZero(t *testing.T) {
	const n = 9
	edges := RandomTree(n, rand.New(rand.NewPCG(8, 1)))
	weights, c := make([]float64, n-1), make([]float64, n)
	for k := range weights {
		weights[k] = 1
		c[k+1] = -1
	}
	y := make(Labeling, n)
	if v := NewTreeOracle(NewPairGraph(n, edges, weights)).Maximize(y, c); v != 0 {
		t.Errorf("value %v, want 0", v)
	}
	for i, v := range y {
		if v != Off {
			t.Errorf("label %d is on although off is as good", i)
		}
	}
}

func TestTreeOraclePanicsOnCycle(t *testing.T) {
	g := NewPairGraph(3, AllPairs(3), []float64{1, 1, 1})
	defer func() {
		if recover() == nil {
			t.Error("no panic on a cycle")
		}
	}()
	NewTreeOracle(g).Maximize(make(Labeling, 3), make([]float64, 3))
}

func TestTreeOracleAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	g, c := randomTreeProblem(50, rng)
	o := NewTreeOracle(g)
	y := make(Labeling, 50)
	o.Maximize(y, c)
	e := Edge{int(g.Edges[0].I), int(g.Edges[0].J)}
	if a := testing.AllocsPerRun(20, func() {
		g.Set(e, 0)
		o.Maximize(y, c)
		g.Set(e, 1)
		o.Maximize(y, c)
	}); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

func randomTreeProblem(n int, rng *rand.Rand) (*PairGraph, []float64) {
	edges := RandomTree(n, rng)
	weights := make([]float64, len(edges))
	for k := range weights {
		weights[k] = rng.NormFloat64()
	}
	c := make([]float64, n)
	for i := range c {
		c[i] = rng.NormFloat64()
	}
	return NewPairGraph(n, edges, weights), c
}

func benchmarkTree(b *testing.B, n int) {
	g, c := randomTreeProblem(n, rand.New(rand.NewPCG(10, 1)))
	o := NewTreeOracle(g)
	y := make(Labeling, n)
	b.ReportAllocs()
	for b.Loop() {
		o.Maximize(y, c)
	}
}

func BenchmarkInferTree10(b *testing.B)   { benchmarkTree(b, 10) }
func BenchmarkInferTree1000(b *testing.B) { benchmarkTree(b, 1000) }
