package crossval

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// TestCalibratedModel chooses a rule with a calibration on the folds of Emotions: the model of
// all training examples has it, in its file too, and its probabilities tell more of the test
// examples than sigmoids of the margins and than how frequent the labels are.
func TestCalibratedModel(t *testing.T) {
	t.Parallel()
	ds, test, err := crankpkg.LoadSplit("emotions")
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.ChowLiu{}} {
		method, _ = crankpkg.Adjust(method, func(s *crankpkg.Settings) { s.Scaling = crankpkg.ZScore })
		held, err := Search{Trainer: method, Lambdas: []float64{0.1}}.HeldOutScores(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		choice, err := held.Choose(context.Background(), decision.Search{Measure: metrics.ExampleF1, Calibrate: true, AllLabelings: true})
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := choice.Train(context.Background(), method, ds)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if _, err := m.ReadFrom(&file); err != nil || m.Rule.Calibration == nil {
			t.Fatalf("%s: rule %v, error %v", method.Name(), m.Rule, err)
		}
		margins := m.Predictor().MarginsAll(test.X)
		n := m.NumLabels()
		raw, share, frequent := make([]float64, len(margins)), make([]float64, n), make([]float64, len(margins))
		for k, y := range ds.Y {
			share[k%n] += float64(y) / float64(ds.Len())
		}
		for k, margin := range margins {
			raw[k], frequent[k] = 1/(1+math.Exp(-margin)), share[k%n]
		}
		own, plain, base := decision.LogLoss(m.Rule.Calibration.Probabilities(margins), test.Y), decision.LogLoss(raw, test.Y), decision.LogLoss(frequent, test.Y)
		if !(own < plain-0.01 && own < base-0.1) {
			t.Errorf("%s: log-loss %.4f, raw sigmoids %.4f, frequencies %.4f", method.Name(), own, plain, base)
		}
	}
}

// Probabilities of labels: a calibration by held-out scores, kept with the model.
func ExampleHeldOut_Choose() {
	ctx := context.Background()
	train, test, _ := crankpkg.PlantedTree{N: 4, Noise: 0.2, Seed: 3}.Generate(300, 100)
	search := Search{Trainer: crankpkg.ChowLiu{}, Lambdas: []float64{0.01}}
	held, err := search.HeldOutScores(ctx, train)
	if err != nil {
		fmt.Println(err)
		return
	}
	choice, err := held.Choose(ctx, decision.Search{Measure: metrics.HammingAccuracy, Calibrate: true, AllLabelings: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _, err := choice.Train(ctx, search.Trainer, train)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := m.Rule.Calibration.Probabilities(m.Predictor().Margins(test.Row(0)))
	fmt.Printf("%.1f %v\n", p, m.Predict(test.Row(0)))
	// Output:
	// [0.8 0.8 0.2 0.8] [1 1 0 1]
}

// TestGeneralCalibrated: from raw data to models whose rules have probabilities, whatever the
// measure, in their files too. These are as good on examples that nobody has seen as the held-out
// log-loss says, and better than frequencies.
func TestGeneralCalibrated(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	ds, test, _ := crankpkg.PlantedTree{N: 4, D: 3, Noise: 0.2, Seed: 2}.Generate(60, 1000)
	g := General{Trainers: generalTrainers(), Measures: metrics.PaperMeasures(), Folds: 2, Calibrate: true, Workers: 2}
	choice, err := g.Choose(ctx, ds)
	if err != nil {
		t.Fatal(err)
	}
	models, _, err := g.TrainEach(ctx, choice, ds)
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range models {
		c := choice.Chosen[k].Choice
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if _, err := m.ReadFrom(&file); err != nil || m.Rule.Calibration == nil || !reflect.DeepEqual(m.Rule, c.Rule()) {
			t.Fatalf("%s: rule %v, chosen %v, error %v", c.Measure, m.Rule, c.Rule(), err)
		}
		got := decision.LogLoss(m.Rule.Calibration.Probabilities(m.Predictor().MarginsAll(test.X)), test.Y)
		if !(c.LogLoss < c.BaseLogLoss) || !(got < c.BaseLogLoss) || math.Abs(got-c.LogLoss) > 0.1 {
			t.Errorf("%s: log-loss %.3f of test examples, %.3f held out, %.3f of frequencies", c.Measure, got, c.LogLoss, c.BaseLogLoss)
		}
	}
	g.Calibrate = false
	plain, err := g.Choose(ctx, ds)
	if err != nil || plain.Chosen[0].Choice.LogLoss != 0 || plain.Chosen[0].Choice.Rule().Calibration != nil {
		t.Errorf("without: %v, %v", plain, err)
	}
}
