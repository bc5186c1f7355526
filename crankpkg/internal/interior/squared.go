package interior

import (
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
)

// SolveSquared takes the turn of the interior point method where slacks are squared,
//
//	min  kappa/2 |w|^2 + sum_m cost_m max(0, 1 - z_m . w)^2,
//
// by Newton's method on w. The objective is smooth, with a Hessian that changes only where
// examples begin or cease to lack margin: kappa I + sum of 2 cost_m z_m z_m^T over those
// that do, which is factorized as ever. Steps are halved until the objective falls by a
// part of what its slope promises, so that it comes to the minimum from anywhere. What the
// examples lack gives the dual point, alpha_m = 2 cost_m max(0, 1 - z_m . w).
func (p *Method) SolveSquared(gap float64, most int) (steps int) {
	value := p.squaredAt(0)
	for lost := 0; steps < most && !p.stop() && lost < 5; steps++ {
		for m := range p.theta {
			p.theta[m], p.alpha[m] = 0, 0
			if lack := 1 - p.score[m]; lack > 0 {
				p.theta[m], p.alpha[m] = 2*p.cost[m], 2*p.cost[m]*lack
			}
		}
		if p.keep(p.squaredBounds(value)) {
			lost = 0
		} else if p.bestAlpha != nil {
			lost++
		}
		if p.Bounds.Gap() <= gap || !p.factorize() {
			break
		}
		p.sumRows(p.step, p.alpha)
		vec.AddScaled(p.step, -p.kappa, p.w)
		copy(p.downhill, p.step)
		p.solveNormal(p.step)
		next, ok := p.descend(value, vec.Dot(p.downhill, p.step))
		if !ok {
			break
		}
		value = next
	}
	return steps
}

// squaredAt returns the objective at w + length step, and leaves the scores there.
func (p *Method) squaredAt(length float64) float64 {
	var squares, sum float64
	for i, v := range p.w {
		v += length * p.step[i]
		squares += v * v
	}
	for m := range p.score {
		row := p.z.RawRowView(m)
		p.score[m] = vec.Dot(row, p.w)
		if length != 0 {
			p.score[m] += length * vec.Dot(row, p.step)
		}
		lack := max(0, 1-p.score[m])
		sum += p.cost[m] * lack * lack
	}
	return p.kappa/2*squares + sum
}

// squaredBounds returns the bounds at w, where the objective is value, and at alpha.
func (p *Method) squaredBounds(value float64) Bounds {
	p.sumRows(p.step, p.alpha)
	b := Bounds{Primal: value, Dual: floats.Sum(p.alpha) - vec.Dot(p.step, p.step)/(2*p.kappa)}
	for m, a := range p.alpha {
		b.Dual -= a * a / (4 * p.cost[m])
	}
	return b
}

// descend goes along the step, whose slope is negative by so much, and returns the objective
// there. It reports whether that has fallen.
func (p *Method) descend(value, slope float64) (float64, bool) {
	for length := 1.0; length > 1e-8; length /= 2 {
		if next := p.squaredAt(length); next <= value-1e-4*length*slope {
			vec.AddScaled(p.w, length, p.step)
			return next, next < value
		}
	}
	return value, false
}
