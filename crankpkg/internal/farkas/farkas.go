// Package farkas decides systems of linear inequalities in exact rational
// arithmetic. By Farkas' lemma just one of the two exists:
//
//	a point       w with a_c . w + b_c >= 0 for all c, or
//	a refutation  lambda >= 0 with sum_c lambda_c a_c = 0 and sum_c lambda_c b_c = -1,
//
// which adds the inequalities up to 0 >= 1. The simplex method looks for the
// refutation; where it fails, its dual values are the point. Inequalities may
// be added between two calls of Solve, which then goes on from where it was:
// what generating constraints on demand needs. Meant for a few dozen unknowns.
package farkas

import "math/big"

// System is a system of inequalities in a fixed number of unknowns.
type System struct {
	dim     int
	a       [][]int64
	b       []int64
	inverse [][]*big.Rat // of the basis, dim+1 rows and columns
	basic   []int        // by row: dim+1+c for inequality c, less for an artificial variable
	value   []*big.Rat   // of the basic variables
	dual    []*big.Rat
}

// New returns a system of no inequalities in dim unknowns.
func New(dim int) *System {
	rows := dim + 1
	s := &System{dim: dim, basic: make([]int, rows), value: make([]*big.Rat, rows), dual: make([]*big.Rat, rows)}
	for i := range rows {
		row := make([]*big.Rat, rows)
		for j := range row {
			row[j] = new(big.Rat)
		}
		row[i].SetInt64(1)
		s.inverse = append(s.inverse, row)
		s.basic[i], s.value[i], s.dual[i] = i, new(big.Rat), new(big.Rat)
	}
	s.value[dim].SetInt64(1)
	return s
}

// Len returns the number of inequalities.
func (s *System) Len() int { return len(s.b) }

// Add adds the inequality a . w + b >= 0. It keeps a. It panics when a does
// not have one coefficient for each unknown.
func (s *System) Add(a []int64, b int64) {
	if len(a) != s.dim {
		panic("farkas: wrong number of coefficients")
	}
	s.a, s.b = append(s.a, a), append(s.b, b)
}

// Solve reports whether the system has a solution; then Point returns one,
// else Refutation returns the proof that there is none.
//
// It minimizes the sum of the artificial variables of
//
//	sum_c lambda_c (a_c, -b_c) + artificial = (0, ..., 0, 1).
//
// Bland's rule (the first column that helps enters, the first that may leaves)
// rules out cycling.
func (s *System) Solve() bool {
	for {
		s.findDual()
		if s.dual[s.dim].Sign() == 0 { // the sum of the artificial variables
			return false
		}
		c := s.entering()
		if c < 0 {
			return true
		}
		s.enter(c)
	}
}

// Point returns the solution that Solve found.
func (s *System) Point() []*big.Rat {
	w := make([]*big.Rat, s.dim)
	for i := range w {
		w[i] = new(big.Rat).Quo(s.dual[i], s.dual[s.dim])
		w[i].Neg(w[i])
	}
	return w
}

// Refutation returns the positions of the inequalities that contradict each
// other and their multipliers lambda > 0.
func (s *System) Refutation() (at []int, lambda []*big.Rat) {
	for i, v := range s.basic {
		if v > s.dim && s.value[i].Sign() > 0 {
			at = append(at, v-s.dim-1)
			lambda = append(lambda, new(big.Rat).Set(s.value[i]))
		}
	}
	return at, lambda
}

// findDual sums the rows of the inverse whose basic variable is artificial.
func (s *System) findDual() {
	for j := range s.dual {
		s.dual[j].SetInt64(0)
		for i, v := range s.basic {
			if r := s.inverse[i][j]; v <= s.dim && r.Sign() != 0 {
				s.dual[j].Add(s.dual[j], r)
			}
		}
	}
}

// entering returns the first inequality that the point violates, or -1.
func (s *System) entering() int {
	var sum, term big.Rat
	for c := range s.b {
		s.times(&sum, &term, s.dual, c)
		if sum.Sign() > 0 {
			return c
		}
	}
	return -1
}

// times sets sum to row . (a_c, -b_c).
func (s *System) times(sum, term *big.Rat, row []*big.Rat, c int) {
	sum.SetInt64(0)
	add := func(r *big.Rat, k int64) {
		if k != 0 && r.Sign() != 0 {
			sum.Add(sum, term.Mul(term.SetInt64(k), r))
		}
	}
	for j, k := range s.a[c] {
		add(row[j], k)
	}
	add(row[s.dim], -s.b[c])
}

// enter brings the multiplier of inequality c into the basis.
func (s *System) enter(c int) {
	var term, ratio, least big.Rat
	direction := make([]big.Rat, len(s.basic))
	leaving := -1
	for i := range direction {
		s.times(&direction[i], &term, s.inverse[i], c)
		if direction[i].Sign() <= 0 {
			continue
		}
		ratio.Quo(s.value[i], &direction[i])
		sign := -1
		if leaving >= 0 {
			sign = ratio.Cmp(&least)
		}
		if sign < 0 || sign == 0 && s.basic[i] < s.basic[leaving] {
			leaving = i
			least.Set(&ratio)
		}
	}
	s.pivot(leaving, direction)
	s.basic[leaving] = s.dim + 1 + c
}

// pivot turns direction into the unit vector of row p.
func (s *System) pivot(p int, direction []big.Rat) {
	var term, factor big.Rat
	factor.Inv(&direction[p])
	s.value[p].Mul(s.value[p], &factor)
	for _, r := range s.inverse[p] {
		r.Mul(r, &factor)
	}
	for i := range direction {
		if i == p || direction[i].Sign() == 0 {
			continue
		}
		s.value[i].Sub(s.value[i], term.Mul(&direction[i], s.value[p]))
		for j, r := range s.inverse[p] {
			if r.Sign() != 0 {
				s.inverse[i][j].Sub(s.inverse[i][j], term.Mul(&direction[i], r))
			}
		}
	}
}
