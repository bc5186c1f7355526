package feature_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
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
	x := feature.NewDense(6, rows)
	f := feature.FourierFeatures{Count: 4000, Gamma: 0.2, Seed: 3}
	z := f.Map(x)
	var squares float64
	for a := range rows {
		if norm := z.Row(a).SquaredNorm(); !(math.Abs(norm-1) <= 1e-12) {
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
	dense, sparse := randomRows(7, 5, 8)
	for _, kind := range feature.Scalings() {
		for _, x := range []*feature.Matrix{dense, sparse} {
			s := mustFit(t, kind, x)
			f := feature.FourierFeatures{Count: 16, Gamma: 0.4}
			raw := feature.NewRowMap(f, nil, s, 5).Rows(x, 2, 7)
			if want := f.Map(s.Apply(x)).Value[2*16:]; !floats.EqualApprox(raw.Value, want, 1e-12) {
				t.Errorf("%s: raw rows are mapped to other features", kind)
			}
		}
	}
}

// The default width follows from the number of features; what maps nothing has none.
func TestFourierFeaturesResolve(t *testing.T) {
	t.Parallel()
	for d, want := range map[int]float64{0: 1, 1: 1, 4: 0.25, 50: 0.02} {
		if f := (feature.FourierFeatures{Count: 2}).Resolve(d); f.Gamma != want || f.Count != 2 {
			t.Errorf("%d features: %+v, want a Gamma of %v", d, f, want)
		}
	}
	if f := (feature.FourierFeatures{Count: 2, Gamma: 3}).Resolve(4); f.Gamma != 3 {
		t.Errorf("%+v: the Gamma that was asked for is 3", f)
	}
	if f := (feature.FourierFeatures{Gamma: 3}).Resolve(4); f != (feature.FourierFeatures{}) {
		t.Errorf("%+v maps nothing", f)
	}
}

func TestFourierFeaturesValidate(t *testing.T) {
	for _, f := range []feature.FourierFeatures{{Count: -2}, {Count: 3}, {Gamma: -1}, {Gamma: math.NaN()}, {Gamma: math.Inf(1)}} {
		if err := f.Validate(); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%+v: error %v", f, err)
		}
		if !testkit.Panics(func() { f.Map(feature.NewDense(1, nil)) }) {
			t.Errorf("%+v maps rows", f)
		}
	}
	for _, f := range []feature.FourierFeatures{{}, {Count: 2}, {Count: 4, Gamma: 1e-3}} {
		if err := f.Validate(); err != nil {
			t.Errorf("%+v: error %v", f, err)
		}
	}
	x, _ := randomRows(3, 2, 9)
	if (feature.FourierFeatures{}).Map(x) != x {
		t.Error("no features are mapped to others")
	}
}
