package infer

import (
	"math"
	"math/rand/v2"
	"testing"
)

// slackDual maximizes the dual of SlackHinge over all labelings in halves by coordinate
// ascent: h to the precision of so many sweeps, and never more.
func slackDual(g *PairGraph, c []float64, truth []uint8, cost []float64, labelings []Labeling) float64 {
	zero := make(Labeling, len(c))
	zero.Set(truth)
	base := zero.Value(g, c)
	slack, weights := make([]float64, len(c)), make([]float64, len(labelings))
	var value float64
	for range 100000 {
		var most float64
		value = 0
		for k, y := range labelings {
			v, curvature := y.Value(g, c)-base, 0.0
			gain := v
			for i := range c {
				by := math.Abs(float64(y[i])/2 - float64(truth[i]))
				v += by
				gain += by * (1 - slack[i])
				curvature += by * by / (2 * cost[i])
			}
			if curvature == 0 {
				continue
			}
			next := max(0, weights[k]+gain/curvature)
			delta := next - weights[k]
			most = max(most, math.Abs(delta)*curvature)
			weights[k] = next
			for i := range c {
				slack[i] += delta * math.Abs(float64(y[i])/2-float64(truth[i])) / (2 * cost[i])
			}
			value += next * v
		}
		if most < 1e-11 {
			break
		}
	}
	for i, xi := range slack {
		value -= cost[i] * xi * xi
	}
	return value
}

// TestSlackHingeBruteForce holds the hinge, from above, to its dual over all labelings.
func TestSlackHingeBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(23, 1))
	for round := range 150 {
		n := 1 + rng.IntN(4)
		cyclic := round%2 == 0
		g := randomGraph(rng, n, cyclic, []float64{0.2, 1, 4}[rng.IntN(3)])
		labelings := AllLabelings(n)
		if cyclic {
			labelings = AllHalfLabelings(n)
		}
		c, truth, cost := make([]float64, n), make([]uint8, n), make([]float64, n)
		h := NewSlackHinge(g)
		for range 3 {
			for i := range n {
				c[i], truth[i], cost[i] = 2*rng.NormFloat64(), uint8(rng.IntN(2)), math.Exp(rng.NormFloat64())
			}
			h.Begin(c, truth, cost)
			got, want := h.Value(1e-9), slackDual(g, c, truth, cost, labelings)
			if !(math.Abs(got-want) <= 1e-6*(1+want)) || got < want*(1-1e-9) {
				t.Fatalf("round %d: hinge %v, brute force %v", round, got, want)
			}
		}
	}
}

// TestSlackHingeOfSingleLabels has pairs of so little weight that they change nothing: the
// hinge is the sum of those of the labels.
func TestSlackHingeOfSingleLabels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(23, 2))
	for _, n := range []int{1, 5, 40} {
		g := randomGraph(rng, n, n < 40, 1e-13)
		h := NewSlackHinge(g)
		c, truth, cost := make([]float64, n), make([]uint8, n), make([]float64, n)
		var want float64
		for i := range n {
			c[i], truth[i], cost[i] = rng.NormFloat64(), uint8(rng.IntN(2)), rng.Float64()+0.1
			z := max(0, 1-c[i]*(2*float64(truth[i])-1))
			want += cost[i] * z * z
		}
		h.Begin(c, truth, cost)
		if got := h.Value(1e-9); !(math.Abs(got-want) <= 1e-8*want) {
			t.Errorf("%d labels: %v, want %v", n, got, want)
		}
	}
}

// TestSlackHingeNeverBelow cuts the search short: the value may only be larger. What is
// known of the labelings changes nothing but the time.
func TestSlackHingeNeverBelow(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(23, 3))
	for range 60 {
		n := 3 + rng.IntN(5)
		g := randomGraph(rng, n, rng.IntN(2) == 0, 1)
		h := NewSlackHinge(g)
		c, truth, cost := make([]float64, n), make([]uint8, n), make([]float64, n)
		for i := range n {
			c[i], truth[i], cost[i] = rng.NormFloat64(), uint8(rng.IntN(2)), rng.Float64()+0.1
		}
		h.Begin(c, truth, cost)
		want := h.Value(1e-10)
		for _, relative := range []float64{0.1, 1e-3} {
			h.Begin(c, truth, cost)
			h.Know(-1, rng.Float64())
			h.Differ(0, 1)
			h.Differ(1, 0.5)
			if got := h.Value(relative); got < want*(1-1e-9) || got > want*(1+1.1*relative)+1e-9 {
				t.Errorf("to %v: %v, the hinge is %v", relative, got, want)
			}
		}
	}
}

func TestSlackHingeAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 4))
	g := randomGraph(rng, 12, false, 1)
	h := NewSlackHinge(g)
	c, truth, cost := make([]float64, 12), make([]uint8, 12), make([]float64, 12)
	for i := range c {
		c[i], cost[i] = rng.NormFloat64(), 1
	}
	value := func() {
		h.Begin(c, truth, cost)
		h.Value(1e-6)
	}
	if got := testing.AllocsPerRun(20, value); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
