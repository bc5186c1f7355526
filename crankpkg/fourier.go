package crankpkg

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// FourierFeatures maps rows x to random Fourier features z(x) (Rahimi, Recht
// 2007), whose inner products come close to the Gaussian kernel,
//
//	z(x) . z(x') ~ exp(-Gamma |x - x'|^2),   |z(x)| = 1.
//
// A model that is linear in z(x) so comes close to a kernel machine, at the cost
// of a linear one. Train on Dataset(train), and predict on Dataset(test) or on
// rows of Map(x). The frequencies are orthogonal to each other, which makes the
// inner products closer than independent ones would (Yu, Suresh, Choromanski,
// Holtmann-Rice, Kumar 2016). The map depends on its fields and the number of
// features alone: there is nothing to keep but these.
type FourierFeatures struct {
	// Count is the number of features, half of them cosines and half of them
	// sines. Zero means 1000.
	Count int
	// Gamma is the inverse squared width of the kernel. Zero means 1 / d.
	Gamma float64
	Seed  uint64
	// Scaler, fitted to the training rows, is applied to rows first.
	Scaler Scaler
}

// Check returns an error that wraps ErrSettings when a field is out of its range.
func (f FourierFeatures) Check() error {
	switch {
	case f.Count < 0 || f.Count%2 != 0:
		return fmt.Errorf("%w: FourierFeatures.Count %d is negative or odd", ErrSettings, f.Count)
	case !(f.Gamma >= 0) || math.IsInf(f.Gamma, 0):
		return fmt.Errorf("%w: FourierFeatures.Gamma %v", ErrSettings, f.Gamma)
	}
	return nil
}

// Dataset returns ds with its rows mapped. It panics where Check returns an
// error, and like Scaler.Apply.
func (f FourierFeatures) Dataset(ds *Dataset) *Dataset {
	mapped := *ds
	mapped.X = f.Map(ds.X)
	mapped.FeatureNames = make([]string, mapped.X.NumCols)
	for k := range mapped.FeatureNames {
		wave := "cos"
		if k >= mapped.X.NumCols/2 {
			wave = "sin"
		}
		mapped.FeatureNames[k] = fmt.Sprintf("%s %d", wave, k%(mapped.X.NumCols/2))
	}
	return &mapped
}

// Map returns the features of the raw rows of x, dense, one row each. It panics
// where Check returns an error, and like Scaler.Apply.
func (f FourierFeatures) Map(x *Matrix) *Matrix {
	if err := f.Check(); err != nil {
		panic(err.Error())
	}
	f.Count = orDefault(f.Count, 1000)
	f.Gamma = orDefault(f.Gamma, 1/float64(max(x.NumCols, 1)))
	waves := f.frequencies(x.NumCols)
	scaled := f.Scaler.Apply(x)
	z := &Matrix{NumRows: x.NumRows, NumCols: f.Count, Value: make([]float64, x.NumRows*f.Count)}
	size := math.Sqrt(2 / float64(f.Count))
	for m := range x.NumRows {
		row, to := scaled.Row(m), z.Row(m).Value
		for k := range f.Count / 2 {
			sin, cos := math.Sincos(row.Dot(waves[k*x.NumCols : (k+1)*x.NumCols]))
			to[k], to[k+f.Count/2] = size*cos, size*sin
		}
	}
	return z
}

// frequencies returns Count/2 vectors of d entries: in blocks of d the rows of a
// random orthogonal matrix, each stretched to the length of an independent
// normal vector of standard deviation sqrt(2 Gamma).
func (f FourierFeatures) frequencies(d int) []float64 {
	rng := rand.New(rand.NewPCG(f.Seed, 0x632be59bd9b4e019))
	waves := make([]float64, f.Count/2*d)
	deviation := math.Sqrt(2 * f.Gamma)
	normal := make([]float64, d)
	var rotation mat.Dense
	for k := 0; d > 0 && k < f.Count/2; k++ {
		if k%d == 0 {
			rotation = randomRotation(rng, d)
		}
		for i := range normal {
			normal[i] = rng.NormFloat64()
		}
		wave := waves[k*d : (k+1)*d]
		mat.Row(wave, k%d, &rotation)
		floats.Scale(deviation*floats.Norm(normal, 2), wave)
	}
	return waves
}

// randomRotation returns a random orthogonal matrix: the Q of a normal one, with
// the signs that make it uniform (Stewart 1980).
func randomRotation(rng *rand.Rand, d int) mat.Dense {
	normal := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			normal.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(normal)
	var q, r mat.Dense
	qr.QTo(&q)
	qr.RTo(&r)
	for j := range d {
		if r.At(j, j) < 0 {
			for i := range d {
				q.Set(i, j, -q.At(i, j))
			}
		}
	}
	return q
}
