package crankpkg

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// TestAutoPath checks on both sides of 64 labels which way beta goes, and that a
// path that was asked for stays.
func TestAutoPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int
		want BetaPath
	}{{1, GrowBeta}, {63, GrowBeta}, {64, GrowBeta}, {65, ShrinkBeta}, {1000, ShrinkBeta}} {
		method := CRANK{}
		if method.complete(c.n, false); method.Path != c.want {
			t.Errorf("%d labels: beta goes by %q, want %q", c.n, method.Path, c.want)
		}
		for _, path := range []BetaPath{GrowBeta, ShrinkBeta} {
			method := CRANK{Path: path}
			if method.complete(c.n, false); method.Path != path {
				t.Errorf("%d labels: %q became %q", c.n, path, method.Path)
			}
		}
	}
}

// TestRestartsAreSeeded checks that each start has a seed of its own, which alone
// determines where a random one leads from the common dual point: under the next
// seed of the training, every random start moves up by one place.
func TestRestartsAreSeeded(t *testing.T) {
	t.Parallel()
	train := noisy(t, 7, 60, 4)
	method := CRANK{Lambda: 0.003, Restarts: 6, Path: GrowBeta}
	method.complete(train.NumLabels(), false)
	prepare := func(seed uint64) *training {
		method.Settings = Settings{Gap: 0.1, Seed: seed, Workers: 1}
		prepared, err := newTraining(context.Background(), method, train)
		if err != nil {
			t.Fatal(err)
		}
		return prepared
	}
	first, next := prepare(11), prepare(12)
	base, _ := method.base(first)
	trees := make(map[string]bool)
	for k := range method.Restarts {
		r := method.run(first, base, k).summary()
		if r.Seed != 11+uint64(k) {
			t.Errorf("start %d has the seed %d", k, r.Seed)
		}
		if k < 2 {
			continue // start 0 is not random
		}
		trees[fmt.Sprint(r.Edges)] = true
		if moved := method.run(next, base, k-1).summary(); moved.Seed != r.Seed || moved.Steps != r.Steps || !slices.Equal(moved.Edges, r.Edges) {
			t.Errorf("start %d of seed 11: %d steps to %v; start %d of seed 12: %d steps to %v", k, r.Steps, r.Edges, k-1, moved.Steps, moved.Edges)
		}
	}
	if len(trees) < 2 {
		t.Errorf("all random starts lead to one tree: %v", trees)
	}
}

// TestDefaultTakesSwaps trains CRANK by its defaults on draws where its first tree is not
// the best one: swaps lead to a better tree on some of them and to no worse one on any, and the
// bounds are those of the tree trained by itself.
func TestDefaultTakesSwaps(t *testing.T) {
	t.Parallel()
	better, raced := 0, 0
	for seed := range uint64(6) {
		train := noisy(t, 7, 60, seed)
		ctx, set := context.Background(), Settings{Gap: 0.005, Seed: seed}
		_, trace, err := CRANK{Lambda: 0.003, Settings: set}.Train(ctx, train)
		if err != nil || len(trace.Restarts) != 1 {
			t.Fatalf("seed %d: %d starts, error %v", seed, len(trace.Restarts), err)
		}
		m, first, err := CRANK{Lambda: 0.003, Restarts: 1, BetaStart: 1, Settings: set}.Train(ctx, train)
		if err != nil {
			t.Fatal(err)
		}
		tree := trace.Restarts[0].Edges
		set.Gap = 1e-4
		_, alone, err := FixedGraph{Lambda: 0.003, Edges: tree, Settings: set}.Train(ctx, train)
		if err != nil || alone.Primal < trace.Dual || alone.Dual > trace.Primal {
			t.Errorf("seed %d: [%v, %v], the tree alone [%v, %v], error %v", seed, trace.Dual, trace.Primal, alone.Dual, alone.Primal, err)
		}
		if alone.Dual > first.Primal {
			t.Errorf("seed %d: a tree of %v after one of %v", seed, alone.Dual, first.Primal)
		}
		if alone.Primal < first.Dual && !slices.Equal(tree, m.spanningTree()) {
			better++
		}
		raced += trace.Solves
	}
	if better == 0 || raced == 0 {
		t.Errorf("swaps led to %d better trees in %d races: the test needs some", better, raced)
	}
}

// TestSwapsNeedFreeLabels checks where further starts stay: in groups, and where a fixed
// beta may keep cycles.
func TestSwapsNeedFreeLabels(t *testing.T) {
	t.Parallel()
	train := noisy(t, 4, 40, 1)
	_, trace, err := CRANK{Lambda: 0.01, Beta: []float64{0.01}, FixedBeta: true}.Train(context.Background(), train)
	if err != nil || len(trace.Restarts) != 10 || trace.Solves != 0 {
		t.Errorf("a fixed beta: %d starts, %d races, error %v", len(trace.Restarts), trace.Solves, err)
	}
	train.Groups, train.Y = []int{2, 2}, slices.Repeat([]uint8{1, 0, 0, 1, 0, 1, 0, 1}, len(train.Y)/8)
	_, trace, err = CRANK{Lambda: 0.01}.Train(context.Background(), train)
	if err != nil || len(trace.Restarts) != 10 || trace.Solves != 0 {
		t.Errorf("labels in groups: %d starts, %d races, error %v", len(trace.Restarts), trace.Solves, err)
	}
}
