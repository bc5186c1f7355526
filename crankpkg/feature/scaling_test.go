package feature_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"
)

func mustFit(t *testing.T, kind feature.Scaling, x *feature.Matrix) feature.Scaler {
	t.Helper()
	s, err := feature.FitScalerTo(kind, x, randomLabels(x.NumRows, 3, 1))
	if err == nil {
		err = s.Validate(x.NumCols)
	}
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

// randomRows returns rows of small integers, some of them 0, in the dense and in
// the sparse form.
func randomRows(rows, d int, seed uint64) (dense, sparse *feature.Matrix) {
	rng := rand.New(rand.NewPCG(seed, 0))
	dense = &feature.Matrix{NumRows: rows, NumCols: d, Value: make([]float64, rows*d)}
	for p := range dense.Value {
		dense.Value[p] = float64(rng.IntN(7)-3) * float64(rng.IntN(2))
	}
	return dense, dense.Sparse()
}

func TestScaleDense(t *testing.T) {
	dense, _ := randomRows(40, 6, 1)
	for m := range dense.NumRows {
		dense.Row(m).Value[5] = 0.1 // constant
	}
	raw := slices.Clone(dense.Value)
	z := mustFit(t, feature.ZScore, dense).Apply(dense)
	u := mustFit(t, feature.MinMax, dense).Apply(dense)
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
	if !slices.Equal(dense.Value, raw) {
		t.Error("scaling changed the raw rows")
	}
}

// On sparse rows zeros stay zeros, whatever the scaling.
func TestScaleSparse(t *testing.T) {
	dense, sparse := randomRows(40, 6, 2)
	for _, kind := range feature.Scalings() {
		scaled := mustFit(t, kind, sparse).Apply(sparse)
		if !scaled.IsSparse() || !slices.Equal(scaled.Index, sparse.Index) || !slices.Equal(scaled.Start, sparse.Start) {
			t.Errorf("%q moved the values of sparse rows", kind)
		}
	}
	z := mustFit(t, feature.ZScore, sparse).Apply(sparse)
	u := mustFit(t, feature.MinMax, sparse).Apply(sparse)
	for k := range 6 {
		if _, deviation := stat.PopMeanStdDev(column(z, k), nil); !(math.Abs(deviation-1) <= 1e-12) {
			t.Errorf("column %d has deviation %v", k, deviation)
		}
		if size := floats.Norm(column(u, k), math.Inf(1)); !(math.Abs(size-1) <= 1e-12) {
			t.Errorf("column %d has size %v", k, size)
		}
		want := floats.Norm(column(dense, k), math.Inf(1))
		if f := mustFit(t, feature.MinMax, sparse).Factor[k]; !(math.Abs(f*want-1) <= 1e-12) {
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
	dense, sparse := randomRows(40, 3, 3)
	for _, ds := range []*feature.Matrix{dense, sparse} {
		scaled := mustFit(t, feature.UnitRows, ds).Apply(ds)
		for m := range ds.NumRows {
			want := 1.
			if ds.Row(m).SquaredNorm() == 0 {
				want = 0
			}
			if got := scaled.Row(m).Norm(); !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("row %d has length %v, want %v", m, got, want)
			}
		}
	}
}

// A scaler fitted to training rows treats dense and sparse test rows alike.
func TestScaleOtherForm(t *testing.T) {
	train, _ := randomRows(40, 4, 4)
	dense, sparse := randomRows(10, 4, 5)
	for _, kind := range feature.Scalings() {
		s := mustFit(t, kind, train)
		if a, b := testkit.DenseRows(s.Apply(dense)), testkit.DenseRows(s.Apply(sparse)); !reflect.DeepEqual(a, b) {
			t.Errorf("%q: dense %v, sparse %v", kind, a, b)
		}
	}
}

// Folded weights on raw rows give the scores of the weights on scaled rows.
func TestScalerFold(t *testing.T) {
	denseTrain, sparseTrain := randomRows(40, 4, 6)
	dense, sparse := randomRows(10, 4, 7)
	w := []float64{1, -2, 3, 0.5, -0.25}
	for _, kind := range feature.Scalings() {
		for _, set := range [][2]*feature.Matrix{{denseTrain, dense}, {denseTrain, sparse}, {sparseTrain, sparse}, {sparseTrain, dense}} {
			s := mustFit(t, kind, set[0])
			scaled := s.Apply(set[1])
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
		for _, kind := range feature.Scalings() {
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
	dense, _ := randomRows(3, 2, 8)
	if _, err := feature.FitScaler("log", dense); !errors.Is(err, errs.ErrSettings) {
		t.Errorf("an unknown scaling: error %v", err)
	}
	if _, err := feature.FitScaler(feature.ZScore, feature.NewSparse(2)); !errors.Is(err, errs.ErrData) {
		t.Errorf("no rows: error %v", err)
	}
}

// TestScalersOfHugeValues spans features over all that float64 has: what cannot be
// subtracted is refused with its number, what only has to be divided is scaled.
func TestScalersOfHugeValues(t *testing.T) {
	t.Parallel()
	const huge = 1.7e308
	wide := feature.NewDense(2, [][]float64{{1, -huge}, {2, huge}, {3, 1}})
	half := feature.NewDense(2, [][]float64{{1, -huge / 2}, {2, huge / 2}, {3, 0}})
	for _, kind := range []feature.Scaling{feature.ZScore, feature.MinMax} {
		for _, x := range []*feature.Matrix{wide, wide.Sparse()} {
			s, err := feature.FitScaler(kind, x)
			var span *feature.SpanError
			if x.IsSparse() && kind == feature.MinMax {
				if z := column(s.Apply(x), 1); err != nil || !floats.EqualApprox(z, []float64{-1, 1, 0}, 1e-12) {
					t.Errorf("sparse %s: %v, error %v", kind, z, err)
				}
			} else if !errors.As(err, &span) || !errors.Is(err, errs.ErrData) || span.Feature != 1 || span.Low != -huge || span.High != huge {
				t.Errorf("%s: error %v", kind, err)
			}
		}
		for _, x := range []*feature.Matrix{half, half.Sparse()} {
			z := column(mustFit(t, kind, x).Apply(x), 1)
			if !(z[0] < z[2] && z[2] < z[1] && scalar.EqualWithinAbs(z[0]+z[1], 2*z[2], 1e-12) && z[1]-z[0] < 3) {
				t.Errorf("%s: half of all is scaled to %v", kind, z)
			}
		}
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rows [][]float64
		want float64
	}{
		{[][]float64{{0, 0}}, 0},
		{[][]float64{{1, -1}, {0.5, 0}}, 0},
		{[][]float64{{2000, 0}, {-10000, 3}}, 4},
		{[][]float64{{1e-3, 10}, {0, -100}}, 5},
		{nil, 0},
	} {
		for _, x := range []*feature.Matrix{feature.NewDense(2, test.rows), feature.NewDense(2, test.rows).Sparse()} {
			if got := x.Spread(); !(math.Abs(got-test.want) <= 1e-9) {
				t.Errorf("%v: spread %v, want %v", test.rows, got, test.want)
			}
		}
	}
}
