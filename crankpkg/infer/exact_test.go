package infer

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestExactOnHardProblems(t *testing.T) {
	t.Parallel()
	n := 36
	if testing.Short() {
		n = 26
	}
	g, cs := denseProblem(n, 1, rand.New(rand.NewPCG(21, 1)))
	r := MaximizeExact(context.Background(), g, cs[0])
	if !r.Optimal || r.Nodes < 50 || r.Bound != r.Value {
		t.Fatalf("optimal: %v after %d nodes, bound %v, value %v", r.Optimal, r.Nodes, r.Bound, r.Value)
	}
	if v := r.Labeling.Value(g, cs[0]); !(math.Abs(v-r.Value) <= 1e-9) {
		t.Fatalf("value %v, but the labeling is worth %v", r.Value, v)
	}
	// Climbing from many random labelings must not find a better one.
	rng := rand.New(rand.NewPCG(21, 2))
	y := make(Labeling, n)
	s := exactSearch{g: g, c: cs[0], slope: make([]float64, n)}
	for range 2000 {
		for i := range y {
			y[i] = On * uint8(rng.IntN(2))
		}
		s.climb(y)
		if v := y.Value(g, cs[0]); v > r.Value+1e-9 {
			t.Fatalf("climbing finds %v, more than %v", v, r.Value)
		}
	}
}

func TestExactStops(t *testing.T) {
	g, cs := denseProblem(60, 0, rand.New(rand.NewPCG(25, 1)))
	for _, patience := range []time.Duration{-1, 30 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		r := MaximizeExact(ctx, g, cs[0])
		cancel()
		bound := NewLPOracle(g).Maximize(make(Labeling, 60), cs[0])
		if r.Optimal || r.Bound <= r.Value || r.Bound > bound {
			t.Errorf("optimal: %v, bound %v, value %v, relaxation %v", r.Optimal, r.Bound, r.Value, bound)
		}
		if v := r.Labeling.Value(g, cs[0]); math.Abs(v-r.Value) > 1e-9 || !r.Labeling.IsIntegral() {
			t.Errorf("value %v, but the labeling %v is worth %v", r.Value, r.Labeling, v)
		}
	}
}

func BenchmarkInferExact30(b *testing.B) {
	g, cs := denseProblem(30, 1, rand.New(rand.NewPCG(26, 1)))
	o := NewExactOracle(g)
	y := make(Labeling, 30)
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		o.Maximize(y, cs[k%len(cs)])
	}
}
