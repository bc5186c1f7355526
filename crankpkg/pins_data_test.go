package crankpkg_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// predictionPins are what predictors make of rows, and the bytes of model files.
func predictionPins() []pin {
	type S = crankpkg.Settings
	ds := planted(6, 100)
	sparse := thinned(ds)
	trained := func(trainer crankpkg.Trainer) func() (*crankpkg.Model, error) {
		return func() (*crankpkg.Model, error) {
			m, _, err := trainer.Train(context.Background(), ds)
			return m, err
		}
	}
	random := func(ds *crankpkg.Dataset, extra int) func() (*crankpkg.Model, error) {
		return func() (*crankpkg.Model, error) { return randomModel(ds, extra), nil }
	}
	vectors := crankpkg.EdgeFeatures{Columns: []int{1, 3}, Scale: 2}
	wide := planted(40, 100)
	return []pin{
		predictPin("forest", random(ds, -2), ds), predictPin("forest-sparse", random(ds, -2), sparse),
		predictPin("cycles", random(ds, 6), ds), predictPin("cycles-sparse", random(ds, 6), sparse),
		predictPin("no-pairs", random(ds, -5), ds),
		predictPin("wide", random(wide, 0), wide), predictPin("wide-sparse", random(wide, 0), thinned(wide)),
		predictPin("zscore", trained(crankpkg.ChowLiu{Settings: S{Scaling: crankpkg.ZScore}}), ds),
		predictPin("minmax", trained(crankpkg.Full{Settings: S{Scaling: crankpkg.MinMax}}), sparse),
		predictPin("unitrows", trained(crankpkg.ChowLiu{Settings: S{Scaling: crankpkg.UnitRows}}), ds),
		predictPin("fourier", trained(crankpkg.ChowLiu{Settings: S{Scaling: crankpkg.ZScore, Fourier: crankpkg.FourierFeatures{Count: 8}}}), ds),
		predictPin("vectors", trained(crankpkg.ChowLiu{Settings: S{EdgeFeatures: vectors}}), ds),
		predictPin("vectors-cycles", trained(crankpkg.Full{Settings: S{EdgeFeatures: vectors, Scaling: crankpkg.MinMax}}), ds),
		predictPin("seen", trained(crankpkg.Full{Settings: S{Powerset: crankpkg.LabelPowerset{Only: true, Prior: 0.2}}}), ds),
		predictPin("seen-vectors", trained(crankpkg.Full{Settings: S{Powerset: crankpkg.LabelPowerset{Only: true}, EdgeFeatures: vectors}}), sparse),
	}
}

// predictPin pins predictions, scores, graphs and measures on ds, and the file of the model.
func predictPin(name string, model func() (*crankpkg.Model, error), ds *crankpkg.Dataset) pin {
	return pin{"predict/" + name, func(d digest) error {
		m, err := model()
		if err != nil {
			return err
		}
		p, c := m.Predictor(), make([]float64, m.NumLabels())
		d.add(p.PredictAll(ds.X), crankpkg.Evaluate(m, ds), m.PairNorms())
		for k := range 20 {
			p.ScoresTo(c, ds.Row(k))
			d.add(c, p.Predict(ds.Row(k)), m.Score(ds.Row(k), ds.Labels(k)), m.GraphAt(ds.Row(k)).Edges)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			return fmt.Errorf("writing the model: %w", err)
		}
		d.add(file.Bytes())
		return nil
	}}
}

// dataPins are synthetic data, scalings, Fourier features and divisions of examples.
func dataPins() []pin {
	var pins []pin
	for _, p := range []crankpkg.PlantedTree{{}, {Seed: 9}, {Noise: 0.2}, {N: 12, Removed: 4}, {D: 7, UnaryScale: 2, PairScale: 1}} {
		pins = append(pins, pin{fmt.Sprintf("data/planted-%d", len(pins)), func(d digest) error {
			train, test, truth := p.Generate(40, 20)
			d.dataset(train)
			d.dataset(test)
			d.model(truth)
			return nil
		}})
	}
	ds := planted(6, 50)
	pins = append(pins, matrixPins("dense", ds.X)...)
	pins = append(pins, matrixPins("sparse", thinned(ds).X)...)
	return append(pins, pin{"data/divisions", func(d digest) error {
		for seed := range uint64(5) {
			folds, err := ds.Folds(3, seed)
			if err != nil {
				return err
			}
			train, test := ds.Split(0.6, seed)
			d.add(folds)
			d.dataset(train)
			d.dataset(test)
			d.dataset(ds.Shuffle(seed))
		}
		d.add(crankpkg.MutualInformation(ds))
		return nil
	}})
}

// matrixPins are what scalings and Fourier features make of rows.
func matrixPins(name string, x *crankpkg.Matrix) []pin {
	var pins []pin
	for _, kind := range []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore, crankpkg.MinMax, crankpkg.UnitRows} {
		pins = append(pins, pin{fmt.Sprintf("data/scaler-%s-%s", name, kind), func(d digest) error {
			s, err := feature.FitScaler(kind, x)
			if err != nil {
				return err
			}
			w := []float64{1, -2, 3, 0.5, 0.1}
			s.Fold(w)
			d.add(s, *s.Apply(x), w, s.RowFactor(x.Row(0)))
			return nil
		}})
	}
	for _, f := range []crankpkg.FourierFeatures{{Count: 6}, {Count: 12, Gamma: 0.4, Seed: 3}} {
		pins = append(pins, pin{fmt.Sprintf("data/fourier-%s-%d", name, f.Count), func(d digest) error {
			d.add(*f.Map(x))
			return nil
		}})
	}
	return pins
}

func (d digest) dataset(ds *crankpkg.Dataset) {
	d.add(ds.Name, ds.FeatureNames, ds.LabelNames, *ds.X, ds.Y)
}

// evaluationPins are cross-validations, which train along paths of lambdas, and the table of an experiment.
func evaluationPins() []pin {
	type CV = crossval.Search
	lambdas := []float64{0.003, 0.03, 0.3}
	seen := []crankpkg.LabelPowerset{{}, {Only: true}, {Only: true, Prior: 0.5}}
	scalings := []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.MinMax}
	var pins []pin
	for _, m := range methods() {
		if m.name != "best" { // no path saves it much
			pins = append(pins, selectionPin(m.name, CV{Trainer: m.trainer, Folds: 2, Lambdas: lambdas, Seed: 2}))
		}
	}
	return append(pins,
		selectionPin("default", CV{Trainer: crankpkg.Empty{}}),
		selectionPin("all", CV{
			Trainer: crankpkg.ChowLiu{}, Lambdas: lambdas, Scalings: scalings, Powersets: seen, Folds: 3, Repeats: 2,
			Criterion: metrics.SubsetAccuracy, OneStandardError: true, Gap: 0.1, MaxPasses: 20,
		}),
		selectionPin("passes", CV{Trainer: crankpkg.Empty{Settings: crankpkg.Settings{Gap: 1e-6}}, Lambdas: lambdas, MaxPasses: 4}),
		selectionPin("no-path", CV{Trainer: foreign{crankpkg.ChowLiu{}}, Lambdas: lambdas}),
		pin{"evaluation/experiment", experimentDigest},
		pin{"evaluation/bootstrap", func(d digest) error {
			rng := rand.New(rand.NewPCG(1, 0))
			share := func() float64 { return float64(rng.IntN(5)) / 4 } // has ties
			d.add(metrics.Bootstrap{}.Compare(numbers(40, share), numbers(40, share)))
			d.add(metrics.Bootstrap{Seed: 3, Confidence: 0.5}.Compare(numbers(40, rng.Float64), numbers(40, rng.Float64)))
			d.add(metrics.NewMcNemar(5, 11))
			return nil
		}},
	)
}

// foreign is a Trainer that hides the methods of another one, as if it were of another package.
type foreign struct{ crankpkg.Trainer }

func (f foreign) WithLambda(lambda float64) crankpkg.Trainer {
	return foreign{f.Trainer.WithLambda(lambda)}
}

func selectionPin(name string, cv crossval.Search) pin {
	return pin{"evaluation/select-" + name, func(d digest) error {
		s, err := cv.Run(context.Background(), planted(5, 40))
		if err != nil {
			return err
		}
		d.add(*s)
		return nil
	}}
}

func experimentDigest(d digest) error {
	table, err := experiment.Experiment{
		Sets: []experiment.Set{
			experiment.PlantedSet("one", crankpkg.PlantedTree{N: 5}, 40, 30),
			experiment.PlantedSet("two", crankpkg.PlantedTree{N: 4, D: 8, Noise: 0.1}, 30, 40),
		},
		Trainers: []crankpkg.Trainer{crankpkg.CRANK{Restarts: 2}, crankpkg.Full{}, crankpkg.Empty{}},
		Seeds:    []uint64{1, 2},
		Select:   &crossval.Search{Lambdas: []float64{0.01, 0.1}, Folds: 2},
	}.Run(context.Background())
	if err != nil {
		return err
	}
	d.add(table.Entries(), table.CSV(), table.Markdown(), table.HTML())
	for _, c := range table.Cells {
		d.add(c.Set, c.Method, c.Seed, c.Lambda, string(c.Scaling), c.Primal, c.Dual, string(c.Status), c.Edges)
		d.add(c.Scores, c.Examples(), *c.Selection)
	}
	for _, c := range table.Compare("CRANK", metrics.Bootstrap{Resamples: 500}) {
		d.add(c.Set, c.A, c.B, string(c.Measure), c.Difference)
	}
	return nil
}
