package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// TestShardsSameBits checks that what comes out depends on the number of shards
// but not on that of the workers, for every method, label loss, and kind of edge
// features, and with examples left out.
func TestShardsSameBits(t *testing.T) {
	t.Parallel()
	train := noisy(t, 4, 14, 3)
	sets := []Settings{
		{}, {Scaling: ZScore, EdgeFeatures: EdgeFeatures{All: true}},
		{Loss: Loss{Hamming: 0.2, ZeroOne: 0.8}, HingeCap: 0.7},
	}
	for _, set := range sets {
		set.Seed, set.Gap = 5, 0.05
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

// TestShardsStop stops trainings before their first pass and at a limit.
func TestShardsStop(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 4, 300, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, trace, err := Full{Settings: Settings{Shards: 2, Gap: 1e-9}}.Train(ctx, train)
	if m == nil || trace.Status != Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("model %v, status %s, error %v", m != nil, trace.Status, err)
	}
	_, trace, err = Full{Settings: Settings{Shards: 2, Gap: 1e-9, MaxPasses: 7}}.Train(context.Background(), train)
	if !errors.Is(err, ErrNotConverged) || trace.Status != PassLimit {
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
	b.ReportMetric(testkit.Median(cpus), "cpu-ms")
	b.ReportMetric(testkit.Median(walls), "wall-ms")
	b.ReportMetric(testkit.Median(cpuRatios), "x-cpu")
	b.ReportMetric(testkit.Median(wallRatios), "x-wall")
}
