package crankpkg

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// gainProblem returns the candidates of a training that has joined some labels,
// its components solved to the given gap only.
func gainProblem(t *testing.T, rng *rand.Rand, gap float64, set Settings) *candidates {
	t.Helper()
	x, y := testkit.RandomExamples(rng, 30, 3, 5, rng.IntN(2) == 0)
	ds := &Dataset{Name: "random", FeatureNames: numberedNames("x", 3), LabelNames: numberedNames("y", 5), X: x, Y: y}
	set.Workers, set.Seed = 1, rng.Uint64()
	training, err := newTraining(context.Background(), Greedy{Lambda: 0.02 + 0.1*rng.Float64(), Settings: set}, ds)
	if err != nil {
		t.Fatal(err)
	}
	c, _, _ := newCandidates(training, gap)
	for range rng.IntN(3) {
		c.add(c.list[rng.IntN(len(c.list))])
	}
	return c
}

// objectiveWith returns bounds on the optimum of the labels of k's components
// with its edge, closely.
func (c *candidates) objectiveWith(t *testing.T, k *edgeGain) (before float64, after solver.Bounds) {
	t.Helper()
	a, b := c.of[k.edge.I], c.of[k.edge.J]
	before = a.Bounds.Primal
	joined := a
	if a == b {
		joined = a.With(k.edge)
	} else {
		before += b.Bounds.Primal
		joined = solver.Join(c.t.problem, a, b, &k.edge)
	}
	after, status := joined.Solver.Solve(context.Background(), solver.StopRule{Gap: 1e-3, Workers: 1})
	if status != Converged {
		t.Fatal(status)
	}
	return before, after
}

// TestGainBound holds the upper bound on the gain of every candidate against what
// its edge gains, from components that are far from solved: their gaps count.
func TestGainBound(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]Settings{
		"scalars":           {},
		"vectors":           {EdgeFeatures: EdgeFeatures{All: true}},
		"loss is no sum":    {Loss: Loss{Hamming: 0.5, ZeroOne: 0.5}},
		"vectors, zero-one": {Loss: Loss{ZeroOne: 1}, EdgeFeatures: EdgeFeatures{Columns: []int{1}}},
	} {
		rng := rand.New(rand.NewPCG(16, 1))
		tight := 0
		for _, gap := range []float64{0.5, 0.3, 0.1, 0.01} {
			c := gainProblem(t, rng, gap, set)
			for _, k := range c.list {
				if now := solver.GainBound(c.of[k.edge.I], c.of[k.edge.J], k.edge); k.bound != now {
					t.Errorf("%s: the bound of %v is %v, but by the present components %v", name, k.edge, k.bound, now)
				}
				before, after := c.objectiveWith(t, k)
				if gain := before - after.Primal; k.bound < gain-1e-9 {
					t.Errorf("%s, components to gap %v: %v gains %v, above its bound %v", name, gap, k.edge, gain, k.bound)
				}
				if before-after.Dual > k.bound/2 {
					tight++
				}
			}
		}
		if tight == 0 {
			t.Errorf("%s: no bound is within twice the gain: the test is too easy", name)
		}
	}
}
