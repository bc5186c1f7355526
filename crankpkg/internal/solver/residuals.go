package solver

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// LeastResiduals returns, for all pairs in the order of Edge.Index, the u_ij
// that decide which pairs the solver has to use: of those that it uses, their
// u_ij, of the others, freeResiduals. As long as the latter are at most beta in
// size, w_ij = 0 is optimal with these pairs, too, at the same dual value.
// Where the pairs have vectors, or the label loss is no sum over the labels, all
// residuals are those of the labelings.
func (s *Solver) LeastResiduals() []float64 {
	if s.general || s.pairs.complete {
		return s.allResiduals()
	}
	u := s.freeResiduals()
	for e, edge := range s.pairs.edges {
		u[edge.Index()] = s.pw.u[e]
	}
	return u
}

// freeResiduals returns, for all pairs in the order of Edge.Index, the u_ij of
// smallest size that the label marginals of the dual point allow. The joint
// marginals of a pair that has no part in the dual are free within Frechet's
// bounds,
//
//	max(0, mu_i + mu_j - 1) <= mu_ij <= min(mu_i, mu_j),
//
// in each example, whatever those of the other pairs are. The labelings of the
// dual point give some u_ij within the bounds, which may be far from the smallest.
func (s *Solver) freeResiduals() []float64 {
	lo, hi := make([]float64, labelgraph.NumPairs(s.n)), make([]float64, labelgraph.NumPairs(s.n)) // of M u_ij
	mu := make([]float64, s.n)
	var on []int32
	for m := range s.ex {
		s.marginalsTo(mu, m)
		y := s.labelsOf(m)
		on = on[:0]
		for j, b := range mu {
			if b == 0 && y[j] == 0 {
				continue // y_i y_j = mu_ij = 0
			}
			base := j * (j - 1) / 2
			for _, i := range on {
				truth, a := float64(y[i]&y[j]), mu[i]
				lo[base+int(i)] += truth - min(a, b)
				hi[base+int(i)] += truth - max(0, a+b-1)
			}
			on = append(on, int32(j))
		}
	}
	for e := range lo {
		lo[e] = (max(lo[e], 0) + min(hi[e], 0)) * s.step
	}
	return lo
}

// Admit adds the pairs of labels with |u_ij| > beta, given u of all pairs in the
// order of Edge.Index, to those that the solver uses. It returns v for them, zero
// on new pairs and as it was on the others, and false where there is none to add.
func (s *Solver) Admit(u []float64, beta float64, v []float64) ([]float64, bool) {
	old, k := s.pairs.edges, s.pw.k
	used := make(map[labelgraph.Edge][]float64, len(old))
	for e, edge := range old {
		used[edge] = v[e*k : (e+1)*k]
	}
	closed := make([]float64, k)
	var edges []labelgraph.Edge
	var grown []float64
	for j := 1; j < s.n; j++ {
		for i := range j {
			e := labelgraph.Edge{I: i, J: j}
			if signs, ok := used[e]; ok {
				edges, grown = append(edges, e), append(grown, signs...)
			} else if floats.Norm(u[e.Index()*k:(e.Index()+1)*k], math.Inf(1)) > beta {
				edges, grown = append(edges, e), append(grown, closed...)
			}
		}
	}
	if len(edges) == len(old) {
		return v, false
	}
	s.setPairs(edges)
	return grown, true
}
