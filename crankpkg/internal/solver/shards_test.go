package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestShardsState solves with shards, changes what can change between solves,
// and checks that the dual point is what the weights follow from, and that the
// certified interval meets that of a solve without shards.
func TestShardsState(t *testing.T) {
	t.Parallel()
	losses, features := generalSettings()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 4))
		p := generalProblem(rng, 40, 3, 4, seed%2 == 0, losses[seed%4], features[seed/3])
		s, other := New(p, labelgraph.AllPairs(4), 0.05), New(p, labelgraph.AllPairs(4), 0.05)
		v := make([]float64, len(s.pw.w))
		for e := range v {
			v[e] = float64(rng.IntN(2))
		}
		compare := func(what string) {
			t.Helper()
			got, status := s.Solve(context.Background(), StopRule{Gap: 5e-4, Seed: seed, Workers: 2, Shards: 2 + int(seed%3)})
			want, _ := other.Solve(context.Background(), StopRule{Gap: 5e-4, Seed: seed, Workers: 1})
			if status != Converged || got.Primal < want.Dual-1e-12 || want.Primal < got.Dual-1e-12 {
				t.Errorf("seed %d, %s: %s within [%v, %v], without shards [%v, %v]", seed, what, status, got.Dual, got.Primal, want.Dual, want.Primal)
			}
			checkState(t, s)
		}
		compare("all pairs")
		s.SetPenalty(0.03, v)
		other.SetPenalty(0.03, v)
		compare("a penalty")
		tree := labelgraph.RandomTree(4, rng)
		for _, s := range []*Solver{s, other} {
			s.SetPenalty(0, nil)
			s.SetEdges(tree)
			s.SetLambda(0.02)
		}
		compare("a tree")
		s.SetLambda(0.05)
		other.SetLambda(0.05)
		compare("another lambda")
	}
}

// TestShardsDual follows the dual from pass to pass. With sigma at the number of
// shards it does not fall, not even where all examples are the same one and so
// all shards move alike; a sigma too small for that grows. After each pass all
// shards have the weights of the whole.
func TestShardsDual(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 8))
		p := randomTraining(rng, 90, 4, 5, false)
		if alike := seed%2 == 0; alike {
			for m := range p.x.NumRows {
				copy(p.x.Row(m).Value, p.x.Row(0).Value)
				copy(p.y[m*p.n:(m+1)*p.n], p.y[:p.n])
				p.norm[m] = p.norm[0]
			}
		}
		for _, count := range []int{2, 3, 8} {
			s := New(p, labelgraph.AllPairs(5), 0.02)
			rule := &StopRule{Workers: 1, over: func() bool { return false }}
			rule.team = s.share(count)
			if seed < 4 {
				rule.team.setSigma(float64(count))
			}
			before := 0.0
			for pass := range 40 {
				sigma := rule.team.sigma
				s.pass(rng, rule, pass%4 == 0)
				dual := s.dual()
				fell := dual < before-tolerance(before)
				if fell && (sigma == float64(count) || rule.team.sigma <= sigma) {
					t.Errorf("seed %d, %d shards, sigma %v then %v: the dual fell from %v to %v", seed, count, sigma, rule.team.sigma, before, dual)
				}
				before = dual
				checkMet(t, s)
			}
			if b := s.certify(1); b.Primal < b.Dual || math.IsNaN(b.Primal) {
				t.Errorf("primal %v below dual %v", b.Primal, b.Dual)
			}
			checkState(t, s)
		}
	}
}

func checkMet(t *testing.T, s *Solver) {
	t.Helper()
	for k, part := range s.shards.parts {
		if !slices.Equal(part.unary.w, s.unary.w) || !slices.Equal(part.unary.bias, s.unary.bias) ||
			!slices.Equal(part.pw.u, s.pw.u) || !slices.Equal(part.pw.w, s.pw.w) {
			t.Fatalf("shard %d has not the weights of the whole", k)
		}
	}
}

// TestShardsSigmaGrows has steps that are far too long at first.
func TestShardsSigmaGrows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 8))
	s := New(randomTraining(rng, 90, 4, 5, false), labelgraph.AllPairs(5), 0.02)
	rule := &StopRule{Workers: 1, over: func() bool { return false }}
	rule.team = s.share(8)
	rule.team.setSigma(1)
	for range 60 {
		s.pass(rng, rule, true)
	}
	if sigma := rule.team.sigma; sigma <= 1 || sigma > 8 {
		t.Errorf("sigma %v", sigma)
	}
	if b := s.certify(1); b.Gap() > 0.05 {
		t.Errorf("gap %v", b.Gap())
	}
}

// TestShardsStop stops a pass on its way.
func TestShardsStop(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 8))
	s := New(randomTraining(rng, 3000, 2, 3, true), labelgraph.AllPairs(3), 0.02)
	rule := &StopRule{Workers: 2, over: func() bool { return true }}
	rule.team = s.share(2)
	s.pass(rng, rule, true)
	if s.calls == 0 || s.calls > 2*overEvery {
		t.Errorf("%d examples visited after the end", s.calls)
	}
	checkState(t, s)
}

// TestShardsAllocate pins a pass at a few allocations, for its goroutines.
func TestShardsAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	s := New(randomTraining(rng, 60, 4, 6, false), labelgraph.AllPairs(6), 0.05)
	s.SetPenalty(0.002, make([]float64, labelgraph.NumPairs(6)))
	rule := &StopRule{Workers: 1, over: func() bool { return false }}
	rule.team = s.share(2)
	passes := func() {
		for pass := range 20 {
			s.pass(rng, rule, pass%4 == 0)
		}
	}
	for range 30 {
		passes()
	}
	if got := testing.AllocsPerRun(5, passes) / 20; got > 12 {
		t.Errorf("%v allocations in a pass", got)
	}
}
