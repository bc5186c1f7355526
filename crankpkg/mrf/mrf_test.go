package mrf

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// randomMultiState returns integer tables, so that all sums are exact.
func randomMultiState(rng *rand.Rand, n, most int) (states []int, edges []labelgraph.Edge, unary, pair [][]float64) {
	table := func(size int) []float64 {
		t := make([]float64, size)
		for k := range t {
			t[k] = float64(rng.IntN(41) - 20)
		}
		return t
	}
	for range n {
		states = append(states, 1+rng.IntN(most))
		unary = append(unary, table(states[len(states)-1]))
	}
	edges = testkit.RandomForest(n, 0.8, rng)
	for _, e := range edges {
		pair = append(pair, table(states[e.I]*states[e.J]))
	}
	return states, edges, unary, pair
}

func multiStateValue(y, states []int, edges []labelgraph.Edge, unary, pair [][]float64) float64 {
	var sum float64
	for i, s := range y {
		sum += unary[i][s]
	}
	for k, e := range edges {
		sum += pair[k][y[e.I]*states[e.J]+y[e.J]]
	}
	return sum
}

func TestMultiStateTreeAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		n := 1 + rng.IntN(6)
		states, edges, unary, pair := randomMultiState(rng, n, 4)
		tree, err := NewTree(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for y := make([]int, n); ; {
			best = max(best, multiStateValue(y, states, edges, unary, pair))
			if !testkit.NextLabeling(y, states) {
				break
			}
		}
		got := make([]int, n)
		for range 2 { // the workspace is reused
			value := tree.Maximize(got, unary, pair)
			if value != best || multiStateValue(got, states, edges, unary, pair) != best {
				t.Fatalf("value %v at %v of value %v, best %v", value, got, multiStateValue(got, states, edges, unary, pair), best)
			}
		}
	}
}

// With two states and a weight on (1, 1) only, the model is the binary one.
func TestMultiStateTreeAgainstTreeOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for range 100 {
		n := 1 + rng.IntN(30)
		edges, weights, c := testkit.RandomTreeProblem(n, rng)
		g := infer.NewPairGraph(n, edges, weights)
		states, unary, pair := asMultiState(weights, c)
		tree, err := NewTree(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		want := infer.NewTreeOracle(g).Maximize(make(infer.Labeling, n), c)
		if got := tree.Maximize(make([]int, n), unary, pair); !(math.Abs(got-want) <= 1e-12*testkit.SumAbs(weights, c)) {
			t.Fatalf("value %v, want %v", got, want)
		}
	}
}

func TestMultiStateTreeTiesGoToSmallerStates(t *testing.T) {
	states := []int{3, 4, 2}
	tree, err := NewTree(states, []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}})
	if err != nil {
		t.Fatal(err)
	}
	y := []int{9, 9, 9}
	unary := [][]float64{{0, 1, 1}, {0, 0, 0, 0}, {0, 0}}
	tree.Maximize(y, unary, [][]float64{make([]float64, 12), make([]float64, 8)})
	if y[0] != 1 || y[1] != 0 || y[2] != 0 {
		t.Fatalf("labeling %v", y)
	}
}

func TestNewMultiStateTreeErrors(t *testing.T) {
	for name, c := range map[string]struct {
		states []int
		edges  []labelgraph.Edge
	}{
		"no state":     {[]int{2, 0}, nil},
		"out of range": {[]int{2, 2}, []labelgraph.Edge{{I: 0, J: 2}}},
		"backwards":    {[]int{2, 2}, []labelgraph.Edge{{I: 1, J: 0}}},
		"twice":        {[]int{2, 2}, []labelgraph.Edge{{I: 0, J: 1}, {I: 0, J: 1}}},
		"cycle":        {[]int{2, 2, 2}, []labelgraph.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}}},
	} {
		if _, err := NewTree(c.states, c.edges); !errors.Is(err, errs.ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestMultiStateTreeAllocatesNothing(t *testing.T) {
	states, edges, unary, pair := randomMultiState(rand.New(rand.NewPCG(3, 3)), 50, 5)
	tree, err := NewTree(states, edges)
	if err != nil {
		t.Fatal(err)
	}
	y := make([]int, 50)
	if a := testing.AllocsPerRun(20, func() { tree.Maximize(y, unary, pair) }); a != 0 {
		t.Fatalf("%v allocations", a)
	}
}

func BenchmarkInferMultiState100x5(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	states := make([]int, 100)
	unary := make([][]float64, 100)
	for i := range states {
		states[i], unary[i] = 5, testkit.RandomNumbers(5, rng)
	}
	edges := labelgraph.RandomTree(100, rng)
	pair := make([][]float64, len(edges))
	for k := range pair {
		pair[k] = testkit.RandomNumbers(25, rng)
	}
	tree, err := NewTree(states, edges)
	if err != nil {
		b.Fatal(err)
	}
	y := make([]int, 100)
	for b.Loop() {
		tree.Maximize(y, unary, pair)
	}
}

// asMultiState returns the tables of a problem over 0/1 labels as one over
// variables of two states.
func asMultiState(weights, c []float64) (states []int, unary, pair [][]float64) {
	for _, score := range c {
		states, unary = append(states, 2), append(unary, []float64{0, score})
	}
	for _, w := range weights {
		pair = append(pair, []float64{0, 0, 0, w})
	}
	return states, unary, pair
}
