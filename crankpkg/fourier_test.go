package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestFourierFeaturesKernel compares inner products with the Gaussian kernel.
func TestFourierFeaturesKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([][]float64, 20)
	for m := range rows {
		rows[m] = make([]float64, 6)
		for k := range rows[m] {
			rows[m][k] = rng.NormFloat64()
		}
	}
	x := NewDense(6, rows)
	f := FourierFeatures{Count: 4000, Gamma: 0.2, Seed: 3}
	z := f.Map(x)
	var squares float64
	for a := range rows {
		if norm := z.Row(a).SquaredNorm(); math.Abs(norm-1) > 1e-12 {
			t.Errorf("row %d: squared norm %v", a, norm)
		}
		for b := range a {
			var distance float64
			for k := range rows[a] {
				distance += (rows[a][k] - rows[b][k]) * (rows[a][k] - rows[b][k])
			}
			diff := z.Row(a).Dot(z.Row(b).Value) - math.Exp(-f.Gamma*distance)
			squares += diff * diff
		}
	}
	// Independent frequencies have a standard deviation of up to 1/sqrt(4000).
	if rms := math.Sqrt(squares / (20 * 19 / 2)); rms > 1/math.Sqrt(4000) {
		t.Errorf("root mean square error %v", rms)
	}
	if !floats.EqualApprox(f.Map(x.Sparse()).Value, z.Value, 1e-12) {
		t.Error("sparse rows are mapped to other features")
	}
	f.Seed++
	if reflect.DeepEqual(f.Map(x), z) {
		t.Error("the seed does not matter")
	}
}

// TestFourierMapFoldsScaling compares the map of raw rows with that of scaled ones.
func TestFourierMapFoldsScaling(t *testing.T) {
	dense, sparse := randomRows(7, 5, rand.New(rand.NewPCG(8, 1)))
	for _, kind := range []Scaling{NoScaling, ZScore, MinMax, UnitRows} {
		for _, x := range []*Matrix{dense, sparse} {
			s, err := FitScaler(kind, x)
			if err != nil {
				t.Fatal(err)
			}
			f := FourierFeatures{Count: 16, Gamma: 0.4}
			raw := newFourierMap(f, s, 5).rows(x, 2, 7)
			if want := f.Map(s.Apply(x)).Value[2*16:]; !floats.EqualApprox(raw.Value, want, 1e-12) {
				t.Errorf("%s: raw rows are mapped to other features", kind)
			}
		}
	}
}

func TestFourierFrequenciesAreOrthogonal(t *testing.T) {
	const d = 5
	waves := FourierFeatures{Count: 24, Gamma: 2}.frequencies(d)
	for k := range 12 {
		for l := k / d * d; l < k; l++ {
			if dot := floats.Dot(waves[k*d:(k+1)*d], waves[l*d:(l+1)*d]); math.Abs(dot) > 1e-9 {
				t.Errorf("frequencies %d and %d: product %v", l, k, dot)
			}
		}
	}
}

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
	scaler, err := FitScaler(ZScore, train.X)
	if err != nil {
		t.Fatal(err)
	}
	mapped := *train
	mapped.X, mapped.FeatureNames = f.Map(scaler.Apply(train.X)), numberedNames("z", 20)
	for k, tr := range trainers(set) {
		m, trace, err := tr.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		o := NewObjective(train, m.Scaler, trace.Lambda)
		if got := o.Loss(m); math.Abs(got-trace.Primal) > 1e-9*(1+got) {
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
		loaded, err := Load(path)
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
			y[i] = On * (1 - v)
		}
		mu[k] = []DualAtom{{Y: y, Weight: 1}}
	}
	dual, m := o.Dual(mu)
	if primal := o.Loss(m); len(m.Unary) != 3*7 || dual > primal {
		t.Errorf("dual %v, primal %v with %d weights", dual, primal, len(m.Unary))
	}
}

// The two classes of the exclusive or cannot be told apart by a linear model, and
// are by one that is linear in Fourier features. The model keeps the map: it
// predicts raw rows.
func ExampleFourierFeatures() {
	train := &Dataset{
		FeatureNames: []string{"a", "b"}, LabelNames: []string{"a xor b"},
		X: NewDense(2, [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}), Y: []uint8{0, 1, 1, 0},
	}
	for _, f := range []FourierFeatures{{}, {Count: 100, Gamma: 1}} {
		m, _, err := Empty{Lambda: 0.01, Settings: Settings{Fourier: f}}.Train(context.Background(), train)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%3d Fourier features: %.0f %% right\n", f.Count, Evaluate(m, train).Hamming)
	}
	// Output:
	//   0 Fourier features: 50 % right
	// 100 Fourier features: 100 % right
}
