package crankpkg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
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

func TestFourierFeaturesScaler(t *testing.T) {
	x := NewDense(2, [][]float64{{1, 200}, {3, 600}, {2, 100}})
	s, err := FitScaler(ZScore, x)
	if err != nil {
		t.Fatal(err)
	}
	a := FourierFeatures{Count: 10, Scaler: s}.Map(x)
	b := FourierFeatures{Count: 10}.Map(s.Apply(x))
	if !reflect.DeepEqual(a, b) {
		t.Error("scaling first gives other features")
	}
}

func TestFourierFeaturesCheck(t *testing.T) {
	for _, f := range []FourierFeatures{{Count: -2}, {Count: 3}, {Gamma: -1}, {Gamma: math.NaN()}, {Gamma: math.Inf(1)}} {
		if err := f.Check(); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v", f, err)
		}
	}
	if err := (FourierFeatures{}).Check(); err != nil {
		t.Error(err)
	}
}

func ExampleFourierFeatures() {
	f := FourierFeatures{Count: 2000, Gamma: 0.5}
	z := f.Map(NewDense(2, [][]float64{{0, 0}, {1, 1}}))
	fmt.Printf("%.1f, the kernel is %.1f\n", z.Row(0).Dot(z.Row(1).Value), math.Exp(-0.5*2))
	// Output: 0.4, the kernel is 0.4
}
