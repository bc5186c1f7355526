package crankpkg

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// shrinkRounds bounds how often, at one beta, pairs join the working set.
const shrinkRounds = 4

// shrink goes through the penalties from the one that closes every pair
// downwards, until the support spans all labels or keeps a cycle. The solver
// works on few pairs: w_ij is zero wherever |u_ij| <= beta, so that a pair needs
// to join only once its residual exceeds beta, for all joint marginals that it
// may have (see leastResiduals). Time and memory so follow the pairs that count,
// not the n(n-1)/2 that there are.
func (c *CRANK) shrink(t *training, s *crankStart) {
	u := s.solver.leastResiduals()
	scale := floats.Norm(u, math.Inf(1))
	for k, beta := 0, c.BetaStart*scale; beta > 1e-3*scale; k, beta = k+1, beta/c.Growth {
		if k < len(c.Beta) {
			beta = c.Beta[k]
		} else if c.FixedBeta {
			return
		}
		rank := 0
		for range shrinkRounds {
			if !s.admit(u, beta) {
				break
			}
			rank = c.descend(t, s, beta)
			u = s.solver.leastResiduals()
		}
		if rank > 0 || s.solver.supportSize() == s.solver.n-1 || t.stopped() {
			return
		}
	}
}

// admit adds the pairs with |u_ij| > beta to those that the solver uses, and
// reports whether there were any. v stays as it is, zero on new pairs.
func (s *crankStart) admit(u []float64, beta float64) bool {
	old, k := s.solver.pairs.edges, s.solver.pw.k
	used := make(map[Edge][]float64, len(old))
	for e, edge := range old {
		used[edge] = s.v[e*k : (e+1)*k]
	}
	closed := make([]float64, k)
	var edges []Edge
	var v []float64
	for j := 1; j < s.solver.n; j++ {
		for i := range j {
			e := Edge{i, j}
			if signs, ok := used[e]; ok {
				edges, v = append(edges, e), append(v, signs...)
			} else if floats.Norm(u[e.Index()*k:(e.Index()+1)*k], math.Inf(1)) > beta {
				edges, v = append(edges, e), append(v, closed...)
			}
		}
	}
	if len(edges) == len(old) {
		return false
	}
	s.solver.setEdges(edges)
	s.v = v
	return true
}
