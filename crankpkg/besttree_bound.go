package crankpkg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A lower bound on the objective of every tree at once, by weak duality. For
// the tree T and any point mu of the local polytopes,
//
//	min_{w on T} l(w) >= L - lambda/2 sum_i |w_i|^2 - 1/(2 lambda) sum_{e in T} u_e^2,
//
// where L is the mean label loss of mu, u = (1/M) sum_m [phi(x^m, y^m) -
// phi(x^m, mu_m)] and w_i = u_i / lambda: what mu says about the pairs off T
// does not matter. So for any set of trees
//
//	min_T min_{w on T} l(w) >= L - lambda/2 sum_i |w_i|^2
//	                             - 1/(2 lambda) max_T sum_{e in T} u_e^2,
//
// with a maximum spanning tree on the right. Given the marginals mu_i of the
// labels, those of each pair are free within Frechet's bounds, independently
// of the other pairs, so each |u_e| may be taken at its smallest.
//
// The right side is concave in mu. Its maximum is the minimum over w of
//
//	min_z lambda/2 sum_i |w_i|^2 + lambda/2 sum_e w_e^2 / z_e + (1/M) sum_m h^m(w)
//
// over the z in the convex hull of the trees: all pairs compete for the n-1
// units of z that a tree has, and pay more the smaller their shares are. This
// is the convex hull (perspective) relaxation of the choice of a tree, above
// the bound that Full gives, where every pair has z_e = 1.

// leastSquares returns u_e^2 of the given pairs, whether the solver has them or
// not, for the pair marginals that go with the label marginals of s and make it
// smallest. Where those of the pairs are not free, since the label loss is no sum
// over the labels, or where u_e is a vector, it is that of the labelings of s, and
// +Inf for pairs that the solver does not have.
func (s *solver) leastSquares(edges []Edge) []float64 {
	if s.general {
		squares := make([]float64, len(edges))
		from, _ := matchEdges(s.pairs.edges, edges)
		for e, at := range from {
			squares[e] = math.Inf(1)
			if at >= 0 {
				u := s.pw.vector(s.pw.u, int(at))
				squares[e] = floats.Dot(u, u)
			}
		}
		return squares
	}
	mu := s.marginals()
	lo, hi := make([]float64, len(edges)), make([]float64, len(edges)) // of M u_e
	for m := range s.ex {
		row, y := mu[m*s.n:(m+1)*s.n], s.labelsOf(m)
		for e, edge := range edges {
			a, b := row[edge.I], row[edge.J]
			truth := float64(y[edge.I] & y[edge.J])
			lo[e] += truth - min(a, b)
			hi[e] += truth - max(0, a+b-1)
		}
	}
	for e := range lo {
		u := max(lo[e], -hi[e], 0) * s.step
		lo[e] = u * u
	}
	return lo
}

// unaryDual returns the dual without the part of the pairs.
func (s *solver) unaryDual() float64 {
	return s.loss*s.step - s.pw.lambda/2*s.unary.squaredNorm()
}

// membership says of an edge which trees of a set have it.
type membership uint8

const (
	free membership = iota // some have it, some do not
	in                     // all have it
	out                    // none has it
)

// treeSet is the set of spanning trees that have all edges that are in and
// none that is out.
type treeSet struct {
	n     int
	edges []Edge
	state []membership
}

func newTreeSet(n int, edges []Edge) *treeSet {
	return &treeSet{n: n, edges: edges, state: make([]membership, len(edges))}
}

func (t *treeSet) clone() *treeSet {
	return &treeSet{n: t.n, edges: t.edges, state: slices.Clone(t.state)}
}

// heaviest returns a tree of the set with the largest total weight, or false
// when the set is empty. Weights are not negative.
func (t *treeSet) heaviest(weights []float64) (tree []int, total float64, ok bool) {
	var s spanner
	s.reset()
	required := 0
	for e, edge := range t.edges {
		switch t.state[e] {
		case in:
			s.add(e, edge, math.Inf(1))
			required++
		case free:
			s.add(e, edge, weights[e])
		}
	}
	for _, e := range s.span(t.n) {
		tree = append(tree, int(e))
		total += weights[e]
		if t.state[e] == in {
			required--
		}
	}
	return tree, total, len(tree) == t.n-1 && required == 0
}

// settle decides the edges that all trees or no tree of the set have, as far as
// it can be seen: an edge between two labels that forced edges join is out, and
// so is, or is in, an edge when the trees with it, or without it, have a bound
// of at least cutoff. Here base - c max_T sum_{e in T} squares_e is the bound.
// It returns false when no tree is left.
func (t *treeSet) settle(base, c float64, squares []float64, cutoff float64) bool {
	for changed := true; changed; {
		changed = false
		for e := range t.edges {
			if t.state[e] != free {
				continue
			}
			for _, m := range []membership{in, out} {
				t.state[e] = m
				_, total, ok := t.heaviest(squares)
				t.state[e] = free
				if ok && base-c*total < cutoff {
					continue
				}
				t.state[e] = in + out - m
				changed = true
				break
			}
		}
		if _, total, ok := t.heaviest(squares); !ok || base-c*total >= cutoff {
			return false
		}
	}
	return true
}
