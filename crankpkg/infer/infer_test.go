package infer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
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

// bruteForceHalves maximizes over all 3^n labelings in halves and returns the
// value and the fewest halves of a maximizer.
func bruteForceHalves(g *PairGraph, c []float64, tolerance float64) (value float64, fewest int) {
	y := make(Labeling, g.N)
	value = math.Inf(-1)
	for {
		halves := y.Halves()
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

func randomProblem(n int, rng *rand.Rand) (*PairGraph, []float64) {
	edges, weights, c := testkit.RandomProblem(n, rng)
	return NewPairGraph(n, edges, weights), c
}

// problemScale returns the sum of the absolute values of all terms.
func problemScale(g *PairGraph, c []float64) float64 {
	weights := make([]float64, len(g.Edges))
	for k, e := range g.Edges {
		weights[k] = e.Weight
	}
	return testkit.SumAbs(c, weights)
}

func denseProblem(n int, unary float64, rng *rand.Rand) (*PairGraph, [][]float64) {
	return gaussianProblem(n, labelgraph.AllPairs(n), unary, rng)
}

// gaussianProblem returns a graph with normal weights and a few vectors of
// normal unary terms with the given standard deviation.
func gaussianProblem(n int, edges []labelgraph.Edge, unary float64, rng *rand.Rand) (*PairGraph, [][]float64) {
	weights := testkit.Normals(len(edges), rng)
	cs := make([][]float64, 16)
	for k := range cs {
		cs[k] = make([]float64, n)
		for i := range cs[k] {
			cs[k][i] = unary * rng.NormFloat64()
		}
	}
	return NewPairGraph(n, edges, weights), cs
}

// oracles lists every oracle with what it promises.
var oracles = []struct {
	name   string
	make   func(*PairGraph) Oracle
	forest bool // on forests only
	exact  bool // maximizes over {0,1}^n, else over the local polytope
}{
	{"tree", NewTreeOracle, true, true},
	{"LP", NewLPOracle, false, false},
	{"auto on forests", NewAutoOracle, true, true},
	{"auto", NewAutoOracle, false, false},
	{"exact", NewExactOracle, false, true},
}

// TestOraclesAgainstEnumeration holds each oracle to the enumeration of all
// labelings that it maximizes over, on one graph that changes between calls.
func TestOraclesAgainstEnumeration(t *testing.T) {
	for _, o := range oracles {
		t.Run(o.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(12, 1))
			for range 1500 {
				g, _ := randomProblem(rng.IntN(7), rng)
				if o.forest {
					edges := testkit.RandomForest(g.N, 1.3*rng.Float64(), rng)
					g = NewPairGraph(g.N, edges, testkit.RandomNumbers(len(edges), rng))
				}
				oracle := o.make(g)
				for range 3 {
					_, c := randomProblem(g.N, rng)
					checkOracle(t, g, c, oracle, o.exact)
					for _, e := range append([]WeightedEdge(nil), g.Edges...) {
						if rng.Float64() < 0.3 {
							g.Set(labelgraph.Edge{I: int(e.I), J: int(e.J)}, float64(rng.IntN(5)-2))
						}
					}
				}
			}
		})
	}
}

func checkOracle(t *testing.T, g *PairGraph, c []float64, o Oracle, exact bool) {
	t.Helper()
	y := make(Labeling, g.N)
	got := o.Maximize(y, c)
	scale := problemScale(g, c)
	if v := y.Value(g, c); !(math.Abs(got-v) <= 1e-12*scale) {
		t.Fatalf("value %v, but the labeling %v is worth %v", got, y, v)
	}
	want, fewest := bruteForceHalves(g, c, 1e-11*scale)
	if exact {
		_, want = bruteForce(g, c)
		fewest = 0
	}
	if !(math.Abs(got-want) <= 1e-11*scale) {
		t.Fatalf("value %v, want %v, for\nc = %v\ng = %v", got, want, c, g.Edges)
	}
	if h := y.Halves(); h != fewest {
		t.Fatalf("%d halves, want %d, in %v for\nc = %v\ng = %v", h, fewest, y, c, g.Edges)
	}
	z := make(Labeling, g.N)
	if again := o.Maximize(z, c); again != got || string(y) != string(z) {
		t.Fatalf("a second call gives %v, %v instead of %v, %v", z, again, y, got)
	}
}

// TestOraclesAgree compares the oracles with one another, and the relaxation
// with an exact maximizer: its value is an upper bound, and its integral labels
// can be put into the maximizer at no loss (weak persistency).
func TestOraclesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	for range 1500 {
		g, c := randomProblem(1+rng.IntN(25), rng)
		y, best := make(Labeling, g.N), make(Labeling, g.N)
		bound := NewLPOracle(g).Maximize(y, c)
		value := NewExactOracle(g).Maximize(best, c)
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
		for i := range y { // no labeling is better than the exact one
			y[i] = On * uint8(rng.IntN(2))
		}
		if v := y.Value(g, c); v > value+1e-11*scale {
			t.Fatalf("%v is worth %v, more than the exact oracle's %v", y, v, value)
		}
	}
}

// TestOraclesIgnoreTheOrderOfLabels permutes the labels.
func TestOraclesIgnoreTheOrderOfLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	for _, o := range oracles {
		for range 100 {
			g, c := randomProblem(1+rng.IntN(30), rng)
			if o.forest {
				edges := testkit.RandomForest(g.N, 1.3*rng.Float64(), rng)
				g = NewPairGraph(g.N, edges, testkit.RandomNumbers(len(edges), rng))
			}
			perm := rng.Perm(g.N)
			h, d := NewPairGraph(g.N, nil, nil), make([]float64, g.N)
			for i, p := range perm {
				d[p] = c[i]
			}
			for _, k := range rng.Perm(len(g.Edges)) {
				e := g.Edges[k]
				h.Set(labelgraph.NewEdge(perm[e.I], perm[e.J]), e.Weight)
			}
			y := make(Labeling, g.N)
			a, b := o.make(g).Maximize(y, c), o.make(h).Maximize(y, d)
			if !(math.Abs(a-b) <= 1e-11*problemScale(g, c)) {
				t.Fatalf("%s: value %v, with the labels permuted %v", o.name, a, b)
			}
		}
	}
}

func TestOraclesAllocateNothing(t *testing.T) {
	for _, o := range oracles {
		rng := rand.New(rand.NewPCG(19, 1))
		g, cs := denseProblem(16, 3, rng)
		if o.forest {
			g, cs = gaussianProblem(16, labelgraph.RandomTree(16, rng), 1, rng)
		}
		oracle := o.make(g)
		y := make(Labeling, g.N)
		first, last := g.Edges[0], g.Edges[len(g.Edges)-1]
		run := func() { // the edge set changes along the way
			for k, c := range cs {
				e := first
				if k%2 == 0 {
					e = last
				}
				g.Set(labelgraph.Edge{I: int(e.I), J: int(e.J)}, float64(k%3))
				oracle.Maximize(y, c)
			}
		}
		run()
		if a := testing.AllocsPerRun(10, run); a != 0 {
			t.Errorf("%s: %v allocations", o.name, a)
		}
	}
}

// TestOraclesSurviveStrangeNumbers must come to an end, with proper labels, on
// whatever numbers there are.
func TestOraclesSurviveStrangeNumbers(t *testing.T) {
	strange := []float64{0, math.Copysign(0, -1), 5e-324, -15e-324, 1e-310, 1, -1, 1e300, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	rng := rand.New(rand.NewPCG(23, 1))
	for _, o := range oracles {
		for range 1000 {
			n := rng.IntN(9)
			edges := testkit.RandomEdges(n, rng.Float64(), rng)
			if o.forest {
				edges = testkit.RandomForest(n, 1, rng)
			}
			draw := func(k int) []float64 {
				v := make([]float64, k)
				for i := range v {
					v[i] = strange[rng.IntN(len(strange))]
				}
				return v
			}
			y := make(Labeling, n)
			o.make(NewPairGraph(n, edges, draw(len(edges)))).Maximize(y, draw(n))
			for i, v := range y {
				if v > On {
					t.Fatalf("%s: label %d has the value %d", o.name, i, v)
				}
			}
		}
	}
}

// TestScales multiplies a problem by powers of two, which rounds nothing: the
// labelings must stay the same.
func TestScales(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 1))
	for range 300 {
		g, c := randomProblem(1+rng.IntN(20), rng)
		y, z := make(Labeling, g.N), make(Labeling, g.N)
		value := NewLPOracle(g).Maximize(y, c)
		factor := math.Ldexp(1, rng.IntN(1200)-600)
		h := NewPairGraph(g.N, nil, nil)
		for _, e := range g.Edges {
			h.Set(labelgraph.Edge{I: int(e.I), J: int(e.J)}, factor*e.Weight)
		}
		for i := range c {
			c[i] *= factor
		}
		if v := NewLPOracle(h).Maximize(z, c); v != factor*value || string(y) != string(z) {
			t.Fatalf("factor %v: %v, %v instead of %v, %v", factor, z, v, y, factor*value)
		}
	}
}

// TestTiedPartsStayOff leaves every oracle the choice: the pairs attract, and each
// connected part of the graph is worth 0 on or off. Off is chosen.
func TestTiedPartsStayOff(t *testing.T) {
	t.Parallel()
	for _, o := range oracles {
		checkTiedParts(t, o.name, o.make, o.forest)
	}
	checkTiedParts(t, "cut set", NewCutsetOracle, false)
}

func checkTiedParts(t *testing.T, name string, oracle func(*PairGraph) Oracle, forest bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(25, 1))
	for range 100 {
		n := 1 + rng.IntN(8)
		edges := testkit.RandomEdges(n, rng.Float64(), rng)
		if forest {
			edges = testkit.RandomForest(n, 1, rng)
		}
		weights, c := make([]float64, len(edges)), make([]float64, n)
		for k, e := range edges { // w y_i y_j - w (y_i + y_j) / 2 is 0 where both are equal
			weights[k] = float64(2 + 2*rng.IntN(3))
			c[e.I] -= weights[k] / 2
			c[e.J] -= weights[k] / 2
		}
		y := make(Labeling, n)
		if v := oracle(NewPairGraph(n, edges, weights)).Maximize(y, c); v != 0 || slices.Max(y) != Off {
			t.Fatalf("%s: %v of value %v, for\nc = %v\nedges %v of %v", name, y, v, c, edges, weights)
		}
	}
}
