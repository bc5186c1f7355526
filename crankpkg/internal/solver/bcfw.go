package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/vec"
)

// StopRule says when a solve ends, and who is told on the way.
type StopRule struct {
	Gap    float64 // relative
	Passes int     // zero: no limit
	Early  bool    // a quarter of the passes is enough where the gap is hopeless
	// Next, where not zero, is the gap of a solve that sets out from this one's end. Where the
	// interior point method does not apply and Next is out of reach, neither is worth its end.
	Next     float64
	Deadline time.Time
	Workers  int
	Shards   int // below two: one example after the other
	Seed     uint64
	// Record, where not nil, is told every certificate.
	Record func(Bounds)
	// EveryPass, where not nil, is told the bounds after every pass.
	EveryPass func(Bounds)
	// Prune, where not nil, ends the solve with NoProgress when it holds.
	Prune func(Bounds) bool
	// Beyond, where not zero, ends the solve with NoProgress once the dual has come to it;
	// the primal then is unknown, +Inf.
	Beyond float64
	// over reports, while a solve is under way, that it has to stop.
	over func() bool
	// team, where not nil, makes the passes of a solve under way.
	team *shards
}

// The rhythm of a solve, chosen by CPU time to gaps of 1 % and 0.1 % on Yeast
// and Scene, on chains and on all pairs, at lambda = 1/M and 0.0067: cached
// passes end when the cached gap has halved, after ten at the latest. Fewer
// leave what the oracle has found unused, more work on stale labelings.
const (
	cachedShare  = 0.5
	cachedPasses = 10
	// A cached pass leaves out examples whose gap, as last seen, is below this
	// share of the average.
	skipShare = 0.1
	// The gaps of a pass are from before each example's steps; a certificate after
	// the pass finds about this much less. Waiting for the full promise takes 5
	// to 35 % longer on Yeast and Scene.
	promiseShare = 1.3
	stalePasses  = 10  // oracle passes without a certificate
	overEvery    = 256 // visits between two looks at the clock
)

// Solve runs block-coordinate Frank-Wolfe until the relative gap is certified.
// It takes turns: a pass of visits with an oracle call each, then passes over
// the labelings found so far, which cost far less; and, once the gaps seen on
// the way promise it, a certificate. Only a certificate ends a solve.
func (s *Solver) Solve(ctx context.Context, rule StopRule) (Bounds, Status) {
	rng := rand.New(rand.NewPCG(rule.Seed, 0x9e3779b97f4a7c15))
	fresh := s.loss == 0
	begin := s.passes
	s.gapAsked = rule.Gap
	rule.over = func() bool {
		return ctx.Err() != nil || (!rule.Deadline.IsZero() && time.Now().After(rule.Deadline)) ||
			(rule.Passes > 0 && s.passes-begin >= rule.Passes)
	}
	rule.team = s.share(rule.Shards)
	turn := s.newInteriorTurn(&rule)
	var still standstill
	for {
		if rule.Beyond > 0 && s.dual() >= rule.Beyond {
			return Bounds{Primal: math.Inf(1), Dual: s.dual()}, NoProgress
		}
		if !fresh {
			b := s.certify(rule.Workers)
			if rule.Record != nil {
				rule.Record(b)
			}
			if status := rule.status(ctx, b, s.passes-begin); status != NotConverged {
				return b, status
			}
			stuck := still.at(b.Dual)
			hopeless := rule.Early && (turn.hopeless(b, rule.Passes) || turn.vain(b, &rule))
			switch {
			case turn.due(b, stuck || hopeless, rule.Early && turn.late(rule.Passes)):
				turn.take(&rule)
				still = standstill{}
				continue
			case stuck:
				return b, NoProgress
			case hopeless:
				return b, PassLimit
			}
			s.cached(rng, &rule, b.Primal-b.Dual)
		}
		fresh = false
		s.stepUntil(rng, &rule)
	}
}

// standstill notices that rounding errors have left a dual nothing to gain.
type standstill struct {
	best  float64
	times int
	begun bool
}

// at is told the dual of each certificate, and reports whether it has not risen
// for three of them (or is not a number).
func (s *standstill) at(dual float64) bool {
	if s.begun && !(dual > s.best+1e-14*math.Abs(s.best)) {
		s.times++
	} else {
		s.best, s.times = dual, 0
	}
	s.begun = true
	return s.times >= 3
}

// status says why, if at all, a solve has to stop at these bounds.
func (r *StopRule) status(ctx context.Context, b Bounds, passes int) Status {
	switch {
	case b.Gap() <= r.Gap:
		return Converged
	case ctx.Err() != nil:
		return Cancelled
	case !r.Deadline.IsZero() && time.Now().After(r.Deadline):
		return TimeLimit
	case r.Passes > 0 && passes >= r.Passes:
		return PassLimit
	case r.Prune != nil && r.Prune(b):
		return NoProgress
	}
	return NotConverged
}

// stepUntil does passes until the gaps as they were seen on the way say that a
// certificate is worth its pass.
func (s *Solver) stepUntil(rng *rand.Rand, rule *StopRule) {
	for range stalePasses {
		gap := s.pass(rng, rule, true)
		if rule.Beyond > 0 && s.dual() >= rule.Beyond {
			return
		}
		if dual := s.dual(); gap <= promiseShare*rule.Gap*(gap+dual) || rule.over() {
			return
		}
		s.cached(rng, rule, gap)
	}
}

// cached does passes without oracle calls until little is left of the gap that
// the labelings found so far account for.
func (s *Solver) cached(rng *rand.Rand, rule *StopRule, gap float64) {
	for range cachedPasses {
		if s.pass(rng, rule, false) <= cachedShare*gap || rule.over() || rule.Beyond > 0 && s.dual() >= rule.Beyond {
			return
		}
	}
}

// pass visits the examples in random order and returns the sum of their gaps
// as they were when visited, divided by M.
func (s *Solver) pass(rng *rand.Rand, rule *StopRule, callOracle bool) float64 {
	rng.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	var sum float64
	skip := skipShare * s.lastGap / float64(s.m)
	if rule.team != nil {
		sum = rule.team.pass(callOracle, skip, rule)
	} else {
		sum = s.visitAll(s.order, callOracle, skip, rule)
	}
	s.lastGap = sum
	s.passes++
	if rule.EveryPass != nil {
		start := time.Now()
		b := s.Clone().bounds(rule.Workers, false) // of a copy, since the order of the edges in our graph depends on when it is brought up to date
		s.offClock += time.Since(start)
		rule.EveryPass(b)
	}
	return sum * s.step
}

// cachedEntries is for how many labels of all examples together their labelings are likely to stay in the caches.
const cachedEntries = 1 << 19

// prefetch asks for what the visits after that of the first of the examples read: the labelings of the next one, the list
// of those of the one behind it, and of the third where that list is. One after the other, they would be waited for.
func (s *Solver) prefetch(examples []int32, callOracle bool, skip float64) {
	if len(examples) <= 3 {
		return
	}
	vec.Prefetch(&s.ex[examples[3]])
	second := s.ex[examples[2]].atoms
	for k := range second {
		vec.Prefetch(&second[k])
	}
	if next := &s.ex[examples[1]]; callOracle || next.gap > skip {
		for k := range next.atoms {
			next.atoms[k].labels.prefetch()
			next.atoms[k].pairs.prefetch()
		}
	}
}

// visitAll visits examples, without an oracle only those whose gap as last seen
// is above skip, and returns the sum of their gaps.
func (s *Solver) visitAll(examples []int32, callOracle bool, skip float64, rule *StopRule) float64 {
	var sum float64
	for k, m := range examples {
		if k%overEvery == overEvery-1 && rule.over() {
			break
		}
		if s.prefetches {
			s.prefetch(examples[k:], callOracle, skip)
		}
		if callOracle || s.ex[m].gap > skip {
			s.visit(int(m), callOracle)
		}
		sum += s.ex[m].gap
	}
	return sum
}
