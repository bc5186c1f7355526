package polytope

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
)

// Advance makes one step, and reports whether its numbers are
// sound and it was not stopped.
func (p *Method) Advance() bool {
	if !p.factorize() {
		return false
	}
	p.gradients()
	total, count := p.products()
	mean := total / float64(count)
	p.refines = p.Gap() < tightGap
	p.newton(0, false)
	share := p.productsAt(p.longest()) / total
	p.newton(share*share*share*mean, true)
	length := min(1, max(0.9, 1-mean)*p.longest())
	if !(length > 1e-8) {
		return false
	}
	vec.AddScaled(p.w, length, p.step)
	addTable(p.mu, length, p.dmu)
	addTable(p.s, length, p.ds)
	addTable(p.z, length, p.dz)
	if p.beta > 0 {
		vec.AddScaled(p.t, length, p.dt)
		for _, b := range p.boxes {
			vec.AddScaled(b.s, length, b.ds)
			vec.AddScaled(b.z, length, b.dz)
		}
	}
	return !math.IsNaN(floats.Sum(p.w))
}

// tightGap is the gap below which steps are refined.
const tightGap = 1e-4

func addTable(t [][]float64, length float64, step [][]float64) {
	for k, row := range t {
		vec.AddScaled(row, length, step[k])
	}
}

// factorize sets up H^-1 and the matrix of the step, and factorizes that.
func (p *Method) factorize() bool {
	return !p.stop() && p.invertBlocks() && p.build() && p.normal.factorize(p.stop)
}

// newton computes the step that makes all equations hold to first order, with s z + ds dz
// equal to center. The product ds dz is that of the step before, or nothing.
func (p *Method) newton(center float64, corrected bool) {
	p.aim(center, corrected)
	p.pull()
	for k, row := range p.dmu {
		copy(row, p.q[k])
	}
	p.solveBlocks(p.dmu)
	addTable(p.dmu, 1, p.mu)
	p.featuresTo(p.step, p.dmu)
	for k, v := range p.step {
		p.step[k] = p.sums[k] - v - p.kappa*p.w[k]
	}
	for e, v := range p.shift {
		k := p.pairAt(e)
		p.step[k] += v
		if p.beta > 0 {
			p.step[k] -= p.t[e] + p.boxPull(e)/p.boxCurvature(e)
		}
	}
	p.normal.solve(p.step)
	for i := range p.n {
		p.rows.scoreTo(p.dmu[i], p.unary(p.step, i))
		floats.Add(p.dmu[i], p.q[i])
	}
	for e := range p.pairs {
		floats.AddConst(p.step[p.pairAt(e)], replace(p.dmu[p.n+e], p.q[p.n+e]))
	}
	p.solveBlocks(p.dmu)
	if p.refines {
		p.refine()
	}
	p.slackSteps()
	for k, dz := range p.dz {
		multiplierSteps(dz, p.z[k], p.ds[k], p.s[k])
	}
	p.boxSteps()
}

// refine repeats the step for what rounding has left of the first equation. Where H^-1 is of
// very different sizes, kappa w is not what goes with mu otherwise.
func (p *Method) refine() {
	rest, change := make([]float64, p.order()), make([]float64, p.order())
	p.featuresTo(rest, p.mu)
	p.featuresTo(change, p.dmu)
	for k, v := range p.step {
		rest[k] = p.sums[k] - rest[k] - p.kappa*p.w[k] - (change[k] + p.kappa*v)
	}
	for e, v := range p.shift {
		k := p.pairAt(e)
		rest[k] += v
		if p.beta > 0 {
			rest[k] -= p.t[e] + (p.step[k]+p.boxPull(e))/p.boxCurvature(e)
		}
	}
	p.normal.solve(rest)
	for i := range p.n {
		p.rows.scoreTo(p.q[i], p.unary(rest, i))
	}
	for e := range p.pairs {
		clear(p.q[p.n+e])
		floats.AddConst(rest[p.pairAt(e)], p.q[p.n+e])
	}
	p.solveBlocks(p.q)
	addTable(p.dmu, 1, p.q)
	floats.Add(p.step, rest)
}

// replace copies v to dst and returns dst.
func replace(dst, v []float64) []float64 {
	copy(dst, v)
	return dst
}

// aim writes (center - ds dz) / s to dz.
func (p *Method) aim(center float64, corrected bool) {
	for k, dz := range p.dz {
		aim(dz, p.ds[k], p.s[k], center, corrected)
	}
	if p.beta > 0 {
		for _, b := range p.boxes {
			aim(b.dz, b.ds, b.s, center, corrected)
		}
	}
}

func aim(dz, ds, s []float64, center float64, corrected bool) {
	for m, v := range s {
		product := 0.0
		if corrected {
			product = ds[m] * dz[m]
		}
		dz[m] = (center - product) / v
	}
}

// multiplierSteps makes dz, which aim has written, the step of z.
func multiplierSteps(dz, z, ds, s []float64) {
	for m, v := range z {
		dz[m] -= v + v*ds[m]/s[m]
	}
}

// pull writes c + G'dz to q, with dz of aim.
func (p *Method) pull() {
	for i, c := range p.c {
		copy(p.q[i], c)
	}
	for e, v := range p.pairs {
		h, w := p.ofPair(p.dz, e), p.w[p.pairAt(e)]
		qe, qi, qj := p.q[p.n+e], p.q[v.i], p.q[v.j]
		for m := range qe {
			qe[m] = w + h[0][m] - h[1][m] - h[2][m] + h[3][m]
			qi[m] += h[1][m] - h[3][m]
			qj[m] += h[2][m] - h[3][m]
		}
	}
	for k, i := range p.alone {
		h, qi := p.ofAlone(p.dz, k), p.q[i]
		for m := range qi {
			qi[m] += h[0][m] - h[1][m]
		}
	}
}

// slackSteps writes G dmu to ds.
func (p *Method) slackSteps() {
	for e, v := range p.pairs {
		ds, a, b := p.ofPair(p.ds, e), p.dmu[v.i], p.dmu[v.j]
		for m, y := range p.dmu[p.n+e] {
			ds[0][m], ds[1][m], ds[2][m], ds[3][m] = y, a[m]-y, b[m]-y, y-a[m]-b[m]
		}
	}
	for k, i := range p.alone {
		ds := p.ofAlone(p.ds, k)
		for m, y := range p.dmu[i] {
			ds[0][m], ds[1][m] = y, -y
		}
	}
}

// boxCurvature is z/s of both sides of the box of pair e, and boxPull what pull is for t.
func (p *Method) boxCurvature(e int) float64 {
	return p.boxes[0].z[e]/p.boxes[0].s[e] + p.boxes[1].z[e]/p.boxes[1].s[e]
}

func (p *Method) boxPull(e int) float64 {
	return p.w[p.pairAt(e)] - p.boxes[0].dz[e] + p.boxes[1].dz[e]
}

func (p *Method) boxSteps() {
	for e := range p.t {
		dt := (p.step[p.pairAt(e)] + p.boxPull(e)) / p.boxCurvature(e)
		p.dt[e], p.boxes[0].ds[e], p.boxes[1].ds[e] = dt, -dt, dt
	}
	for _, b := range p.boxes {
		multiplierSteps(b.dz, b.z, b.ds, b.s)
	}
}

// products returns the sum of all s z, and their number.
func (p *Method) products() (sum float64, count int) {
	for k, s := range p.s {
		sum += vec.Dot(s, p.z[k])
	}
	for _, b := range p.boxes {
		sum += vec.Dot(b.s, b.z)
	}
	return sum, len(p.s)*p.m + 2*len(p.t)
}

// productsAt returns the sum after a step of this length.
func (p *Method) productsAt(length float64) (sum float64) {
	for k, s := range p.s {
		sum += productsAt(s, p.ds[k], p.z[k], p.dz[k], length)
	}
	for _, b := range p.boxes {
		sum += productsAt(b.s, b.ds, b.z, b.dz, length)
	}
	return sum
}

func productsAt(s, ds, z, dz []float64, length float64) (sum float64) {
	for m := range s {
		sum += (s[m] + length*ds[m]) * (z[m] + length*dz[m])
	}
	return sum
}

// longest returns the longest step, 1 at most, that keeps all that is positive so.
func (p *Method) longest() float64 {
	length := 1.0
	for k, s := range p.s {
		length = longest(longest(length, s, p.ds[k]), p.z[k], p.dz[k])
	}
	for _, b := range p.boxes {
		length = longest(longest(length, b.s, b.ds), b.z, b.dz)
	}
	return length
}

func longest(length float64, v, dv []float64) float64 {
	for m, d := range dv {
		if d < 0 && v[m] < -length*d {
			length = -v[m] / d
		}
	}
	return length
}
