package mrf

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// LP solves the linear programming relaxation of
//
//	max over y  sum_i unary_i[y_i] + sum_ij pair_ij[y_i, y_j]
//
// for variables of any number of states on any graph: the maximum over the local
// polytope, marginals mu_i(s) >= 0 of each variable and mu_ij(s, t) >= 0 of each
// edge that agree,
//
//	sum_s mu_i(s) = 1,   sum_t mu_ij(s, t) = mu_i(s),   sum_s mu_ij(s, t) = mu_j(t).
//
// Any numbers delta bound it from above (delta moves worth from the edges to
// their ends),
//
//	sum_i max_s [unary_i(s) + sum_j delta_ij,i(s)]
//	  + sum_ij max_st [pair_ij(s, t) - delta_ij,i(s) - delta_ij,j(t)],
//
// and block-coordinate descent on them (MPLP: Globerson and Jaakkola 2007) often
// ends at a labeling that meets its bound. Otherwise an interior-point method
// finishes (interior.go), since descent in blocks can stall above the
// minimum. On two states the optimum is that of LPOracle.
//
// A LP owns its workspace; each goroutine needs its own.
type LP struct {
	states []int
	edges  []labelgraph.Edge
	// unaryAt, pairAt and deltaAt tell where a variable's states, an edge's table
	// and an edge's delta (of end I, then of end J) begin.
	unaryAt, pairAt, deltaAt []int

	unary, pair [][]float64 // of the call under way
	delta       []float64
	belief      []float64 // unary_i(s) + sum_j delta_ij,i(s)
	best        []float64 // for one end of an edge
	y, tried    []int

	mu, muPair []int32 // the solution, in multiples of 1/MarginalUnit
	left       []int32
	integral   bool
	interior   *interiorPoint // made when first needed
	held       holder
}

// MarginalUnit is the denominator of marginals: they are feasible without rounding
// errors, and float32 holds them and their differences exactly.
const MarginalUnit = 1 << 22

// lpTolerance is the relative difference of value and bound that ends the work.
const lpTolerance = 1e-8

// NewLP returns the solver for len(states) variables, of which number
// i takes the values 0..states[i]-1. It returns an error that wraps ErrData when
// a variable has no state, or an edge is out of range or listed twice.
func NewLP(states []int, edges []labelgraph.Edge) (*LP, error) {
	o := &LP{states: slices.Clone(states), edges: slices.Clone(edges)}
	size, most := 0, 0
	for i, k := range states {
		if k < 1 {
			return nil, fmt.Errorf("%w: variable %d has %d states", errs.ErrData, i, k)
		}
		o.unaryAt = append(o.unaryAt, size)
		size += k
		most = max(most, k)
	}
	o.belief, o.mu, o.best = make([]float64, size), make([]int32, size), make([]float64, most)
	o.left = make([]int32, 2*most)
	o.y, o.tried = make([]int, len(states)), make([]int, len(states))
	seen := make(map[labelgraph.Edge]bool)
	pairs, deltas := 0, 0
	for _, e := range edges {
		if e.I < 0 || e.J >= len(states) || e.I >= e.J || seen[e] {
			return nil, fmt.Errorf("%w: edge %v among %d variables", errs.ErrData, e, len(states))
		}
		seen[e] = true
		o.pairAt, o.deltaAt = append(o.pairAt, pairs), append(o.deltaAt, deltas)
		pairs += states[e.I] * states[e.J]
		deltas += states[e.I] + states[e.J]
	}
	o.muPair, o.delta = make([]int32, pairs), make([]float64, deltas)
	return o, nil
}

// Maximize solves the relaxation and returns the value of the marginals found
// and an upper bound on all of them; tables are laid out as for
// Tree.Maximize. On success the two differ by rounding only; bound is
// never below the value of any labeling, whatever happens. It panics when a
// length does not match.
func (o *LP) Maximize(unary, pair [][]float64) (value, bound float64) {
	checkStates(o.states, o.edges, unary, pair)
	o.unary, o.pair = unary, pair
	value, bound = o.descend()
	if bound-value > o.Tolerance(bound) {
		if o.interior == nil {
			o.interior = newInteriorPoint(o)
		}
		return o.interior.maximize(value, bound)
	}
	return value, bound
}

func (o *LP) Tolerance(bound float64) float64 { return lpTolerance * (1 + math.Abs(bound)) }

// Integral reports whether the solution is a labeling, which then is an optimal
// one.
func (o *LP) Integral() bool { return o.integral }

// LabelingTo writes to y the state of largest marginal of each variable, the
// smaller one among equals.
func (o *LP) LabelingTo(y []int) {
	for i := range y {
		y[i] = 0
		mu := o.Marginals(i)
		for s, v := range mu {
			if v > mu[y[i]] {
				y[i] = s
			}
		}
	}
}

// Marginal returns mu_i(s).
func (o *LP) Marginal(i, s int) float64 { return float64(o.Marginals(i)[s]) / MarginalUnit }

// PairMarginal returns mu_ij(s, t) of edge number e.
func (o *LP) PairMarginal(e, s, t int) float64 {
	return float64(o.muPair[o.pairAt[e]+s*o.states[o.edges[e].J]+t]) / MarginalUnit
}

func (o *LP) Marginals(i int) []int32 {
	return o.mu[o.unaryAt[i] : o.unaryAt[i]+o.states[i]]
}

func (o *LP) PairMarginals(e int) []int32 {
	return o.muPair[o.pairAt[e] : o.pairAt[e]+len(o.pair[e])]
}

// setLabeling makes the labeling y the solution and returns its value.
func (o *LP) setLabeling(y []int) float64 {
	clear(o.mu)
	clear(o.muPair)
	for i, s := range y {
		o.mu[o.unaryAt[i]+s] = MarginalUnit
	}
	for k, e := range o.edges {
		o.muPair[o.pairAt[k]+y[e.I]*o.states[e.J]+y[e.J]] = MarginalUnit
	}
	o.integral = true
	return o.labelingValue(y)
}

func (o *LP) labelingValue(y []int) float64 {
	var sum float64
	for i, s := range y {
		sum += o.unary[i][s]
	}
	for k, e := range o.edges {
		sum += o.pair[k][y[e.I]*o.states[e.J]+y[e.J]]
	}
	return sum
}

// solutionValue returns the value of the marginals.
func (o *LP) solutionValue() float64 {
	var sum float64
	for i := range o.states {
		for s, v := range o.Marginals(i) {
			sum += float64(v) * o.unary[i][s]
		}
	}
	for e := range o.edges {
		for k, v := range o.PairMarginals(e) {
			sum += float64(v) * o.pair[e][k]
		}
	}
	return sum / MarginalUnit
}

// roundMarginals makes p and x, which may violate the constraints a little, the
// solution: p is rounded to multiples of 1/MarginalUnit, and x made to agree with it.
func (o *LP) roundMarginals(p, x []float64) {
	o.integral = true
	for i, k := range o.states {
		mu := o.Marginals(i)
		roundSimplex(mu, p[o.unaryAt[i]:o.unaryAt[i]+k])
		if slices.Max(mu) != MarginalUnit {
			o.integral = false
		}
	}
	for e, edge := range o.edges {
		RoundTransport(o.PairMarginals(e), x[o.pairAt[e]:o.pairAt[e]+len(o.pair[e])], o.Marginals(edge.I), o.Marginals(edge.J), o.left)
	}
}
