package crankpkg

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"
)

// everyTree returns bounds on the optimum over all trees, from training each.
func everyTree(t *testing.T, ds *Dataset, lambda, gap float64) bounds {
	t.Helper()
	least := bounds{math.Inf(1), math.Inf(1)}
	n := ds.NumLabels()
	for tree := range SpanningTrees(n, AllPairs(n)) {
		f := FixedGraph{Lambda: lambda, Edges: tree, Settings: Settings{Gap: gap, Workers: 1}}
		_, trace, err := f.Train(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		least.primal = min(least.primal, trace.Primal)
		least.dual = min(least.dual, trace.Dual)
	}
	return least
}

// TestBestTree compares with the training of every tree.
func TestBestTree(t *testing.T) {
	for seed, c := range []struct {
		n, size int
		lambda  float64
	}{{1, 20, 0.1}, {2, 30, 0.1}, {3, 40, 0.01}, {4, 60, 0.02}, {4, 40, 0.2}, {5, 80, 0.005}, {5, 40, 0.05}} {
		train, _ := planted(t, c.n, c.size, uint64(seed))
		want := everyTree(t, train, c.lambda, 1e-4)
		for _, enumerate := range []bool{false, true} {
			b := BestTree{Lambda: c.lambda, Enumerate: enumerate, Settings: Settings{Gap: 5e-4, Workers: 2}}
			m, trace, err := b.Train(context.Background(), train)
			if err != nil || trace.Status != Converged || trace.Gap() > 5e-4 {
				t.Fatalf("%+v: %v, gap %v, %v", c, trace.Status, trace.Gap(), err)
			}
			if trace.Dual > want.primal || trace.Primal < want.dual {
				t.Errorf("%+v, enumerate %v: certified [%v, %v], but the best of all trees is in [%v, %v]",
					c, enumerate, trace.Dual, trace.Primal, want.dual, want.primal)
			}
			if len(m.Edges) != c.n-1 || !IsForest(c.n, m.Edges) {
				t.Errorf("%+v: %v is not a spanning tree", c, m.Edges)
			}
			if value := Primal(train, m, c.lambda); math.Abs(value-trace.Primal) > 1e-9*value {
				t.Errorf("%+v: the model's objective is %v, the trace says %v", c, value, trace.Primal)
			}
		}
	}
}

// TestBestTreeCut cuts searches and checks each of their certificates.
func TestBestTreeCut(t *testing.T) {
	const lambda = 0.01
	train, _ := planted(t, 5, 60, 3)
	want := everyTree(t, train, lambda, 1e-3)
	check := func(trace *Trace) {
		t.Helper()
		last := bounds{math.Inf(1), 0}
		for _, p := range trace.Points {
			if p.Primal > last.primal || p.Dual < last.dual {
				t.Errorf("bounds [%v, %v] after [%v, %v]", p.Dual, p.Primal, last.dual, last.primal)
			}
			last = bounds{p.Primal, p.Dual}
			if p.Dual > want.primal || p.Primal < want.dual {
				t.Errorf("bounds [%v, %v], but the optimum is in [%v, %v]", p.Dual, p.Primal, want.dual, want.primal)
			}
		}
		if trace.Primal != last.primal || trace.Dual != last.dual {
			t.Errorf("the last bounds are [%v, %v], not those of the trace, [%v, %v]", last.dual, last.primal, trace.Dual, trace.Primal)
		}
	}
	for _, limit := range []time.Duration{1, 5 * time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond} {
		for _, enumerate := range []bool{false, true} {
			b := BestTree{Lambda: lambda, Enumerate: enumerate, Settings: Settings{Gap: 1e-5, MaxTime: limit}}
			m, trace, err := b.Train(context.Background(), train)
			if err != nil || m == nil || (trace.Status != TimeLimit && trace.Status != Converged) {
				t.Fatalf("%v: %v, %v", limit, trace.Status, err)
			}
			check(trace)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, trace, err := BestTree{Lambda: lambda}.Train(ctx, train)
	if m == nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: model %v, error %v", m, err)
	}
	check(trace)
}
