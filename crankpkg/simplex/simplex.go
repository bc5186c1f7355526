// Package simplex has a reference for the LP relaxation: gonum's simplex method on the local polytope. It takes about a second for
// fourteen labels with all pairs, where infer.LPOracle, which solves the same by one maximum flow, takes less than a microsecond; it
// is here to compare with, in results and notebooks.
package simplex

import (
	"github.com/crank-ml/crank/crankpkg/infer"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// Value returns the maximum of sum_i c_i y_i + sum_ij w_ij y_ij over the
// local polytope,
//
//	0 <= y_i <= 1,   y_ij >= 0,   y_ij <= y_i,   y_ij <= y_j,   y_i + y_j - y_ij <= 1,
//
// by the simplex method. The inequalities become equations by slack variables. c has a score for each of the graph's labels. The
// error is that of the simplex method, which may fail on numbers of very different size.
func Value(g *infer.PairGraph, c []float64) (float64, error) {
	n, pairs := len(c), len(g.Edges)
	rows := n + 3*pairs
	a := mat.NewDense(rows, n+pairs+rows, nil)
	b, cost := make([]float64, rows), make([]float64, n+pairs+rows)
	for i := range n {
		a.Set(i, i, 1)
		b[i], cost[i] = 1, -c[i]
	}
	for k, e := range g.Edges {
		row, pair := n+3*k, n+k
		cost[pair] = -e.Weight
		a.Set(row, pair, 1)
		a.Set(row, int(e.I), -1)
		a.Set(row+1, pair, 1)
		a.Set(row+1, int(e.J), -1)
		a.Set(row+2, pair, -1)
		a.Set(row+2, int(e.I), 1)
		a.Set(row+2, int(e.J), 1)
		b[row+2] = 1
	}
	start := make([]int, rows) // the slack variables are a feasible basis
	for r := range rows {
		a.Set(r, n+pairs+r, 1)
		start[r] = n + pairs + r
	}
	minimum, _, err := lp.Simplex(cost, a, b, 1e-10, start)
	return -minimum, err
}
