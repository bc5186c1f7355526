package feature

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
)

// FourierFeatures maps scaled rows x to random Fourier features (Rahimi, Recht
// 2007), Count/2 cosines and then as many sines, whose inner products come close
// to the Gaussian kernel:
//
//	z(x) . z(x') ~ exp(-Gamma |x - x'|^2),   |z(x)| = 1.
//
// A model that is linear in z(x) comes close to a kernel machine, at the cost of
// a linear one. The frequencies are orthogonal to each other, which makes the
// inner products closer than independent ones would (Yu, Suresh, Choromanski,
// Holtmann-Rice, Kumar 2016). They depend on these fields and d alone, so that a
// model needs to keep nothing else to map raw rows.
type FourierFeatures struct {
	// Count is the number of features, an even one, at most a million. Zero means that
	// rows are not mapped.
	Count int
	// Gamma is the inverse squared width of the kernel. Zero means 1 / d.
	Gamma float64
	// Seed determines the frequencies.
	Seed uint64
}

// mostFourier features are far more than help, and fewer than end the memory.
const mostFourier = 1_000_000

// Validate returns an error unless the fields are in their range.
func (f FourierFeatures) Validate() error {
	switch {
	case f.Count < 0 || f.Count%2 != 0:
		return fmt.Errorf("%w: FourierFeatures.Count %d is negative or odd", errs.ErrSettings, f.Count)
	case f.Count > mostFourier:
		return fmt.Errorf("%w: FourierFeatures.Count %d is more than %d", errs.ErrSettings, f.Count, mostFourier)
	case !(f.Gamma >= 0) || math.IsInf(f.Gamma, 0):
		return fmt.Errorf("%w: FourierFeatures.Gamma %v", errs.ErrSettings, f.Gamma)
	}
	return nil
}

// Resolve fills in the defaults for d features; what maps nothing becomes zero.
func (f FourierFeatures) Resolve(d int) FourierFeatures {
	if f.Count == 0 {
		return FourierFeatures{}
	}
	f.Gamma = cmp.Or(f.Gamma, 1/float64(max(d, 1)))
	return f
}

// Map returns the features of the rows of x, dense, one row each; without a
// Count it returns x. It panics on fields out of range.
func (f FourierFeatures) Map(x *Matrix) *Matrix {
	if err := f.Validate(); err != nil {
		panic(err.Error())
	}
	if f.Count == 0 {
		return x
	}
	return NewRowMap(f.Resolve(x.NumCols), nil, Scaler{}, x.NumCols).Rows(x, 0, x.NumRows)
}

// frequencies returns Count/2 vectors of d entries. Each has the length of a
// normal vector of standard deviation sqrt(2 Gamma); the directions are random,
// and those in a block of d are orthogonal to each other.
func (f FourierFeatures) frequencies(d int) []float64 {
	rng := rand.New(rand.NewPCG(f.Seed, 0x632be59bd9b4e019))
	waves := make([]float64, f.Count/2*d)
	lengths := make([]float64, f.Count/2)
	first := 0 // of the block
	for k := range lengths {
		if k-first == d {
			first = k
		}
		wave := waves[k*d : (k+1)*d]
		for i := range wave {
			wave[i] = rng.NormFloat64()
		}
		lengths[k] = math.Sqrt(2*f.Gamma) * floats.Norm(wave, 2)
		orthonormalize(wave, waves[first*d:k*d])
	}
	for k, length := range lengths {
		floats.Scale(length, waves[k*d:(k+1)*d])
	}
	return waves
}

// orthonormalize takes from v what lies along the orthonormal vectors in basis,
// and makes the rest a unit vector. Once more, for rounding errors (Gram-Schmidt
// is stable when done twice).
func orthonormalize(v, basis []float64) {
	d := len(v)
	for range 2 {
		for at := 0; at < len(basis); at += d {
			b := basis[at : at+d]
			vec.AddScaled(v, -vec.Dot(v, b), b)
		}
		if norm := floats.Norm(v, 2); norm > 0 {
			floats.Scale(1/norm, v)
		}
	}
}
