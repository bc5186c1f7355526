package solver

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/vec"
)

// singleRows are dense rows in single precision. A dot product of one with
// weights in single precision takes about half the time of one in double
// precision: twice as many numbers fit into a register, and into the cache.
type singleRows struct {
	d     int // that of the rows, and zeros up to vec.Stride
	value []float32
	norm  float64 // the largest |x^m|^2 + 1
}

// newSingleRows returns the rows of p, or nil where they are sparse.
func newSingleRows(p *Problem) *singleRows {
	if p.x.IsSparse() {
		return nil
	}
	r := &singleRows{d: vec.Stride(p.x.NumCols), norm: slices.Max(p.norm)}
	r.value = make([]float32, p.x.NumRows*r.d)
	for m := range p.x.NumRows {
		toSingle(r.row(int32(m)), p.x.Row(m).Value)
	}
	return r
}

// fit reports whether single precision has the range for the rows and for
// weights at lambda. As every alpha is in [0, 1], no |w| is above
// max_m |x^m| / lambda, and no partial sum of a w . x^m above
// max_m |x^m|^2 / lambda: far from 3e38, the largest number of single precision,
// however rounding adds to it. Inputs below its smallest, 1e-45, move no score
// then.
func (r *singleRows) fit(lambda float64) bool { return r.norm/min(lambda, 1) < 1e30 }

// dot returns w . x^m.
func (r *singleRows) dot(m int32, w []float32) float64 {
	return float64(vec.Dot32(r.row(m), w))
}

// addScaledTo adds a x^m to w.
func (r *singleRows) addScaledTo(w []float32, a float64, m int32) {
	vec.AddScaled32(w, float32(a), r.row(m))
}

func (r *singleRows) row(m int32) []float32 { return r.value[int(m)*r.d : (int(m)+1)*r.d] }

// squaredNorm32 returns |w|^2, added up in double precision.
func squaredNorm32(w []float32) (sum float64) {
	for _, v := range w {
		sum += float64(v) * float64(v) // exact, so that no processor rounds it
	}
	return sum
}

// toSingle rounds src to dst.
func toSingle(dst []float32, src []float64) {
	for k, v := range src {
		dst[k] = float32(v)
	}
}
