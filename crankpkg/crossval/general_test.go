package crossval

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// generalTrainers are fast.
func generalTrainers() []crankpkg.Trainer {
	return []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.ChowLiu{}}
}

// exported is what a choice says, without what it keeps for itself.
func exported(c *GeneralChoice) []GeneralPoint {
	points := slices.Clone(c.Points)
	for k := range points {
		points[k].parts = nil
	}
	return points
}

// TestGeneral checks what the choice promises: a kernel, scalings and widths scouted, the
// Trainers at the best of them, and for each measure the best of these; and that a model is
// what is trained in these settings.
func TestGeneral(t *testing.T) {
	t.Parallel()
	ds, test, _ := crankpkg.PlantedTree{N: 4, D: 3, Noise: 0.1, Seed: 2}.Generate(40, 100)
	measures := []metrics.Measure{metrics.SubsetAccuracy, metrics.ExampleF1}
	g := General{Trainers: generalTrainers(), Measures: measures, Folds: 2, Workers: 1}
	c, err := g.Choose(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	g.Workers = 3
	again, err := g.Choose(context.Background(), ds)
	if err != nil || !reflect.DeepEqual(exported(c), exported(again)) || !reflect.DeepEqual(c.Chosen, again.Chosen) {
		t.Errorf("%v with one worker, %v with three, %v", c, again, err)
	}
	best := c.Points[0]
	for _, p := range c.Points[:c.Scouted] {
		if p.mean() > best.mean() {
			best = p
		}
		if p.Method != "Empty" || p.Kernel.Kind != feature.Gaussian || len(p.Nested) != 2 {
			t.Errorf("scouted %+v", p)
		}
	}
	if tried := c.Points[c.Scouted:]; c.Scouted < 6*len(generalLambdas) || len(tried) != 3 || tried[0].Method != "Empty" || tried[1].Method != "Chow-Liu" {
		t.Errorf("%d scouted, then %+v", c.Scouted, tried)
	}
	for k, p := range c.Points[c.Scouted:] {
		want := best.Lambda
		if k == 2 {
			want /= 2
		}
		if p.Scaling != best.Scaling || p.Kernel.Gamma != best.Kernel.Gamma || p.Lambda != want || p.Kernel.Landmarks != 0 {
			t.Errorf("%+v, scouted %+v", p, best)
		}
	}
	each, traces, err := g.TrainEach(context.Background(), c, ds)
	if err != nil || len(each) != 2 || len(traces) != 2 {
		t.Fatalf("%d models, %d traces, %v", len(each), len(traces), err)
	}
	for k, b := range c.Chosen {
		p := c.Points[b.Point]
		for _, q := range c.Points[c.Scouted:] {
			if q.Nested[k] > p.Nested[k] {
				t.Errorf("%s: %+v is better than %+v", b.Measure, q, p)
			}
		}
		if b.Measure != measures[k] || b.Point < c.Scouted || b.Choice.Measure != measures[k] {
			t.Errorf("%+v", b)
		}
		m, _, err := g.Train(context.Background(), c, b.Measure, ds)
		if !reflect.DeepEqual(m, each[k]) {
			t.Errorf("%s: %+v, and trained with the others %+v", b.Measure, m, each[k])
		}
		if err != nil || m.Method != p.Method || m.Lambda != p.Lambda || m.Kernel.Gamma != p.Kernel.Gamma || !reflect.DeepEqual(m.Rule, b.Choice.Rule()) ||
			len(m.LabelingScores) > 0 != b.Choice.Best().Seen {
			t.Errorf("%s: %+v, %v", b.Measure, m, err)
		}
		if got := crankpkg.Evaluate(m, test).Of(b.Measure); got < 30 {
			t.Errorf("%s: %v on the test examples", b.Measure, got)
		}
	}
	if text := c.String(); !strings.Contains(text, "subset accuracy: ") || !strings.Contains(text, "\nF1: ") {
		t.Error(text)
	}
	if m, _, err := g.Train(context.Background(), c, metrics.MicroF1, ds); !errors.Is(err, crankpkg.ErrSettings) || m != nil {
		t.Errorf("a measure that was not asked for: %v, %v", m, err)
	}
}

// TestGeneralLinear checks that there are no kernels, and that scouting has the label loss of
// the Trainers.
func TestGeneralLinear(t *testing.T) {
	t.Parallel()
	ds, test, _ := crankpkg.PlantedTree{N: 4, D: 3, Noise: 0.1, Seed: 2}.Generate(60, 100)
	squared := crankpkg.Settings{Loss: crankpkg.Loss{Squared: true}}
	g := General{Linear: true, Folds: 2, Trainers: []crankpkg.Trainer{crankpkg.Empty{Settings: squared}}}
	c, err := g.Choose(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	if c.Scouted != 2*len(linearLambdas) || len(c.Points) != c.Scouted+2 || len(c.Chosen) != 1 {
		t.Fatalf("%d points, %d scouted, %d chosen", len(c.Points), c.Scouted, len(c.Chosen))
	}
	// The Trainer is what has scouted: in the same setting, it has the same measure.
	best := c.Points[c.Scouted]
	for k, p := range c.Points {
		if p.Kernel.Kind != feature.NoKernel {
			t.Errorf("point %d: %+v", k, p)
		}
		if p.Scaling == best.Scaling && p.Lambda == best.Lambda && math.Abs(p.mean()-best.mean()) > 2 {
			t.Errorf("%+v, and scouted as %+v", best, p)
		}
	}
	m, _, err := g.Train(context.Background(), c, metrics.MeanOfThree, ds)
	if err != nil || m.Kernel != nil || m.Scaler.Kind != c.Points[c.Chosen[0].Point].Scaling || crankpkg.Evaluate(m, test).ExampleF1 < 40 {
		t.Errorf("%v, %v", m, err)
	}
	g.Trainers = nil
	g.complete(ds)
	if crankpkg.Adjust(g.Trainers[0], func(set *crankpkg.Settings) { squared = *set }); len(g.Trainers) != 1 || !squared.Loss.Squared {
		t.Errorf("by default %+v", g.Trainers)
	}
}

// TestGeneralOfSparseRows checks that linear models are tried beside kernels, at all lambdas, and
// that what is chosen is the best of all.
func TestGeneralOfSparseRows(t *testing.T) {
	t.Parallel()
	ds, _, _ := crankpkg.PlantedTree{N: 3, D: 3, Noise: 0.1, Seed: 4}.Generate(40, 1)
	ds.X = ds.X.Sparse()
	g := General{Trainers: generalTrainers(), Folds: 2, Repeats: 1, Workers: 1}
	c, err := g.Choose(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	linear := 0
	for k, p := range c.Points[c.Scouted:] {
		if p.Kernel.Kind == feature.NoKernel {
			linear++
		}
		if best := c.Points[c.Chosen[0].Point]; p.mean() > best.mean() {
			t.Errorf("point %d, %+v, is better than %+v", k, p, best)
		}
	}
	if want := len(g.Trainers) * len(linearLambdas); linear != want || len(c.Points) != c.Scouted+3+want {
		t.Errorf("%d linear models of %d, not %d", linear, len(c.Points)-c.Scouted, want)
	}
}

// TestGeneralCompletes checks the defaults that depend on the examples: trainings that take any
// number of labels, and repeats where examples are few.
func TestGeneralCompletes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{3: true, infer.EnumerableLabels + 1: false} {
		ds, _, _ := crankpkg.PlantedTree{N: n, D: 3, Noise: 0.1, Seed: 4}.Generate(30, 1)
		var g General
		g.complete(ds)
		zeroOne := false
		for _, trainer := range g.Trainers {
			crankpkg.Adjust(trainer, func(set *crankpkg.Settings) { zeroOne = zeroOne || set.Loss.ZeroOne > 0 })
			if m, _, err := trainer.Train(context.Background(), ds); err != nil || m == nil {
				t.Errorf("%d labels: %s: %v", n, trainer.Name(), err)
			}
		}
		if zeroOne != want || g.Repeats != fewRepeats {
			t.Errorf("%d labels: %+v", n, g)
		}
	}
}

func TestGeneralRefuses(t *testing.T) {
	t.Parallel()
	ds := labeledSet(20, 14)
	for what, g := range map[string]General{"no such measure": {Measures: []metrics.Measure{"x"}}, "too many folds": {Folds: 21}} {
		if c, err := g.Choose(context.Background(), ds); !errors.Is(err, crankpkg.ErrSettings) || c != nil {
			t.Errorf("%s: %v, %v", what, c, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (General{}).Choose(ctx, ds); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
