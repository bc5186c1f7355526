package feature_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"
)

var allScalings = []feature.Scaling{feature.NoScaling, feature.ZScore, feature.MinMax, feature.UnitRows}

func mustFit(t *testing.T, kind feature.Scaling, x *feature.Matrix) feature.Scaler {
	t.Helper()
	s, err := feature.FitScaler(kind, x)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func column(x *feature.Matrix, k int) []float64 {
	values := make([]float64, x.NumRows)
	for m, row := range testkit.DenseRows(x) {
		values[m] = row[k]
	}
	return values
}

func TestScaleDense(t *testing.T) {
	dense, _ := crankpkg.randomDataset(40, 6, 1, 1)
	for m := range dense.Len() {
		dense.Row(m).Value[5] = 0.1 // constant
	}
	raw := slices.Clone(dense.X.Value)
	z := mustFit(t, feature.ZScore, dense.X).Apply(dense.X)
	u := mustFit(t, feature.MinMax, dense.X).Apply(dense.X)
	for k := range 5 {
		mean, deviation := stat.PopMeanStdDev(column(z, k), nil)
		if math.Abs(mean) > 1e-12 || math.Abs(deviation-1) > 1e-12 {
			t.Errorf("column %d has mean %v and deviation %v", k, mean, deviation)
		}
		if c := column(u, k); floats.Min(c) != 0 || math.Abs(floats.Max(c)-1) > 1e-12 {
			t.Errorf("column %d is in [%v, %v]", k, floats.Min(c), floats.Max(c))
		}
	}
	for _, x := range []*feature.Matrix{z, u} {
		if c := column(x, 5); floats.Norm(c, math.Inf(1)) != 0 {
			t.Errorf("a constant column became %v", c)
		}
	}
	if !slices.Equal(dense.X.Value, raw) {
		t.Error("scaling changed the raw rows")
	}
}

// On sparse rows zeros stay zeros, whatever the scaling.
func TestScaleSparse(t *testing.T) {
	dense, sparse := crankpkg.randomDataset(40, 6, 1, 2)
	for _, kind := range allScalings {
		scaled := mustFit(t, kind, sparse.X).Apply(sparse.X)
		if !scaled.IsSparse() || !slices.Equal(scaled.Index, sparse.X.Index) || !slices.Equal(scaled.Start, sparse.X.Start) {
			t.Errorf("%q moved the values of sparse rows", kind)
		}
	}
	z := mustFit(t, feature.ZScore, sparse.X).Apply(sparse.X)
	u := mustFit(t, feature.MinMax, sparse.X).Apply(sparse.X)
	for k := range 6 {
		if _, deviation := stat.PopMeanStdDev(column(z, k), nil); math.Abs(deviation-1) > 1e-12 {
			t.Errorf("column %d has deviation %v", k, deviation)
		}
		if size := floats.Norm(column(u, k), math.Inf(1)); math.Abs(size-1) > 1e-12 {
			t.Errorf("column %d has size %v", k, size)
		}
		want := floats.Norm(column(dense.X, k), math.Inf(1))
		if f := mustFit(t, feature.MinMax, sparse.X).Factor[k]; math.Abs(f*want-1) > 1e-12 {
			t.Errorf("column %d has factor %v, want 1/%v", k, f, want)
		}
	}
	// Constants: 5 everywhere, and 0 everywhere.
	constant := feature.NewSparse(2)
	constant.AppendSparse([]int32{0}, []float64{5})
	constant.AppendSparse([]int32{0}, []float64{5})
	if f := mustFit(t, feature.ZScore, constant).Factor; !slices.Equal(f, []float64{0, 0}) {
		t.Errorf("z-score factors %v of constants", f)
	}
	if f := mustFit(t, feature.MinMax, constant).Factor; !slices.Equal(f, []float64{0.2, 0}) {
		t.Errorf("min-max factors %v of constants", f)
	}
}

func TestScaleUnitRows(t *testing.T) {
	dense, sparse := crankpkg.randomDataset(40, 3, 1, 3)
	for _, ds := range []*crankpkg.Dataset{dense, sparse} {
		scaled := mustFit(t, feature.UnitRows, ds.X).Apply(ds.X)
		for m := range ds.Len() {
			want := 1.
			if ds.Row(m).SquaredNorm() == 0 {
				want = 0
			}
			if got := scaled.Row(m).Norm(); math.Abs(got-want) > 1e-12 {
				t.Errorf("row %d has length %v, want %v", m, got, want)
			}
		}
	}
}

// A scaler fitted to training rows treats dense and sparse test rows alike.
func TestScaleOtherForm(t *testing.T) {
	train, _ := crankpkg.randomDataset(40, 4, 1, 4)
	dense, sparse := crankpkg.randomDataset(10, 4, 1, 5)
	for _, kind := range allScalings {
		s := mustFit(t, kind, train.X)
		if a, b := testkit.DenseRows(s.Apply(dense.X)), testkit.DenseRows(s.Apply(sparse.X)); !reflect.DeepEqual(a, b) {
			t.Errorf("%q: dense %v, sparse %v", kind, a, b)
		}
	}
}

// Folded weights on raw rows give the scores of the weights on scaled rows.
func TestScalerFold(t *testing.T) {
	denseTrain, sparseTrain := crankpkg.randomDataset(40, 4, 1, 6)
	dense, sparse := crankpkg.randomDataset(10, 4, 1, 7)
	w := []float64{1, -2, 3, 0.5, -0.25}
	for _, kind := range allScalings {
		for _, set := range [][2]*crankpkg.Dataset{{denseTrain, dense}, {denseTrain, sparse}, {sparseTrain, sparse}, {sparseTrain, dense}} {
			s := mustFit(t, kind, set[0].X)
			scaled := s.Apply(set[1].X)
			folded := slices.Clone(w)
			s.Fold(folded)
			for m := range scaled.NumRows {
				want := scaled.Row(m).Dot(w[:4]) + w[4]
				x := set[1].Row(m)
				got := s.RowFactor(x)*x.Dot(folded[:4]) + folded[4]
				if !scalar.EqualWithinAbsOrRel(got, want, 1e-12, 1e-12) {
					t.Errorf("%q: row %d scores %v, want %v", kind, m, got, want)
				}
			}
		}
	}
}

// No size of finite values gives NaN or Inf.
func TestScaleExtremes(t *testing.T) {
	x := feature.NewDense(6, [][]float64{
		{1e300, 5e-324, 1e-300, 1e300, 0.1, 1},
		{-1e300, 0, 2e-300, 1e300, 0.1, 1 + 1e-15},
		{0, 5e-324, 1e-300, 1e300, 0.1, 1},
	})
	for _, form := range []*feature.Matrix{x, x.Sparse()} {
		for _, kind := range allScalings {
			s := mustFit(t, kind, form)
			for p, v := range slices.Concat(s.Shift, s.Factor, s.Apply(form).Value) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%q: value %d is %v", kind, p, v)
				}
			}
		}
	}
}

func TestFitScalerRefuses(t *testing.T) {
	dense, _ := crankpkg.randomDataset(3, 2, 1, 8)
	if _, err := feature.FitScaler("log", dense.X); !errors.Is(err, errs.ErrSettings) {
		t.Errorf("an unknown scaling: error %v", err)
	}
	if _, err := feature.FitScaler(feature.ZScore, feature.NewSparse(2)); !errors.Is(err, errs.ErrData) {
		t.Errorf("no rows: error %v", err)
	}
}
