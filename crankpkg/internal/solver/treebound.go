package solver

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// What the search for the best tree asks of a solver.

// LeastSquares returns u_e^2 of the given pairs, whether the solver has them or
// not, for the pair marginals that go with the label marginals of s and make it
// smallest. Where those of the pairs are not free, since the label loss is no sum
// over the labels, or where u_e is a vector, it is that of the labelings of s, and
// +Inf for pairs that the solver does not have.
func (s *Solver) LeastSquares(edges []labelgraph.Edge) []float64 {
	if s.general {
		squares := make([]float64, len(edges))
		from, _ := matchEdges(s.pairs.edges, edges)
		for e, at := range from {
			squares[e] = math.Inf(1)
			if at >= 0 {
				u := s.pw.vector(s.pw.u, int(at))
				squares[e] = vec.Dot(u, u)
			}
		}
		return squares
	}
	free := s.freeResiduals()
	squares := make([]float64, len(edges))
	for e, edge := range edges {
		u := free[edge.Index()]
		squares[e] = u * u
	}
	return squares
}

// UnaryDual returns the dual without the part of the pairs.
func (s *Solver) UnaryDual() float64 {
	return s.loss*s.step - s.pw.lambda/2*s.unary.squaredNorm()
}

// SetShares sets the ridge of each pair to lambda / z_e; the dual point stays
// as it is.
func (s *Solver) SetShares(z []float64) {
	s.pw.share = append(s.pw.share[:0], z...)
	s.resetPairs()
}

// Pull returns, for all pairs of labels in the order of Edge.Index, how hard they pull
// at the dual point: |u_ij|^2, with the residuals of LeastResiduals. Labels must not come
// in groups.
func (s *Solver) Pull() []float64 {
	k, u := s.pw.k, s.LeastResiduals()
	squares := make([]float64, len(u)/k)
	for e := range squares {
		squares[e] = vec.Dot(u[e*k:(e+1)*k], u[e*k:(e+1)*k])
	}
	return squares
}

// Work returns the work done so far in passes without the oracle. A visit with it counts
// as three; a step of the interior point method as what it takes.
func (s *Solver) Work() float64 {
	return float64(s.passes) + 2*float64(s.calls)/float64(s.m) + s.interior
}
