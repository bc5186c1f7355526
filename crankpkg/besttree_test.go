package crankpkg

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// everyTree returns bounds on the optimum over all trees, from training each.
func everyTree(t *testing.T, ds *Dataset, lambda, gap float64) solver.Bounds {
	t.Helper()
	least := solver.Bounds{Primal: math.Inf(1), Dual: math.Inf(1)}
	n := ds.NumLabels()
	for tree := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
		f := FixedGraph{Lambda: lambda, Edges: tree, Settings: Settings{Gap: gap, Workers: 1}}
		_, trace, err := f.Train(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		least.Primal = min(least.Primal, trace.Primal)
		least.Dual = min(least.Dual, trace.Dual)
	}
	return least
}

// TestBestTree compares with the training of every tree.
func TestBestTree(t *testing.T) {
	t.Parallel()
	for seed, c := range []struct {
		n, size int
		lambda  float64
	}{{1, 20, 0.1}, {2, 30, 0.1}, {3, 40, 0.005}, {4, 30, 0.02}, {4, 24, 0.2}, {5, 14, 0.02}, {5, 10, 0.1}} {
		train, _ := planted(t, c.n, c.size, uint64(seed))
		want := everyTree(t, train, c.lambda, 5e-4)
		for _, enumerate := range []bool{false, true} {
			b := BestTree{Lambda: c.lambda, Enumerate: enumerate, Settings: Settings{Gap: 1e-3, Workers: 2}}
			m, trace, err := b.Train(context.Background(), train)
			if err != nil || trace.Status != Converged || trace.Gap() > 1e-3 {
				t.Fatalf("%+v: %v, gap %v, %v", c, trace.Status, trace.Gap(), err)
			}
			if trace.Dual > want.Primal || trace.Primal < want.Dual {
				t.Errorf("%+v, enumerate %v: certified [%v, %v], but the best of all trees is in [%v, %v]",
					c, enumerate, trace.Dual, trace.Primal, want.Dual, want.Primal)
			}
			if len(m.Edges) != c.n-1 || !labelgraph.IsForest(c.n, m.Edges) {
				t.Errorf("%+v: %v is not a spanning tree", c, m.Edges)
			}
			if value := Primal(train, m, c.lambda); !(math.Abs(value-trace.Primal) <= 1e-9*value) {
				t.Errorf("%+v: the model's objective is %v, the trace says %v", c, value, trace.Primal)
			}
		}
	}
}

// TestBestForest compares with the training of every forest within the bounds,
// also of those with fewer edges than there may be.
func TestBestForest(t *testing.T) {
	t.Parallel()
	const lambda, n = 0.02, 5
	train, _ := planted(t, n, 10, 3)
	all := labelgraph.AllPairs(n)
	type trained struct {
		edges []Edge
		solver.Bounds
	}
	var forests []trained
	for mask := range 1 << len(all) {
		var edges []Edge
		for k, e := range all {
			if mask>>k&1 == 1 {
				edges = append(edges, e)
			}
		}
		if labelgraph.IsForest(n, edges) {
			_, trace, err := FixedGraph{Lambda: lambda, Edges: edges, Settings: Settings{Gap: 5e-4, Workers: 1}}.Train(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			forests = append(forests, trained{edges, solver.Bounds{Primal: trace.Primal, Dual: trace.Dual}})
		}
	}
	for _, c := range []struct{ edges, degree int }{{1, 0}, {2, 0}, {3, 0}, {9, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 7}, {2, 1}, {3, 2}, {1, 1}} {
		want := solver.Bounds{Primal: math.Inf(1), Dual: math.Inf(1)}
		within := func(edges []Edge) bool {
			return (c.edges == 0 || len(edges) <= c.edges) && (c.degree == 0 || labelgraph.MaxDegree(n, edges) <= c.degree)
		}
		for _, f := range forests {
			if within(f.edges) {
				want.Primal, want.Dual = min(want.Primal, f.Primal), min(want.Dual, f.Dual)
			}
		}
		for _, enumerate := range []bool{false, true} {
			b := BestTree{Lambda: lambda, MaxEdges: c.edges, MaxDegree: c.degree, Enumerate: enumerate, Settings: Settings{Gap: 1e-3, Workers: 2}}
			m, trace, err := b.Train(context.Background(), train)
			if err != nil || trace.Status != Converged || trace.Gap() > 1e-3 {
				t.Fatalf("%+v: %v, gap %v, %v", c, trace.Status, trace.Gap(), err)
			}
			if trace.Dual > want.Primal || trace.Primal < want.Dual {
				t.Errorf("%+v, enumerate %v: certified [%v, %v], but the best forest is in [%v, %v]",
					c, enumerate, trace.Dual, trace.Primal, want.Dual, want.Primal)
			}
			if !labelgraph.IsForest(n, m.Edges) || !within(m.Edges) {
				t.Errorf("%+v: %v is out of bounds", c, m.Edges)
			}
		}
	}
	for _, b := range []BestTree{{MaxEdges: -1}, {MaxDegree: -1}} {
		if _, _, err := b.Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

// TestBestTreeOfSets compares with plain enumeration of the 125 trees on a part
// of Scene and Emotions, with five of their labels.
func TestBestTreeOfSets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set     string
		scaling Scaling
	}{{"scene", NoScaling}, {"emotions", ZScore}} {
		train, _, err := LoadSplit(c.set)
		if err != nil {
			t.Fatal(err)
		}
		train = train.SelectLabels([]int{0, 1, 2, 3, 4}).Subset(rand.New(rand.NewPCG(1, 1)).Perm(train.Len())[:24])
		b := BestTree{Lambda: 1, Settings: Settings{Gap: 2e-3, Scaling: c.scaling}}
		_, searched, err := b.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		b.Enumerate = true
		_, enumerated, err := b.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range []*Trace{searched, enumerated} {
			if trace.Status != Converged || trace.Dual > min(searched.Primal, enumerated.Primal) {
				t.Errorf("%s: %v, [%v, %v]; search and enumeration come to %v and %v",
					c.set, trace.Status, trace.Dual, trace.Primal, searched.Primal, enumerated.Primal)
			}
		}
		if searched.Solves >= enumerated.Solves || enumerated.Solves != 125 {
			t.Errorf("%s: the search trains %d trees, enumeration %d of 125", c.set, searched.Solves, enumerated.Solves)
		}
		t.Logf("%s: %d solves, by enumeration %d", c.set, searched.Solves, enumerated.Solves)
	}
}

// TestBestTreeCut cuts searches and checks each of their certificates.
func TestBestTreeCut(t *testing.T) {
	t.Parallel()
	const lambda = 0.01
	train, _ := planted(t, 5, 30, 3)
	want := everyTree(t, train, lambda, 1e-3)
	check := func(trace *Trace) {
		t.Helper()
		last := solver.Bounds{Primal: math.Inf(1), Dual: 0}
		for _, p := range trace.Points {
			if p.Primal > last.Primal || p.Dual < last.Dual {
				t.Errorf("bounds [%v, %v] after [%v, %v]", p.Dual, p.Primal, last.Dual, last.Primal)
			}
			last = solver.Bounds{Primal: p.Primal, Dual: p.Dual}
			if p.Dual > want.Primal || p.Primal < want.Dual {
				t.Errorf("bounds [%v, %v], but the optimum is in [%v, %v]", p.Dual, p.Primal, want.Dual, want.Primal)
			}
		}
		if trace.Primal != last.Primal || trace.Dual != last.Dual {
			t.Errorf("the last bounds are [%v, %v], not those of the trace, [%v, %v]", last.Dual, last.Primal, trace.Dual, trace.Primal)
		}
	}
	for _, limit := range []time.Duration{1, 5 * time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond} {
		for _, enumerate := range []bool{false, true} {
			b := BestTree{Lambda: lambda, Enumerate: enumerate, Settings: Settings{Gap: 1e-5, MaxTime: limit}}
			m, trace, err := b.Train(context.Background(), train)
			if errors.Is(err, ErrNotConverged) != (trace.Status == TimeLimit) || m == nil || (trace.Status != TimeLimit && trace.Status != Converged) {
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

// TestBestTreeOfTinySets has sets so small that the dual bound can need no pair: the
// least squares of all edges are zero then, and tell nothing about their shares.
func TestBestTreeOfTinySets(t *testing.T) {
	t.Parallel()
	const sets, n = 30, 3
	for seed := range uint64(sets) {
		rng := rand.New(rand.NewPCG(seed, 12))
		rows := make([][]float64, 4+rng.IntN(10))
		for m := range rows {
			rows[m] = []float64{float64(rng.IntN(3))}
		}
		ds := &Dataset{X: feature.NewDense(1, rows), FeatureNames: []string{"x"}, LabelNames: []string{"a", "b", "c"}, Y: make([]uint8, n*len(rows))}
		for k := range ds.Y {
			ds.Y[k] = uint8(rng.IntN(2))
		}
		const lambda, gap = 0.01, 1e-8
		_, trace, err := BestTree{Lambda: lambda, Settings: Settings{Gap: gap, MaxPasses: 20000}}.Train(context.Background(), ds)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := everyTree(t, ds, lambda, 1e-6)
		if trace.Dual > want.Primal || trace.Primal < want.Dual || trace.Status != Converged {
			t.Errorf("seed %d: %v, certified [%v, %v], but the best of all trees is in [%v, %v]",
				seed, trace.Status, trace.Dual, trace.Primal, want.Dual, want.Primal)
		}
	}
}
