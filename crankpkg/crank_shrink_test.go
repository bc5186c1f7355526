package crankpkg

import (
	"context"
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
		s := newSolver(generalProblem(rng, 10, 2, n, false, Loss{}, f), randomEdges(n, 0.4, rng), 0.1)
		k := s.pw.k
		start := &crankStart{solver: s, v: make([]float64, len(s.pw.w))}
		want := make(map[Edge][]float64)
		for e, edge := range s.pairs.edges {
			for q := range k {
				start.v[e*k+q] = float64(rng.IntN(3) - 1)
			}
			want[edge] = slices.Clone(start.v[e*k : (e+1)*k])
			kept++
		}
		u, beta := randomWeights(NumPairs(n)*k, seed), 0.5+rng.Float64()
		more := false
		for _, edge := range AllPairs(n) {
			if _, used := want[edge]; used {
				continue
			}
			for _, v := range u[edge.Index()*k : (edge.Index()+1)*k] {
				if math.Abs(v) > beta {
					want[edge], more = make([]float64, k), true
				}
			}
		}
		if got := start.admit(u, beta); got != more {
			t.Fatalf("seed %d: admits %v, want %v", seed, got, more)
		}
		if len(s.pairs.edges) != len(want) || len(start.v) != len(want)*k {
			t.Fatalf("seed %d: %d pairs and %d values of v, want %d pairs", seed, len(s.pairs.edges), len(start.v), len(want))
		}
		for e, edge := range s.pairs.edges {
			if v := start.v[e*k : (e+1)*k]; !slices.Equal(v, want[edge]) {
				t.Errorf("seed %d, pair %v: v = %v, want %v", seed, edge, v, want[edge])
			}
		}
	}
	if kept == 0 {
		t.Error("no pair was there before")
	}
}

// TestShrinkEndsWhereItShould looks at the steps of a single start: beta falls as
// long as the support is a forest that does not span all labels, and no further.
func TestShrinkEndsWhereItShould(t *testing.T) {
	t.Parallel()
	spanning := 0
	for seed := range uint64(8) {
		const n = 5
		train, _ := planted(t, n, 60, seed)
		method := CRANK{Lambda: 0.02, Restarts: 1, Path: ShrinkBeta, Growth: 1.3, Settings: Settings{Gap: 0.1}}
		_, trace, err := method.Train(context.Background(), train)
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
				t.Errorf("seed %d: beta falls below %v, although the support was %v of circuit rank %d", seed, step.Beta, step.Edges, step.CircuitRank)
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
