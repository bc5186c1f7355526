package polytope

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Method solves a training with pairs by a primal-dual interior point method with
// Mehrotra's predictor and corrector (1992), for the data on which steps of first order crawl
// (see interior, its sister for labels without pairs).
//
// The hinge of an example is the optimum of a linear program over the local polytope, which on
// a forest is that of the labelings. So the whole training is one quadratic program in the
// marginals mu_i and mu_ij of all examples, and no labeling has to be found on the way. Its
// constraints say that the joint probabilities of the two labels of each pair,
//
//	s = mu_ij,   mu_i - mu_ij,   mu_j - mu_ij,   1 - mu_i - mu_j + mu_ij,
//
// are at least zero; a label without a pair has mu_i and 1 - mu_i. With kappa = lambda M and
// everything multiplied by M, weights w and multipliers z >= 0 of the constraints obey, at the
// solution,
//
//	kappa w = sum_m [phi(x^m, y^m) - phi(x^m, mu_m)] + M beta v - t,
//	c + G'z = 0,   c_i = w_i . x^m + 1 - 2 y_i^m,   c_ij = w_ij,   s z = 0,
//
// where s = G mu + g and t, within -M beta and M beta, is a subgradient of M beta |w_pair|_1: a
// box for each pair, with constraints and multipliers of its own. A Newton step on these
// equations takes the inverse H^-1 of G' diag(z/s) G, a small matrix for each example
// (pairblocks.go), and a Cholesky factorization of
//
//	kappa I + sum_m A_m H_m^-1 A_m',   A_m mu_m = phi(x^m, mu_m),
//
// plus the boxes' share, of order n (d+1) + pairs (pairnormal.go). It is scaled to ones on its
// diagonal, so that the units of features do not matter. Tables have a row for each label,
// pair or constraint, with a number for each example.
type Method struct {
	n, m  int        // labels; examples
	pairs []pairEnds // their mu come after those of the labels
	alone []int      // labels without a pair: their constraints come after those of the pairs
	rows  *columns   // x, the constant included
	stop  func() bool
	// refines says that steps are refined.
	refines bool

	kappa, beta float64     // lambda M, beta M
	shift       []float64   // beta v_ij M
	truth       [][]float64 // y_i^m
	sums        []float64   // sum_m phi(x^m, y^m)

	w, step    []float64   // the weights of labels, then of pairs
	c          [][]float64 // c_i
	mu, dmu, q [][]float64
	s, z       [][]float64
	ds, dz     [][]float64
	t, dt      []float64 // nil where beta is 0, and so are the next
	boxes      [2]box    // M beta - t and M beta + t

	blocks blocks
	normal *normal
}

// pairEnds are the two labels of a pair.
type pairEnds struct{ i, j int }

// box holds the slacks and multipliers of one side of the boxes.
type box struct{ s, z, ds, dz []float64 }

// columns are the columns of rows, each at the next multiple of stride.
type columns struct {
	m, d, stride int
	data         []float64
}

func (c *columns) of(k int) []float64 { return c.data[k*c.stride : k*c.stride+c.m] }

// dotsTo writes the products of the first len(dst) columns with v.
func (c *columns) dotsTo(dst, v []float64) {
	vec.DotsTo(dst, v, c.data[:len(dst)*c.stride], c.stride)
}

// scoreTo writes w . x of all examples.
func (c *columns) scoreTo(dst, w []float64) {
	clear(dst)
	for k, v := range w {
		vec.AddScaled(dst, v, c.of(k))
	}
}

// newColumns returns the columns of the rows in which. Where there are fewer rows than
// features, w is in the span of the rows, and these are rotated into as many coordinates.
func newColumns(x *feature.Matrix, which []int) *columns {
	m, d := len(which), x.NumCols+1
	z := mat.NewDense(m, d, nil)
	for k, at := range which {
		row := z.RawRowView(k)
		x.Row(at).AddScaledTo(row[:d-1], 1)
		row[d-1] = 1
	}
	if m < d {
		z, d = rotated(z), m
	}
	c := &columns{m: m, d: d, stride: vec.Stride(m)}
	c.data = make([]float64, d*c.stride)
	for k := range d {
		mat.Col(c.of(k), k, z)
	}
	return c
}

// rotated returns the rows of z in coordinates of the space that they span: L of
// z = L Q, with orthonormal rows in Q. It overwrites z. Type mat.LQ would make all of Q, as
// many numbers as the square of the features.
func rotated(z *mat.Dense) *mat.Dense {
	m, _ := z.Dims()
	tau, size := make([]float64, m), make([]float64, 1)
	lapack64.Gelqf(z.RawMatrix(), tau, size, -1)
	work := make([]float64, int(size[0]))
	lapack64.Gelqf(z.RawMatrix(), tau, work, len(work))
	l := mat.NewDense(m, m, nil)
	for k := range m {
		copy(l.RawRowView(k), z.RawRowView(k)[:k+1])
	}
	return l
}

// newTable returns a table of zeros.
func newTable(rows, m int) [][]float64 {
	t := make([][]float64, rows)
	data := make([]float64, rows*m)
	for k := range t {
		t[k] = data[k*m : (k+1)*m : (k+1)*m]
	}
	return t
}

// fill sets all numbers of a table.
func fill(t [][]float64, v float64) {
	for _, row := range t {
		for m := range row {
			row[m] = v
		}
	}
}

// Problem is the training that is to be solved.
type Problem struct {
	Rows      *feature.Matrix
	Labels    []uint8 // M x n
	NumLabels int
	Pairs     []labelgraph.Edge
	Which     []int     // the examples that count, increasing
	Lambda    float64   // times M
	Beta      float64   // times M
	Shift     []float64 // M beta v_ij by pair; nil: zero
}

// New chooses the first point, unless stop says that there is no time for that.
func New(q Problem, stop func() bool) *Method {
	p := &Method{n: q.NumLabels, m: len(q.Which), kappa: q.Lambda, beta: q.Beta, shift: q.Shift, stop: stop}
	p.rows = newColumns(q.Rows, q.Which)
	if p.shift == nil {
		p.shift = make([]float64, len(q.Pairs))
	}
	joined := make([]bool, p.n)
	for _, e := range q.Pairs {
		p.pairs = append(p.pairs, pairEnds{e.I, e.J})
		joined[e.I], joined[e.J] = true, true
	}
	for i, is := range joined {
		if !is {
			p.alone = append(p.alone, i)
		}
	}
	p.takeLabels(q)
	p.allocate()
	p.start()
	return p
}

func (p *Method) takeLabels(q Problem) {
	p.truth = newTable(p.n, p.m)
	for k, m := range q.Which {
		for i, y := range q.Labels[m*p.n : (m+1)*p.n] {
			p.truth[i][k] = float64(y)
		}
	}
	p.sums = make([]float64, p.order())
	for i, y := range p.truth {
		p.rows.dotsTo(p.unary(p.sums, i), y)
	}
	for e, v := range p.pairs {
		p.sums[p.pairAt(e)] = vec.Dot(p.truth[v.i], p.truth[v.j])
	}
}

func (p *Method) allocate() {
	n, ne := p.n, len(p.pairs)
	bounds := 4*ne + 2*len(p.alone)
	p.w, p.step = make([]float64, p.order()), make([]float64, p.order())
	for _, t := range []*[][]float64{&p.mu, &p.dmu, &p.q} {
		*t = newTable(n+ne, p.m)
	}
	for _, t := range []*[][]float64{&p.s, &p.z, &p.ds, &p.dz} {
		*t = newTable(bounds, p.m)
	}
	p.c = newTable(n, p.m)
	p.blocks = newBlocks(n, ne, p.m)
	p.normal = newNormal(p.order())
	if p.beta == 0 {
		return
	}
	p.t, p.dt = make([]float64, ne), make([]float64, ne)
	for k := range p.boxes {
		for _, v := range []*[]float64{&p.boxes[k].s, &p.boxes[k].z, &p.boxes[k].ds, &p.boxes[k].dz} {
			*v = make([]float64, ne)
		}
	}
}

// order returns the number of weights.
func (p *Method) order() int { return p.n*p.rows.d + len(p.pairs) }

// unary returns the part of v, weights or sums of features, of label i.
func (p *Method) unary(v []float64, i int) []float64 { return v[i*p.rows.d : (i+1)*p.rows.d] }

// pairAt returns the place of pair e in weights.
func (p *Method) pairAt(e int) int { return p.n*p.rows.d + e }

// ofPair returns the four constraints of pair e in a table of constraints, and ofAlone the
// two of the k-th label without a pair.
func (p *Method) ofPair(t [][]float64, e int) [][]float64 { return t[4*e : 4*e+4] }

func (p *Method) ofAlone(t [][]float64, k int) [][]float64 {
	at := 4*len(p.pairs) + 2*k
	return t[at : at+2]
}

// How the first point is chosen: multipliers are at least leastMultiplier, for the fit all
// of them are fitMultiplier, and mu_i is so far from its bounds.
const (
	leastMultiplier = 0.5
	fitMultiplier   = 0.5
	leastMarginal   = 0.05
)

// start chooses the first point. With all joint probabilities 1/4, and equal multipliers, a
// Newton step is a fit by least squares: its w, and multipliers that obey c + G'z = 0 there,
// are worth about three steps.
func (p *Method) start() {
	fill(p.mu[:p.n], 0.5)
	fill(p.mu[p.n:], 0.25)
	fill(p.s, 0.25)
	fill(p.s[4*len(p.pairs):], 0.5)
	fill(p.z, fitMultiplier)
	for k := range p.t {
		for side := range p.boxes {
			p.boxes[side].s[k], p.boxes[side].z[k] = p.beta, fitMultiplier
		}
	}
	if !p.factorize() {
		return
	}
	p.gradients()
	p.newton(0, false)
	copy(p.w, p.step)
	p.gradients()
	for i := range p.n {
		for m, v := range p.dmu[i] {
			p.mu[i][m] = min(max(0.5+v, leastMarginal), 1-leastMarginal)
		}
	}
	p.startPairs()
	for k, i := range p.alone {
		s, z := p.ofAlone(p.s, k), p.ofAlone(p.z, k)
		for m, c := range p.c[i] {
			s[0][m], s[1][m] = p.mu[i][m], 1-p.mu[i][m]
			z[0][m], z[1][m] = max(-c, 0)+leastMultiplier, max(c, 0)+leastMultiplier
		}
	}
}

// startPairs makes the labels of each pair independent. The multipliers share c_i among the
// pairs of label i.
func (p *Method) startPairs() {
	degree := make([]float64, p.n)
	for _, v := range p.pairs {
		degree[v.i]++
		degree[v.j]++
	}
	for e, v := range p.pairs {
		s, z, mu, w := p.ofPair(p.s, e), p.ofPair(p.z, e), p.mu[p.n+e], p.w[p.pairAt(e)]
		for m := range mu {
			a, b := p.mu[v.i][m], p.mu[v.j][m]
			mu[m] = a * b
			s[0][m], s[1][m], s[2][m], s[3][m] = a*b, a*(1-b), b*(1-a), (1-a)*(1-b)
			ci, cj := p.c[v.i][m]/degree[v.i], p.c[v.j][m]/degree[v.j]
			last := leastMultiplier + max(0, ci, cj, ci+cj+w)
			z[0][m], z[1][m], z[2][m], z[3][m] = last-ci-cj-w, last-ci, last-cj, last
		}
		if p.beta > 0 {
			p.boxes[0].z[e], p.boxes[1].z[e] = max(w, 0)+leastMultiplier, max(-w, 0)+leastMultiplier
		}
	}
}

// gradients computes c_i from w.
func (p *Method) gradients() {
	for i, c := range p.c {
		p.rows.scoreTo(c, p.unary(p.w, i))
		for m, y := range p.truth[i] {
			c[m] += 1 - 2*y
		}
	}
}

// featuresTo writes sum_m phi(x^m, mu_m).
func (p *Method) featuresTo(dst []float64, mu [][]float64) {
	for i := range p.n {
		p.rows.dotsTo(p.unary(dst, i), mu[i])
	}
	for e := range p.pairs {
		dst[p.pairAt(e)] = floats.Sum(mu[p.n+e])
	}
}

// Gap returns the relative gap between the objective at w, with hinges by the multipliers,
// and the dual.
func (p *Method) Gap() float64 {
	primal := p.kappa/2*vec.Dot(p.w, p.w) - vec.Dot(p.w, p.sums)
	for e := range p.pairs {
		primal += floats.Sum(p.ofPair(p.z, e)[3]) - p.shift[e]*p.w[p.pairAt(e)]
	}
	for k := range p.alone {
		primal += floats.Sum(p.ofAlone(p.z, k)[1])
	}
	for _, y := range p.truth {
		primal += floats.Sum(y)
	}
	if p.beta > 0 {
		primal += p.beta * (floats.Sum(p.boxes[0].z) + floats.Sum(p.boxes[1].z))
	}
	products, _ := p.products()
	return products / math.Abs(primal)
}

// Dual returns the dual objective of mu, times M. Weights are those that go with mu, w of
// pairs by the soft threshold.
func (p *Method) Dual() float64 {
	dual := 0.0
	for i, y := range p.truth {
		for m, v := range y {
			dual += v + (1-2*v)*p.mu[i][m]
		}
	}
	v := make([]float64, p.order())
	p.featuresTo(v, p.mu)
	floats.SubTo(v, p.sums, v)
	for e, shift := range p.shift {
		u := v[p.pairAt(e)] + shift
		v[p.pairAt(e)] = math.Copysign(max(0, math.Abs(u)-p.beta), u)
	}
	return dual - vec.Dot(v, v)/(2*p.kappa)
}
