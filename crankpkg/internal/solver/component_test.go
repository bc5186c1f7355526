package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// looseComponents returns the component of each label, of which some are joined,
// solved to the given gap only.
func looseComponents(rng *rand.Rand, p *Problem, lambda, gap float64) []*Component {
	of := make([]*Component, p.n)
	for i, b := range NewSVMs(p, lambda, rng.Uint64()) {
		b.Solve(gap, 1000, never)
		of[i] = NewLabelComponent(p, i, b)
	}
	for range rng.IntN(3) {
		edges := apart(of)
		edge := edges[rng.IntN(len(edges))]
		joined := Join(p, of[edge.I], of[edge.J], &edge)
		b, _ := joined.Solver.Solve(context.Background(), StopRule{Gap: gap, Workers: 1})
		joined.Settle(b)
		for _, i := range joined.Labels {
			of[i] = joined
		}
	}
	return of
}

// apart returns the pairs of labels in different components.
func apart(of []*Component) []labelgraph.Edge {
	var edges []labelgraph.Edge
	for _, e := range labelgraph.AllPairs(len(of)) {
		if of[e.I] != of[e.J] {
			edges = append(edges, e)
		}
	}
	return edges
}

// TestGainBoundIsLeastDualFall computes the bound from the corners of the tables
// of the joint marginals: no choice of these makes it smaller.
func TestGainBoundIsLeastDualFall(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(16, 2))
	open := 0
	for round := range 12 {
		p, lambda := randomTraining(rng, 30, 3, 5, rng.IntN(2) == 0), 0.02+0.1*rng.Float64()
		of := looseComponents(rng, p, lambda, []float64{0.5, 0.2, 0.05}[round%3])
		for _, e := range apart(of) {
			a, b := of[e.I], of[e.J]
			joined := Join(p, a, b, nil) // of the same marginals
			lowest, highest := frechetRange(joined.Solver, joined.Solver.marginals(), localEdge(joined, e))
			u := math.Max(lowest, math.Min(highest, 0))
			if u != 0 {
				open++
			}
			want := a.Bounds.Primal - a.Bounds.Dual + b.Bounds.Primal - b.Bounds.Dual + u*u/(2*lambda)
			if got := GainBound(a, b, e); !testkit.Near(got, want, 1e-9) {
				t.Errorf("round %d, %v: bound %v, want %v with u in [%v, %v]", round, e, got, want, lowest, highest)
			}
		}
	}
	if open == 0 {
		t.Error("all marginals allow u = 0: nothing is tested")
	}
}

// localEdge returns the edge between the labels of c that are e's.
func localEdge(c *Component, e labelgraph.Edge) labelgraph.Edge {
	local := labelgraph.Edge{I: -1, J: -1}
	for i, label := range c.Labels {
		switch label {
		case e.I:
			local.I = i
		case e.J:
			local.J = i
		}
	}
	return local
}
