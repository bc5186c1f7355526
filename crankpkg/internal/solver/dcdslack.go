package solver

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/shuffle"
)

// svmSlack makes an SVM that of slacks with costs c_m,
//
//	min_w  lambda/2 |w|^2 + (1/M) sum_m c_m max(0, 1 - t_m w . x^m)^p,   p = 1 or 2.
//
// For p = 1 the dual variables are in [0, c_m]. For p = 2 they have no upper bound, and
// the dual is that of p = 1 less (1/M) sum_m alpha_m^2 / (4 c_m): since
//
//	c max(0, z)^2 = max over a >= 0 of  a z - a^2 / (4 c).
type svmSlack struct {
	cost    []float64 // by example
	squared bool
	largest float64 // cost, 1 at least
}

func newSVMSlack(p *Problem, i int) *svmSlack {
	s := &svmSlack{cost: make([]float64, p.x.NumRows), squared: p.loss.Squared}
	for m := range s.cost {
		s.cost[m] = p.loss.Cost(i, p.y[m*p.n+i])
	}
	s.largest = max(1, slices.Max(s.cost))
	return s
}

// square returns sum_m alpha_m^2 / (4 c_m).
func (s *svmSlack) square(alpha []float64) float64 {
	var sum float64
	for m, a := range alpha {
		sum += a * a / (4 * s.cost[m])
	}
	return sum
}

// isSquared reports whether slacks are squared.
func (b *SVM) isSquared() bool { return b.slack != nil && b.slack.squared }

// costs returns c_m by example.
func (b *SVM) costs() []float64 {
	if b.slack != nil {
		return b.slack.cost
	}
	return slices.Repeat([]float64{1}, len(b.t))
}

// largestCost returns a factor by which no score is larger than that of the plain hinge's
// alphas. With squares, a dual above zero holds the mean of alpha^2 / (4 c) below that of
// alpha, and so below the mean of 4 c.
func (b *SVM) largestCost() float64 {
	switch {
	case b.slack == nil:
		return 1
	case b.slack.squared:
		return 4 * b.slack.largest * math.Sqrt(float64(len(b.t)))
	}
	return b.slack.largest
}

// mostOf returns the upper bound on alpha_m.
func (b *SVM) mostOf(m int) float64 {
	switch {
	case b.slack == nil:
		return 1
	case b.slack.squared:
		return math.Inf(1)
	}
	return b.slack.cost[m]
}

// hingeOf returns what example m adds to the primal where its margin lacks z of 1.
func (b *SVM) hingeOf(m int, z float64) float64 {
	z = max(0, z)
	switch {
	case b.slack == nil:
		return z
	case b.slack.squared:
		z *= z
	}
	return b.slack.cost[m] * z
}

// slopeOf returns how fast hingeOf may change with z, 1 without slacks.
func (b *SVM) slopeOf(m int, z float64) float64 {
	switch {
	case b.slack == nil:
		return 1
	case b.slack.squared:
		return 2 * b.slack.cost[m] * max(0, z)
	}
	return b.slack.cost[m]
}

// slackEpoch is epoch for slacks.
func (b *SVM) slackEpoch(step, shrink float64) (total, worst float64) {
	b.passes++
	b.all = false
	shuffle.List(b.rng, b.active)
	kept := b.active[:0]
	for i, m := range b.active {
		b.touch(i)
		t, a, c := float64(b.t[m]), b.alpha[m], b.slack.cost[m]
		z := 1 - t*b.score(m)
		v, most, curvature := z, c, step*b.norm[m]
		if b.slack.squared {
			v, most = z-a/(2*c), math.Inf(1)
			curvature += 1 / (2 * c)
		}
		if leaves(a, most, v, shrink) {
			continue
		}
		kept = append(kept, m)
		if rests(a, most, v) {
			continue
		}
		total += b.hingeOf(int(m), z) - a*z
		if b.slack.squared {
			total += a * a / (4 * c)
		}
		worst = max(worst, math.Abs(v))
		next := min(max(a+relaxation*v/curvature, 0), most)
		if delta := next - a; delta != 0 {
			b.alpha[m] = next
			b.add(m, delta*t*step)
		}
	}
	b.active = kept
	return total, worst
}
