package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// maximaByEnumeration returns m_i(0) and m_i(1) by a look at all labelings.
func maximaByEnumeration(g *PairGraph, c []float64) (off, on []float64) {
	off, on = make([]float64, g.N), make([]float64, g.N)
	for i := range off {
		off[i], on[i] = math.Inf(-1), math.Inf(-1)
	}
	for _, y := range AllLabelings(g.N) {
		value := y.Value(g, c)
		for i, v := range y {
			if v == On {
				on[i] = max(on[i], value)
			} else {
				off[i] = max(off[i], value)
			}
		}
	}
	return off, on
}

// checkMaxMarginals holds maxima and margins to enumeration: equal where they are said
// to be exact, else not below.
func checkMaxMarginals(t *testing.T, o *MaxMarginals, g *PairGraph, c []float64) (exact bool) {
	t.Helper()
	off, on, margin := make([]float64, g.N), make([]float64, g.N), make([]float64, g.N)
	exact = o.MaximaTo(off, on, c)
	if again := o.MarginsTo(margin, c); again != exact {
		t.Fatalf("maxima are exact: %v, margins: %v", exact, again)
	}
	wantOff, wantOn := maximaByEnumeration(g, c)
	tol := 1e-11 * problemScale(g, c)
	for i := range c {
		below := off[i] < wantOff[i]-tol || on[i] < wantOn[i]-tol
		above := off[i] > wantOff[i]+tol || on[i] > wantOn[i]+tol
		if below || exact && above || math.Abs(margin[i]-(on[i]-off[i])) > tol {
			t.Fatalf("label %d: maxima %v, %v and margin %v (exact: %v), want %v, %v, for\nc = %v\ng = %v",
				i, off[i], on[i], margin[i], exact, wantOff[i], wantOn[i], c, g.Edges)
		}
	}
	return exact
}

// TestMaxMarginalsOfForests holds one MaxMarginals on a forest that changes, with ties and
// with labels that have no neighbor, to enumeration.
func TestMaxMarginalsOfForests(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	for range 800 {
		n := rng.IntN(9)
		edges := testkit.RandomForest(n, 1.3*rng.Float64(), rng)
		g := NewPairGraph(n, edges, testkit.RandomNumbers(len(edges), rng))
		o := NewMaxMarginals(g)
		for range 3 {
			if !checkMaxMarginals(t, o, g, testkit.RandomNumbers(n, rng)) {
				t.Fatal("not exact on a forest")
			}
			for _, e := range edges {
				if rng.IntN(3) == 0 {
					g.Set(e, float64(rng.IntN(5)-2))
				}
			}
		}
	}
}

func TestMaxMarginalsOfGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 1))
	for range 500 {
		g, c := randomProblem(rng.IntN(9), rng)
		if !checkMaxMarginals(t, NewMaxMarginals(g), g, c) {
			t.Fatal("not exact with few labels")
		}
	}
}

// TestMaxMarginalsByRelaxation calls the relaxation on small graphs, which enumeration
// can check. Both kinds of answers have to occur.
func TestMaxMarginalsByRelaxation(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 1))
	exact := 0
	const rounds = 500
	for range rounds {
		g, cs := denseProblem(2+rng.IntN(7), 1, rng)
		o, c := NewMaxMarginals(g), cs[0]
		off, on := make([]float64, g.N), make([]float64, g.N)
		tight := o.relaxTo(off, on, c)
		wantOff, wantOn := maximaByEnumeration(g, c)
		tol := 1e-11 * problemScale(g, c)
		for i := range c {
			if off[i] < wantOff[i]-tol || on[i] < wantOn[i]-tol || tight && (off[i] > wantOff[i]+tol || on[i] > wantOn[i]+tol) {
				t.Fatalf("label %d: %v, %v (exact: %v), want %v, %v", i, off[i], on[i], tight, wantOff[i], wantOn[i])
			}
		}
		if tight {
			exact++
		}
	}
	if exact < rounds/10 || exact > rounds*9/10 {
		t.Errorf("%d of %d exact: the other case is hardly tested", exact, rounds)
	}
}

// TestMaxMarginalsOfManyLabels has more labels than are enumerated: with one cycle the
// cut-set oracle knows the maxima, when a large term fixes the label.
func TestMaxMarginalsOfManyLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	const n = EnumerableLabels + 4
	for range 30 {
		g, cs := gaussianProblem(n, labelgraph.RandomTree(n, rng), 1, rng)
		for len(g.Edges) < n {
			g.Set(labelgraph.NewEdge(0, 1+rng.IntN(n-1)), 3)
		}
		o, oracle := NewMaxMarginals(g), NewCutsetOracle(g)
		off, on, y := make([]float64, n), make([]float64, n), make(Labeling, n)
		exact := o.MaximaTo(off, on, cs[0])
		for i := range n {
			for _, held := range []struct {
				by, got float64
			}{{-1e6, off[i]}, {1e6, on[i]}} {
				c := append([]float64(nil), cs[0]...)
				c[i] += held.by
				oracle.Maximize(y, c)
				want := y.Value(g, cs[0])
				if held.got < want-1e-9 || exact && held.got > want+1e-9 {
					t.Fatalf("label %d held by %v: %v, want %v (exact: %v)", i, held.by, held.got, want, exact)
				}
			}
		}
	}
}

// TestMarginsHaveTheSignOfTheBestLabeling on forests with normal terms, where it is the
// only one.
func TestMarginsHaveTheSignOfTheBestLabeling(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 1))
	for range 50 {
		n := 1 + rng.IntN(60)
		g, cs := gaussianProblem(n, testkit.RandomForest(n, 0.8, rng), 1, rng)
		o, oracle := NewMaxMarginals(g), NewTreeOracle(g)
		margin, y := make([]float64, n), make(Labeling, n)
		for _, c := range cs {
			o.MarginsTo(margin, c)
			oracle.Maximize(y, c)
			for i, v := range y {
				if margin[i] > 0 != (v == On) {
					t.Fatalf("label %d of %v has the margin %v", i, y, margin[i])
				}
			}
		}
	}
}

func TestMaxMarginalsAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 1))
	for name, problem := range map[string]struct {
		n     int
		edges []labelgraph.Edge
	}{
		"forest":      {20, labelgraph.RandomTree(20, rng)},
		"enumeration": {6, labelgraph.AllPairs(6)},
		"relaxation":  {EnumerableLabels + 1, labelgraph.AllPairs(EnumerableLabels + 1)},
	} {
		g, cs := gaussianProblem(problem.n, problem.edges, 1, rng)
		o, off, on := NewMaxMarginals(g), make([]float64, g.N), make([]float64, g.N)
		run := func() {
			for _, c := range cs {
				o.MaximaTo(off, on, c)
				o.MarginsTo(on, c)
			}
		}
		run()
		if a := testing.AllocsPerRun(5, run); a != 0 {
			t.Errorf("%s: %v allocations", name, a)
		}
	}
}

func TestMaxMarginalsPanic(t *testing.T) {
	o := NewMaxMarginals(NewPairGraph(2, nil, nil))
	two, three := make([]float64, 2), make([]float64, 3)
	for name, f := range map[string]func(){
		"margins": func() { o.MarginsTo(three, two) },
		"terms":   func() { o.MarginsTo(two, three) },
		"off":     func() { o.MaximaTo(three, two, two) },
		"on":      func() { o.MaximaTo(two, three, two) },
	} {
		if !testkit.Panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}
