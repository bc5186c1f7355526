package crankpkg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// simplexOptimum solves the relaxation by gonum's simplex method, from its
// definition: the variables are y_i, y_ij and one slack for each constraint.
func simplexOptimum(t *testing.T, g *PairGraph, c []float64) float64 {
	n, m := g.N, len(g.Edges)
	rows := n + 3*m
	a := mat.NewDense(rows, n+m+rows, nil)
	b, cost := make([]float64, rows), make([]float64, n+m+rows)
	r := 0
	constrain := func(limit float64) { // the row so far is at most limit
		a.Set(r, n+m+r, 1)
		b[r] = limit
		r++
	}
	for i := range n {
		cost[i] = -c[i]
		a.Set(r, i, 1)
		constrain(1)
	}
	for k, e := range g.Edges {
		cost[n+k] = -e.Weight
		for _, end := range []int32{e.I, e.J} {
			a.Set(r, n+k, 1)
			a.Set(r, int(end), -1)
			constrain(0)
		}
		a.Set(r, int(e.I), 1)
		a.Set(r, int(e.J), 1)
		a.Set(r, n+k, -1)
		constrain(1)
	}
	value, _, err := lp.Simplex(cost, a, b, 1e-12, nil)
	if err != nil {
		t.Fatalf("simplex: %v", err)
	}
	return -value
}

// bruteForceHalves maximizes over all 3^n labelings in halves and returns the
// value and the fewest halves of a maximizer.
func bruteForceHalves(g *PairGraph, c []float64, tolerance float64) (value float64, fewest int) {
	y := make(Labeling, g.N)
	value = math.Inf(-1)
	for {
		halves := countHalves(y)
		switch v := y.Value(g, c); {
		case v > value+tolerance:
			value, fewest = v, halves
		case v >= value-tolerance && halves < fewest:
			fewest = halves
		}
		i := 0
		for ; i < g.N && y[i] == On; i++ {
			y[i] = Off
		}
		if i == g.N {
			return value, fewest
		}
		y[i]++
	}
}

func countHalves(y Labeling) int {
	k := 0
	for _, v := range y {
		if v == Half {
			k++
		}
	}
	return k
}

// randomProblem draws a problem over n labels: any density, any balance of
// signs, unary terms from much smaller to much larger than the pairs.
func randomProblem(n int, rng *rand.Rand) (*PairGraph, []float64) {
	edges := randomEdges(n, rng.Float64()*1.2, rng)
	weights, c := randomNumbers(len(edges), rng), randomNumbers(n, rng)
	scale := []float64{0, 0.5, 1, 2, 4}[rng.IntN(5)]
	positive := rng.Float64()
	for i := range c {
		c[i] *= scale
	}
	for k := range weights {
		if rng.Float64() < positive {
			weights[k] = math.Abs(weights[k])
		}
	}
	return NewPairGraph(n, edges, weights), c
}

func checkLP(t *testing.T, g *PairGraph, c []float64, o Oracle) (Labeling, float64) {
	t.Helper()
	y := make(Labeling, g.N)
	got := o.Maximize(y, c)
	scale := problemScale(g, c)
	want, fewest := bruteForceHalves(g, c, 1e-11*scale)
	if math.Abs(got-want) > 1e-10*scale {
		t.Fatalf("value %v, want %v, for\nc = %v\ng = %v", got, want, c, g.Edges)
	}
	if v := y.Value(g, c); math.Abs(got-v) > 1e-12*scale {
		t.Fatalf("value %v, but the labeling %v is worth %v", got, y, v)
	}
	if h := countHalves(y); h != fewest {
		t.Fatalf("%d halves, want %d, in %v for\nc = %v\ng = %v", h, fewest, y, c, g.Edges)
	}
	return y, got
}

func TestLPOracleAgainstHalves(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for range 6000 {
		g, c := randomProblem(rng.IntN(7), rng)
		o := NewLPOracle(g)
		checkLP(t, g, c, o)
		for _, e := range randomEdges(g.N, 0.3, rng) {
			g.Set(e, float64(rng.IntN(5)-2))
		}
		checkLP(t, g, c, o)
	}
}

func TestLPOracleAgainstSimplex(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for range 400 {
		g, c := randomProblem(1+rng.IntN(9), rng)
		got := NewLPOracle(g).Maximize(make(Labeling, g.N), c)
		want := simplexOptimum(t, g, c)
		if math.Abs(got-want) > 1e-9*problemScale(g, c) {
			t.Fatalf("value %v, simplex %v, for\nc = %v\ng = %v", got, want, c, g.Edges)
		}
	}
}

func TestLPOracleIsPersistent(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	for range 1500 {
		g, c := randomProblem(1+rng.IntN(10), rng)
		y := make(Labeling, g.N)
		bound := NewLPOracle(g).Maximize(y, c)
		best, value := bruteForce(g, c)
		scale := problemScale(g, c)
		if bound < value-1e-11*scale {
			t.Fatalf("the relaxation's value %v is below the exact %v", bound, value)
		}
		for i, v := range y {
			if v != Half {
				best[i] = v
			}
		}
		if v := best.Value(g, c); v < value-1e-11*scale {
			t.Fatalf("with the integral part of %v an exact maximizer falls from %v to %v", y, value, v)
		}
	}
}

// TestAutoOracleFollowsTheGraph adds and removes edges until the graph has been
// a forest and has had cycles many times.
func TestAutoOracleFollowsTheGraph(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	const n = 7
	g := NewPairGraph(n, nil, nil)
	auto, relaxed := NewAutoOracle(g), NewLPOracle(g)
	forests := 0
	y, z := make(Labeling, n), make(Labeling, n)
	for range 2000 {
		e := AllPairs(n)[rng.IntN(NumPairs(n))]
		w := rng.NormFloat64()
		if rng.Float64() < 0.65 {
			w = 0
		}
		g.Set(e, w)
		c := randomNumbers(n, rng)
		got, want := auto.Maximize(y, c), relaxed.Maximize(z, c)
		if math.Abs(got-want) > 1e-12*problemScale(g, c) {
			t.Fatalf("value %v, want %v", got, want)
		}
		edges := make([]Edge, len(g.Edges))
		for k, e := range g.Edges {
			edges[k] = Edge{int(e.I), int(e.J)}
		}
		if IsForest(n, edges) {
			forests++
			if !y.IsIntegral() {
				t.Fatalf("fractional labeling %v on a forest", y)
			}
		}
	}
	if forests < 200 || forests > 1800 {
		t.Errorf("%d of 2000 graphs were forests; the test wants more of either kind", forests)
	}
}

func TestLPOracleAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 1))
	g, cs := denseProblem(20, 3, rng)
	o := NewAutoOracle(g)
	y := make(Labeling, g.N)
	run := func() {
		for _, c := range cs {
			o.Maximize(y, c)
		}
	}
	run()
	if a := testing.AllocsPerRun(10, run); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

func denseProblem(n int, unary float64, rng *rand.Rand) (*PairGraph, [][]float64) {
	return gaussianProblem(n, AllPairs(n), unary, rng)
}

// gaussianProblem returns a graph with normal weights and a few vectors of
// normal unary terms with the given standard deviation.
func gaussianProblem(n int, edges []Edge, unary float64, rng *rand.Rand) (*PairGraph, [][]float64) {
	weights := make([]float64, len(edges))
	for k := range weights {
		weights[k] = rng.NormFloat64()
	}
	cs := make([][]float64, 16)
	for k := range cs {
		cs[k] = make([]float64, n)
		for i := range cs[k] {
			cs[k][i] = unary * rng.NormFloat64()
		}
	}
	return NewPairGraph(n, edges, weights), cs
}

func benchmarkLP(b *testing.B, g *PairGraph, cs [][]float64) {
	o := NewLPOracle(g)
	y := make(Labeling, g.N)
	b.ReportAllocs()
	k, halves := 0, 0
	for b.Loop() {
		o.Maximize(y, cs[k%len(cs)])
		halves += countHalves(y)
		k++
	}
	b.ReportMetric(float64(halves)/float64(k), "halves")
}

// The unary terms' standard deviations run from where all labels are fractional
// to where most are decided by bounds.
func BenchmarkInferLP14(b *testing.B) {
	for _, u := range []float64{1, 3, 6} {
		b.Run(fmt.Sprintf("unary=%v", u), func(b *testing.B) {
			g, cs := denseProblem(14, u, rand.New(rand.NewPCG(15, 1)))
			benchmarkLP(b, g, cs)
		})
	}
}

func BenchmarkInferLP100(b *testing.B) {
	for _, u := range []float64{1, 10, 30} {
		b.Run(fmt.Sprintf("unary=%v", u), func(b *testing.B) {
			g, cs := denseProblem(100, u, rand.New(rand.NewPCG(16, 1)))
			benchmarkLP(b, g, cs)
		})
	}
}

func BenchmarkInferLPSparse1000(b *testing.B) {
	for _, u := range []float64{0.3, 1, 2} {
		b.Run(fmt.Sprintf("unary=%v", u), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(17, 1))
			var edges []Edge
			seen := map[Edge]bool{}
			for len(edges) < 3000 {
				i, j := rng.IntN(1000), rng.IntN(1000)
				if i != j && !seen[NewEdge(i, j)] {
					seen[NewEdge(i, j)] = true
					edges = append(edges, NewEdge(i, j))
				}
			}
			g, cs := gaussianProblem(1000, edges, u, rng)
			benchmarkLP(b, g, cs)
		})
	}
}
