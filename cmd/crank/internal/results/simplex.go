package results

import (
	"fmt"
	"math"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// simplexTime returns the mean time that the simplex method takes to predict one
// of the first examples of test. It checks each optimum against the oracle.
func simplexTime(m *crankpkg.Model, test *crankpkg.Dataset, sample int) (float64, error) {
	g := m.Graph()
	oracle, y, c := infer.NewLPOracle(g), make(crankpkg.Labeling, m.NumLabels()), make([]float64, m.NumLabels())
	predictor := m.Predictor()
	var total time.Duration
	for k := range sample {
		predictor.ScoresTo(c, test.Row(k))
		begin := time.Now()
		value, err := simplexValue(g, c)
		total += time.Since(begin)
		if err != nil {
			return 0, fmt.Errorf("the simplex method on example %d: %w", k, err)
		}
		if want := oracle.Maximize(y, c); math.Abs(value-want) > 1e-6*(1+math.Abs(want)) {
			return 0, fmt.Errorf("example %d: the simplex method has the optimum %v and roof duality %v", k, value, want)
		}
	}
	return total.Seconds() / float64(sample), nil
}

// simplexValue returns the maximum of sum_i c_i y_i + sum_ij w_ij y_ij over the
// local polytope,
//
//	0 <= y_i <= 1,   y_ij >= 0,   y_ij <= y_i,   y_ij <= y_j,   y_i + y_j - y_ij <= 1,
//
// by the simplex method. The inequalities become equations by slack variables.
func simplexValue(g *infer.PairGraph, c []float64) (float64, error) {
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
