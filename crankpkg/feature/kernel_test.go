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
)

// kernelByDefinition is k(x, y) for dense rows.
func kernelByDefinition(k *feature.Kernel, x, y []float64) float64 {
	var squares, absolute, chi, product float64
	for i, u := range x {
		v := y[i]
		squares += (u - v) * (u - v)
		absolute += math.Abs(u - v)
		if u != v {
			chi += (u - v) * (u - v) / (math.Abs(u) + math.Abs(v))
		}
		product += u * v
	}
	switch k.Kind {
	case feature.Gaussian:
		return math.Exp(-k.Gamma * squares)
	case feature.Laplace:
		return math.Exp(-k.Gamma * absolute)
	case feature.ChiSquare:
		return math.Exp(-k.Gamma * chi)
	}
	return math.Pow(k.Gamma*product+k.Offset, float64(k.Degree))
}

// kernels returns settings of each kind.
func kernels() []feature.KernelFeatures {
	var all []feature.KernelFeatures
	for _, kind := range feature.Kernels() {
		f := feature.KernelFeatures{Kind: kind}
		all = append(all, f)
		f.Gamma = 0.3
		if kind == feature.Polynomial {
			f.Offset, f.Degree = 0.5, 2
		}
		all = append(all, f)
	}
	return all
}

// kernelRows returns rows of both signs with zeros, and a row of zeros, dense and sparse.
func kernelRows(m, d int, seed uint64) (dense, sparse *feature.Matrix) {
	rng := rand.New(rand.NewPCG(seed, 5))
	dense = &feature.Matrix{NumRows: m, NumCols: d, Value: make([]float64, m*d)}
	for k := range dense.Value {
		if k >= d && rng.Float64() < 0.5 {
			dense.Value[k] = rng.NormFloat64()
		}
	}
	return dense, dense.Sparse()
}

// With all rows as landmarks, the inner products of features are the kernel; for others they
// are what the landmarks span of it: k(x)' K^-1 k(x), which is no larger.
func TestKernelFeaturesAreOfTheKernel(t *testing.T) {
	t.Parallel()
	x, sparse := kernelRows(90, 7, 1)
	for _, f := range kernels() {
		b, z, err := f.Fit(x)
		if err != nil {
			t.Fatal(f, err)
		}
		var most float64
		for m := range x.NumRows {
			most = max(most, kernelByDefinition(b.Kernel, x.Row(m).Value, x.Row(m).Value))
		}
		for m := range x.NumRows {
			for o := range x.NumRows {
				want := kernelByDefinition(b.Kernel, x.Row(m).Value, x.Row(o).Value)
				if got := z.Row(m).Dot(z.Row(o).Value); !(math.Abs(got-want) <= 2e-6*most) {
					t.Fatalf("%+v: rows %d and %d: %v, by definition %v", f, m, o, got, want)
				}
			}
		}
		if again := b.Features(x); !floats.EqualApprox(again.Value, z.Value, 1e-6*math.Sqrt(most)) && f.Kind != feature.Polynomial {
			t.Errorf("%+v: training rows are mapped to other features later", f)
		}
		other, zs, err := f.Fit(sparse)
		if err != nil || !floats.EqualApprox(zs.Value, z.Value, 1e-6*math.Sqrt(most)) || math.Abs(other.Gamma-b.Gamma) > 1e-12*b.Gamma {
			t.Errorf("%+v: sparse rows have other features, error %v", f, err)
		}
		f.Landmarks = 12
		b, z, err = f.Fit(x)
		if err != nil || b.Landmarks.NumRows > 12 || z.NumCols != b.Landmarks.NumRows || z.NumRows != 90 {
			t.Fatalf("%+v: %d landmarks, features %d x %d, error %v", f, b.Landmarks.NumRows, z.NumRows, z.NumCols, err)
		}
		for m := range x.NumRows {
			row, least := x.Row(m).Value, math.Inf(1)
			for l := range b.Landmarks.NumRows {
				if slices.Equal(b.Landmarks.Row(l).Value, row) {
					least = 0
				}
			}
			own := kernelByDefinition(b.Kernel, row, row)
			if left := own - z.Row(m).SquaredNorm(); left < -2e-6*most || least == 0 && left > 2e-6*most {
				t.Errorf("%+v: row %d: %v is left of %v", f, m, left, own)
			}
		}
	}
}

// Weights on features, folded, give the same scores from the kernel's values, and have the
// same norm; raw rows are scaled first, dense or sparse, alone or with others.
func TestKernelMap(t *testing.T) {
	t.Parallel()
	dense, sparse := kernelRows(150, 6, 2)
	rng := rand.New(rand.NewPCG(9, 9))
	for _, kind := range feature.Scalings() {
		for _, train := range []*feature.Matrix{dense, sparse} {
			for _, f := range kernels() {
				s := mustFit(t, kind, train)
				f.Landmarks = 80
				b, z, err := f.Fit(s.Apply(train))
				if err != nil {
					t.Fatal(err)
				}
				count := z.NumCols
				w := testkit.Normals(count+1, rng)
				folded := slices.Clone(w)
				b.Fold(folded)
				if w[count] != folded[count] {
					t.Errorf("%s, %+v: the bias is folded", kind, f)
				}
				want, got := floats.Dot(w, w), b.Kernel.SquaredNorm(folded)
				if !(math.Abs(want-got) <= 1e-5*want) {
					t.Errorf("%s, %+v: squared norm %v, of the features %v", kind, f, got, want)
				}
				p := feature.NewRowMap(feature.FourierFeatures{}, b.Kernel, s, 6)
				values := p.Rows(train, 3, 150)
				for m := 3; m < 150; m++ {
					row := values.Row(m - 3)
					score := z.Row(m).Dot(w)
					if got := row.Dot(folded); !(math.Abs(got-score) <= 1e-5*floats.Norm(w, 2)*(1+math.Sqrt(z.Row(m).SquaredNorm()))) {
						t.Fatalf("%s, %+v: row %d scores %v, by features %v", kind, f, m, got, score)
					}
					if alone := p.Row(train.Row(m)); !reflect.DeepEqual(alone.Value, slices.Clone(row.Value)) {
						t.Fatalf("%s, %+v: row %d alone has other values", kind, f, m)
					}
				}
				other := dense
				if train == dense {
					other = sparse
				}
				if kind != feature.UnitRows && kind != feature.NoScaling && train == sparse {
					continue // the other form centers, and has another scaler
				}
				if !floats.EqualApprox(p.Rows(other, 3, 150).Value, values.Value, 1e-9) {
					t.Errorf("%s, %+v: the same rows in another form have other values", kind, f)
				}
			}
		}
	}
}

// Landmarks depend on the seed, and rows that say nothing new are dropped.
func TestLandmarks(t *testing.T) {
	t.Parallel()
	x, _ := kernelRows(60, 5, 3)
	f := feature.KernelFeatures{Kind: feature.Gaussian, Landmarks: 9, Seed: 4}
	a, za, _ := f.Fit(x)
	b, zb, _ := f.Fit(x)
	if !reflect.DeepEqual(a.Kernel, b.Kernel) || !reflect.DeepEqual(za, zb) {
		t.Error("the same seed gives other landmarks")
	}
	f.Seed++
	if b, _, _ = f.Fit(x); reflect.DeepEqual(a.Landmarks, b.Landmarks) {
		t.Error("the seed does not matter")
	}
	f.Landmarks = 0
	twice := x.Append(x)
	b, z, err := f.Fit(twice)
	if err != nil || b.Landmarks.NumRows > 60 || z.NumRows != 120 || !floats.EqualApprox(z.Value[:len(z.Value)/2], z.Value[len(z.Value)/2:], 1e-3) {
		t.Errorf("%d landmarks of 60 rows that are there twice, error %v", b.Landmarks.NumRows, err)
	}
}

func TestKernelFeaturesRefuse(t *testing.T) {
	t.Parallel()
	x, _ := kernelRows(10, 3, 4)
	g := feature.Gaussian
	for _, f := range []feature.KernelFeatures{
		{Kind: "cosine"}, {Landmarks: 3}, {Kind: g, Landmarks: -1}, {Kind: g, Gamma: -1}, {Kind: g, Gamma: math.NaN()}, {Kind: g, Gamma: math.Inf(1)},
		{Kind: g, Degree: 2}, {Kind: g, Offset: 1}, {Kind: feature.Polynomial, Degree: -1}, {Kind: feature.Polynomial, Offset: -1},
		{Kind: feature.Polynomial, Offset: math.Inf(1)},
	} {
		if _, _, err := f.Fit(x); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%+v: error %v", f, err)
		}
	}
	if err := (feature.KernelFeatures{}).Validate(); err != nil {
		t.Error(err)
	}
	huge := feature.NewDense(1, [][]float64{{1e200}, {-1e200}})
	if _, _, err := (feature.KernelFeatures{Kind: g}).Fit(huge); !errors.Is(err, errs.ErrData) {
		t.Errorf("huge rows: error %v", err)
	}
	zero := feature.NewDense(1, [][]float64{{0}, {0}})
	if _, _, err := (feature.KernelFeatures{Kind: feature.Polynomial}).Fit(zero); !errors.Is(err, errs.ErrData) {
		t.Errorf("a kernel that is zero: error %v", err)
	}
	for _, f := range kernels() { // a single row, and rows that are all alike
		for _, x := range []*feature.Matrix{feature.NewDense(1, [][]float64{{2}}), feature.NewDense(1, [][]float64{{2}, {2}})} {
			if b, z, err := f.Fit(x); err != nil || b.Landmarks.NumRows != 1 || math.IsNaN(z.Value[0]) {
				t.Errorf("%+v: %v, error %v", f, z, err)
			}
		}
	}
}

// Kernels of a distance have exactly 1 for a row and itself, whatever rounding makes of the distance, and values by definition, for any
// number of landmarks and features; those of Laplace are the same bits either way round.
func TestKernelsOfADistance(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {3, 2}, {4, 5}, {67, 9}, {130, 33}} {
		x, _ := kernelRows(size[0], size[1], uint64(size[0]))
		for _, kind := range []feature.KernelKind{feature.Laplace, feature.ChiSquare} {
			k := &feature.Kernel{Kind: kind, Gamma: 0.2, Landmarks: x}
			z := feature.NewRowMap(feature.FourierFeatures{}, k, feature.Scaler{}, x.NumCols).Rows(x, 0, x.NumRows)
			for m := range x.NumRows {
				for l := range x.NumRows {
					got, want := z.Row(m).Value[l], kernelByDefinition(k, x.Row(m).Value, x.Row(l).Value)
					if kind == feature.Laplace && got != z.Row(l).Value[m] || m == l && got != 1 || math.Abs(got-want) > 1e-12 {
						t.Fatalf("%s, %v: rows %d and %d: %v, by definition %v, the other way round %v", kind, size, m, l, got, want, z.Row(l).Value[m])
					}
				}
			}
		}
	}
}

// BenchmarkKernelFit maps the rows of a set as large as Emotions to the features of each kernel.
func BenchmarkKernelFit(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 5))
	x := &feature.Matrix{NumRows: 391, NumCols: 72, Value: make([]float64, 391*72)}
	for k := range x.Value {
		x.Value[k] = rng.NormFloat64()
	}
	for _, kind := range feature.Kernels() {
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := (feature.KernelFeatures{Kind: kind}).Fit(x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
