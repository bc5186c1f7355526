package mrf

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// randomTables returns normal tables on a random graph.
func randomTables(n, most int, density float64, rng *rand.Rand) (states []int, edges []labelgraph.Edge, unary, pair [][]float64) {
	for range n {
		states = append(states, 1+rng.IntN(most))
		unary = append(unary, testkit.Normals(states[len(states)-1], rng))
	}
	for _, e := range labelgraph.AllPairs(n) {
		if rng.Float64() < density {
			edges = append(edges, e)
			pair = append(pair, testkit.Normals(states[e.I]*states[e.J], rng))
		}
	}
	return states, edges, unary, pair
}

// localPolytopeOptimum solves the relaxation by gonum's simplex method, from its
// definition. The marginalizations to the last state of J are left out: the
// others imply them.
func localPolytopeOptimum(t *testing.T, states []int, edges []labelgraph.Edge, unary, pair [][]float64) float64 {
	t.Helper()
	var cost []float64
	at := make([]int, len(states))
	for i, table := range unary {
		at[i] = len(cost)
		cost = append(cost, table...)
	}
	pairAt := make([]int, len(edges))
	rows := len(states)
	for k, table := range pair {
		pairAt[k] = len(cost)
		cost = append(cost, table...)
		rows += states[edges[k].I] + states[edges[k].J] - 1
	}
	for k := range cost {
		cost[k] = -cost[k]
	}
	a, b, r := mat.NewDense(rows, len(cost), nil), make([]float64, rows), 0
	for i, k := range states {
		for s := range k {
			a.Set(r, at[i]+s, 1)
		}
		b[r] = 1
		r++
	}
	for k, e := range edges {
		for s := range states[e.I] {
			for u := range states[e.J] {
				a.Set(r, pairAt[k]+s*states[e.J]+u, 1)
			}
			a.Set(r, at[e.I]+s, -1)
			r++
		}
		for u := range states[e.J] - 1 {
			for s := range states[e.I] {
				a.Set(r, pairAt[k]+s*states[e.J]+u, 1)
			}
			a.Set(r, at[e.J]+u, -1)
			r++
		}
	}
	value, _, err := lp.Simplex(cost, a, b, 1e-10, nil)
	if err != nil {
		t.Fatalf("simplex: %v", err)
	}
	return -value
}

func TestMultiStateLPAgainstSimplex(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(41, 1))
	fractional := 0
	for range 150 {
		n := 3 + rng.IntN(4)
		states, edges, unary, pair := randomTables(n, 3, 0.9, rng)
		for i := range unary {
			for s := range unary[i] {
				unary[i][s] *= 0.3 // the pairs decide: more of the optima are fractional
			}
		}
		o, err := NewLP(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		value, bound := o.Maximize(unary, pair)
		want := localPolytopeOptimum(t, states, edges, unary, pair)
		if tol := 1e-6 * (1 + math.Abs(want)); math.Abs(value-want) > 100*tol || math.Abs(bound-want) > tol || value > bound+1e-9 {
			t.Fatalf("value %v, bound %v, simplex %v", value, bound, want)
		}
		if !o.Integral() {
			fractional++
		}
	}
	t.Logf("%d of 150 optima are fractional", fractional)
	if fractional < 5 {
		t.Errorf("%d of 150 optima are fractional: too few to test those", fractional)
	}
}

// TestMultiStateLPBounds checks, by brute force, that the bound is none below a
// labeling, that a solution reported integral is optimal, and that the marginals
// are exactly in the local polytope.
func TestMultiStateLPBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	for range 200 {
		n := 1 + rng.IntN(6)
		states, edges, unary, pair := randomTables(n, 4, 0.7, rng)
		o, err := NewLP(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		value, bound := o.Maximize(unary, pair)
		best := math.Inf(-1)
		for y := make([]int, n); ; {
			best = max(best, multiStateValue(y, states, edges, unary, pair))
			if !testkit.NextLabeling(y, states) {
				break
			}
		}
		if bound < best-1e-9 {
			t.Fatalf("bound %v below the labeling of value %v", bound, best)
		}
		if o.Integral() && math.Abs(value-best) > 1e-5*(1+math.Abs(best)) {
			t.Fatalf("an integral solution of value %v, the best is %v", value, best)
		}
		checkLocalPolytope(t, o, states, edges)
	}
}

func checkLocalPolytope(t *testing.T, o *LP, states []int, edges []labelgraph.Edge) {
	t.Helper()
	for i, k := range states {
		var sum float64
		for s := range k {
			sum += o.Marginal(i, s)
		}
		if sum != 1 {
			t.Fatalf("variable %d: marginals sum to %v", i, sum)
		}
	}
	for k, e := range edges {
		for s := range states[e.I] {
			var sum float64
			for u := range states[e.J] {
				if o.PairMarginal(k, s, u) < 0 {
					t.Fatalf("edge %v: a negative marginal", e)
				}
				sum += o.PairMarginal(k, s, u)
			}
			if sum != o.Marginal(e.I, s) {
				t.Fatalf("edge %v, state %d: %v, want %v", e, s, sum, o.Marginal(e.I, s))
			}
		}
		for u := range states[e.J] {
			var sum float64
			for s := range states[e.I] {
				sum += o.PairMarginal(k, s, u)
			}
			if sum != o.Marginal(e.J, u) {
				t.Fatalf("edge %v, state %d of J: %v, want %v", e, u, sum, o.Marginal(e.J, u))
			}
		}
	}
}

// On two states the relaxation is roof duality.
func TestMultiStateLPAgainstLPOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 1))
	for range 200 {
		n := 1 + rng.IntN(8)
		edges, weights, c := testkit.RandomProblem(n, rng)
		g := infer.NewPairGraph(n, edges, weights)
		states, unary, pair := asMultiState(weights, c)
		o, err := NewLP(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		value, bound := o.Maximize(unary, pair)
		want := infer.NewLPOracle(g).Maximize(make(infer.Labeling, n), c)
		if scale := testkit.SumAbs(weights, c); math.Abs(value-want) > 1e-5*scale || math.Abs(bound-want) > 1e-6*scale {
			t.Fatalf("value %v, bound %v, roof duality %v", value, bound, want)
		}
	}
}

// Large and tiny tables, ties and zeros leave value and bound together.
func TestMultiStateLPScales(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 1))
	for _, scale := range []float64{0, 1e-9, 1e-3, 1, 1e3, 1e6} {
		for range 20 {
			states, edges, unary, pair := randomTables(6, 4, 1, rng)
			for _, tables := range [][][]float64{unary, pair} {
				for _, table := range tables {
					for k := range table {
						table[k] = scale * math.Round(2*table[k])
					}
				}
			}
			o, err := NewLP(states, edges)
			if err != nil {
				t.Fatal(err)
			}
			value, bound := o.Maximize(unary, pair)
			if !(bound-value <= 1e-4*(1+math.Abs(bound))) || value > bound+1e-6*(1+math.Abs(bound)) {
				t.Errorf("scale %v: value %v, bound %v", scale, value, bound)
			}
			checkLocalPolytope(t, o, states, edges)
		}
	}
}

func TestMultiStateLPRefuses(t *testing.T) {
	for _, c := range []struct {
		states []int
		edges  []labelgraph.Edge
	}{{[]int{2, 0}, nil}, {[]int{2, 2}, []labelgraph.Edge{{I: 0, J: 2}}}, {[]int{2, 2}, []labelgraph.Edge{{I: 1, J: 0}}}, {[]int{2, 2}, []labelgraph.Edge{{I: 0, J: 1}, {I: 0, J: 1}}}} {
		if _, err := NewLP(c.states, c.edges); !errors.Is(err, errs.ErrData) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestMultiStateLPAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 1))
	var o *LP
	var unary, pair [][]float64
	for o == nil || o.interior == nil { // until descent alone does not solve it
		states, edges, u, p := randomTables(6, 4, 1, rng)
		unary, pair = u, p
		var err error
		if o, err = NewLP(states, edges); err != nil {
			t.Fatal(err)
		}
		o.Maximize(unary, pair)
	}
	if allocs := testing.AllocsPerRun(10, func() { o.Maximize(unary, pair) }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// BenchmarkMultiStateLP solves for all pairs of ten variables of three states:
// where the unary terms decide, and where the pairs do.
func BenchmarkMultiStateLP(b *testing.B) {
	for _, size := range []float64{0.1, 0.5, 2} {
		b.Run(fmt.Sprintf("pairs=%v", size), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(46, 1))
			states, edges := slices.Repeat([]int{3}, 10), labelgraph.AllPairs(10)
			table := func(k int, size float64) []float64 {
				t := make([]float64, k)
				for i := range t {
					t[i] = size * rng.NormFloat64()
				}
				return t
			}
			var unary, pair [][]float64
			for range states {
				unary = append(unary, table(3, 1))
			}
			for range edges {
				pair = append(pair, table(9, size))
			}
			o, err := NewLP(states, edges)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				o.Maximize(unary, pair)
			}
		})
	}
}
