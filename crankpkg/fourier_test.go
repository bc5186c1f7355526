package crankpkg

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
)

func TestFourierFeaturesCheck(t *testing.T) {
	train := noisy(t, 3, 20, 1)
	for _, f := range []FourierFeatures{{Count: -2}, {Count: 3}, {Gamma: -1}, {Gamma: math.NaN()}, {Gamma: math.Inf(1)}} {
		if _, _, err := (Full{Settings: Settings{Fourier: f}}).Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v", f, err)
		}
	}
	if x := (FourierFeatures{}).Map(train.X); x != train.X {
		t.Error("no features are mapped to others")
	}
}

// TestFourierModel trains every method on Fourier features, and compares it with
// what the same method learns on rows that were mapped before: raw rows are
// mapped as training did, in a file too, and the bounds are those of the
// definitions.
func TestFourierModel(t *testing.T) {
	t.Parallel()
	train, test := planted(t, 4, 60, 6)
	f := FourierFeatures{Count: 20, Gamma: 0.3, Seed: 5}
	set := Settings{Gap: 0.01, Scaling: ZScore, Fourier: f, EdgeFeatures: EdgeFeatures{Columns: []int{3, 19}}}
	plain := set
	plain.Scaling, plain.Fourier = NoScaling, FourierFeatures{}
	scaler, err := feature.FitScaler(ZScore, train.X)
	if err != nil {
		t.Fatal(err)
	}
	mapped := *train
	mapped.X, mapped.FeatureNames = f.Map(scaler.Apply(train.X)), draw.Names("z", 20)
	for k, tr := range trainers(set) {
		m, trace, err := tr.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		o := NewObjective(train, m.Scaler, trace.Lambda)
		if got := o.Loss(m); !(math.Abs(got-trace.Primal) <= 1e-9*(1+got)) {
			t.Errorf("%s: objective %v, by definition %v", tr.Name(), trace.Primal, got)
		}
		other, want, err := trainers(plain)[k].Train(context.Background(), &mapped)
		if err != nil {
			t.Fatal(err)
		}
		// The gains of MST and Greedy are known to the gap alone: rounding can choose
		// between trees.
		same := slices.Equal(m.Edges, other.Edges)
		if low, high := max(trace.Dual, want.Dual), min(trace.Primal, want.Primal); same && low > high*(1+1e-9) {
			t.Errorf("%s: bounds [%v, %v], on mapped rows [%v, %v]", tr.Name(), trace.Dual, trace.Primal, want.Dual, want.Primal)
		}
		if !same && tr.Name() != "MST" && tr.Name() != "Greedy" {
			t.Errorf("%s: edges %v, on mapped rows %v", tr.Name(), m.Edges, other.Edges)
		}
		path := filepath.Join(t.TempDir(), "model.json")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := LoadModel(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(loaded.PredictAll(test.X), m.PredictAll(test.X)) {
			t.Errorf("%s: another prediction after loading", tr.Name())
		}
		checkPredictions(t, tr.Name(), m, test)
		unmapped := *m.ofInputs()
		z := f.Map(scaler.Apply(test.X))
		if !reflect.DeepEqual(unmapped.PredictAll(z), m.PredictAll(test.X)) {
			t.Errorf("%s: another prediction of mapped rows", tr.Name())
		}
	}
}

// TestFourierDual checks the dual of the definitions at the truth, where the
// weights are zero, and at one flip, against the primal.
func TestFourierDual(t *testing.T) {
	train, _ := planted(t, 3, 10, 2)
	o := NewObjective(train, Scaler{}, 0.1)
	o.Fourier = FourierFeatures{Count: 6, Gamma: 0.2}
	mu := make(DualPoint, train.Len())
	for k := range mu {
		y := make(Labeling, 3)
		for i, v := range train.Labels(k) {
			y[i] = infer.On * (1 - v)
		}
		mu[k] = []DualAtom{{Y: y, Weight: 1}}
	}
	dual, m := o.Dual(mu)
	if primal := o.Loss(m); len(m.Unary) != 3*7 || dual > primal {
		t.Errorf("dual %v, primal %v with %d weights", dual, primal, len(m.Unary))
	}
}
