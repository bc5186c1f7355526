package interior

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// rotation is an orthogonal map of the space of the features whose first coordinates are
// those of the space that M < d rows span: z = L Q with a lower triangle L, so that a row of
// L has all of a row of z. Q is kept as M reflections, which take as much memory as z does;
// as a matrix it would take d^2 numbers, and far more time.
type rotation struct {
	lq  *mat.Dense // L in the lower triangle, the reflections above
	tau []float64
}

// rotationPanel rows are reflected together, which takes some tenths of a second at most.
const rotationPanel = 32

// rotate returns the rotation of the rows of z, which it takes over, and L; nil where stop
// said so on the way.
func rotate(z *mat.Dense, stop func() bool) (*rotation, *mat.Dense) {
	rows, d := z.Dims()
	r := &rotation{lq: z, tau: make([]float64, rows)}
	for lo := 0; lo < rows; lo += rotationPanel {
		if stop() {
			return nil, nil
		}
		hi := min(lo+rotationPanel, rows)
		panel, tau := part(z, lo, hi, lo, d), r.tau[lo:hi]
		withWork(func(work []float64, size int) { lapack64.Gelqf(panel, tau, work, size) })
		if hi < rows {
			rest := part(z, hi, rows, lo, d)
			withWork(func(work []float64, size int) {
				lapack64.Ormlq(blas.Right, blas.Trans, panel, tau, rest, work, size)
			})
		}
	}
	lower := mat.NewDense(rows, rows, nil)
	for m := range rows {
		copy(lower.RawRowView(m)[:m+1], z.RawRowView(m))
	}
	return r, lower
}

// back returns what w, in the first coordinates, is in those of the features.
func (r *rotation) back(w []float64) []float64 {
	rows, d := r.lq.Dims()
	v := mat.NewDense(d, 1, nil)
	copy(v.RawMatrix().Data, w)
	withWork(func(work []float64, size int) {
		lapack64.Ormlq(blas.Left, blas.Trans, part(r.lq, 0, rows, 0, d), r.tau, v.RawMatrix(), work, size)
	})
	return v.RawMatrix().Data
}

// part returns rows and columns of a in the form that lapack64 takes.
func part(a *mat.Dense, row, rowEnd, column, columnEnd int) blas64.General {
	return a.Slice(row, rowEnd, column, columnEnd).(*mat.Dense).RawMatrix()
}

// withWork calls f with as much memory as f asks for.
func withWork(f func(work []float64, size int)) {
	size := []float64{0}
	f(size, -1)
	f(make([]float64, int(size[0])), int(size[0]))
}
