package feature_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// randomLabels returns n labels for each row, of which few are on.
func randomLabels(rows, n int, seed uint64) []uint8 {
	rng, y := rand.New(rand.NewPCG(seed, 3)), make([]uint8, rows*n)
	for k := range y {
		if rng.IntN(3) == 0 {
			y[k] = 1
		}
	}
	return y
}

// labelColumn returns the values of one of n labels.
func labelColumn(y []uint8, n, i int) (values []float64) {
	for ; i < len(y); i += n {
		values = append(values, float64(y[i]))
	}
	return values
}

func mustFitTo(t *testing.T, x *feature.Matrix, y []uint8) feature.Scaler {
	t.Helper()
	s, err := feature.FitScalerTo(feature.Relevance, x, y)
	if err == nil {
		err = s.Validate(x.NumCols)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// By definition: sparse features are multiplied by the square root of the root mean square of
// their correlations with the labels that vary, dense ones become z-scores before.
func TestRelevance(t *testing.T) {
	t.Parallel()
	const rows, d, n = 60, 5, 4
	for seed := range uint64(5) {
		dense, _ := randomRows(rows, d, seed)
		y := randomLabels(rows, n, seed)
		for m := range rows {
			dense.Row(m).Value[2] = 7 // tells nothing, as does the label
			dense.Row(m).Value[3] = 1e6 * dense.Row(m).Value[4]
			y[m*n+1] = 1
		}
		sparse := dense.Sparse()
		ofDense, ofSparse := mustFitTo(t, dense, y), mustFitTo(t, sparse, y)
		for k := range d {
			var squares float64
			for _, i := range []int{0, 2, 3} {
				if r := stat.Correlation(column(dense, k), labelColumn(y, n, i), nil); k != 2 {
					squares += r * r / 3
				}
			}
			want := math.Sqrt(math.Sqrt(squares))
			if got := ofSparse.Factor[k]; !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("feature %d has the factor %v, by definition %v", k, got, want)
			}
			mean, deviation := stat.PopMeanStdDev(column(ofDense.Apply(dense), k), nil)
			if !(math.Abs(mean) <= 1e-9 && math.Abs(deviation-want) <= 1e-9) {
				t.Errorf("feature %d has mean %v and deviation %v, by definition 0 and %v", k, mean, deviation, want)
			}
		}
	}
}

// Neither the order of the labels matters, nor which of two values they call on, nor how often each
// is there.
func TestRelevanceOfTheSameLabels(t *testing.T) {
	t.Parallel()
	const rows, n = 40, 3
	dense, sparse := randomRows(rows, 6, 1)
	y := randomLabels(rows, n, 1)
	var same []uint8
	for m := range rows {
		a, b, c := y[m*n], y[m*n+1], y[m*n+2]
		same = append(same, c, 1-a, b, b, 1-c, a)
	}
	for _, x := range []*feature.Matrix{dense, sparse} {
		if a, b := mustFitTo(t, x, y), mustFitTo(t, x, same); !floats.EqualApprox(a.Factor, b.Factor, 1e-12) {
			t.Errorf("%v, of the same labels %v", a.Factor, b.Factor)
		}
	}
}

// Where no label varies, all features count alike; a feature that is the label counts fully.
func TestRelevanceAtItsEnds(t *testing.T) {
	t.Parallel()
	x := feature.NewDense(2, [][]float64{{0, 3}, {1, 3}, {1, 4}, {0, 4}})
	for _, form := range []*feature.Matrix{x, x.Sparse()} {
		for _, y := range [][]uint8{nil, {1, 1, 1, 1}, {0, 0, 0, 0}} {
			want := []float64{1, 1}
			if !form.IsSparse() {
				want = []float64{2, 2} // over the deviations
			}
			if s := mustFitTo(t, form, y); !floats.EqualApprox(s.Factor, want, 1e-12) {
				t.Errorf("labels %v: factors %v, want %v", y, s.Factor, want)
			}
		}
		if s := mustFitTo(t, form.Sparse(), []uint8{0, 1, 1, 0}); !floats.EqualApprox(s.Factor, []float64{1, 0}, 1e-7) {
			t.Errorf("a feature that is the label, and one that knows nothing of it: %v", s.Factor)
		}
	}
}

func TestFitScalerTo(t *testing.T) {
	t.Parallel()
	dense, sparse := randomRows(10, 3, 2)
	y := randomLabels(10, 2, 2)
	for _, x := range []*feature.Matrix{dense, sparse} {
		for _, kind := range []feature.Scaling{feature.NoScaling, feature.ZScore, feature.MinMax, feature.UnitRows} {
			s, err := feature.FitScalerTo(kind, x, y)
			if want := mustFit(t, kind, x); err != nil || s.Kind != kind || !slices.Equal(s.Factor, want.Factor) || !slices.Equal(s.Shift, want.Shift) {
				t.Errorf("%q with labels: %+v, %v, without them %+v", kind, s, err, want)
			}
		}
		if _, err := feature.FitScaler(feature.Relevance, x); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("without labels: %v", err)
		}
		if _, err := feature.FitScalerTo(feature.Relevance, x, y[1:]); !errors.Is(err, errs.ErrData) {
			t.Errorf("labels of other rows: %v", err)
		}
		if _, err := feature.FitScalerTo("log", x, y); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("an unknown scaling: %v", err)
		}
	}
	if _, err := feature.FitScalerTo(feature.Relevance, feature.NewSparse(2), nil); !errors.Is(err, errs.ErrData) {
		t.Errorf("no rows: %v", err)
	}
}
