package solver

import (
	"slices"

	"gonum.org/v1/gonum/blas/gonum"
)

// singleRows are dense rows in single precision. A dot product of one with
// weights in single precision takes about half the time of one in double
// precision: twice as many numbers fit into a register, and into the cache.
type singleRows struct {
	d     int
	value []float32
	norm  float64 // the largest |x^m|^2 + 1
}

// newSingleRows returns the rows of p, or nil where they are sparse.
func newSingleRows(p *Problem) *singleRows {
	if p.x.IsSparse() {
		return nil
	}
	r := &singleRows{d: p.x.NumCols, value: make([]float32, len(p.x.Value)), norm: slices.Max(p.norm)}
	toSingle(r.value, p.x.Value)
	return r
}

// fit reports whether single precision has the range for the rows and for
// weights at lambda. As every alpha is in [0, 1], no |w| is above
// max_m |x^m| / lambda, and no partial sum of a w . x^m above
// max_m |x^m|^2 / lambda: far from 3e38, the largest number of single precision,
// however rounding adds to it. Inputs below its smallest, 1e-45, move no score
// then.
func (r *singleRows) fit(lambda float64) bool { return r.norm/min(lambda, 1) < 1e30 }

// singleKernels are gonum's vector operations in single precision.
var singleKernels gonum.Implementation

// dot returns w . x^m.
func (r *singleRows) dot(m int32, w []float32) float64 {
	return float64(singleKernels.Sdot(r.d, r.row(m), 1, w, 1))
}

// addScaledTo adds a x^m to w.
func (r *singleRows) addScaledTo(w []float32, a float64, m int32) {
	singleKernels.Saxpy(r.d, float32(a), r.row(m), 1, w, 1)
}

func (r *singleRows) row(m int32) []float32 { return r.value[int(m)*r.d : (int(m)+1)*r.d] }

// squaredNorm32 returns |w|^2.
func squaredNorm32(w []float32) float64 { return singleKernels.Dsdot(len(w), w, 1, w, 1) }

// toSingle rounds src to dst.
func toSingle(dst []float32, src []float64) {
	for k, v := range src {
		dst[k] = float32(v)
	}
}
