package feature

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
)

// KernelKind names a kernel.
type KernelKind string

// The kernels, positive semi-definite for rows of any sign. Sums are over the features.
const (
	NoKernel   KernelKind = ""
	Gaussian   KernelKind = "gaussian"   // exp(-Gamma |x - x'|^2)
	Laplace    KernelKind = "laplace"    // exp(-Gamma sum |x_k - x'_k|)
	ChiSquare  KernelKind = "chisquare"  // exp(-Gamma sum (x_k - x'_k)^2 / (|x_k| + |x'_k|)), for counts and histograms
	Polynomial KernelKind = "polynomial" // (Gamma x . x' + Offset)^Degree
)

// Kernels returns all of them.
func Kernels() []KernelKind { return []KernelKind{Gaussian, Laplace, ChiSquare, Polynomial} }

// Kernel is a kernel with the L landmarks x_l that a model has kept of its training rows.
// The model's weights are on the values k(x_1, x), ..., k(x_L, x).
type Kernel struct {
	Kind      KernelKind
	Gamma     float64
	Offset    float64 // of Polynomial
	Degree    int     // likewise
	Landmarks *Matrix // scaled rows, L x d
}

// Validate returns an error unless k is what KernelFeatures make of rows of d features.
func (k *Kernel) Validate(d int) error {
	if err := k.validateFunction(); err != nil {
		return err
	}
	x := k.Landmarks
	switch {
	case !(k.Gamma > 0):
		return fmt.Errorf("kernel: Gamma %v", k.Gamma)
	case x == nil || x.NumRows == 0:
		return fmt.Errorf("kernel without landmarks")
	case x.NumCols != d:
		return fmt.Errorf("kernel: landmarks of %d features among rows of %d", x.NumCols, d)
	}
	if err := x.Validate(); err != nil {
		return fmt.Errorf("kernel: landmarks: %w", err)
	}
	for _, v := range x.Value {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("kernel: a landmark has the value %v", v)
		}
	}
	return nil
}

// validateFunction returns an error unless the kernel is one of those above.
func (k *Kernel) validateFunction() error {
	polynomial := k.Kind == Polynomial
	switch {
	case !slices.Contains(Kernels(), k.Kind):
		return fmt.Errorf("no kernel is called %q", k.Kind)
	case !(k.Gamma >= 0) || math.IsInf(k.Gamma, 0):
		return fmt.Errorf("kernel: Gamma %v", k.Gamma)
	case polynomial && k.Degree < 1 || !polynomial && k.Degree != 0:
		return fmt.Errorf("kernel: Degree %d of %s", k.Degree, k.Kind)
	case !(k.Offset >= 0) || math.IsInf(k.Offset, 0) || !polynomial && k.Offset != 0:
		return fmt.Errorf("kernel: Offset %v of %s", k.Offset, k.Kind)
	}
	return nil
}

// SquaredNorm returns the squared norm, in the space of the kernel, of the weights of the
// rows of w, each on the values at the L landmarks and the bias last: a' K a + b^2. Without
// a kernel, it is |w|^2.
func (k *Kernel) SquaredNorm(w []float64) float64 {
	if k == nil {
		return vec.Dot(w, w)
	}
	gram := k.values(k.Landmarks)
	var sum float64
	for l := gram.NumRows; len(w) > 0; w = w[l+1:] {
		for i, a := range w[:l] {
			sum += a * gram.Row(i).Dot(w[:l])
		}
		sum += w[l] * w[l]
	}
	return sum
}

// values returns k(x_l, x) for the scaled rows of x, a row each.
func (k *Kernel) values(x *Matrix) *Matrix {
	p := newKernelMap(k, Scaler{})
	z := &Matrix{NumRows: x.NumRows, NumCols: p.count(), Value: make([]float64, x.NumRows*p.count())}
	p.rowsTo(z.Value, x, 0, x.NumRows)
	return z
}

// A value of any kernel is a function of sum_k common(x_k, x'_k), which is zero where one
// of both is, and of a size of each row: sparse rows meet in the features that both have.

// common returns what two values have in common.
func (k *Kernel) common(u, v float64) float64 {
	switch {
	case k.Kind == Gaussian || k.Kind == Polynomial:
		return u * v
	case !(u*v > 0) && math.Signbit(u) != math.Signbit(v) || u == 0 || v == 0:
		return 0
	case k.Kind == Laplace:
		return min(math.Abs(u), math.Abs(v))
	}
	u, v = math.Abs(u), math.Abs(v)
	return 2 * u * (v / (u + v))
}

// size returns the size of a row.
func (k *Kernel) size(x Row) float64 {
	switch k.Kind {
	case Gaussian:
		return x.SquaredNorm()
	case Polynomial:
		return 0
	}
	return floats.Norm(x.Value, 1)
}

// value returns the kernel of two rows of these sizes.
func (k *Kernel) value(common, size, other float64) float64 {
	if k.Kind != Polynomial {
		return math.Exp(-k.Gamma * k.distance(common, size, other))
	}
	power, base := 1.0, k.Gamma*common+k.Offset
	for range k.Degree {
		power *= base
	}
	return power
}

// distance returns what Gamma multiplies in a kernel of a distance.
func (*Kernel) distance(common, size, other float64) float64 { return max(size+other-2*common, 0) }
