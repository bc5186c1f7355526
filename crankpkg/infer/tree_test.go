package infer

import (
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestTreeOracleTiesGoToZero has all labels on, or all off, worth the same.
func TestTreeOracleTiesGoToZero(t *testing.T) {
	const n = 9
	edges := labelgraph.RandomTree(n, rand.New(rand.NewPCG(8, 1)))
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
	g := NewPairGraph(3, labelgraph.AllPairs(3), []float64{1, 1, 1})
	defer func() {
		if recover() == nil {
			t.Error("no panic on a cycle")
		}
	}()
	NewTreeOracle(g).Maximize(make(Labeling, 3), make([]float64, 3))
}

func randomTreeProblem(n int, rng *rand.Rand) (*PairGraph, []float64) {
	edges, weights, c := testkit.RandomTreeProblem(n, rng)
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
