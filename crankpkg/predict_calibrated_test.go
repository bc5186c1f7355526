package crankpkg

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// calibrationOf returns one of n labels.
func calibrationOf(n int, rng *rand.Rand) *decision.Calibration {
	c := &decision.Calibration{}
	for range n {
		c.Slope, c.Offset = append(c.Slope, rng.ExpFloat64()), append(c.Offset, rng.NormFloat64())
	}
	return c
}

// TestCalibratedPredictions holds what models predict by a calibrated rule to the Decider on
// their margins, in all forms of prediction and with the model saved and read again; without
// something to expect a calibration changes no label.
func TestCalibratedPredictions(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 1))
	for name, m := range modelsOfAllKinds(rng) {
		n := m.NumLabels()
		plain := *m
		m.Rule = decision.Rule{Cut: 0.2, PairFactor: 0.8, Calibration: calibrationOf(n, rng), Expect: metrics.ExampleF1, Least: 1, Most: n - 1}
		if len(m.Labelings) > 0 || m.Groups != nil {
			if err := m.Validate(); !errors.Is(err, ErrData) {
				t.Errorf("%s: error %v", name, err)
			}
			continue
		}
		var file bytes.Buffer
		again := new(Model)
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if _, err := again.ReadFrom(&file); err != nil || !reflect.DeepEqual(again.Rule, m.Rule) {
			t.Fatalf("%s: %+v is read as %+v, error %v", name, m.Rule, again.Rule, err)
		}
		x, _ := randomRows(70, 4, rng)
		for _, m.Rule.Expect = range metrics.PaperMeasures() {
			again.Rule.Expect = m.Rule.Expect
			p := again.Predictor()
			d, want := decision.NewDecider(m.Rule, n), make([]uint8, n)
			all := p.PredictAll(x)
			for k := range x.NumRows {
				copy(d.Margins, p.Margins(x.Row(k)))
				d.LabelTo(want)
				checked, err := p.PredictRow(x.Row(k))
				if !slices.Equal(p.Predict(x.Row(k)), want) || !slices.Equal(all[k*n:(k+1)*n], want) || !slices.Equal(checked, want) || err != nil {
					t.Fatalf("%s, %s: row %d: %v, in a batch %v, checked %v, want %v, error %v", name, m.Rule, k, p.Predict(x.Row(k)), all[k*n:(k+1)*n], checked, want, err)
				}
			}
		}
		plain.Rule = decision.Rule{Calibration: m.Rule.Calibration}
		calibrated := plain.PredictAll(x)
		plain.Rule = decision.Rule{}
		if !slices.Equal(calibrated, plain.PredictAll(x)) {
			t.Errorf("%s: a calibration alone changes labels", name)
		}
	}
}

// TestCalibratedPredictionsAllocateNothing predicts by expected F1.
func TestCalibratedPredictionsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	train, test := planted(t, 6, 60, 3)
	m, _, err := ChowLiu{Lambda: 0.01}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	m.Rule = decision.Rule{Calibration: calibrationOf(6, rand.New(rand.NewPCG(1, 1))), Expect: metrics.ExampleF1}
	p, y := m.Predictor(), make([]uint8, 6)
	if allocs := testing.AllocsPerRun(50, func() { p.PredictTo(y, test.Row(0)) }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
