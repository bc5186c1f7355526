package mrf

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// statesOf returns a table with a number for each state.
func statesOf(states []int) [][]float64 {
	table := make([][]float64, len(states))
	for i, k := range states {
		table[i] = make([]float64, k)
	}
	return table
}

// maxMarginalsByEnumeration looks at all labelings.
func maxMarginalsByEnumeration(states []int, edges []labelgraph.Edge, unary, pair [][]float64) [][]float64 {
	most := statesOf(states)
	for i := range most {
		for s := range most[i] {
			most[i][s] = math.Inf(-1)
		}
	}
	for y := make([]int, len(states)); ; {
		value := multiStateValue(y, states, edges, unary, pair)
		for i, s := range y {
			most[i][s] = max(most[i][s], value)
		}
		if !testkit.NextLabeling(y, states) {
			return most
		}
	}
}

// TestTreeMaxMarginals has integers, which are added without rounding: with ties, with
// variables of one state and without neighbors.
func TestTreeMaxMarginals(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	for range 300 {
		states, edges, unary, pair := randomMultiState(rng, 1+rng.IntN(6), 4)
		tree, err := NewTree(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		want := maxMarginalsByEnumeration(states, edges, unary, pair)
		for range 2 { // the workspace is reused
			got := statesOf(states)
			tree.MaxMarginalsTo(got, unary, pair)
			for i := range got {
				for s, v := range got[i] {
					if v != want[i][s] {
						t.Fatalf("variable %d at %d: %v, want %v", i, s, v, want[i][s])
					}
				}
			}
		}
	}
}

// TestLPMaxMarginals holds the bounds of the relaxation to enumeration. Some have to be
// exact, and some not.
func TestLPMaxMarginals(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 1))
	const rounds = 150
	tight := 0
	for range rounds {
		states, edges, unary, pair := randomTables(3+rng.IntN(4), 3, 1, rng)
		for _, table := range unary { // weak, so that the pairs decide
			floats.Scale(0.2, table)
		}
		o, err := NewLP(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		got, want := statesOf(states), maxMarginalsByEnumeration(states, edges, unary, pair)
		exact := o.MaxMarginalsTo(got, unary, pair)
		if exact {
			tight++
		}
		tol := 1e-6 * (1 + testkit.SumAbs(append(append([][]float64(nil), unary...), pair...)...))
		for i := range got {
			for s, v := range got[i] {
				if v < want[i][s]-tol*1e-6 || exact && v > want[i][s]+tol {
					t.Fatalf("variable %d at %d: %v, want %v (exact: %v)", i, s, v, want[i][s], exact)
				}
			}
		}
	}
	if tight < rounds/20 || tight > rounds*19/20 {
		t.Errorf("%d of %d exact: the other case is hardly tested", tight, rounds)
	}
}

func TestMaxMarginalsAllocateNothing(t *testing.T) {
	states, edges, unary, pair := randomMultiState(rand.New(rand.NewPCG(73, 1)), 8, 3)
	tree, err := NewTree(states, edges)
	if err != nil {
		t.Fatal(err)
	}
	lp, err := NewLP(states, edges)
	if err != nil {
		t.Fatal(err)
	}
	dst := statesOf(states)
	for name, run := range map[string]func(){
		"tree": func() { tree.MaxMarginalsTo(dst, unary, pair) },
		"LP":   func() { lp.MaxMarginalsTo(dst, unary, pair) },
	} {
		run()
		if a := testing.AllocsPerRun(5, run); a != 0 {
			t.Errorf("%s: %v allocations", name, a)
		}
	}
}

func TestMaxMarginalsPanic(t *testing.T) {
	tree, err := NewTree([]int{2, 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	unary := [][]float64{{0, 1}, {0, 1}}
	for name, dst := range map[string][][]float64{
		"variables": {{0, 0}},
		"states":    {{0, 0}, {0, 0, 0}},
	} {
		if !testkit.Panics(func() { tree.MaxMarginalsTo(dst, unary, nil) }) {
			t.Errorf("%s: no panic", name)
		}
	}
}
