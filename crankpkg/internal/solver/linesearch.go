package solver

import "math"

// soft is the soft threshold sign(z) max(|z| - b, 0).
func soft(z, b float64) float64 {
	switch {
	case z > b:
		return z - b
	case z < -b:
		return z + b
	}
	return 0
}

// PairWeights are the pair weights w_ij = soft(u_ij + beta v_ij, beta) /
// lambda_ij as functions of the dual point's u_ij. The ridge of a pair is
// lambda_ij = lambda / z_ij, and as a rule z_ij = 1.
// With features on the edges each w_ij is a vector of k entries; the soft
// threshold applies to each of them.
type pairWeights struct {
	beta   float64
	lambda float64
	k      int
	u      []float64 // u_ij by edge
	shift  []float64 // beta v_ij by edge; nil when v is zero
	w      []float64 // w_ij by edge
	share  []float64 // z_ij >= 0 by edge; nil when all are 1
	vectors
}

// inverse returns 1 / lambda_ij.
func (p *pairWeights) inverse(e int32) float64 {
	if p.share != nil {
		return p.share[e] / p.lambda
	}
	return 1 / p.lambda
}

// squaredNorm returns sum_ij w_ij^2 / z_ij.
func (p *pairWeights) squaredNorm() float64 {
	var sum float64
	for e, w := range p.w {
		switch {
		case w == 0:
		case p.share != nil:
			sum += w * w / p.share[e/p.k]
		default:
			sum += w * w
		}
	}
	return sum
}

// at returns w_ij after u_ij has changed by du.
func (p *pairWeights) at(e int32, du float64) float64 {
	z := p.u[e] + du
	if p.shift != nil {
		z += p.shift[e]
	}
	if p.share != nil {
		return p.share[int(e)/p.k] * soft(z, p.beta) / p.lambda
	}
	return soft(z, p.beta) / p.lambda
}

// lineSearch maximizes the dual along a direction: a mass gamma in [0, max]
// moves along the difference psi = psi(s) - psi(t) of two points of one
// example. gain is the derivative at zero times M, the difference of the two
// values; curvature is that of the unary part; step is 1/M. The derivative
//
//	gain - gamma curvature + sum_ij psi_ij (w_ij(gamma) - w_ij(0))
//
// is piecewise linear and does not increase: it has a kink where a soft
// threshold opens or closes. Safeguarded Newton steps find its root; the
// result errs, if at all, towards zero, so that the dual never decreases.
func (p *pairWeights) lineSearch(psi []term, gain, curvature, step, limit float64) float64 {
	if p.beta == 0 {
		slope, each := curvature, step
		if p.k > 1 {
			each *= p.zNorm
		}
		for _, t := range psi {
			slope += float64(t.value) * float64(t.value) * each * p.inverse(t.index)
		}
		if gain >= slope*limit {
			return limit
		}
		return gain / slope
	}
	value, slope := p.derivative(psi, gain, curvature, step, limit)
	if value >= 0 {
		return limit
	}
	lo, hi := 0.0, limit
	gamma := limit + value/slope
	if !(gamma > lo && gamma < hi) {
		gamma = (lo + hi) / 2
	}
	for range 60 {
		value, slope = p.derivative(psi, gain, curvature, step, gamma)
		if math.Abs(value) <= 1e-13*gain {
			return gamma
		}
		if value > 0 {
			lo = gamma
		} else {
			hi = gamma
		}
		next := gamma + value/slope
		if slope == 0 || !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if next == gamma || next == lo || next == hi {
			break
		}
		gamma = next
	}
	return lo
}

// derivative returns the derivative of lineSearch's function at gamma, and the
// negative of its slope there.
func (p *pairWeights) derivative(psi []term, gain, curvature, step, gamma float64) (value, slope float64) {
	if p.k > 1 {
		return p.vectorDerivative(psi, gain, curvature, step, gamma)
	}
	value, slope = gain-gamma*curvature, curvature
	for _, t := range psi {
		v := float64(t.value)
		w := p.at(t.index, -gamma*step*v)
		value += v * (w - p.w[t.index])
		if w != 0 {
			slope += v * v * step * p.inverse(t.index)
		}
	}
	return value, slope
}
