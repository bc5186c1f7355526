package polytope

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
)

// normal is a symmetric matrix, of which the lower triangle is kept, and then its
// Cholesky factor.
type normal struct {
	n, stride int
	data      []float64
	scale     []float64
	dots      [normalBlock]float64
}

// normalBlock columns are factorized at a time.
const normalBlock = 64

func newNormal(n int) *normal {
	stride := vec.Stride(n)
	return &normal{n: n, stride: stride, data: make([]float64, n*stride), scale: make([]float64, n)}
}

func (a *normal) row(i int) []float64 { return a.data[i*a.stride : i*a.stride+a.n] }

// build sets up the matrix of the step, and reports whether it was not stopped.
func (p *Method) build() bool {
	weighted := make([]float64, p.m)
	for i := range p.n {
		for j := range i + 1 {
			if p.stop() {
				return false
			}
			p.buildLabels(i, j, weighted)
		}
	}
	for e := range p.pairs {
		if p.stop() {
			return false
		}
		p.buildPair(e)
	}
	for k := range p.w {
		p.normal.row(k)[k] += p.kappa
	}
	return true
}

// buildLabels writes the block of labels i >= j, sum_m (K_m^-1)_ij x^m x^m'.
func (p *Method) buildLabels(i, j int, weighted []float64) {
	d := p.rows.d
	for k := range d {
		floats.MulTo(weighted, p.blocks.at(i, j), p.rows.of(k))
		row := p.normal.row(i*d + k)[j*d:]
		p.rows.dotsTo(row[:k+1], weighted)
		if i == j {
			continue
		}
		for l, v := range row[:k] { // the block is symmetric
			p.normal.row(i*d + l)[j*d+k] = v
		}
	}
}

// buildPair writes the row of pair e. A label of which the pair's mu_e takes the shares
// first and second of mu_i and mu_j has sum_m (first K_m^-1 + second K_m^-1) x^m there.
func (p *Method) buildPair(e int) {
	b, v, d := &p.blocks, p.pairs[e], p.rows.d
	row, first, second := p.normal.row(p.pairAt(e)), p.blocks.first[e], p.blocks.second[e]
	for l, f := range b.sums {
		gi, gj := b.at(v.i, l), b.at(v.j, l)
		for m := range f {
			f[m] = first[m]*gi[m] + second[m]*gj[m]
		}
		p.rows.dotsTo(row[l*d:(l+1)*d], f)
	}
	for o, u := range p.pairs[:e+1] {
		row[p.pairAt(o)] = vec.Dot(b.sums[u.i], b.first[o]) + vec.Dot(b.sums[u.j], b.second[o])
	}
	row[p.pairAt(e)] += floats.Sum(b.alone[e])
	if p.beta > 0 {
		row[p.pairAt(e)] += 1 / p.boxCurvature(e)
	}
}

// factorize scales the matrix to ones on its diagonal and replaces it by its factor. It
// reports whether it was not stopped, and the diagonal was sound.
func (a *normal) factorize(stop func() bool) bool {
	for i := range a.n {
		if !(a.row(i)[i] > 0) {
			return false
		}
		a.scale[i] = 1 / math.Sqrt(a.row(i)[i])
		floats.Mul(a.row(i)[:i+1], a.scale[:i+1])
		floats.Scale(a.scale[i], a.row(i)[:i+1])
	}
	for lo := 0; lo < a.n; lo += normalBlock {
		if stop() {
			return false
		}
		hi := min(lo+normalBlock, a.n)
		for i := lo; i < a.n; i++ {
			a.eliminate(i, lo, min(hi, i+1))
		}
	}
	return true
}

// eliminate computes the entries lo to hi of row i of the factor, where all before lo, and
// the rows lo to i, are done.
func (a *normal) eliminate(i, lo, hi int) {
	row := a.row(i)
	if lo > 0 {
		dots := a.dots[:hi-lo]
		vec.DotsTo(dots, row[:lo], a.data[lo*a.stride:hi*a.stride], a.stride)
		floats.Sub(row[lo:hi], dots)
	}
	for j := lo; j < hi; j++ {
		other := a.row(j)
		v := row[j] - vec.Dot(row[lo:j], other[lo:j])
		if i == j {
			row[j] = math.Sqrt(max(v, leastPivot))
			return
		}
		row[j] = v / other[j]
	}
}

// solve replaces v by the solution of the factorized system.
func (a *normal) solve(v []float64) {
	floats.Mul(v, a.scale)
	for i := range v {
		row := a.row(i)
		v[i] = (v[i] - vec.Dot(row[:i], v[:i])) / row[i]
	}
	for i := a.n - 1; i >= 0; i-- {
		row := a.row(i)
		v[i] /= row[i]
		vec.AddScaled(v[:i], -v[i], row[:i])
	}
	floats.Mul(v, a.scale)
}
