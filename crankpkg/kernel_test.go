package crankpkg

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
)

// TestKernelModel trains every method on a kernel, dense and sparse, and compares it with what
// the same method learns on the kernel's features: raw rows are mapped as in training, from a
// file and from gob too, and the bounds are those of the definitions.
func TestKernelModel(t *testing.T) {
	t.Parallel()
	dense, test := planted(t, 4, 40, 6)
	sparse := *dense
	sparse.X = dense.X.Sparse()
	scalings := map[string]Scaling{"dense": ZScore, "sparse": feature.Relevance}
	for name, train := range map[string]*Dataset{"dense": dense, "sparse": &sparse} {
		f := feature.KernelFeatures{Kind: feature.Gaussian, Landmarks: 25, Seed: 5}
		set := Settings{Gap: 0.05, Scaling: scalings[name], Kernel: f}
		plain := Settings{Gap: 0.05}
		scaler, err := feature.FitScalerTo(set.Scaling, train.X, train.Y)
		if err != nil {
			t.Fatal(err)
		}
		mapped := *train
		_, mapped.X, err = f.Fit(scaler.Apply(train.X))
		if err != nil {
			t.Fatal(err)
		}
		mapped.FeatureNames = draw.Names("z", mapped.X.NumCols)
		for k, tr := range trainers(set) {
			m, trace, err := tr.Train(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			o := NewObjective(train, m.Scaler, trace.Lambda)
			if got := o.Loss(m); !(math.Abs(got-trace.Primal) <= 1e-7*(1+got)) {
				t.Errorf("%s, %s: objective %v, by definition %v", name, tr.Name(), trace.Primal, got)
			}
			other, want, err := trainers(plain)[k].Train(context.Background(), &mapped)
			if err != nil {
				t.Fatal(err)
			}
			if trace.Primal != want.Primal || trace.Dual != want.Dual || !slices.Equal(m.Edges, other.Edges) {
				t.Errorf("%s, %s: bounds [%v, %v], on mapped rows [%v, %v]", name, tr.Name(), trace.Dual, trace.Primal, want.Dual, want.Primal)
			}
			if again, _, err := tr.Train(context.Background(), train); err != nil || !reflect.DeepEqual(m, again) {
				t.Errorf("%s, %s: another model of the same data and seed, error %v", name, tr.Name(), err)
			}
			checkKernelRoundTrip(t, m)
			checkPredictions(t, tr.Name(), m, test)
		}
	}
}

// checkKernelRoundTrip brings a model through a file, gob and JSON.
func checkKernelRoundTrip(t *testing.T, m *Model) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.json")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadModel(path)
	if err != nil || !sameKernel(loaded, m) {
		t.Errorf("loaded %+v, error %v", loaded, err)
	}
	var stream bytes.Buffer
	var other, third Model
	if err := gob.NewEncoder(&stream).Encode(m); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&stream).Decode(&other); err != nil || !sameKernel(&other, m) {
		t.Errorf("from gob %+v, error %v", &other, err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &third); err != nil || !sameKernel(&third, m) {
		t.Errorf("from JSON %+v, error %v", &third, err)
	}
}

func sameKernel(a, b *Model) bool {
	return reflect.DeepEqual(a.Kernel, b.Kernel) && slices.Equal(a.Unary, b.Unary) && slices.Equal(a.Pair, b.Pair)
}

func TestKernelSettings(t *testing.T) {
	t.Parallel()
	train := noisy(t, 3, 20, 1)
	k := feature.KernelFeatures{Kind: feature.Gaussian}
	for _, s := range []Settings{
		{Kernel: feature.KernelFeatures{Kind: "other"}}, {Kernel: feature.KernelFeatures{Landmarks: 3}},
		{Kernel: k, Fourier: FourierFeatures{Count: 2}}, {Kernel: k, EdgeFeatures: EdgeFeatures{All: true}},
	} {
		if _, _, err := (Full{Settings: s}).Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v", s, err)
		}
	}
	huge := *train
	huge.X = &Matrix{NumRows: train.X.NumRows, NumCols: train.X.NumCols, Value: slices.Clone(train.X.Value)}
	huge.X.Value[0] = 1e200
	if _, _, err := (Full{Settings: Settings{Kernel: k}}).Train(context.Background(), &huge); !errors.Is(err, ErrData) {
		t.Errorf("huge rows: error %v", err)
	}
}

// A model whose kernel does not hold together is refused, by hand and in a file.
func TestKernelValidate(t *testing.T) {
	t.Parallel()
	train := noisy(t, 3, 20, 1)
	for in, spoil := range map[string]func(m *Model){
		"no kernel is called": func(m *Model) { m.Kernel.Kind = "other" },
		"Gamma 0":             func(m *Model) { m.Kernel.Gamma = 0 },
		"Degree 2":            func(m *Model) { m.Kernel.Degree = 2 },
		"Offset NaN":          func(m *Model) { m.Kernel.Offset = math.NaN() },
		"without landmarks":   func(m *Model) { m.Kernel.Landmarks = nil },
		"landmarks of":        func(m *Model) { m.Kernel.Landmarks.NumCols++ },
		"dense rows of":       func(m *Model) { m.Kernel.Landmarks.Value = m.Kernel.Landmarks.Value[1:] },
		"the value NaN":       func(m *Model) { m.Kernel.Landmarks.Value[3] = math.NaN() },
		"unary weights":       func(m *Model) { m.Unary = m.Unary[1:] },
		"both Fourier":        func(m *Model) { m.Fourier = FourierFeatures{Count: 2, Gamma: 1} },
		"EdgeFeatures with": func(m *Model) {
			m.EdgeFeatures, m.PairFeatures = EdgeFeatures{Columns: []int{0}, Scale: 1}, make([]float64, len(m.Edges))
		},
	} {
		m, _, err := Full{Lambda: 0.1, Settings: Settings{Kernel: feature.KernelFeatures{Kind: feature.Gaussian}}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		spoil(m)
		if err := m.Validate(); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), in) {
			t.Errorf("error %v, want one that says %s", err, in)
		}
	}
}

// The map of Fourier features that models share is that of the model as it is: changed by
// hand, it scores as a copy that never was another, and models side by side do not mix.
func TestModelsShareMaps(t *testing.T) {
	t.Parallel()
	train, test := planted(t, 4, 40, 7)
	m, _, err := Empty{Lambda: 0.01, Settings: Settings{Scaling: ZScore, Fourier: FourierFeatures{Count: 12}}}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	changes := []func(m *Model){
		func(*Model) {}, func(m *Model) { m.Fourier.Seed++ }, func(m *Model) { m.Fourier.Gamma *= 2 },
		func(m *Model) { m.Scaler.Shift[0]++ }, func(m *Model) { m.Scaler.Factor[1] *= 2 }, func(m *Model) { m.Scaler = Scaler{} },
		func(m *Model) { m.Scaler = Scaler{Kind: UnitRows} }, func(m *Model) { m.Unary[0]++ },
	}
	var group sync.WaitGroup
	for range 4 {
		own := *m
		own.Scaler.Shift, own.Scaler.Factor, own.Unary = slices.Clone(m.Scaler.Shift), slices.Clone(m.Scaler.Factor), slices.Clone(m.Unary)
		group.Go(func() {
			for k, change := range changes {
				change(&own)
				x := test.Row(k)
				z := own.Fourier.Map(own.Scaler.Apply(&Matrix{NumRows: 1, NumCols: len(x.Value), Value: x.Value})).Row(0)
				for i, c := range own.Scores(x) {
					if want := z.Dot(own.UnaryWeights(i)) + own.Bias(i); !(math.Abs(c-want) <= 1e-9*(1+math.Abs(want))) {
						t.Errorf("after change %d: label %d scores %v, want %v", k, i, c, want)
					}
				}
			}
		})
	}
	group.Wait()
}

// Other losses than the Hamming loss are those of the definitions on a kernel, too.
func TestKernelLosses(t *testing.T) {
	t.Parallel()
	train, test := planted(t, 4, 60, 8)
	for _, loss := range []Loss{{Squared: true}, {Hamming: 1, ZeroOne: 1}} {
		set := Settings{Loss: loss, Kernel: feature.KernelFeatures{Kind: feature.Laplace}}
		for _, tr := range []Trainer{Empty{Lambda: 0.01, Settings: set}, CRANK{Lambda: 0.01, Restarts: 1, Settings: set}} {
			m, trace, err := tr.Train(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			o := NewObjective(train, m.Scaler, trace.Lambda)
			o.LabelLoss = loss
			// Of squared hinges with pairs, the solver has bounds from above.
			if got := o.Loss(m); trace.Primal < got-1e-7 || trace.Primal > got+1e-5 {
				t.Errorf("%s, %v: objective %v, by definition %v", tr.Name(), loss, trace.Primal, got)
			}
			checkPredictions(t, tr.Name(), m, test)
		}
	}
}
