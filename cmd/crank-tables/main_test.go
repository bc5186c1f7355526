package main

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// TestSimplexValue compares the simplex method with roof duality on random
// graphs with cycles.
func TestSimplexValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		n := 3 + rng.IntN(4)
		edges := crankpkg.AllPairs(n)
		w, c := make([]float64, len(edges)), make([]float64, n)
		for k := range w {
			w[k] = rng.NormFloat64()
		}
		for i := range c {
			c[i] = rng.NormFloat64()
		}
		g := crankpkg.NewPairGraph(n, edges, w)
		got, err := simplexValue(g, c)
		if err != nil {
			t.Fatal(err)
		}
		if want := crankpkg.NewLPOracle(g).Maximize(make(crankpkg.Labeling, n), c); math.Abs(got-want) > 1e-8 {
			t.Errorf("%d labels: %v, roof duality %v", n, got, want)
		}
	}
}

func TestLambdas(t *testing.T) {
	grid := lambdas(0.01, 2)
	for k, want := range []float64{1, math.Sqrt(0.1), 0.1, math.Sqrt(0.001), 0.01} {
		if len(grid) != 5 || math.Abs(grid[k]-want) > 1e-12 {
			t.Errorf("%v: value %d is not %v", grid, k, want)
		}
	}
}

// TestScalingOf checks that no scaling is preferred within one standard error.
func TestScalingOf(t *testing.T) {
	point := func(s crankpkg.Scaling, values ...float64) crankpkg.ValidationPoint {
		p := crankpkg.ValidationPoint{Scaling: s}
		for _, v := range values {
			p.Folds = append(p.Folds, crankpkg.Scores{Hamming: v})
		}
		return p
	}
	// ZScore has 51 +- 1.
	s := &crankpkg.Selection{Criterion: crankpkg.Hamming, Best: 1, Curve: []crankpkg.ValidationPoint{
		point(crankpkg.NoScaling, 40, 42), point(crankpkg.ZScore, 50, 52), point(crankpkg.NoScaling, 50.1, 50.3),
	}}
	if got := scalingOf(s); got != crankpkg.NoScaling {
		t.Errorf("%q", got)
	}
	s.Curve[2] = point(crankpkg.NoScaling, 49.7, 49.9)
	if got := scalingOf(s); got != crankpkg.ZScore {
		t.Errorf("%q", got)
	}
}

func TestUnknownPart(t *testing.T) {
	err := run(context.Background(), []string{"table9"}, new(strings.Builder))
	if err == nil || !strings.Contains(err.Error(), "table1, figure1") {
		t.Errorf("%v", err)
	}
}
