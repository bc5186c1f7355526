package interior

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Method solves the training of one label by a primal-dual interior point method
// with Mehrotra's predictor and corrector (1992), for the data on which coordinate
// steps crawl: features of very different size, or nearly dependent ones, at a small
// lambda. In the notation of the SVMs of package solver, multiplied by M, with kappa = lambda M and rows
// z_m = t_m x^m, the constant included,
//
//	min  kappa/2 |w|^2 + sum_m xi_m   s.t.  s_m = z_m . w + xi_m - 1,   s, xi >= 0,
//
// where xi_m may have a cost (here 1), its multipliers alpha_m of the first and
// beta_m = 1 - alpha_m of the second bound
// obey, at the solution, kappa w = sum_m alpha_m z_m and alpha_m s_m = beta_m xi_m = 0.
// A Newton step on these equations takes a Cholesky factorization of
//
//	kappa I + sum_m theta_m z_m z_m^T,   theta_m = 1 / (s_m/alpha_m + xi_m/beta_m),
//
// of order min(d+1, M): with fewer rows than features, w is in the span of the rows,
// and these are rotated into M coordinates first. The matrix is scaled to ones on its
// diagonal before, so that the units of features do not matter.
type Method struct {
	kappa   float64
	cost    []float64  // M
	z       *mat.Dense // M x d', in d' coordinates
	columns *mat.Dense // its transpose

	w, step          []float64 // d'
	alpha, beta      []float64 // M
	s, xi            []float64
	score, direction []float64 // z w, and z times the step
	theta, q         []float64
	da, ds, dx       []float64
	da2, ds2, dx2    []float64
	downhill         []float64 // d', of SolveSquared

	normal *mat.SymDense
	scale  []float64
	factor mat.Cholesky
	rows   *rotation   // of z, where it has been rotated
	stop   func() bool // ends the work, also within one step

	// Bounds are the narrowest so far, times M.
	Bounds           Bounds
	bestAlpha, bestW []float64
}

// Steps are enough for data of any kind.
const Steps = 60

// The limits of the method. The first counts numbers in the rows as they are made dense,
// and the second is the order of the matrix.
const (
	mostNumbers = 4 << 20
	mostOrder   = 1200
	// What an interior point solve costs, in multiply-adds: so many steps, each of
	// half a matrix for each row, and a factorization.
	typicalSteps = 15
)

// Cost returns about how many multiply-adds the method takes, or infinity where
// it would take too much memory.
func Cost(rows, features int) float64 {
	order := float64(min(rows, features+1))
	m, d := float64(rows), float64(features+1)
	if m*d > mostNumbers || order > mostOrder || m < d && m*d > mostNumbers/4 {
		return math.Inf(1) // the rotation needs several times the memory
	}
	cost := typicalSteps * (m*order*order/2 + order*order*order/6)
	if m < d {
		cost += 2 * d * m * m
	}
	return cost
}

// New takes the costs of the M slacks, and chooses the first point. It returns nil
// where stop says so before it has one.
func New(x *feature.Matrix, t, cost []float64, lambda float64, stop func() bool) *Method {
	m := len(t)
	z := mat.NewDense(m, x.NumCols+1, nil)
	for k, sign := range t {
		row := z.RawRowView(k)
		x.Row(k).AddScaledTo(row[:x.NumCols], sign)
		row[x.NumCols] = sign
	}
	var rows *rotation
	if m < x.NumCols+1 {
		if rows, z = rotate(z, stop); rows == nil {
			return nil
		}
	}
	_, d := z.Dims()
	p := &Method{
		kappa: lambda * float64(m), cost: cost, z: z, columns: mat.DenseCopyOf(z.T()), rows: rows, stop: stop,
		w: make([]float64, d), step: make([]float64, d), downhill: make([]float64, d), scale: make([]float64, d),
		normal: mat.NewSymDense(d, nil), Bounds: Bounds{Primal: floats.Sum(cost)},
	}
	for _, v := range []*[]float64{
		&p.alpha, &p.beta, &p.s, &p.xi, &p.score, &p.direction, &p.theta, &p.q,
		&p.da, &p.ds, &p.dx, &p.da2, &p.ds2, &p.dx2,
	} {
		*v = make([]float64, m)
	}
	if p.start(); stop() {
		return nil
	}
	return p
}

// start chooses the first point: w of the least squares fit
//
//	min  kappa/2 |w|^2 + 1/4 sum_m cost_m (1 - z_m . w)^2,
//
// whose kappa w is sum_m alpha_m z_m with alpha_m = cost_m (1 - z_m . w)/2. From alpha of one half
// and w = 0, the first steps would do no more than to bring the two together.
func (p *Method) start() {
	for m := range p.theta {
		p.theta[m], p.alpha[m] = p.cost[m]/2, p.cost[m]/2
	}
	if p.factorize() {
		p.sumRows(p.w, p.alpha)
		p.solveNormal(p.w)
	}
	for m := range p.alpha {
		score := vec.Dot(p.z.RawRowView(m), p.w)
		p.alpha[m] = p.cost[m] * min(max((1-score)/2, leastAlpha), 1-leastAlpha)
		p.beta[m] = p.cost[m] - p.alpha[m]
		p.xi[m] = max(1-score, 0) + leastSlack
		p.s[m] = max(score-1, 0) + leastSlack
	}
}

// How far the first point is from its bounds.
const (
	leastAlpha = 0.2
	leastSlack = 1
)

// Solve runs until the relative gap, and leaves the narrowest bounds that it has seen, with
// alpha and w. It ends when numbers break, when nothing is gained, or when stop says so.
func (p *Method) Solve(gap float64, most int) (steps int) {
	for lost := 0; steps < most && !p.stop() && lost < 5; steps++ {
		if p.measure() {
			lost = 0
		} else if p.bestAlpha != nil {
			lost++ // rounding has the upper hand
		}
		if p.Bounds.Gap() <= gap || !p.advance() {
			break
		}
	}
	return steps
}

// measure computes both bounds, the dual at alpha and the primal at w, and keeps the two if
// they are the narrowest so far. The w of alpha has more of rounding than w itself: all of
// alpha's, multiplied by |z| / kappa.
func (p *Method) measure() bool {
	u := p.step // free between steps
	p.sumRows(u, p.alpha)
	b := Bounds{Primal: p.kappa / 2 * vec.Dot(p.w, p.w), Dual: floats.Sum(p.alpha) - vec.Dot(u, u)/(2*p.kappa)}
	for m := range p.alpha {
		b.Primal += p.cost[m] * max(0, 1-vec.Dot(p.z.RawRowView(m), p.w))
	}
	return p.keep(b)
}

// keep takes the bounds, with alpha and w, if they are the narrowest so far.
func (p *Method) keep(b Bounds) bool {
	if !(b.Width() < p.Bounds.Width()) {
		return false
	}
	p.Bounds = b
	p.bestAlpha = append(p.bestAlpha[:0], p.alpha...)
	p.bestW = append(p.bestW[:0], p.w...)
	return true
}

// Alpha returns the alpha of the bounds, nil where no step has been measured.
func (p *Method) Alpha() []float64 { return p.bestAlpha }

// Weights returns w in the coordinates of the features, the constant last.
func (p *Method) Weights() []float64 {
	if p.rows == nil {
		return p.bestW
	}
	return p.rows.back(p.bestW)
}

// sumRows writes sum_m a_m z_m to dst.
func (p *Method) sumRows(dst, a []float64) {
	clear(dst)
	for m, v := range a {
		vec.AddScaled(dst, v, p.z.RawRowView(m))
	}
}

// advance makes one step, and reports whether its numbers are sound.
func (p *Method) advance() bool {
	for m := range p.theta {
		p.theta[m] = 1 / (p.s[m]/p.alpha[m] + p.xi[m]/p.beta[m])
	}
	if !p.factorize() {
		return false
	}
	mean := p.complementarity()
	p.newton(func(m int) (float64, float64) {
		return -p.alpha[m] * p.s[m], -p.beta[m] * p.xi[m]
	}, p.da, p.ds, p.dx)
	length := p.longest(p.da, p.ds, p.dx)
	after := 0.0
	for m := range p.alpha {
		after += (p.alpha[m] + length*p.da[m]) * (p.s[m] + length*p.ds[m])
		after += (p.beta[m] - length*p.da[m]) * (p.xi[m] + length*p.dx[m])
	}
	share := after / (2 * float64(len(p.alpha))) / mean
	center := share * share * share * mean
	p.newton(func(m int) (float64, float64) {
		return center - p.alpha[m]*p.s[m] - p.da[m]*p.ds[m], center - p.beta[m]*p.xi[m] + p.da[m]*p.dx[m]
	}, p.da2, p.ds2, p.dx2)
	length = min(1, max(0.9, 1-mean)*p.longest(p.da2, p.ds2, p.dx2))
	if !(length > 1e-10) {
		return false
	}
	vec.AddScaled(p.w, length, p.step)
	for m := range p.alpha {
		p.alpha[m] += length * p.da2[m]
		p.beta[m] -= length * p.da2[m]
		p.s[m] += length * p.ds2[m]
		p.xi[m] += length * p.dx2[m]
	}
	return !math.IsNaN(floats.Sum(p.alpha)) && !math.IsNaN(floats.Sum(p.w))
}

// complementarity returns the mean of alpha s and beta xi.
func (p *Method) complementarity() float64 {
	return (vec.Dot(p.alpha, p.s) + vec.Dot(p.beta, p.xi)) / (2 * float64(len(p.alpha)))
}

// newton computes the step whose products alpha s and beta xi change by what change
// says, to first order, and that makes the other equations hold.
func (p *Method) newton(change func(m int) (float64, float64), da, ds, dx []float64) {
	rhs := p.step
	for m := range p.alpha {
		p.score[m] = vec.Dot(p.z.RawRowView(m), p.w)
		first, second := change(m)
		p.q[m] = 1 + p.s[m] - p.score[m] - p.xi[m] - second/p.beta[m] + first/p.alpha[m]
		p.direction[m] = p.alpha[m] + p.theta[m]*p.q[m]
	}
	p.sumRows(rhs, p.direction)
	vec.AddScaled(rhs, -p.kappa, p.w)
	p.solveNormal(rhs)
	for m := range p.alpha {
		p.direction[m] = vec.Dot(p.z.RawRowView(m), rhs)
		first, second := change(m)
		da[m] = p.theta[m] * (p.q[m] - p.direction[m])
		ds[m] = (first - p.s[m]*da[m]) / p.alpha[m]
		dx[m] = (second + p.xi[m]*da[m]) / p.beta[m]
	}
}

// longest returns the longest step, 1 at most, that keeps all that is positive so.
func (p *Method) longest(da, ds, dx []float64) float64 {
	length := 1.0
	for m := range da {
		if da[m] < 0 {
			length = min(length, -p.alpha[m]/da[m])
		}
		if da[m] > 0 {
			length = min(length, p.beta[m]/da[m])
		}
		if ds[m] < 0 {
			length = min(length, -p.s[m]/ds[m])
		}
		if dx[m] < 0 {
			length = min(length, -p.xi[m]/dx[m])
		}
	}
	return length
}

// rowBlock rows are added to the matrix at a time, so that their columns stay in the fast
// memory.
const rowBlock = 512

// factorRows rows of the matrix are set up before stop is asked again, which takes some
// hundredths of a second at most.
const factorRows = 64

// factorize sets up the matrix of the step and factorizes it. Where rounding has made it
// indefinite, a little is added to its diagonal. It returns false where that does not help,
// and where stop says so on the way: between blocks of so many multiply-adds.
func (p *Method) factorize() bool {
	h := p.normal.RawSymmetric()
	d := h.N
	clear(h.Data)
	for lo := 0; lo < len(p.theta); lo += rowBlock {
		hi := min(lo+rowBlock, len(p.theta))
		weighted := p.q[:hi-lo]
		for i := range d {
			if i%factorRows == 0 && p.stop() {
				return false
			}
			floats.MulTo(weighted, p.theta[lo:hi], p.columns.RawRowView(i)[lo:hi])
			to := h.Data[i*h.Stride : i*h.Stride+d]
			for j := i; j < d; j++ {
				to[j] += vec.Dot(weighted, p.columns.RawRowView(j)[lo:hi])
			}
		}
	}
	for i := range d {
		h.Data[i*h.Stride+i] += p.kappa
		p.scale[i] = 1 / math.Sqrt(h.Data[i*h.Stride+i])
	}
	for i := range d {
		row := h.Data[i*h.Stride : i*h.Stride+d]
		for j := i; j < d; j++ {
			row[j] *= p.scale[i] * p.scale[j]
		}
	}
	for extra := 1e-15; extra < 1e-6 && !p.stop(); extra *= 100 {
		if p.factor.Factorize(p.normal) {
			return true
		}
		for i := range d {
			h.Data[i*h.Stride+i] = 1 + extra
		}
	}
	return false
}

// solveNormal replaces v by the solution of the factorized system.
func (p *Method) solveNormal(v []float64) {
	floats.Mul(v, p.scale)
	x := mat.NewVecDense(len(v), v)
	if err := p.factor.SolveVecTo(x, x); err != nil {
		if _, close := err.(mat.Condition); !close {
			v[0] = math.NaN()
		}
	}
	floats.Mul(v, p.scale)
}
