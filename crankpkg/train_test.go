package crankpkg

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// trainers lists every method with the given settings.
func trainers(set Settings) []Trainer {
	return []Trainer{
		Empty{Settings: set}, Full{Settings: set}, Project{Settings: set},
		Greedy{Settings: set}, MST{Settings: set}, ChowLiu{Settings: set},
		CRANK{Settings: set}, CRANK{Settings: set, Restarts: 3}, CRANK{Settings: set, Restarts: 2, Path: ShrinkBeta},
		BestTree{Settings: set}, SwapSearch{Settings: set},
		FixedGraph{Settings: set, Edges: []Edge{{I: 0, J: 2}, {I: 1, J: 2}, {I: 0, J: 1}}},
	}
}

func planted(t testing.TB, n, size int, seed uint64) (train, test *Dataset) {
	t.Helper()
	train, test, _ = PlantedTree{N: n, Noise: 0.03, Seed: seed}.Generate(size, 200)
	return train, test
}

// TestTrainersSameBits trains each method with different numbers of workers,
// and with and without bounds for the trace alone.
func TestTrainersSameBits(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 6, 30, 4)
	for k, one := range trainers(Settings{Workers: 1, Seed: 5}) {
		three := trainers(Settings{Workers: 3, Seed: 5, EveryPass: true})[k]
		a, traceA, err := one.Train(context.Background(), train)
		if err != nil {
			t.Fatal(one.Name(), err)
		}
		b, traceB, err := three.Train(context.Background(), train)
		if err != nil {
			t.Fatal(one.Name(), err)
		}
		if !reflect.DeepEqual(a, b) || traceA.Primal != traceB.Primal || traceA.Dual != traceB.Dual {
			t.Errorf("%s: one worker and three do not give the same bits", one.Name())
		}
	}
}

// TestTrainersLabelOrder trains on permuted labels: the optimum of a fixed
// problem does not depend on their order, so the certified intervals meet.
func TestTrainersLabelOrder(t *testing.T) {
	train, _ := planted(t, 5, 120, 8)
	order := []int{3, 1, 4, 0, 2}
	swapped := &Dataset{Name: "swapped", FeatureNames: train.FeatureNames, X: train.X}
	for _, i := range order {
		swapped.LabelNames = append(swapped.LabelNames, train.LabelNames[i])
	}
	for m := range train.Len() {
		for _, i := range order {
			swapped.Y = append(swapped.Y, train.Labels(m)[i])
		}
	}
	place := func(i int) int { return slices.Index(order, i) }
	edges := []Edge{{I: 0, J: 1}, {I: 1, J: 3}, {I: 2, J: 4}, {I: 0, J: 4}}
	var moved []Edge
	for _, e := range edges {
		moved = append(moved, labelgraph.NewEdge(place(e.I), place(e.J)))
	}
	set := Settings{Gap: 1e-5}
	pairs := [][2]Trainer{
		{Empty{Settings: set}, Empty{Settings: set}},
		{Full{Settings: set}, Full{Settings: set}},
		{FixedGraph{Edges: edges, Settings: set}, FixedGraph{Edges: moved, Settings: set}},
	}
	for _, p := range pairs {
		_, a, err := p[0].Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		_, b, err := p[1].Train(context.Background(), swapped)
		if err != nil {
			t.Fatal(err)
		}
		if a.Dual > b.Primal+1e-9 || b.Dual > a.Primal+1e-9 {
			t.Errorf("%s: [%v, %v] and, with the labels permuted, [%v, %v]", p[0].Name(), a.Dual, a.Primal, b.Dual, b.Primal)
		}
	}
}

// TestTrainersTrees checks which methods promise a forest and that each one
// certifies the gap it was asked for.
func TestTrainersTrees(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 7, 40, 2)
	for _, tr := range trainers(Settings{Gap: 0.004}) {
		m, trace, err := tr.Train(context.Background(), train)
		if err != nil {
			t.Fatal(tr.Name(), err)
		}
		if trace.Status != Converged || trace.Gap() > 0.004 || trace.Gap() < 0 {
			t.Errorf("%s: %s at gap %v", tr.Name(), trace.Status, trace.Gap())
		}
		cyclic := tr.Name() == "Full" || tr.Name() == "Fixed"
		if !cyclic && !labelgraph.IsForest(7, m.Edges) {
			t.Errorf("%s: %v has a cycle", tr.Name(), m.Edges)
		}
		if !slices.IsSortedFunc(m.Edges, func(a, b Edge) int { return a.Index() - b.Index() }) {
			t.Errorf("%s: edges out of order: %v", tr.Name(), m.Edges)
		}
	}
}

// TestTrainersCancelled ends training before it begins: there has to be a
// model, bounds that hold and the context's error.
func TestTrainersCancelled(t *testing.T) {
	train, _ := planted(t, 5, 80, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tr := range trainers(Settings{Gap: 1e-7}) {
		m, trace, err := tr.Train(ctx, train)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", tr.Name(), err)
		}
		if m == nil || trace == nil || trace.Status != Cancelled {
			t.Errorf("%s: no model of a cancelled training", tr.Name())
			continue
		}
		if trace.Dual > trace.Primal+1e-9 || math.IsNaN(trace.Gap()) {
			t.Errorf("%s: bounds %v, %v", tr.Name(), trace.Dual, trace.Primal)
		}
	}
}

// TestTrainersSettings checks that settings out of range are refused.
func TestTrainersSettings(t *testing.T) {
	train, _ := planted(t, 4, 20, 3)
	bad := []Trainer{
		Empty{Lambda: -1}, Full{Lambda: math.NaN()}, Greedy{Lambda: math.Inf(1)},
		Full{Settings: Settings{Gap: 1}}, Full{Settings: Settings{Gap: math.NaN()}},
		Full{Settings: Settings{MaxPasses: -1}}, Full{Settings: Settings{MaxTime: -1}},
		Full{Settings: Settings{Workers: -1}}, Full{Settings: Settings{Scaling: "loud"}},
		CRANK{Restarts: -1}, CRANK{Growth: 1}, CRANK{Beta: []float64{-0.1}},
		CRANK{Beta: []float64{math.NaN()}}, CRANK{FixedBeta: true}, CRANK{InnerGap: 1},
		CRANK{MaxSteps: -1}, CRANK{Path: "sideways"}, CRANK{BetaStart: -1}, Project{FullGap: 2}, Greedy{GainGap: -1}, MST{GainGap: 1},
		FixedGraph{Edges: []Edge{{I: 0, J: 4}}}, FixedGraph{Edges: []Edge{{I: 1, J: 1}}},
		FixedGraph{Edges: []Edge{{I: 0, J: 1}, {I: 0, J: 1}}}, FixedGraph{Edges: []Edge{{I: -1, J: 1}}},
	}
	for k, tr := range bad {
		if _, _, err := tr.Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%d: %s %+v: error %v", k, tr.Name(), tr, err)
		}
	}
	if _, _, err := (Full{}).Train(context.Background(), nil); !errors.Is(err, ErrData) {
		t.Errorf("no data: error %v", err)
	}
}

// exactObjective returns the optimum of l on the given edges, closely.
func exactObjective(t *testing.T, p *solver.Problem, edges []Edge, lambda float64) float64 {
	t.Helper()
	s := solver.New(p, edges, lambda)
	b, status := s.Solve(context.Background(), solver.StopRule{Gap: 1e-6, Workers: 1})
	if status != Converged {
		t.Fatal(status)
	}
	return b.Primal
}

// TestGreedyIsPlainGreedy compares with training every candidate edge anew on
// the whole problem, and TestMSTIsPlainMST likewise.
func TestGreedyIsPlainGreedy(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		train, _ := planted(t, 5, 16, seed)
		lambda := 0.02
		m, _, err := Greedy{Lambda: lambda, GainGap: 1e-5, Settings: Settings{Gap: 1e-4}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		p := solver.NewProblem(train.X, train.Y, 5, Loss{}, nil, nil)
		var edges []Edge
		objective := exactObjective(t, p, nil, lambda)
		for {
			best, at := objective, Edge{}
			for _, e := range labelgraph.AllPairs(5) {
				more := withEdge(edges, e)
				if !slices.Contains(edges, e) && labelgraph.IsForest(5, more) {
					if o := exactObjective(t, p, more, lambda); o < best {
						best, at = o, e
					}
				}
			}
			if best > objective*(1-1e-4) {
				break
			}
			edges, objective = withEdge(edges, at), best
		}
		for _, e := range edges {
			if !slices.Contains(m.Edges, e) {
				t.Errorf("seed %d: %v, plainly %v", seed, m.Edges, edges)
				break
			}
		}
	}
}

func withEdge(edges []Edge, e Edge) []Edge {
	more := append(slices.Clone(edges), e)
	slices.SortFunc(more, func(a, b Edge) int { return a.Index() - b.Index() })
	return more
}

func TestMSTIsPlainMST(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		train, _ := planted(t, 6, 80, seed+10)
		lambda := 0.02
		m, _, err := MST{Lambda: lambda, GainGap: 1e-5, Settings: Settings{Gap: 1e-3}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		p := solver.NewProblem(train.X, train.Y, 6, Loss{}, nil, nil)
		var gains []float64
		empty := exactObjective(t, p, nil, lambda)
		for _, e := range labelgraph.AllPairs(6) {
			gains = append(gains, empty-exactObjective(t, p, []Edge{e}, lambda))
		}
		for _, k := range labelgraph.MaximumSpanningForest(6, labelgraph.AllPairs(6), gains, 0) {
			if e := labelgraph.AllPairs(6)[k]; gains[k] > 1e-4*empty && !slices.Contains(m.Edges, e) {
				t.Errorf("seed %d: %v lacks %v with the gain %v", seed, m.Edges, e, gains[k])
			}
		}
	}
}

// TestEmptyIsSolver compares the label by label training with the joint one.
func TestEmptyIsSolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, sparse := range []bool{false, true} {
		x, y := testkit.RandomExamples(rng, 80, 5, 4, sparse)
		p := solver.NewProblem(x, y, 4, Loss{}, nil, nil)
		ds := &Dataset{X: x, Y: y, LabelNames: make([]string, 4), FeatureNames: make([]string, 5)}
		_, trace, err := Empty{Lambda: 0.01, Settings: Settings{Gap: 1e-6}}.Train(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		if want := exactObjective(t, p, nil, 0.01); !(math.Abs(trace.Primal-want) <= 3e-6*want) {
			t.Errorf("objective %v label by label, %v jointly", trace.Primal, want)
		}
	}
}

// TestTrainersLimits checks that the limits of passes and time are kept: no
// method may go on for long once they are used up.
func TestTrainersLimits(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 6, 40, 6)
	for _, tr := range trainers(Settings{Gap: 1e-9, MaxPasses: 3}) {
		m, trace, err := tr.WithLambda(1e-6).Train(context.Background(), train)
		if !errors.Is(err, ErrNotConverged) || m == nil || trace.Status != PassLimit {
			t.Errorf("%s: %v, %v", tr.Name(), trace.Status, err)
		}
	}
	for _, tr := range trainers(Settings{Gap: 1e-9, MaxTime: time.Nanosecond}) {
		m, trace, err := tr.WithLambda(1e-6).Train(context.Background(), train)
		if !errors.Is(err, ErrNotConverged) || m == nil || trace.Status != TimeLimit {
			t.Errorf("%s: %v, %v", tr.Name(), trace.Status, err)
		}
		if trace.Dual > trace.Primal {
			t.Errorf("%s: bounds %v, %v", tr.Name(), trace.Dual, trace.Primal)
		}
	}
}

// TestCRANKWithoutPairs ends although there is no pair to penalize.
func TestCRANKWithoutPairs(t *testing.T) {
	train, _ := planted(t, 1, 20, 1)
	m, trace, err := CRANK{Lambda: 0.1, Restarts: 2}.Train(context.Background(), train)
	if err != nil || trace.Status != Converged || len(m.Edges) != 0 {
		t.Fatalf("%v, edges %v, error %v", trace.Status, m.Edges, err)
	}
}

// TestTrainersEnd checks that every method comes to an end, with a reason or an
// error, where the gap is below what rounding allows and where numbers overflow.
func TestTrainersEnd(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 5, 24, 9)
	for _, c := range []struct {
		lambda float64
		time   time.Duration
	}{{0.05, 0}, {1e11, 0}, {1e-9, 5 * time.Millisecond}, {1e-200, 5 * time.Millisecond}, {1e-320, 5 * time.Millisecond}} {
		for _, tr := range trainers(Settings{Gap: 1e-300, MaxTime: c.time}) {
			m, trace, err := tr.WithLambda(c.lambda).Train(context.Background(), train)
			if errors.Is(err, ErrData) {
				continue
			}
			if errs.OrNotConverged(err) != nil || m.Validate() != nil {
				t.Errorf("%s at %v: error %v", tr.Name(), c.lambda, err)
				continue
			}
			if (err == nil) != (trace.Gap() <= 1e-6) && trace.Status != TimeLimit {
				t.Errorf("%s at %v: gap %v, error %v", tr.Name(), c.lambda, trace.Gap(), err)
			}
			ended := trace.Status == NoProgress || trace.Status == Converged ||
				tr.Name() == "BestTree" && trace.Status == NotConverged // its gap is not that of one solve
			if !ended && (c.time == 0 || trace.Status != TimeLimit) {
				t.Errorf("%s at %v: %s", tr.Name(), c.lambda, trace.Status)
			}
		}
	}
}

// TestRestartsHoldTheirTrees checks the bounds of every start against its tree
// trained by itself, also where several starts came to one tree and share them.
func TestRestartsHoldTheirTrees(t *testing.T) {
	train, _ := planted(t, 5, 60, 4)
	ctx := context.Background()
	shared := 0
	for _, path := range []BetaPath{GrowBeta, ShrinkBeta} {
		_, trace, err := CRANK{Lambda: 0.01, Path: path, Restarts: 10}.Train(ctx, train)
		if err != nil || len(trace.Restarts) != 10 {
			t.Fatalf("%d starts, error %v", len(trace.Restarts), err)
		}
		for k, r := range trace.Restarts {
			_, alone, err := FixedGraph{Lambda: 0.01, Edges: r.Edges, Settings: Settings{Gap: 1e-4}}.Train(ctx, train)
			if err != nil || alone.Primal < r.Dual || alone.Dual > r.Primal {
				t.Errorf("%s, start %d: [%v, %v], its tree alone [%v, %v], error %v", path, k, r.Dual, r.Primal, alone.Dual, alone.Primal, err)
			}
			if r.Primal < trace.Restarts[trace.Winner].Primal {
				t.Errorf("%s: start %d is better than the winner", path, k)
			}
			for _, before := range trace.Restarts[:k] {
				if slices.Equal(before.Edges, r.Edges) {
					shared++
					break
				}
			}
		}
	}
	if shared == 0 {
		t.Error("no two starts came to one tree: the test does not see shared solves")
	}
}

// TestAdjustable checks that every method takes changed settings: what an
// experiment or a cross-validation sets must not be lost.
func TestAdjustable(t *testing.T) {
	for _, tr := range append(trainers(Settings{}), CCCPStep{}, SwapSearch{}, BestTree{}, Named("other", SwapSearch{})) {
		adjusted, ok := Adjust(tr, func(s *Settings) { s.Scaling, s.Seed = ZScore, 7 })
		if !ok {
			t.Errorf("%s is not Adjustable", tr.Name())
			continue
		}
		if n, ok := adjusted.(named); ok {
			adjusted = n.trainer
		}
		if _, set := adjusted.(learner).common(); set.Scaling != ZScore || set.Seed != 7 || adjusted.Name() == "" {
			t.Errorf("%s: settings %+v", tr.Name(), set)
		}
	}
}

// TestEveryPassChangesNothing trains with bounds after every pass for the trace and without, on problems so small that pairs
// come and go between two certificates.
func TestEveryPassChangesNothing(t *testing.T) {
	t.Parallel()
	for round := range 12 {
		rng := rand.New(rand.NewPCG(uint64(round), 77))
		n, d := 4+round%2, 2+round%3
		x, y := testkit.RandomExamples(rng, 14, d, n, round%3 > 0)
		ds := &Dataset{FeatureNames: numberedNames("x", d), LabelNames: numberedNames("y", n), X: x, Y: y}
		set := Settings{Gap: 0.01, Loss: Loss{Squared: round%4 > 0}, MaxPasses: 15}
		if !set.Loss.Squared {
			set.HingeCap = float64(round % 8 / 4) // with examples that are left out and without
		}
		for _, tr := range []Trainer{Full{Lambda: 3e-3, Settings: set}, CRANK{Lambda: 3e-3, Settings: set}} {
			watched, _ := Adjust(tr, func(s *Settings) { s.EveryPass = true })
			want, trace, _ := tr.Train(context.Background(), ds)
			got, seen, _ := watched.Train(context.Background(), ds)
			if !reflect.DeepEqual(got, want) || trace.Primal != seen.Primal || trace.Dual != seen.Dual {
				t.Errorf("round %d: %s: other bits with EveryPass", round, tr.Name())
			}
			for _, p := range seen.Points {
				if p.Dual > p.Primal*(1+1e-9) {
					t.Errorf("round %d: %s: dual %v above primal %v", round, tr.Name(), p.Dual, p.Primal)
				}
			}
		}
	}
}

// TestSmallRawProblemsAreCertified trains with pairs on few examples, whose features differ by six orders of magnitude: all
// passes that are allowed are less work than what an interior point method waits for.
func TestSmallRawProblemsAreCertified(t *testing.T) {
	t.Parallel()
	for round := range 8 {
		rng := rand.New(rand.NewPCG(uint64(round), 78))
		n, d := 2+round%3, 4
		x, y := testkit.RandomExamples(rng, 24, d, n, round%2 == 0)
		for k := range x.Value {
			column := k % d
			if x.IsSparse() {
				column = int(x.Index[k])
			}
			x.Value[k] *= math.Pow(10, float64(2*column-3))
		}
		ds := &Dataset{FeatureNames: numberedNames("x", d), LabelNames: numberedNames("y", n), X: x, Y: y}
		for _, tr := range []Trainer{Full{Lambda: 1e-3}, ChowLiu{Lambda: 1e-3}, CRANK{Lambda: 1e-3}} {
			m, trace, err := tr.Train(context.Background(), ds)
			if err != nil {
				t.Errorf("round %d: %v", round, err)
				continue
			}
			if got := Primal(ds, m, 1e-3); !testkit.Near(got, trace.Primal, 1e-6) || trace.Gap() > 0.01 {
				t.Errorf("round %d: %s: objective %v, trace %v, gap %v", round, tr.Name(), got, trace.Primal, trace.Gap())
			}
		}
	}
}
