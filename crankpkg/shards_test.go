package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// TestShardsSameBits checks that what comes out depends on the number of shards
// but not on that of the workers, for every method, label loss, and kind of edge
// features, and with examples left out.
func TestShardsSameBits(t *testing.T) {
	t.Parallel()
	train := noisy(t, 4, 70, 3)
	sets := []Settings{
		{}, {Scaling: ZScore, EdgeFeatures: EdgeFeatures{All: true}},
		{Loss: Loss{Hamming: 0.2, ZeroOne: 0.8}, HingeCap: 0.7},
	}
	for _, set := range sets {
		set.Seed = 5
		for k := range trainers(set) {
			set := set
			if trainers(set)[k].Name() == "BestTree" {
				set.HingeCap = 0
			}
			plain, _ := mustTrain(t, trainers(set)[k], train)
			set.Shards, set.Workers = 3, 1
			one, traceOne := mustTrain(t, trainers(set)[k], train)
			for _, set.Workers = range []int{2, 3} {
				set.EveryPass = set.Workers == 3
				more, traceMore := mustTrain(t, trainers(set)[k], train)
				name := trainers(set)[k].Name()
				if !reflect.DeepEqual(one, more) || traceOne.Primal != traceMore.Primal || traceOne.Dual != traceMore.Dual {
					t.Errorf("%s, %+v: %d workers do not give the bits of one", name, set, set.Workers)
				}
			}
			if name := one.Method; (name == "Full" || name == "CRANK" || name == "Chow-Liu") && slices.Equal(plain.Unary, one.Unary) {
				t.Errorf("%s, %+v: the shards change nothing", name, set)
			}
		}
	}
}

func mustTrain(t *testing.T, tr Trainer, train *Dataset) (*Model, *Trace) {
	t.Helper()
	m, trace, err := tr.Train(context.Background(), train)
	if err != nil {
		t.Fatal(tr.Name(), err)
	}
	if trace.Status != Converged || trace.Gap() < -1e-9 {
		t.Errorf("%s: %s at gap %v", tr.Name(), trace.Status, trace.Gap())
	}
	return m, trace
}

func TestShardsMultiState(t *testing.T) {
	t.Parallel()
	train, _, _ := PlantedMultiState{N: 5, Noise: 0.1, Seed: 7}.Generate(25, 0)
	for _, method := range multiStateMethods() {
		var models []*MultiStateModel
		for _, workers := range []int{1, 3} {
			m, trace, err := TrainMultiState(context.Background(), withTestSettings(method, 0.01, func(s *Settings) {
				s.Workers, s.Shards, s.Seed = workers, 2, 3
			}), train)
			if err != nil {
				t.Fatal(err)
			}
			if trace.Gap() > 0.011 {
				t.Errorf("%s: gap %v", method.Name(), trace.Gap())
			}
			models = append(models, m)
		}
		if !reflect.DeepEqual(models[0].Indicators, models[1].Indicators) {
			t.Errorf("%s: the number of workers changes the model", method.Name())
		}
	}
}

// TestShardsState solves with shards, changes what can change between solves,
// and checks that the dual point is what the weights follow from, and that the
// certified interval meets that of a solve without shards.
func TestShardsState(t *testing.T) {
	t.Parallel()
	losses, features := generalSettings()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 4))
		p := generalProblem(rng, 60, 3, 4, seed%2 == 0, losses[seed%4], features[seed/3])
		s, other := newSolver(p, AllPairs(4), 0.05), newSolver(p, AllPairs(4), 0.05)
		v := make([]float64, len(s.pw.w))
		for e := range v {
			v[e] = float64(rng.IntN(2))
		}
		compare := func(what string) {
			t.Helper()
			got, status := s.solve(context.Background(), stopRule{gap: 1e-4, seed: seed, workers: 2, shards: 2 + int(seed%3)})
			want, _ := other.solve(context.Background(), stopRule{gap: 1e-4, seed: seed, workers: 1})
			if status != Converged || got.primal < want.dual-1e-12 || want.primal < got.dual-1e-12 {
				t.Errorf("seed %d, %s: %s within [%v, %v], without shards [%v, %v]", seed, what, status, got.dual, got.primal, want.dual, want.primal)
			}
			checkState(t, s)
		}
		compare("all pairs")
		s.setPenalty(0.03, v)
		other.setPenalty(0.03, v)
		compare("a penalty")
		tree := RandomTree(4, rng)
		for _, s := range []*solver{s, other} {
			s.setPenalty(0, nil)
			s.setEdges(tree)
			s.setLambda(0.02)
		}
		compare("a tree")
		s.setLambda(0.05)
		other.setLambda(0.05)
		compare("another lambda")
	}
}

// TestShardsDual follows the dual from pass to pass. With sigma at the number of
// shards it does not fall, not even where all examples are the same one and so
// all shards move alike; a sigma too small for that grows. After each pass all
// shards have the weights of the whole.
func TestShardsDual(t *testing.T) {
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
			s := newSolver(p, AllPairs(5), 0.02)
			rule := &stopRule{workers: 1, over: func() bool { return false }}
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
			if b := s.certify(1); b.primal < b.dual || math.IsNaN(b.primal) {
				t.Errorf("primal %v below dual %v", b.primal, b.dual)
			}
			checkState(t, s)
		}
	}
}

func checkMet(t *testing.T, s *solver) {
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
	rng := rand.New(rand.NewPCG(2, 8))
	s := newSolver(randomTraining(rng, 90, 4, 5, false), AllPairs(5), 0.02)
	rule := &stopRule{workers: 1, over: func() bool { return false }}
	rule.team = s.share(8)
	rule.team.setSigma(1)
	for range 60 {
		s.pass(rng, rule, true)
	}
	if sigma := rule.team.sigma; sigma <= 1 || sigma > 8 {
		t.Errorf("sigma %v", sigma)
	}
	if b := s.certify(1); b.gap() > 0.05 {
		t.Errorf("gap %v", b.gap())
	}
}

// TestShardsStop stops a pass on its way, and a training before its first.
func TestShardsStop(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	s := newSolver(randomTraining(rng, 3000, 2, 3, true), AllPairs(3), 0.02)
	rule := &stopRule{workers: 2, over: func() bool { return true }}
	rule.team = s.share(2)
	s.pass(rng, rule, true)
	if s.calls == 0 || s.calls > 2*overEvery {
		t.Errorf("%d examples visited after the end", s.calls)
	}
	checkState(t, s)

	train, _ := planted(t, 4, 300, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, trace, err := Full{Settings: Settings{Shards: 2, Gap: 1e-9}}.Train(ctx, train)
	if m == nil || trace.Status != Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("model %v, status %s, error %v", m != nil, trace.Status, err)
	}
	_, trace, err = Full{Settings: Settings{Shards: 2, Gap: 1e-9, MaxPasses: 7}}.Train(context.Background(), train)
	if err != nil || trace.Status != PassLimit {
		t.Errorf("status %s, error %v", trace.Status, err)
	}
	few, _ := planted(t, 4, 5, 1)
	for _, shards := range []int{5, 6, math.MaxInt} {
		if _, trace, err := (Full{Settings: Settings{Shards: shards}}).Train(context.Background(), few); err != nil || trace.Status != Converged {
			t.Errorf("%d shards of 5 examples: status %s, error %v", shards, trace.Status, err)
		}
	}
	if _, _, err := (Full{Settings: Settings{Shards: -1}}).Train(context.Background(), train); !errors.Is(err, ErrSettings) {
		t.Errorf("-1 shards: error %v", err)
	}
}

// TestShardsAllocate pins a pass at a few allocations, for its goroutines.
func TestShardsAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	s := newSolver(randomTraining(rng, 60, 4, 6, false), AllPairs(6), 0.05)
	s.setPenalty(0.002, make([]float64, NumPairs(6)))
	rule := &stopRule{workers: 1, over: func() bool { return false }}
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

// BenchmarkShards trains to 1 % on all processors without shards and with two, in
// turn. It reports the medians of the times without, cpu-ms and wall-ms, and of
// the ratios of those with two shards to them, x-cpu and x-wall.
func BenchmarkShards(b *testing.B) {
	for _, c := range []struct {
		set    string
		method func(Settings) Trainer
		lambda float64
	}{
		{"yeast", full, 0}, {"yeast", full, 0.001}, {"yeast", oneStart, 0.001}, {"scene", full, 0}, {"scene", full, 0.001},
		{"bibtex", chowLiu, 0.001}, {"bibtex", oneStart, 0.001}, {"bibtex", full, 0.001},
		{"corel5k", chowLiu, 0.0001}, {"corel5k", oneStart, 0.0001},
		{"planted", chowLiu, 0.01}, {"planted", full, 0.01}, {"planted", full, 0.001}, {"planted", oneStart, 0.001},
	} {
		name := fmt.Sprintf("%s/%s/%g", c.set, c.method(Settings{}).Name(), c.lambda)
		b.Run(name, func(b *testing.B) {
			train, err := shardsData(c.set)
			if err != nil {
				b.Skip(err)
			}
			benchmarkShards(b, train, func(s Settings) Trainer { return c.method(s).WithLambda(c.lambda) })
		})
	}
}

func shardsData(set string) (*Dataset, error) {
	if set == "planted" {
		train, _, _ := PlantedTree{N: 20, D: 20, Noise: 0.02, Seed: 1}.Generate(100000, 0)
		return train, nil
	}
	train, _, err := LoadSplit(set)
	return train, err
}

func benchmarkShards(b *testing.B, train *Dataset, method func(Settings) Trainer) {
	seconds := func(shards int) (cpu, wall float64) {
		begin := time.Now()
		cpu = cpuTimeOf(func() {
			if _, _, err := method(Settings{Shards: shards}).Train(context.Background(), train); err != nil {
				b.Fatal(err)
			}
		})
		return cpu, time.Since(begin).Seconds()
	}
	var cpus, walls, cpuRatios, wallRatios []float64
	for b.Loop() {
		cpu, wall := seconds(0)
		cpu2, wall2 := seconds(2)
		cpus, walls = append(cpus, 1e3*cpu), append(walls, 1e3*wall)
		cpuRatios, wallRatios = append(cpuRatios, cpu2/cpu), append(wallRatios, wall2/wall)
	}
	b.ReportMetric(median(cpus), "cpu-ms")
	b.ReportMetric(median(walls), "wall-ms")
	b.ReportMetric(median(cpuRatios), "x-cpu")
	b.ReportMetric(median(wallRatios), "x-wall")
}
