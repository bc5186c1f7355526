package feature

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"gonum.org/v1/gonum/floats"
)

// KernelFeatures map scaled rows x to Nystroem features of a kernel (Williams, Seeger
// 2001), from L landmarks among the training rows,
//
//	z(x) = U'^-1 (k(x_1, x), ..., k(x_L, x)),   K(landmarks, landmarks) = U' U,
//
// whose inner products are those of the kernel for landmarks, and close to them for other
// rows: z(x) . z(x') = k(x)' K^-1 k(x'). A model that is linear in z(x) is a kernel
// machine; with all training rows as landmarks, it is that of the kernel itself. What the
// model keeps is the landmarks and, for each label, a weight for each of them.
//
// U is a Cholesky factor with pivots, which takes the landmarks in an order in which each is as
// far as can be from what those before it span, and stops where nothing is left: landmarks
// that others explain to a millionth are dropped. (Any other root of K, such as the
// symmetric one, gives the same inner products, hence the same training, at a multiple of
// the time.)
type KernelFeatures struct {
	// Kind is the kernel. Empty means that rows are not mapped.
	Kind KernelKind
	// Landmarks bounds L. Where there are more training rows, the landmarks are drawn among
	// them by Seed. Zero means 2000.
	Landmarks int
	// Gamma is as in the Kernel. Zero means 1 / (d Var) for Gaussian and Polynomial, Var the
	// variance of all values of the scaled training rows, and one over the mean distance
	// between some of them for Laplace and ChiSquare.
	Gamma float64
	// Offset and Degree are those of Polynomial. A Degree of zero means 3.
	Offset float64
	Degree int
	// Seed determines the landmarks.
	Seed uint64
}

// Validate returns an error that wraps ErrSettings unless the fields are in their range.
func (f KernelFeatures) Validate() error {
	if f.Kind == NoKernel {
		if f != (KernelFeatures{}) {
			return fmt.Errorf("%w: KernelFeatures without a Kind", errs.ErrSettings)
		}
		return nil
	}
	if f.Landmarks < 0 {
		return fmt.Errorf("%w: KernelFeatures.Landmarks %d is negative", errs.ErrSettings, f.Landmarks)
	}
	if f.Kind == Polynomial {
		f.Degree = cmp.Or(f.Degree, 3)
	}
	if err := f.kernel(nil).validateFunction(); err != nil {
		return fmt.Errorf("%w: %w", errs.ErrSettings, err)
	}
	return nil
}

// Resolve returns f with the defaults filled in for scaled training rows x; what maps nothing
// becomes zero.
func (f KernelFeatures) Resolve(x *Matrix) KernelFeatures {
	if f.Kind == NoKernel {
		return KernelFeatures{}
	}
	if f.Kind == Polynomial {
		f.Degree = cmp.Or(f.Degree, 3)
	}
	f.Landmarks, f.Gamma = cmp.Or(f.Landmarks, 2000), cmp.Or(f.Gamma, f.defaultGamma(x))
	return f
}

// kernel returns the kernel of a resolved f with landmarks.
func (f KernelFeatures) kernel(landmarks *Matrix) *Kernel {
	return &Kernel{Kind: f.Kind, Gamma: f.Gamma, Offset: f.Offset, Degree: f.Degree, Landmarks: landmarks}
}

// Fit draws landmarks among the scaled rows of x and returns them with the features z of
// all of these rows, dense. It returns an error that wraps ErrSettings for fields out of
// range, and ErrData where the kernel's values are not finite or all zero.
func (f KernelFeatures) Fit(x *Matrix) (*KernelBasis, *Matrix, error) {
	if err := f.Validate(); err != nil {
		return nil, nil, err
	}
	f = f.Resolve(x)
	rows := make([]int, x.NumRows)
	for m := range rows {
		rows[m] = m
	}
	if f.Landmarks < len(rows) {
		rng := rand.New(rand.NewPCG(f.Seed, 0x8f1bbcdc5a827999))
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rows = rows[:f.Landmarks]
		slices.Sort(rows)
	}
	k := f.kernel(x.Subset(rows))
	gram := k.values(k.Landmarks)
	if sum := floats.Sum(gram.Value); math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, nil, fmt.Errorf("%w: values of the %s kernel are not finite: the features are too large", errs.ErrData, k.Kind)
	}
	b := newBasis(k, gram)
	if b == nil {
		return nil, nil, fmt.Errorf("%w: the %s kernel is zero for all rows", errs.ErrData, k.Kind)
	}
	z := b.ofLandmarks()
	if len(rows) < x.NumRows {
		z = b.Features(x)
	}
	return b, z, nil
}

// defaultGamma returns Gamma where the settings have none, for training rows x: one over the
// mean of what it multiplies, or 1 where that is zero.
func (f KernelFeatures) defaultGamma(x *Matrix) float64 {
	mean := float64(x.NumCols) * x.variance()
	if f.Kind == Laplace || f.Kind == ChiSquare {
		mean = f.meanDistance(x)
	}
	if gamma := 1 / mean; gamma > 0 && !math.IsInf(gamma, 0) {
		return gamma
	}
	return 1
}

// meanDistance returns the mean distance between rows, or between up to 256 of them.
func (f KernelFeatures) meanDistance(x *Matrix) float64 {
	var some []int
	for m := 0; m < x.NumRows; m += 1 + (x.NumRows-1)/256 {
		some = append(some, m)
	}
	k := f.kernel(x.Subset(some))
	p, n := newKernelMap(k, Scaler{}), len(some)
	common := make([]float64, n*n)
	p.commonTo(common, k.Landmarks)
	var sum float64
	for l := range n {
		for other := range l {
			sum += k.distance(common[l*n+other], p.sizes[l], p.sizes[other])
		}
	}
	return sum / float64(n*(n-1)/2)
}

// variance returns that of all values of a, zeros included.
func (a *Matrix) variance() float64 {
	count := float64(a.NumRows) * float64(a.NumCols)
	mean := floats.Sum(a.Value) / count
	zeros := count - float64(len(a.Value))
	squares := zeros * mean * mean
	for _, v := range a.Value {
		squares += (v - mean) * (v - mean)
	}
	return squares / count
}
