package crankpkg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// randomMultiState returns integer tables, so that all sums are exact.
func randomMultiState(rng *rand.Rand, n, most int) (states []int, edges []Edge, unary, pair [][]float64) {
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
	edges = randomForest(n, 0.8, rng)
	for _, e := range edges {
		pair = append(pair, table(states[e.I]*states[e.J]))
	}
	return states, edges, unary, pair
}

func multiStateValue(y, states []int, edges []Edge, unary, pair [][]float64) float64 {
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
		tree, err := NewMultiStateTree(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for y := make([]int, n); ; {
			best = max(best, multiStateValue(y, states, edges, unary, pair))
			if !nextLabeling(y, states) {
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
		g, c := randomTreeProblem(n, rng)
		states, unary, edges, pair := asMultiState(g, c)
		tree, err := NewMultiStateTree(states, edges)
		if err != nil {
			t.Fatal(err)
		}
		want := NewTreeOracle(g).Maximize(make(Labeling, n), c)
		if got := tree.Maximize(make([]int, n), unary, pair); math.Abs(got-want) > 1e-12*problemScale(g, c) {
			t.Fatalf("value %v, want %v", got, want)
		}
	}
}

func TestMultiStateTreeTiesGoToSmallerStates(t *testing.T) {
	states := []int{3, 4, 2}
	tree, err := NewMultiStateTree(states, []Edge{{0, 1}, {1, 2}})
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
		edges  []Edge
	}{
		"no state":     {[]int{2, 0}, nil},
		"out of range": {[]int{2, 2}, []Edge{{0, 2}}},
		"backwards":    {[]int{2, 2}, []Edge{{1, 0}}},
		"twice":        {[]int{2, 2}, []Edge{{0, 1}, {0, 1}}},
		"cycle":        {[]int{2, 2, 2}, []Edge{{0, 1}, {0, 2}, {1, 2}}},
	} {
		if _, err := NewMultiStateTree(c.states, c.edges); !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestMultiStateTreeAllocatesNothing(t *testing.T) {
	states, edges, unary, pair := randomMultiState(rand.New(rand.NewPCG(3, 3)), 50, 5)
	tree, err := NewMultiStateTree(states, edges)
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
		states[i], unary[i] = 5, randomNumbers(5, rng)
	}
	edges := RandomTree(100, rng)
	pair := make([][]float64, len(edges))
	for k := range pair {
		pair[k] = randomNumbers(25, rng)
	}
	tree, err := NewMultiStateTree(states, edges)
	if err != nil {
		b.Fatal(err)
	}
	y := make([]int, 100)
	for b.Loop() {
		tree.Maximize(y, unary, pair)
	}
}

// asMultiState returns a problem over 0/1 labels as one over variables of two
// states.
func asMultiState(g *PairGraph, c []float64) (states []int, unary [][]float64, edges []Edge, pair [][]float64) {
	for _, score := range c {
		states, unary = append(states, 2), append(unary, []float64{0, score})
	}
	for _, e := range g.Edges {
		edges, pair = append(edges, Edge{int(e.I), int(e.J)}), append(pair, []float64{0, 0, 0, e.Weight})
	}
	return states, unary, edges, pair
}
