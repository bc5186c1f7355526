package crankpkg

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// unitsDataset returns examples with a year and a number of minutes as features.
func unitsDataset(size int) *Dataset {
	rng := rand.New(rand.NewPCG(8, 2))
	ds := &Dataset{Name: "units", FeatureNames: []string{"year", "minutes", "share"}, LabelNames: []string{"a", "b", "c"}}
	rows := make([][]float64, size)
	for m := range rows {
		z := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		rows[m] = []float64{1990 + float64(int(10*z[0])), 5000 + 2000*z[1], z[2]}
		for _, score := range []float64{z[0] + z[1], z[1] - z[2], z[0] + z[2]} {
			y := uint8(0)
			if score+0.5*rng.NormFloat64() > 0 {
				y = 1
			}
			ds.Y = append(ds.Y, y)
		}
	}
	ds.X = feature.NewDense(3, rows)
	return ds
}

// TestTrainersComeBack trains on features in units of their own. Every method ends by
// itself, certified or with an error that says what helps.
func TestTrainersComeBack(t *testing.T) {
	t.Parallel()
	ds := unitsDataset(40)
	for _, tr := range trainers(Settings{Workers: 1, Gap: 0.02}) {
		m, trace, err := tr.WithLambda(0.01).Train(context.Background(), ds)
		if errs.OrNotConverged(err) != nil {
			t.Errorf("%s: %v", tr.Name(), err)
			continue
		}
		if err == nil && !(trace.Gap() <= 0.02) {
			t.Errorf("%s: no error at a gap of %v", tr.Name(), trace.Gap())
		}
		if err != nil && (!strings.Contains(err.Error(), "orders of magnitude: set Scaling") || trace.Status != PassLimit) {
			t.Errorf("%s: status %s, error %v", tr.Name(), trace.Status, err)
		}
		if got := Primal(ds, m, 0.01); !testkit.Near(got, trace.Primal, 1e-6) {
			t.Errorf("%s: the model has the objective %v, the trace says %v", tr.Name(), got, trace.Primal)
		}
		if tr.Name() == "Empty" && err != nil {
			t.Errorf("Empty: %v", err)
		}
	}
	if _, _, err := (CRANK{Lambda: 0.01, Settings: Settings{Scaling: ZScore}}).Train(context.Background(), ds); err != nil {
		t.Errorf("scaled: %v", err)
	}
}

// TestCutShortIsNoWorse cuts every method short, by passes and by time: what it returns is
// no worse than w = 0 and than Empty cut at the same passes, where it has trained that.
func TestCutShortIsNoWorse(t *testing.T) {
	t.Parallel()
	const lambda = 1e-4
	train, _ := planted(t, 6, 24, 3)
	for _, passes := range []int{1, 2, 6} {
		_, empty, err := Empty{Lambda: lambda, Settings: Settings{Gap: 1e-9, MaxPasses: passes}}.Train(context.Background(), train)
		if !errors.Is(err, ErrNotConverged) {
			t.Fatalf("Empty in %d passes: %v", passes, err)
		}
		for _, tr := range trainers(Settings{Gap: 1e-9, MaxPasses: passes}) {
			m, trace, err := tr.WithLambda(lambda).Train(context.Background(), train)
			if !errors.Is(err, ErrNotConverged) {
				t.Errorf("%s in %d passes: error %v", tr.Name(), passes, err)
				continue
			}
			limit := float64(train.NumLabels())
			if c, ok := tr.(CRANK); tr.Name() == "MST" || tr.Name() == "Greedy" || ok && c.Path == ShrinkBeta {
				limit = min(limit, empty.Primal)
			}
			got := Primal(train, m, lambda)
			if !(got <= limit*(1+1e-9)) || !testkit.Near(got, trace.Primal, 1e-9) {
				t.Errorf("%s in %d passes: objective %v, trace %v, known %v", tr.Name(), passes, got, trace.Primal, limit)
			}
		}
	}
	for _, limit := range []time.Duration{1, time.Millisecond, 4 * time.Millisecond} {
		for _, tr := range trainers(Settings{Gap: 1e-9, MaxTime: limit}) {
			m, trace, err := tr.WithLambda(lambda).Train(context.Background(), train)
			if errs.OrNotConverged(err) != nil {
				t.Fatalf("%s: %v", tr.Name(), err)
			}
			if got := Primal(train, m, lambda); got > float64(train.NumLabels())*(1+1e-9) || !testkit.Near(got, trace.Primal, 1e-9) {
				t.Errorf("%s in %v: objective %v, trace %v", tr.Name(), limit, got, trace.Primal)
			}
		}
	}
}

// TestOutcomeSaysWhatHelps checks the errors of trainings that have not converged.
func TestOutcomeSaysWhatHelps(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 4, 60, 3)
	for _, c := range []struct {
		set  Settings
		text string
	}{
		{Settings{Gap: 1e-9, MaxPasses: 2}, "MaxPasses are used up"},
		{Settings{Gap: 1e-9, MaxTime: 1}, "MaxTime is over"},
	} {
		_, _, err := Full{Lambda: 1e-4, Settings: c.set}.Train(context.Background(), train)
		if !errors.Is(err, ErrNotConverged) || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), "Full: ") {
			t.Errorf("%v, want %q", err, c.text)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := (Full{}).Train(ctx, train); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNotConverged) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestPathGoesOn trains along lambdas of which some stop short.
func TestPathGoesOn(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 4, 60, 3)
	models, traces, err := TrainPath(context.Background(), Full{Settings: Settings{MaxPasses: 12}}, train, []float64{1, 1e-5, 1e-6})
	if len(models) != 3 || len(traces) != 3 || !errors.Is(err, ErrNotConverged) || !strings.Contains(err.Error(), "lambda 1e-05") {
		t.Errorf("%d models, %v", len(models), err)
	}
}

// TestTraceIsOfTheModel trains on wide rows that repeat one another, where the interior point
// method has its turn: the trace's bounds are those of the model.
func TestTraceIsOfTheModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 9))
		ds := &Dataset{Name: "twins", LabelNames: []string{"a", "b"}, FeatureNames: draw.Names("f", 60)}
		rows := make([][]float64, 30)
		for m := range rows {
			rows[m] = make([]float64, 60)
			for k := range rows[m] {
				rows[m][k] = rng.NormFloat64()
			}
			if m%2 == 1 {
				rows[m] = rows[m-1]
			}
			ds.Y = append(ds.Y, uint8(rng.IntN(2)), uint8(rng.IntN(2)))
		}
		ds.X = feature.NewDense(60, rows)
		for _, lambda := range []float64{1e-2, 1e-4} {
			for _, gap := range []float64{1e-2, 1e-4} {
				m, trace, err := Empty{Lambda: lambda, Settings: Settings{Gap: gap}}.Train(context.Background(), ds)
				if got := Primal(ds, m, lambda); !testkit.Near(got, trace.Primal, 1e-7) || trace.Short() != (err != nil) {
					t.Errorf("seed %d, lambda %g, gap %g: trace %v, model %v, error %v", seed, lambda, gap, trace.Primal, got, err)
				}
			}
		}
	}
}

// TestCutShortStaysInTheFamily cuts searches whose first models have cycles or too many
// edges: what they return is of their family, and its dual below a tree of that.
func TestCutShortStaysInTheFamily(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 6, 40, 3)
	for _, passes := range []int{1, 2, 8} {
		set := Settings{MaxPasses: passes, Gap: 1e-4}
		for _, start := range []Trainer{Full{}, CRANK{Beta: []float64{0}, FixedBeta: true, Restarts: 1}} {
			m, _, err := SwapSearch{Lambda: 0.01, Start: start, Settings: set}.Train(context.Background(), train)
			if !labelgraph.IsForest(6, m.Edges) {
				t.Errorf("%d passes after %s: edges %v, error %v", passes, start.Name(), m.Edges, err)
			}
		}
		m, _, _ := BestTree{Lambda: 0.01, MaxEdges: 2, Settings: set}.Train(context.Background(), train)
		if len(m.Edges) > 2 {
			t.Errorf("%d passes: edges %v of two at most", passes, m.Edges)
		}
		m, _, _ = BestTree{Lambda: 0.01, MaxDegree: 1, Settings: set}.Train(context.Background(), train)
		if labelgraph.MaxDegree(6, m.Edges) > 1 {
			t.Errorf("%d passes: edges %v are no matching", passes, m.Edges)
		}
	}
	// Where BestTree is cut while it stalls, its lower bound stays one for all trees.
	ds := unitsDataset(30)
	scaled := *ds
	scaled.X = (Scaler{Kind: MinMax, Factor: []float64{0, 0, 1}}).Apply(ds.X)
	_, good, err := BestTree{Lambda: 0.01, MaxEdges: 1}.Train(context.Background(), &scaled)
	if err != nil {
		t.Fatal(err)
	}
	_, trace, err := BestTree{Lambda: 0.01, MaxEdges: 1, Settings: Settings{Gap: 0.02, MaxPasses: 100}}.Train(context.Background(), ds)
	if !errors.Is(err, ErrNotConverged) || trace.Dual > good.Primal {
		t.Errorf("dual %v, a tree without the large features has %v, error %v", trace.Dual, good.Primal, err)
	}
}

// TestCutShortHasTheSameBits cuts short with and without bounds for the trace alone, and on
// several workers.
func TestCutShortHasTheSameBits(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 5, 20, 3)
	for _, passes := range []int{1, 6, 12} {
		for k, tr := range trainers(Settings{Gap: 1e-9, MaxPasses: passes, Workers: 1}) {
			want, _, _ := tr.WithLambda(1e-3).Train(context.Background(), train)
			got, trace, err := trainers(Settings{Gap: 1e-9, MaxPasses: passes, Workers: 3, EveryPass: true})[k].WithLambda(1e-3).Train(context.Background(), train)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %d passes: other bits", tr.Name(), passes)
			}
			if trace.Short() != (err != nil) {
				t.Errorf("%s in %d passes: status %s, gap %v, error %v", tr.Name(), passes, trace.Status, trace.Gap(), err)
			}
		}
	}
}

// countdown is a context that ends after so many looks at it.
type countdown struct {
	context.Context
	left *atomic.Int64
}

func (c countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestGreedyTellsInterrupts ends Greedy at many places: a nil error means that it has chosen
// all its edges.
func TestGreedyTellsInterrupts(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 6, 60, 3)
	want, _, err := Greedy{Lambda: 0.1, Settings: Settings{Workers: 1}}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	for looks := int64(1); looks < 400; looks += 7 {
		left := new(atomic.Int64)
		left.Store(looks)
		m, _, err := Greedy{Lambda: 0.1, Settings: Settings{Workers: 1}}.Train(countdown{context.Background(), left}, train)
		if err == nil && !reflect.DeepEqual(m, want) {
			t.Errorf("ended after %d looks: no error, edges %v of %v", looks, m.Edges, want.Edges)
		}
	}
}
