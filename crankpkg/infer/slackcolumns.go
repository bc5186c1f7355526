package infer

import "math"

// slackColumns are the labelings that a SlackHinge knows of. It maximizes
//
//	sum_s a_s v_s - sum_i a_i^2 / (4 cost_i),   a_s >= 0,
//
// over those by the active set method of Lawson and Hanson (1974) for least squares
// without negative weights.
type slackColumns struct {
	list []slackColumn
	half []float64 // 1 / (2 cost_i)
	gram []float64 // by pair of columns, see at
	done int       // the first columns, whose part of gram is there
	row  []float64 // by label, zero between uses
	free []int     // columns whose a_s may be above zero
	root []float64 // Cholesky factor of gram on the free ones
	z    []float64
}

type slackColumn struct {
	value, weight float64   // v_s, a_s
	label         []int32   // labels that differ from the truth
	by            []float64 // |s_i - y_i|
}

func (s *slackColumns) reset() { s.list, s.done, s.gram = s.list[:0], 0, s.gram[:0] }

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

// at returns the position of the pair of columns k >= l in gram.
func at(k, l int) int { return k*(k+1)/2 + l }

// completeGram computes sum_i |s_i - y_i| |t_i - y_i| / (2 cost_i) for the new columns.
func (s *slackColumns) completeGram() {
	for k := s.done; k < len(s.list); k++ {
		c := &s.list[k]
		for p, i := range c.label {
			s.row[i] = c.by[p] * s.half[i]
		}
		for l := range k + 1 {
			var sum float64
			for p, i := range s.list[l].label {
				sum += s.list[l].by[p] * s.row[i]
			}
			s.gram = append(s.gram, sum)
		}
		for _, i := range c.label {
			s.row[i] = 0
		}
	}
	s.done = len(s.list)
}

// inner returns the entry of gram of any two columns.
func (s *slackColumns) inner(k, l int) float64 { return s.gram[at(max(k, l), min(k, l))] }

// solve maximizes over the weights of all columns.
func (s *slackColumns) solve() {
	s.completeGram()
	s.free = s.free[:0]
	for k := range s.list {
		if s.list[k].weight > 0 {
			s.free = append(s.free, k)
		}
	}
	for range 3*len(s.list) + 3 {
		s.settle()
		k := s.steepest()
		if k < 0 {
			return
		}
		s.free = append(s.free, k)
	}
	s.settle()
}

// steepest returns the column that is not free and gains most from a weight, or -1.
func (s *slackColumns) steepest() int {
	best, most := -1, 0.0
	for k := range s.list {
		c := &s.list[k]
		if c.weight > 0 || s.gram[at(k, k)] == 0 {
			continue
		}
		gain := c.value
		for _, l := range s.free {
			gain -= s.inner(k, l) * s.list[l].weight
		}
		if gain > 1e-12*(1+math.Abs(c.value)) && gain > most {
			best, most = k, gain
		}
	}
	return best
}

// settle moves the free columns to their maximum, and those that come to zero on the way
// are free no more.
func (s *slackColumns) settle() {
	for len(s.free) > 0 {
		s.solveFree()
		length := 1.0
		for p, k := range s.free {
			if a := s.list[k].weight; s.z[p] <= 0 {
				length = min(length, a/(a-s.z[p]))
			}
		}
		kept := s.free[:0]
		for p, k := range s.free {
			c := &s.list[k]
			c.weight += length * (s.z[p] - c.weight)
			if s.z[p] <= 0 && c.weight <= 1e-14 || !(c.weight > 0) {
				c.weight = 0
				continue
			}
			kept = append(kept, k)
		}
		dropped := len(kept) < len(s.free)
		s.free = kept
		if !dropped {
			return
		}
	}
}

// solveFree solves gram z = v on the free columns. Where they depend on one another, the
// pivots are kept above zero: violations tell what that has cost.
func (s *slackColumns) solveFree() {
	s.root, s.z = s.root[:0], s.z[:0]
	for p, k := range s.free {
		for q := range p + 1 {
			sum := s.inner(k, s.free[q])
			for r := range q {
				sum -= s.root[at(p, r)] * s.root[at(q, r)]
			}
			if q < p {
				sum /= s.root[at(q, q)]
			} else {
				sum = math.Sqrt(max(sum, 1e-10*s.gram[at(k, k)]))
			}
			s.root = append(s.root, sum)
		}
		sum := s.list[k].value
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

// slacksTo writes xi_i = a_i / (2 cost_i).
func (s *slackColumns) slacksTo(slack []float64) {
	clear(slack)
	for k := range s.list {
		c := &s.list[k]
		if c.weight == 0 {
			continue
		}
		for p, i := range c.label {
			slack[i] += c.weight * c.by[p]
		}
	}
	for i := range slack {
		slack[i] *= s.half[i]
	}
}
