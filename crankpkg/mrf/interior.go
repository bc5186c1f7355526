package mrf

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// interiorPoint solves the relaxation of a LP by Mehrotra's
// predictor-corrector method. In the notation of linear programming the primal
// variables are p = mu_i and x = mu_ij with the slacks zp and zx of the dual,
// whose variables are a (of the normalizations) and r (of the marginalizations:
// -delta),
//
//	zp_i(s)    = -unary_i(s) - a_i + sum_j r_ij,i(s),
//	zx_ij(s,t) = -pair_ij(s,t) - r_ij,i(s) - r_ij,j(t).
//
// The normal equations fall apart by edge once the steps of p are known, so that
// an iteration costs one small inverse for each edge and one factorization of
// the size of all states together, not of all constraints.
type interiorPoint struct {
	lp             *LP
	p, zp, x, zx   []float64
	dp, dzp        []float64 // the step
	dx, dzx        []float64
	lastP, lastX   []float64
	gp, gx         []float64 // the step without the constraints
	r, dr, q       []float64 // by edge, as delta
	inverse        [][]float64
	h, columns     []float64
	schur, da, rhs []float64
}

func newInteriorPoint(lp *LP) *interiorPoint {
	k, n, size := len(lp.belief), len(lp.states), func(n int) []float64 { return make([]float64, n) }
	ip := &interiorPoint{
		lp: lp, p: size(k), zp: size(k), dp: size(k), dzp: size(k), gp: size(k), lastP: size(k),
		r: size(len(lp.delta)), dr: size(len(lp.delta)), q: size(len(lp.delta)),
		h: size(k * k), columns: size(k * n), schur: size(n * n), da: size(n), rhs: size(k),
	}
	for _, v := range []*[]float64{&ip.x, &ip.zx, &ip.dx, &ip.dzx, &ip.gx, &ip.lastX} {
		*v = size(len(lp.muPair))
	}
	for _, e := range lp.edges {
		side := lp.states[e.I] + lp.states[e.J]
		ip.inverse = append(ip.inverse, size(side*side))
	}
	return ip
}

// maximize solves the relaxation, given a value and a bound that are known. The
// better of the two bounds counts.
func (ip *interiorPoint) maximize(value, bound float64) (float64, float64) {
	lp := ip.lp
	ip.start()
	scale := 1 + math.Abs(bound)
	for range 50 {
		copy(ip.lastP, ip.p)
		copy(ip.lastX, ip.x)
		if ip.complementarity() <= 0.1*lpTolerance*scale || !ip.iterate() {
			break
		}
		if !(ip.violation() <= worstViolation) { // rounding errors have taken over
			copy(ip.p, ip.lastP)
			copy(ip.x, ip.lastX)
			break
		}
	}
	for k, v := range ip.r {
		lp.delta[k] = -v
	}
	lp.setBeliefs()
	bound = min(bound, lp.bound())
	lp.roundMarginals(ip.p, ip.x)
	fractional := lp.solutionValue()
	if fractional < value { // the labeling of before was better
		return lp.setLabeling(lp.y), bound
	}
	return fractional, bound
}

// start sets the strictly feasible point with uniform marginals.
func (ip *interiorPoint) start() {
	lp := ip.lp
	var size float64
	for _, tables := range [][][]float64{lp.unary, lp.pair} {
		for _, table := range tables {
			size = max(size, floats.Max(table)-floats.Min(table))
		}
	}
	size = max(size, 1e-12)
	clear(ip.r)
	for e, edge := range lp.edges {
		ki, kj := lp.states[edge.I], lp.states[edge.J]
		most := floats.Max(lp.pair[e]) + size
		for s := range ki {
			ip.r[lp.deltaAt[e]+s] = -most
		}
		for k, v := range lp.pair[e] {
			ip.x[lp.pairAt[e]+k] = 1 / float64(ki*kj)
			ip.zx[lp.pairAt[e]+k] = most - v
		}
	}
	for i, k := range lp.states {
		most := floats.Max(lp.unary[i]) + size
		for s, v := range lp.unary[i] {
			ip.p[lp.unaryAt[i]+s] = 1 / float64(k)
			ip.zp[lp.unaryAt[i]+s] = most - v // a_i is what makes it so
		}
	}
}

// worstViolation is by how much marginals may disagree before they are rounded.
const worstViolation = 1e-7

// violation returns the largest difference of marginals that should agree.
func (ip *interiorPoint) violation() float64 {
	var most float64
	for e := range ip.lp.edges {
		for _, v := range ip.violationOf(e) {
			most = math.Max(most, math.Abs(v))
		}
	}
	return most
}

// violationOf returns the marginals x of edge e less those of its ends, in
// the workspace dr of the edge.
func (ip *interiorPoint) violationOf(e int) []float64 {
	lp := ip.lp
	ki, kj := lp.states[lp.edges[e].I], lp.states[lp.edges[e].J]
	at := lp.pairAt[e]
	h := ip.dr[lp.deltaAt[e] : lp.deltaAt[e]+ki+kj]
	for c := range h {
		h[c] = -ip.p[lp.stateAt(e, c)]
	}
	for s := range ki {
		for t := range kj {
			h[s] += ip.x[at+s*kj+t]
			h[ki+t] += ip.x[at+s*kj+t]
		}
	}
	return h
}

// complementarity returns the gap between primal and dual.
func (ip *interiorPoint) complementarity() float64 {
	return floats.Dot(ip.p, ip.zp) + floats.Dot(ip.x, ip.zx)
}

// iterate does one predictor-corrector step. It returns false when rounding
// errors leave none.
func (ip *interiorPoint) iterate() bool {
	if !ip.factorize() {
		return false
	}
	count := float64(len(ip.p) + len(ip.x))
	mu := ip.complementarity() / count
	target := func(sigma float64) {
		centering := func(g, x, z, dx, dz []float64) {
			for k := range g {
				g[k] = -x[k]
				if sigma > 0 {
					g[k] += (sigma*mu - dx[k]*dz[k]) / z[k]
				}
			}
		}
		centering(ip.gp, ip.p, ip.zp, ip.dp, ip.dzp)
		centering(ip.gx, ip.x, ip.zx, ip.dx, ip.dzx)
		ip.direction()
	}
	target(0)
	primal, dual := ip.stepSizes()
	var after float64
	for k := range ip.p {
		after += (ip.p[k] + primal*ip.dp[k]) * (ip.zp[k] + dual*ip.dzp[k])
	}
	for k := range ip.x {
		after += (ip.x[k] + primal*ip.dx[k]) * (ip.zx[k] + dual*ip.dzx[k])
	}
	ratio := after / count / mu
	target(max(ratio*ratio*ratio, 1e-8))
	primal, dual = ip.stepSizes()
	primal, dual = min(1, 0.995*primal), min(1, 0.995*dual)
	if !(primal > 1e-8 || dual > 1e-8) { // also when they are not numbers
		return false
	}
	floats.AddScaled(ip.p, primal, ip.dp)
	floats.AddScaled(ip.x, primal, ip.dx)
	floats.AddScaled(ip.zp, dual, ip.dzp)
	floats.AddScaled(ip.zx, dual, ip.dzx)
	floats.AddScaled(ip.r, dual, ip.dr)
	return true
}

// stepSizes returns how far the variables stay positive, at most 1/0.995.
func (ip *interiorPoint) stepSizes() (primal, dual float64) {
	limit := func(most float64, x, dx []float64) float64 {
		for k, d := range dx {
			if d < 0 {
				most = min(most, -x[k]/d)
			}
		}
		return most
	}
	const most = 1 / 0.995
	return limit(limit(most, ip.p, ip.dp), ip.x, ip.dx), limit(limit(most, ip.zp, ip.dzp), ip.zx, ip.dzx)
}

// factorize prepares direction at the present point.
func (ip *interiorPoint) factorize() bool {
	lp, size := ip.lp, len(ip.p)
	clear(ip.h)
	for k := range ip.p {
		ip.h[k*size+k] = ip.zp[k] / ip.p[k]
	}
	for e := range lp.edges {
		if !ip.invertEdge(e) {
			return false
		}
		ip.addEdge(e)
	}
	h := blas64.Symmetric{N: size, Stride: size, Data: ip.h, Uplo: blas.Upper}
	factor, ok := lapack64.Potrf(h)
	if !ok {
		return false
	}
	// The columns of H^-1 E', where row i of E sums the states of variable i.
	n := len(lp.states)
	clear(ip.columns)
	for i, k := range lp.states {
		for s := range k {
			ip.columns[(lp.unaryAt[i]+s)*n+i] = 1
		}
	}
	lapack64.Potrs(factor, blas64.General{Rows: size, Cols: n, Stride: n, Data: ip.columns})
	clear(ip.schur)
	for i, k := range lp.states {
		for s := range k {
			floats.Add(ip.schur[i*n:(i+1)*n], ip.columns[(lp.unaryAt[i]+s)*n:(lp.unaryAt[i]+s+1)*n])
		}
	}
	_, ok = lapack64.Potrf(blas64.Symmetric{N: n, Stride: n, Data: ip.schur, Uplo: blas.Upper})
	return ok
}

// invertEdge inverts the normal matrix of the marginalizations of edge e,
//
//	[diag(row sums)  D]
//	[D'  diag(col sums)],   D = x/zx,
//
// without the column of greatest sum, whose constraint the others imply.
func (ip *interiorPoint) invertEdge(e int) bool {
	lp := ip.lp
	ki, kj := lp.states[lp.edges[e].I], lp.states[lp.edges[e].J]
	side, at, m := ki+kj, lp.pairAt[e], ip.inverse[e]
	clear(m)
	for s := range ki {
		for t := range kj {
			d := ip.x[at+s*kj+t] / ip.zx[at+s*kj+t]
			m[s*side+s] += d
			m[(ki+t)*side+ki+t] += d
			m[s*side+ki+t] = d
		}
	}
	pin := ki
	for t := ki; t < side; t++ {
		if m[t*side+t] > m[pin*side+pin] {
			pin = t
		}
	}
	for s := range ki {
		m[s*side+pin] = 0
	}
	m[pin*side+pin] = 1
	factor, ok := lapack64.Potrf(blas64.Symmetric{N: side, Stride: side, Data: m, Uplo: blas.Upper})
	if !ok {
		return false
	}
	if _, ok = lapack64.Potri(factor); !ok {
		return false
	}
	m[pin*side+pin] = 0
	for s := range side {
		for t := range s {
			m[s*side+t] = m[t*side+s]
		}
	}
	return true
}

// stateAt returns the place of constraint c of edge e among all states.
func (lp *LP) stateAt(e, c int) int {
	edge := lp.edges[e]
	if ki := lp.states[edge.I]; c >= ki {
		return lp.unaryAt[edge.J] + c - ki
	}
	return lp.unaryAt[edge.I] + c
}

// addEdge adds the inverse of edge e to H.
func (ip *interiorPoint) addEdge(e int) {
	lp, size := ip.lp, len(ip.p)
	side := lp.states[lp.edges[e].I] + lp.states[lp.edges[e].J]
	for c := range side {
		row := lp.stateAt(e, c) * size
		for b := range side {
			ip.h[row+lp.stateAt(e, b)] += ip.inverse[e][c*side+b]
		}
	}
}

// direction computes the step from gp and gx. What the constraints are violated
// by, through rounding, is made good on the way.
func (ip *interiorPoint) direction() {
	lp, size, n := ip.lp, len(ip.p), len(ip.lp.states)
	for k := range ip.rhs {
		ip.rhs[k] = ip.gp[k] * ip.zp[k] / ip.p[k]
	}
	for e := range lp.edges {
		ip.loadEdge(e)
	}
	copy(ip.dp, ip.rhs)
	triangle := func(n int, data []float64) blas64.Triangular {
		return blas64.Triangular{N: n, Stride: n, Data: data, Uplo: blas.Upper, Diag: blas.NonUnit}
	}
	lapack64.Potrs(triangle(size, ip.h), blas64.General{Rows: size, Cols: 1, Stride: 1, Data: ip.dp})
	for i, k := range lp.states {
		at := lp.unaryAt[i]
		ip.da[i] = 1 - floats.Sum(ip.p[at:at+k]) - floats.Sum(ip.dp[at:at+k])
	}
	lapack64.Potrs(triangle(n, ip.schur), blas64.General{Rows: n, Cols: 1, Stride: 1, Data: ip.da})
	for k := range ip.dp {
		ip.dp[k] += floats.Dot(ip.columns[k*n:(k+1)*n], ip.da)
	}
	for i, k := range lp.states {
		for s := range k {
			ip.dzp[lp.unaryAt[i]+s] = -ip.da[i]
		}
	}
	for e := range lp.edges {
		ip.finishEdge(e)
	}
}

// loadEdge computes q = B^-1 h, where h is what the pair's step without
// constraints and its violations leave to the multipliers, and adds q to rhs.
func (ip *interiorPoint) loadEdge(e int) {
	lp := ip.lp
	ki, kj := lp.states[lp.edges[e].I], lp.states[lp.edges[e].J]
	side, at := ki+kj, lp.pairAt[e]
	h := ip.violationOf(e)
	for s := range ki {
		for t := range kj {
			h[s] += ip.gx[at+s*kj+t]
			h[ki+t] += ip.gx[at+s*kj+t]
		}
	}
	for c := range side {
		q := floats.Dot(ip.inverse[e][c*side:(c+1)*side], h)
		ip.q[lp.deltaAt[e]+c] = q
		ip.rhs[lp.stateAt(e, c)] += q
	}
}

// finishEdge computes the steps of an edge from those of its ends.
func (ip *interiorPoint) finishEdge(e int) {
	lp := ip.lp
	ki, kj := lp.states[lp.edges[e].I], lp.states[lp.edges[e].J]
	side, at := ki+kj, lp.pairAt[e]
	dr := ip.dr[lp.deltaAt[e] : lp.deltaAt[e]+side]
	for c := range dr {
		dr[c] = -ip.q[lp.deltaAt[e]+c]
		for b := range side {
			dr[c] += ip.inverse[e][c*side+b] * ip.dp[lp.stateAt(e, b)]
		}
	}
	for c, d := range dr {
		ip.dzp[lp.stateAt(e, c)] += d
	}
	for s := range ki {
		for t := range kj {
			k := at + s*kj + t
			sum := dr[s] + dr[ki+t]
			ip.dx[k] = ip.gx[k] + ip.x[k]/ip.zx[k]*sum
			ip.dzx[k] = -sum
		}
	}
}
