package infer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
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

func TestLPOracleAgainstSimplex(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 1))
	for range 300 {
		n := 1 + min(rng.IntN(9), rng.IntN(9), rng.IntN(9)) // few large ones: the simplex method is slow
		g, c := randomProblem(n, rng)
		got := NewLPOracle(g).Maximize(make(Labeling, g.N), c)
		want := simplexOptimum(t, g, c)
		if !(math.Abs(got-want) <= 1e-9*problemScale(g, c)) {
			t.Fatalf("value %v, simplex %v, for\nc = %v\ng = %v", got, want, c, g.Edges)
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
		e := labelgraph.AllPairs(n)[rng.IntN(labelgraph.NumPairs(n))]
		w := rng.NormFloat64()
		if rng.Float64() < 0.65 {
			w = 0
		}
		g.Set(e, w)
		c := testkit.RandomNumbers(n, rng)
		if rng.IntN(2) == 0 {
			clear(c[:1+rng.IntN(n)]) // ties, of which each oracle takes its own
		}
		got, want := auto.Maximize(y, c), relaxed.Maximize(z, c)
		if !(math.Abs(got-want) <= 1e-12*problemScale(g, c)) {
			t.Fatalf("value %v, want %v", got, want)
		}
		edges := make([]labelgraph.Edge, len(g.Edges))
		for k, e := range g.Edges {
			edges[k] = labelgraph.Edge{I: int(e.I), J: int(e.J)}
		}
		if labelgraph.IsForest(n, edges) {
			forests++
			if !y.IsIntegral() {
				t.Fatalf("fractional labeling %v on a forest", y)
			}
			if value := NewTreeOracle(g).Maximize(z, c); value != got || !slices.Equal(y, z) {
				t.Fatalf("%v of value %v on a forest, by max-product %v of value %v", y, got, z, value)
			}
		}
	}
	if forests < 200 || forests > 1800 {
		t.Errorf("%d of 2000 graphs were forests; the test wants more of either kind", forests)
	}
}

func benchmarkLP(b *testing.B, g *PairGraph, cs [][]float64) {
	o := NewLPOracle(g)
	y := make(Labeling, g.N)
	b.ReportAllocs()
	k, halves := 0, 0
	for b.Loop() {
		o.Maximize(y, cs[k%len(cs)])
		halves += y.Halves()
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
			var edges []labelgraph.Edge
			seen := map[labelgraph.Edge]bool{}
			for len(edges) < 3000 {
				i, j := rng.IntN(1000), rng.IntN(1000)
				if i != j && !seen[labelgraph.NewEdge(i, j)] {
					seen[labelgraph.NewEdge(i, j)] = true
					edges = append(edges, labelgraph.NewEdge(i, j))
				}
			}
			g, cs := gaussianProblem(1000, edges, u, rng)
			benchmarkLP(b, g, cs)
		})
	}
}
