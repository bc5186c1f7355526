package infer

import "math"

// slackColumns are the labelings with several wrong labels that a SlackHinge knows of.
// Those with one make each slack at least floor_i, which leaves
//
//	max over a >= 0  sum_s a_s v_s - sum_i max over xi >= floor_i of (a_i xi - cost_i xi^2)
//
// with the maximum at xi_i = max(floor_i, a_i / (2 cost_i)). It is found by steps along one
// a_s after the other, each to its maximum, and now and then by one of Newton's along all
// that are above zero: alone, the former crawl where labelings are much alike.
type slackColumns struct {
	list  []slackColumn
	cost  []float64
	floor []float64
	flip  []float64 // a_i
	free  []int     // columns that newton moves
	root  []float64 // Cholesky factor of their second derivatives, row after row
	z     []float64 // the move
}

type slackColumn struct {
	value, weight float64   // v_s, a_s
	label         []int32   // labels that differ from the truth
	by            []float64 // |s_i - y_i|
}

func newSlackColumns(n int) slackColumns {
	return slackColumns{floor: make([]float64, n), flip: make([]float64, n)}
}

func (s *slackColumns) reset(cost []float64) { s.list, s.cost = s.list[:0], cost }

// add appends a column, in the memory of an earlier one where there is some.
func (s *slackColumns) add(value, weight float64) {
	k := len(s.list)
	if k == cap(s.list) {
		s.list = append(s.list, slackColumn{})
	} else {
		s.list = s.list[:k+1]
	}
	c := &s.list[k]
	c.value, c.weight, c.label, c.by = value, weight, c.label[:0], c.by[:0]
}

// slacksTo writes xi at the present weights.
func (s *slackColumns) slacksTo(slack []float64) {
	clear(s.flip)
	for k := range s.list {
		c := &s.list[k]
		for p, i := range c.label {
			s.flip[i] += c.weight * c.by[p]
		}
	}
	for i := range slack {
		slack[i] = s.slack(int32(i))
	}
}

// slack returns xi_i.
func (s *slackColumns) slack(i int32) float64 { return max(s.floor[i], s.flip[i]/(2*s.cost[i])) }

// columnSweeps bounds the rounds of steps; Newton's method has a turn after so many.
const (
	columnSweeps = 400
	newtonEvery  = 4
)

// solve makes steps until the slacks leave no labeling violated by more than the tolerance,
// and none with a weight loose by more.
func (s *slackColumns) solve(slack []float64, tolerance float64) {
	for sweep := range columnSweeps {
		worst := 0.0
		for k := range s.list {
			c := &s.list[k]
			gain := s.gain(c, 0)
			if gain < 0 && c.weight == 0 {
				continue
			}
			worst = max(worst, math.Abs(gain))
			if math.Abs(gain) > tolerance/8 {
				s.step(c)
			}
		}
		if worst <= tolerance {
			break
		}
		if sweep%newtonEvery == newtonEvery-1 {
			s.newton()
		}
	}
	for i := range slack {
		slack[i] = s.slack(int32(i))
	}
}

// newton moves all weights that are above zero towards the maximum of the quadratic function
// that the objective is nearby, as far as none is negative and the objective rises.
func (s *slackColumns) newton() {
	s.free = s.free[:0]
	for k := range s.list {
		if s.list[k].weight > 0 {
			s.free = append(s.free, k)
		}
	}
	if len(s.free) < 2 {
		return
	}
	s.solveFree()
	length := 1.0
	for p, k := range s.free {
		if s.z[p] < 0 {
			length = min(length, -s.list[k].weight/s.z[p])
		}
	}
	s.move(length)
	if s.slope() >= 0 {
		return
	}
	at, lo, hi := length, 0.0, length
	for range 40 {
		middle := (lo + hi) / 2
		s.move(middle - at)
		if at = middle; s.slope() > 0 {
			lo = middle
		} else {
			hi = middle
		}
	}
	s.move(lo - at)
}

// move adds length times the move to the weights.
func (s *slackColumns) move(length float64) {
	for p, k := range s.free {
		c := &s.list[k]
		next := max(0, c.weight+length*s.z[p])
		for q, i := range c.label {
			s.flip[i] += (next - c.weight) * c.by[q]
		}
		c.weight = next
	}
}

// slope returns the derivative along the move.
func (s *slackColumns) slope() (sum float64) {
	for p, k := range s.free {
		sum += s.z[p] * s.gain(&s.list[k], 0)
	}
	return sum
}

// damping keeps the second derivatives apart from zero where labelings depend on one
// another: the move then goes far along what they have in common, and one of them comes to
// zero.
const damping = 1e-7

// solveFree computes the move: the second derivatives times it are the gains.
func (s *slackColumns) solveFree() {
	s.root, s.z = s.root[:0], s.z[:0]
	at := func(p, q int) int { return p*(p+1)/2 + q }
	for p, k := range s.free {
		for q := range p + 1 {
			sum := s.inner(&s.list[k], &s.list[s.free[q]])
			if q == p {
				sum += damping * s.scale(&s.list[k])
			}
			for r := range q {
				sum -= s.root[at(p, r)] * s.root[at(q, r)]
			}
			if q < p {
				sum /= s.root[at(q, q)]
			} else {
				sum = math.Sqrt(max(sum, damping*damping*s.scale(&s.list[k])))
			}
			s.root = append(s.root, sum)
		}
		sum := s.gain(&s.list[k], 0)
		for r := range p {
			sum -= s.root[at(p, r)] * s.z[r]
		}
		s.z = append(s.z, sum/s.root[at(p, p)])
	}
	for p := len(s.z) - 1; p >= 0; p-- {
		s.z[p] /= s.root[at(p, p)]
		for r := range p {
			s.z[r] -= s.root[at(p, r)] * s.z[p]
		}
	}
}

// scale returns the second derivative, negated, of a column where no slack is at its floor.
func (s *slackColumns) scale(c *slackColumn) (sum float64) {
	for p, i := range c.label {
		sum += c.by[p] * c.by[p] / (2 * s.cost[i])
	}
	return sum
}

// inner returns the second derivative, negated, of two columns, whose labels increase.
func (s *slackColumns) inner(a, b *slackColumn) (sum float64) {
	for p, q := 0, 0; p < len(a.label) && q < len(b.label); {
		switch i := a.label[p]; {
		case i < b.label[q]:
			p++
		case i > b.label[q]:
			q++
		default:
			if s.flip[i] > 2*s.cost[i]*s.floor[i] {
				sum += a.by[p] * b.by[q] / (2 * s.cost[i])
			}
			p, q = p+1, q+1
		}
	}
	return sum
}

// gain returns the derivative by a_s once it has grown by delta: what the labeling is
// violated by.
func (s *slackColumns) gain(c *slackColumn, delta float64) float64 {
	gain := c.value
	for p, i := range c.label {
		gain -= c.by[p] * max(s.floor[i], (s.flip[i]+delta*c.by[p])/(2*s.cost[i]))
	}
	return gain
}

// step moves a_s to the maximum. The derivative is concave and falls, so that Newton's steps
// from where it is negative go down to its root.
func (s *slackColumns) step(c *slackColumn) {
	var delta float64 // from where on no slack is at its floor
	for p, i := range c.label {
		delta = max(delta, (2*s.cost[i]*s.floor[i]-s.flip[i])/c.by[p])
	}
	for range 50 {
		gain, slope := s.gain(c, delta), 0.0
		for p, i := range c.label {
			if next := s.flip[i] + delta*c.by[p]; next >= 2*s.cost[i]*s.floor[i]*(1-1e-15) {
				slope += c.by[p] * c.by[p] / (2 * s.cost[i])
			}
		}
		if slope == 0 && gain < 0 {
			delta = -c.weight // it falls no more on the way
			break
		}
		if slope == 0 || gain == 0 {
			break
		}
		next := delta + gain/slope
		if math.Abs(next-delta) <= 1e-15*(1+math.Abs(delta)) {
			break
		}
		delta = max(next, -c.weight)
		if delta == -c.weight && gain < 0 && s.gain(c, delta) <= 0 {
			break
		}
	}
	delta = max(delta, -c.weight)
	c.weight += delta
	for p, i := range c.label {
		s.flip[i] += delta * c.by[p]
	}
}
