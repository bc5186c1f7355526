package crossval

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
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

// scalingsOf are what is scouted with kernels.
func scalingsOf(ds *crankpkg.Dataset) []crankpkg.Scaling {
	if ds.X.IsSparse() {
		return []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.UnitRows, feature.Relevance}
	}
	return []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore}
}

// checkScouting goes the way that is promised: the default width of each kernel in each scaling, then the best at twice that for as
// long as that is better, or else at half of it. It must have been at all of these points, and at no others.
func checkScouting(t *testing.T, ds *crankpkg.Dataset, kernels []feature.KernelKind, points []GeneralPoint) {
	t.Helper()
	been, value := map[scouted]bool{}, -1.0
	var best scouted
	visit := func(kind feature.KernelKind, scaling crankpkg.Scaling, width float64) {
		scaler, err := feature.FitScalerTo(scaling, ds.X, ds.Y)
		if err != nil {
			t.Fatal(err)
		}
		gamma, found := width*feature.KernelFeatures{Kind: kind}.Resolve(scaler.Apply(ds.X)).Gamma, 0
		been[scouted{kind, scaling, width, 0}] = true
		for _, p := range points {
			if p.Kernel.Kind == kind && p.Scaling == scaling && math.Abs(p.Kernel.Gamma-gamma) <= 1e-12*gamma {
				if found++; p.mean() > value {
					best, value = scouted{kind, scaling, width, 0}, p.mean()
				}
			}
		}
		if found != len(generalLambdas) {
			t.Errorf("%d points of the %s kernel in scaling %s with width %v", found, kind, scaling, width)
		}
	}
	for _, kind := range kernels {
		for _, scaling := range scalingsOf(ds) {
			visit(kind, scaling, 1)
		}
	}
	first := best
	for steps, better := 0, true; better && steps < 3; steps++ {
		from := best
		visit(from.kind, from.scaling, from.width*2)
		better = best != from
	}
	for steps, better := 0, best == first; better && steps < 3; steps++ {
		from := best
		visit(from.kind, from.scaling, from.width/2)
		better = best != from
	}
	if want := len(been) * len(generalLambdas); len(points) != want {
		t.Errorf("%d points, want %d", len(points), want)
	}
}

// bothKernels are what is scouted on dense rows.
var bothKernels = []feature.KernelKind{feature.Gaussian, feature.Laplace}

// TestScouting goes the way on sets for which it differs, with the kernels of dense rows and with others.
func TestScouting(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		ds, _, _ := crankpkg.PlantedTree{N: 3, D: 3, Noise: 0.1, Seed: seed}.Generate(24, 1)
		g := General{Trainers: generalTrainers()[:1], Measures: []metrics.Measure{metrics.SubsetAccuracy}, Folds: 2, Workers: 1}
		c, err := g.Choose(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		checkScouting(t, ds, bothKernels, c.Points[:c.Scouted])
	}
	ds, _, _ := crankpkg.PlantedTree{N: 3, D: 3, Noise: 0.1, Seed: 3}.Generate(24, 1)
	own := []feature.KernelKind{feature.ChiSquare}
	c, err := General{Kernels: own, Trainers: generalTrainers()[:1], Measures: []metrics.Measure{metrics.SubsetAccuracy}, Folds: 2, Workers: 1}.Choose(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	checkScouting(t, ds, own, c.Points[:c.Scouted])
}

// TestScoutingFindsTheKernel has features with heavy tails, whose outliers are by squares much further from the rest than by absolute
// values: the kernel of these must be chosen, and be that of the model.
func TestScoutingFindsTheKernel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 0))
	const rows, features, labels = 100, 9, 3
	ds := &crankpkg.Dataset{
		X: &crankpkg.Matrix{NumRows: rows, NumCols: features}, Y: make([]uint8, rows*labels),
		FeatureNames: make([]string, features), LabelNames: []string{"a", "b", "c"},
	}
	for m := range rows {
		var sums [labels]float64
		for k := range features {
			angle := math.Pi * (rng.Float64() - 0.5)
			sums[k%labels] += angle
			ds.X.Value = append(ds.X.Value, math.Tan(angle)) // Cauchy's distribution
		}
		for i, sum := range sums {
			if sum > 0 {
				ds.Y[m*labels+i] = 1
			}
		}
	}
	c, m := chosenForHamming(t, ds)
	if p := c.Points[c.Chosen[0].Point]; p.Kernel.Kind != feature.Laplace || m.Kernel == nil || m.Kernel.Kind != feature.Laplace {
		t.Errorf("chosen is %+v with %v, the model's kernel %+v", p.Kernel, p.Nested, m.Kernel)
	}
}

// chosenForHamming returns what is chosen for Hamming accuracy by two folds with one trainer, and the model.
func chosenForHamming(t *testing.T, ds *crankpkg.Dataset) (*GeneralChoice, *crankpkg.Model) {
	t.Helper()
	g := General{Trainers: generalTrainers()[:1], Measures: []metrics.Measure{metrics.HammingAccuracy}, Folds: 2, Repeats: 1, Workers: 1}
	c, err := g.Choose(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := g.Train(context.Background(), c, metrics.HammingAccuracy, ds)
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// TestScoutingFindsTheRelevant has a word for each label among many that tell nothing: the scaling that weighs words by the
// labels must be chosen, be fitted to the training rows, and be that of the model.
func TestScoutingFindsTheRelevant(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 0))
	const rows, words, labels = 80, 120, 3
	ds := &crankpkg.Dataset{X: feature.NewSparse(words), FeatureNames: make([]string, words), LabelNames: []string{"a", "b", "c"}}
	for range rows {
		var index []int32
		for i := range labels {
			on := uint8(rng.IntN(2))
			if ds.Y = append(ds.Y, on); on == 1 {
				index = append(index, int32(i))
			}
		}
		for k := int32(labels); k < words; k++ {
			if rng.IntN(8) == 0 {
				index = append(index, k)
			}
		}
		ds.X.AppendSparse(index, slices.Repeat([]float64{1}, len(index)))
	}
	c, m := chosenForHamming(t, ds)
	want, err := feature.FitScalerTo(feature.Relevance, ds.X, ds.Y)
	if err != nil || !reflect.DeepEqual(m.Scaler, want) {
		t.Errorf("chosen is %+v, the model's scaling %q, error %v", c.Points[c.Chosen[0].Point], m.Scaler.Kind, err)
	}
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
	checkScouting(t, ds, bothKernels, c.Points[:c.Scouted])
	best := c.Points[0]
	for _, p := range c.Points[:c.Scouted] {
		if p.mean() > best.mean() {
			best = p
		}
		if p.Method != "Empty" || p.Kernel.Kind == feature.NoKernel || len(p.Nested) != 2 {
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
		if p.Scaling != best.Scaling || p.Kernel.Kind != best.Kernel.Kind || p.Kernel.Gamma != best.Kernel.Gamma || p.Lambda != want || p.Kernel.Landmarks != 0 {
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
	alone := c.Scouted - len(scalingsOf(ds))*len(linearLambdas)
	checkScouting(t, ds, bothKernels[:1], c.Points[:alone])
	for k, p := range c.Points[alone:c.Scouted] {
		if want := scalingsOf(ds)[k/len(linearLambdas)]; p.Kernel.Kind != feature.NoKernel || p.Scaling != want {
			t.Errorf("scouted without a kernel: %+v, not in scaling %q", p, want)
		}
	}
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
	for what, g := range map[string]General{"no such measure": {Measures: []metrics.Measure{"x"}}, "too many folds": {Folds: 21},
		"no kernel": {Kernels: []feature.KernelKind{feature.NoKernel}}, "no such kernel": {Kernels: []feature.KernelKind{"x"}}} {
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
