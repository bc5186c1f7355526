package crankpkg

import (
	"context"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAdmit checks by pair what joins, and that the pairs that were there keep
// their v, whatever comes between them.
func TestAdmit(t *testing.T) {
	t.Parallel()
	kept := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 18))
		n := 2 + rng.IntN(5)
		f := EdgeFeatures{}
		if seed%2 == 0 {
			f.All = true
		}
		s := solver.New(generalProblem(rng, 10, 2, n, false, Loss{}, f), testkit.RandomEdges(n, 0.4, rng), 0.1)
		k := s.pw.k
		v := make([]float64, len(s.pw.w))
		want := make(map[Edge][]float64)
		for e, edge := range s.pairs.edges {
			for q := range k {
				v[e*k+q] = float64(rng.IntN(3) - 1)
			}
			want[edge] = slices.Clone(v[e*k : (e+1)*k])
			kept++
		}
		u, beta := randomWeights(labelgraph.NumPairs(n)*k, seed), 0.5+rng.Float64()
		more := false
		for _, edge := range labelgraph.AllPairs(n) {
			if _, used := want[edge]; used {
				continue
			}
			for _, v := range u[edge.Index()*k : (edge.Index()+1)*k] {
				if math.Abs(v) > beta {
					want[edge], more = make([]float64, k), true
				}
			}
		}
		v, got := s.Admit(u, beta, v)
		if got != more {
			t.Fatalf("seed %d: admits %v, want %v", seed, got, more)
		}
		if len(s.pairs.edges) != len(want) || len(v) != len(want)*k {
			t.Fatalf("seed %d: %d pairs and %d values of v, want %d pairs", seed, len(s.pairs.edges), len(v), len(want))
		}
		for e, edge := range s.pairs.edges {
			if v := v[e*k : (e+1)*k]; !slices.Equal(v, want[edge]) {
				t.Errorf("seed %d, pair %v: v = %v, want %v", seed, edge, v, want[edge])
			}
		}
	}
	if kept == 0 {
		t.Error("no pair was there before")
	}
}

// TestShrinkEndsWhereItShould looks at the steps of a single start: beta falls by
// the factor asked for as long as the support is a forest that does not span all
// labels, and no further.
func TestShrinkEndsWhereItShould(t *testing.T) {
	t.Parallel()
	spanning := 0
	for seed := range uint64(8) {
		const n = 5
		train, _ := planted(t, n, 60, seed)
		_, trace, err := CRANK{Lambda: 0.02, Restarts: 1, Path: ShrinkBeta, Growth: 1.3, Settings: Settings{Gap: 0.1}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		for k, step := range trace.Steps {
			last := k == len(trace.Steps)-1
			if !last && trace.Steps[k+1].Beta == step.Beta {
				continue // more rounds at this beta
			}
			done := step.CircuitRank > 0 || len(step.Edges) == n-1
			if done && !last {
				t.Errorf("seed %d: beta falls to %v, although at %v the support was %v of circuit rank %d", seed, trace.Steps[k+1].Beta, step.Beta, step.Edges, step.CircuitRank)
			}
			if last && !done {
				t.Errorf("seed %d: beta stays at %v, although the support is %v", seed, step.Beta, step.Edges)
			}
			if done && step.CircuitRank == 0 {
				spanning++
			}
		}
	}
	if spanning < 3 {
		t.Errorf("%d of 8 supports came to span all labels: too few", spanning)
	}
}
