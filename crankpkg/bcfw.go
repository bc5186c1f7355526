package crankpkg

import (
	"context"
	"math/rand/v2"
	"time"
)

// stopRule says when a solve ends.
type stopRule struct {
	gap      float64
	passes   int
	deadline time.Time
	workers  int
	seed     uint64
	// record, where not nil, is told every certificate.
	record func(bounds)
	// prune, where not nil, ends the solve with NoProgress when it holds.
	prune func(bounds) bool
}

var debugSolve func(format string, args ...any)

// solve runs block-coordinate Frank-Wolfe until the relative gap is certified.
func (s *solver) solve(ctx context.Context, rule stopRule) (bounds, Status) {
	rng := rand.New(rand.NewPCG(rule.seed, 0x9e3779b97f4a7c15))
	fresh := s.loss == 0
	begin := s.passes
	for {
		if !fresh {
			b := s.certify(rule.workers)
			if debugSolve != nil {
				debugSolve("certify: passes %d calls %d primal %.6f dual %.6f gap %.4f", s.passes, s.calls, b.primal, b.dual, b.gap())
			}
			if rule.record != nil {
				rule.record(b)
			}
			switch {
			case b.gap() <= rule.gap:
				return b, Converged
			case ctx.Err() != nil:
				return b, Cancelled
			case !rule.deadline.IsZero() && time.Now().After(rule.deadline):
				return b, TimeLimit
			case rule.passes > 0 && s.passes-begin >= rule.passes:
				return b, PassLimit
			case rule.prune != nil && rule.prune(b):
				return b, NoProgress
			}
			s.cachedPasses(rng, b.primal-b.dual)
		}
		fresh = false
		s.stepUntil(ctx, rule, rng)
	}
}

// stepUntil does passes with steps until the stale gaps say that a
// certificate is worth its pass.
func (s *solver) stepUntil(ctx context.Context, rule stopRule, rng *rand.Rand) {
	for k := 0; ctx.Err() == nil; k++ {
		gap := s.pass(rng, true)
		dual := s.dual()
		if debugSolve != nil {
			debugSolve("oracle pass: %d dual %.6f stale gap %.4f", s.passes, dual, gap/(gap+dual))
		}
		if gap/(gap+dual) <= rule.gap || k >= 10 {
			return
		}
		s.cachedPasses(rng, gap)
	}
}

var cachedFactor, cachedMax = 0.5, 10

func (s *solver) cachedPasses(rng *rand.Rand, gap float64) {
	for range cachedMax {
		g := s.pass(rng, false)
		if debugSolve != nil {
			debugSolve("   cached pass: gap %.6f of %.6f", g, gap)
		}
		if g <= cachedFactor*gap {
			return
		}
	}
}

// pass visits the examples in random order and returns the sum of their gaps
// as they were when visited, divided by M.
func (s *solver) pass(rng *rand.Rand, callOracle bool) float64 {
	rng.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	var sum float64
	for _, m := range s.order {
		s.visit(int(m), callOracle)
		sum += s.ex[m].gap
	}
	s.passes++
	return sum * s.step
}
