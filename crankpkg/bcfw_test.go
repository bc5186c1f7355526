package crankpkg

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
)

// overshoot is how many passes a solve may do beyond the one in which it is to
// end: one that follows the cached passes, and the certificate.
const overshoot = 2

// limitedSolver returns a solver that is far from its optimum, new or with
// passes behind it.
func limitedSolver(seed uint64, warm bool) *solver {
	rng := rand.New(rand.NewPCG(seed, 21))
	s := newSolver(randomTraining(rng, 40, 4, 5, seed%2 == 0), AllPairs(5), 1e-4)
	if warm {
		s.solve(context.Background(), stopRule{gap: 0.3, passes: 3, seed: seed, workers: 1})
		s.setPenalty(0.01, nil)
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
			solve := func(ctx context.Context, rule stopRule, want Status, limit int) {
				t.Helper()
				s := limitedSolver(seed, warm)
				before := s.passes
				rule.gap, rule.seed, rule.workers = 1e-12, seed, 1
				_, status := s.solve(ctx, rule)
				if passes := s.passes - before; status != want || passes > limit+overshoot || passes < min(limit, 1) {
					t.Errorf("seed %d, warm %v: %s after %d passes, want %s after %d to %d", seed, warm, status, passes, want, limit, limit+overshoot)
				}
			}
			for limit := 1; limit <= 6; limit++ {
				solve(context.Background(), stopRule{passes: limit}, PassLimit, limit)
				ctx, cancel := context.WithCancel(context.Background())
				told := 0
				solve(ctx, stopRule{everyPass: func(bounds) {
					if told++; told == limit {
						cancel()
					}
				}}, Cancelled, limit+1) // the certificate that begins a warm solve is no pass that is told
				cancel()
			}
			solve(context.Background(), stopRule{deadline: past}, TimeLimit, 0)
			solve(cancelled, stopRule{}, Cancelled, 0)
		}
	}
}

// TestMaxPassesHoldsForEachSolve counts the passes of every solve of the methods
// that do several, each from where the last one ended.
func TestMaxPassesHoldsForEachSolve(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 6, 60, 6)
	for _, limit := range []int{1, 2, 4} {
		set := Settings{Gap: 1e-9, MaxPasses: limit, Workers: 1}
		for _, tr := range []Trainer{
			Full{Settings: set}, Project{Settings: set}, ChowLiu{Settings: set}, FixedGraph{Settings: set, Edges: AllPairs(6)[:7]},
			CRANK{Settings: set, Restarts: 1, Path: GrowBeta}, CRANK{Settings: set, Restarts: 1, Path: ShrinkBeta}, Empty{Settings: set},
		} {
			_, trace, err := tr.WithLambda(1e-6).Train(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			before, solves := 0, 0
			for k, p := range trace.Points {
				if k+1 < len(trace.Points) && trace.Points[k+1].Solve == p.Solve {
					continue
				}
				solves++
				spent := p.Pass - before
				if solves == 1 && trace.Steps != nil {
					spent -= limit + overshoot // CRANK's first point includes what all starts share
				}
				if spent > limit+overshoot {
					t.Errorf("%s, MaxPasses %d: %d in solve %d", tr.Name(), limit, spent, p.Solve)
				}
				before = p.Pass
			}
		}
	}
}
