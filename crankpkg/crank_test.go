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
		if method.complete(c.n); method.Path != c.want {
			t.Errorf("%d labels: beta goes by %q, want %q", c.n, method.Path, c.want)
		}
		for _, path := range []BetaPath{GrowBeta, ShrinkBeta} {
			method := CRANK{Path: path}
			if method.complete(c.n); method.Path != path {
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
	method.complete(train.NumLabels())
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
