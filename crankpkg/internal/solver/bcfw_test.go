package solver

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// overshoot is how many passes a solve may do beyond the one in which it is to
// end: one that follows the cached passes, and the certificate.
const overshoot = 2

// limitedSolver returns a solver that is far from its optimum, new or with
// passes behind it.
func limitedSolver(seed uint64, warm bool) *Solver {
	rng := rand.New(rand.NewPCG(seed, 21))
	s := New(randomTraining(rng, 40, 4, 5, seed%2 == 0), labelgraph.AllPairs(5), 1e-4)
	if warm {
		s.Solve(context.Background(), StopRule{Gap: 0.3, Passes: 3, Seed: seed, Workers: 1})
		s.SetPenalty(0.01, nil)
	}
	return s
}

// TestLimitsEndASolve counts the passes of solves that cannot reach their gap.
func TestLimitsEndASolve(t *testing.T) {
	t.Parallel()
	past := time.Now().Add(-time.Hour)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for seed := range uint64(4) {
		for _, warm := range []bool{false, true} {
			solve := func(ctx context.Context, rule StopRule, want Status, limit int) {
				t.Helper()
				s := limitedSolver(seed, warm)
				before := s.passes
				rule.Gap, rule.Seed, rule.Workers = 1e-12, seed, 1
				_, status := s.Solve(ctx, rule)
				if passes := s.passes - before; status != want || passes > limit+overshoot || passes < min(limit, 1) {
					t.Errorf("seed %d, warm %v: %s after %d passes, want %s after %d to %d", seed, warm, status, passes, want, limit, limit+overshoot)
				}
			}
			for limit := 1; limit <= 6; limit++ {
				solve(context.Background(), StopRule{Passes: limit}, PassLimit, limit)
				ctx, cancel := context.WithCancel(context.Background())
				told := 0
				solve(ctx, StopRule{EveryPass: func(Bounds) {
					if told++; told == limit {
						cancel()
					}
				}}, Cancelled, limit+1) // the certificate that begins a warm solve is no pass that is told
				cancel()
			}
			solve(context.Background(), StopRule{Deadline: past}, TimeLimit, 0)
			solve(cancelled, StopRule{}, Cancelled, 0)
		}
	}
}

// TestBeyondEndsASolve runs solves that are to end at a dual on the way to the optimum, which they
// do once they have come to it, and at one above, which changes nothing.
func TestBeyondEndsASolve(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		for _, warm := range []bool{false, true} {
			solve := func(beyond float64) (*Solver, Bounds, Status) {
				s := limitedSolver(seed, warm)
				b, status := s.Solve(context.Background(), StopRule{Gap: 0.01, Seed: seed, Workers: 1, Beyond: beyond})
				return s, b, status
			}
			plain, want, _ := solve(0)
			for _, part := range []float64{0.3, 0.7, 0.95} {
				s, b, status := solve(part * want.Dual)
				if status != NoProgress || b.Dual < part*want.Dual || b.Dual != s.dual() || s.passes > plain.passes {
					t.Errorf("seed %d, warm %v: %s at %v after %d passes, asked for %v", seed, warm, status, b, s.passes, part*want.Dual)
				}
			}
			if s, b, status := solve(2 * want.Primal); b != want || status != Converged || s.passes != plain.passes || s.calls != plain.calls {
				t.Errorf("seed %d, warm %v: %s at %v, without a dual to stop at %v", seed, warm, status, b, want)
			}
		}
	}
}

// TestPrefetchChangesNothing trains with and without it, where examples have several labelings or one, in orders of few
// examples and of many.
func TestPrefetchChangesNothing(t *testing.T) {
	t.Parallel()
	for _, m := range []int{1, 3, 4, 60} {
		rng := rand.New(rand.NewPCG(uint64(m), 31))
		p := randomTraining(rng, m, 5, 4, true)
		var weights [2][]float64
		for k := range weights {
			s := New(p, labelgraph.AllPairs(4), 0.05)
			if s.prefetches {
				t.Error("few entries are waited for")
			}
			s.prefetches = k == 1
			s.Solve(context.Background(), StopRule{Gap: 1e-3, Seed: 1, Workers: 1})
			weights[k] = slices.Concat(s.unary.w, s.unary.bias, s.pw.w)
		}
		if !slices.Equal(weights[0], weights[1]) {
			t.Errorf("%d examples: %v, not %v", m, weights[1], weights[0])
		}
	}
}
