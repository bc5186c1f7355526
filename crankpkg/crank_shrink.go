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
// may have (see LeastResiduals). Time and memory so follow the pairs that count,
// not the n(n-1)/2 that there are.
func (c *CRANK) shrink(t *training, s *crankStart) {
	if t.orders() >= wideOrders {
		s.crew.next = t.set.Gap
	}
	u := s.solver.LeastResiduals()
	scale := floats.Norm(u, math.Inf(1))
	for k, beta := 0, c.BetaStart*scale; beta > 1e-3*scale; k, beta = k+1, beta/c.Growth {
		if k < len(c.Beta) {
			beta = c.Beta[k]
		} else if c.FixedBeta {
			return
		}
		rank := 0
		for range shrinkRounds {
			v, more := s.solver.Admit(u, beta, s.v)
			if !more || s.stalled {
				break
			}
			s.v = v
			rank = c.descend(t, s, beta)
			u = s.solver.LeastResiduals()
		}
		if rank > 0 || s.solver.SupportSize() == t.problem.NumLabels()-1 || t.stopped() || s.stalled {
			return
		}
	}
}
