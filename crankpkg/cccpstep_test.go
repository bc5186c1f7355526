package crankpkg

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestConvexStepAgainstObjective holds the bounds of steps with random v to the
// definition of h^t, and the minimum to nearby points.
func TestConvexStepAgainstObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	train, _ := planted(t, 5, 80, 3)
	for range 4 {
		step := CCCPStep{Lambda: 0.01, Beta: 0.1 * rng.Float64(), V: make([]float64, labelgraph.NumPairs(5)), Settings: Settings{Gap: 1e-5}}
		for k := range step.V {
			step.V[k] = 2*rng.Float64() - 1
		}
		m, trace, err := step.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		o := NewObjective(train, Scaler{}, step.Lambda)
		o.Beta, o.V = step.Beta, step.V
		if p := o.Primal(m); !testkit.Near(p, trace.Primal, 1e-9) || trace.Gap() > 1e-5 {
			t.Errorf("reports a primal of %v with gap %v, by definition it is %v", trace.Primal, trace.Gap(), p)
		}
		for range 20 {
			other := *m
			other.Unary = append([]float64(nil), m.Unary...)
			other.Edges, other.Pair = labelgraph.AllPairs(5), make([]float64, labelgraph.NumPairs(5))
			for k, e := range other.Edges {
				other.Pair[k] = m.Graph().Weight(e) + 0.1*rng.NormFloat64()
			}
			for k := range other.Unary {
				other.Unary[k] += 0.1 * rng.NormFloat64()
			}
			if p := o.Primal(&other); p < trace.Dual-1e-9 {
				t.Errorf("%v is below the dual bound %v", p, trace.Dual)
			}
		}
	}
}

// TestConvexSteps runs Algorithm 1 by hand: the objective does not rise, up to
// the gap of a step, and a large beta ends in a forest.
func TestConvexSteps(t *testing.T) {
	const lambda, beta, gap = 0.01, 0.2, 1e-4
	train, _ := planted(t, 6, 100, 6)
	edges, v := labelgraph.AllPairs(6), make([]float64, labelgraph.NumPairs(6))
	o := NewObjective(train, Scaler{}, lambda)
	o.Beta = beta
	before := math.Inf(1)
	var m *Model
	for range 5 {
		var err error
		m, _, err = CCCPStep{Lambda: lambda, Beta: beta, V: v, Settings: Settings{Gap: gap}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		now := o.Regularized(m)
		if now > before*(1+2*gap) {
			t.Errorf("the objective rises from %v to %v", before, now)
		}
		before = now
		weights := make([]float64, len(edges))
		for k, e := range edges {
			weights[k] = m.Graph().Weight(e)
		}
		new(envelope.Regularizer).SubgradientTo(v, 6, edges, weights)
	}
	if !labelgraph.IsForest(6, m.Edges) {
		t.Errorf("%v has a cycle", m.Edges)
	}
}

func TestConvexStepSettings(t *testing.T) {
	train, _ := planted(t, 4, 20, 1)
	for _, step := range []CCCPStep{
		{Beta: -1}, {Beta: math.NaN()}, {Beta: math.Inf(1)}, {V: make([]float64, 5)}, {V: []float64{0, 0, 0, 0, 0, math.NaN()}},
	} {
		if _, _, err := step.Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v", step, err)
		}
	}
}
