package treeset

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// treeMarginals computes, for a random spanning tree T over n vertices with
//
//	P(T) proportional to prod_{e in T} exp(theta_e),
//
// the probability of each edge: its conductance times the effective resistance
// between its ends (Kirchhoff 1847). The resistances come from eliminating the
// other vertices one by one: a vertex with the conductances c_i to its
// neighbors leaves c_i c_j / sum_k c_k between each two of them. Nothing is
// subtracted, so all digits are good even where the conductances differ by a
// hundred orders of magnitude.
type treeMarginals struct {
	n        int
	conduct  []float64 // n x n, symmetric
	work     []float64
	vertices []int // those not eliminated yet
}

func newTreeMarginals(n int) *treeMarginals {
	return &treeMarginals{n: n, conduct: make([]float64, n*n), work: make([]float64, n*n)}
}

// marginals writes the probabilities of the edges to dst, given the edges that
// are in or out. At least one tree must be left.
func (t *treeMarginals) marginals(dst []float64, edges []labelgraph.Edge, theta []float64, state []Membership) {
	group, count := contract(t.n, edges, state)
	most := math.Inf(-1)
	for e, v := range theta {
		if state[e] == Free {
			most = max(most, v)
		}
	}
	clear(t.conduct)
	for e, edge := range edges {
		i, j := group[edge.I], group[edge.J]
		if i == j || state[e] != Free {
			continue
		}
		// Several edges may run between two groups.
		c := math.Exp(theta[e] - most)
		t.conduct[i*t.n+j] += c
		t.conduct[j*t.n+i] += c
	}
	for e, edge := range edges {
		i, j := group[edge.I], group[edge.J]
		switch {
		case state[e] == In:
			dst[e] = 1
		case i == j || state[e] == Out:
			dst[e] = 0
		default:
			dst[e] = min(math.Exp(theta[e]-most)/t.between(i, j, count), 1)
		}
	}
}

// contract returns the number of the group of each vertex, when the edges that
// are in have joined their ends, and how many groups there are.
func contract(n int, edges []labelgraph.Edge, state []Membership) (group []int, count int) {
	var joined []labelgraph.Edge
	for e, edge := range edges {
		if state[e] == In {
			joined = append(joined, edge)
		}
	}
	return labelgraph.Components(n, joined)
}

// between returns the conductance between i and j of the network of the first
// count vertices.
func (t *treeMarginals) between(i, j, count int) float64 {
	copy(t.work, t.conduct)
	t.vertices = t.vertices[:0]
	for v := range count {
		if v != i && v != j {
			t.vertices = append(t.vertices, v)
		}
	}
	t.vertices = append(t.vertices, i, j)
	for k, v := range t.vertices[:count-2] {
		rest := t.vertices[k+1:]
		row := t.work[v*t.n : (v+1)*t.n]
		var sum float64
		for _, a := range rest {
			sum += row[a]
		}
		if sum == 0 {
			continue
		}
		for p, a := range rest {
			for _, b := range rest[:p] {
				c := row[a] * (row[b] / sum)
				t.work[a*t.n+b] += c
				t.work[b*t.n+a] += c
			}
		}
	}
	return t.work[i*t.n+j]
}
