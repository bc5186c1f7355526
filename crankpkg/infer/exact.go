package infer

import (
	"context"
	"math"
	"math/rand/v2"
)

// ExactResult is what MaximizeExact found.
type ExactResult struct {
	// Labeling is the best labeling found, without halves, and Value its value.
	Labeling Labeling
	Value    float64
	// Bound is a proven upper bound on the value of every labeling. It equals
	// Value, up to rounding, when Optimal is set.
	Bound float64
	// Nodes is the number of relaxations solved.
	Nodes int
	// Optimal is set unless the context ended the search.
	Optimal bool
}

// MaximizeExact maximizes over {0,1}^n on any graph,
//
//	max  sum_i c_i y_i + sum_ij w_ij y_i y_j,
//
// which is NP-hard, by branch and bound. The bound is the LP relaxation; where
// it leaves a label integral some maximizer agrees (persistency), so that only
// the labels at one half are branched on. When ctx ends, it returns the best
// labeling so far and the bound that is proven by then.
func MaximizeExact(ctx context.Context, g *PairGraph, c []float64) ExactResult {
	s := exactSearch{g: g, lp: lpOracle{g: g}}
	y := make(Labeling, g.N)
	value := s.maximize(ctx, y, c)
	return ExactResult{Labeling: y, Value: value, Bound: max(value, s.openBound), Nodes: s.nodes, Optimal: !s.stopped}
}

// NewExactOracle returns the oracle that maximizes over {0,1}^n on any graph by
// the search of MaximizeExact. It takes time exponential in the number of
// labels at worst; up to about 30 it is quick on any graph.
func NewExactOracle(g *PairGraph) Oracle { return &exactSearch{g: g, lp: lpOracle{g: g}} }

// exactSearch is a depth-first branch and bound.
type exactSearch struct {
	g  *PairGraph
	lp lpOracle
	c  []float64

	best      Labeling // the incumbent
	bestValue float64
	tolerance float64 // smaller improvements are rounding errors

	levels []*exactLevel // workspace, by number of branchings above
	slope  []float64     // workspace of climb
	rng    rand.PCG

	ctx        context.Context
	stopped    bool
	openBound  float64 // greatest bound of what the stop left unexplored
	nodes      int
	branchings int
}

// exactLevel holds the relaxations of the two branches at a node.
type exactLevel struct {
	y     [2]Labeling
	value [2]float64
}

// Maximize implements Oracle.
func (s *exactSearch) Maximize(y Labeling, c []float64) float64 {
	return s.maximize(context.Background(), y, c)
}

func (s *exactSearch) maximize(ctx context.Context, y Labeling, c []float64) float64 {
	if len(y) != s.g.N || len(c) != s.g.N {
		panic("infer: unequal numbers of labels")
	}
	s.ctx, s.c = ctx, c
	s.stopped, s.openBound, s.nodes, s.branchings = s.ctx.Err() != nil, math.Inf(-1), 1, 0
	bound := s.lp.Maximize(y, c)
	if y.IsIntegral() {
		s.stopped = false
		return bound
	}
	s.tolerance = 1e-13 * s.scale()
	s.findIncumbent(y)
	s.branch(0, y, bound)
	s.ctx = nil
	copy(y, s.best)
	return s.bestValue
}

// scale returns the sum of the sizes of all terms.
func (s *exactSearch) scale() float64 {
	var sum float64
	for i, t := range s.g.sums {
		sum += math.Abs(s.c[i]) + (t.positive-t.negative)/2
	}
	return sum
}

// branch explores the labelings that agree with the integral part of y, a
// maximizer of the relaxation with that bound.
func (s *exactSearch) branch(depth int, y Labeling, bound float64) {
	if !(bound > s.bestValue+s.tolerance) {
		return
	}
	if y.IsIntegral() {
		copy(s.best, y)
		s.bestValue = bound
		return
	}
	if s.stop() {
		s.openBound = max(s.openBound, bound)
		return
	}
	i := s.choose(y)
	level := s.level(depth)
	for side, v := range [2]uint8{Off, On} {
		z := level.y[side]
		copy(z, y)
		z[i] = v
		level.value[side] = s.lp.complete(z, s.c)
		s.nodes++
	}
	first := 0
	if level.value[1] > level.value[0] {
		first = 1
	}
	for _, side := range [2]int{first, 1 - first} {
		s.branch(depth+1, level.y[side], level.value[side])
	}
}

// stop looks, now and then, whether the context has ended.
func (s *exactSearch) stop() bool {
	s.branchings++
	if s.branchings%64 == 0 && s.ctx.Err() != nil {
		s.stopped = true
	}
	return s.stopped
}

// level returns the workspace of a depth.
func (s *exactSearch) level(depth int) *exactLevel {
	if depth == len(s.levels) {
		s.levels = append(s.levels, &exactLevel{y: [2]Labeling{make(Labeling, s.g.N), make(Labeling, s.g.N)}})
	}
	return s.levels[depth]
}

// choose returns the label at one half whose pairs with other labels at one
// half weigh most.
func (s *exactSearch) choose(y Labeling) int {
	best, heaviest := -1, -1.0
	for i, v := range y {
		if v != Half {
			continue
		}
		var weight float64
		for _, a := range s.g.Adj[i] {
			if y[a.To] == Half {
				weight += math.Abs(a.Weight)
			}
		}
		if best < 0 || weight > heaviest {
			best, heaviest = i, weight
		}
	}
	return best
}

// findIncumbent climbs from several roundings of the labels at one half: first
// by the sign of the unary terms, then at random, from a fixed seed.
func (s *exactSearch) findIncumbent(relaxed Labeling) {
	s.slope = append(s.slope[:0], s.c...)
	y := s.level(0).y[0]
	s.rng.Seed(1, 2)
	for start := range min(2+relaxed.Halves(), 50) {
		copy(y, relaxed)
		for i, v := range y {
			if v == Half && (start == 0 && s.c[i] > 0 || start > 0 && s.rng.Uint64()>>63 == 1) {
				y[i] = On
			} else if v == Half {
				y[i] = Off
			}
		}
		s.climb(y)
		if value := y.Value(s.g, s.c); start == 0 || value > s.bestValue {
			s.best = append(s.best[:0], y...)
			s.bestValue = value
		}
		if s.ctx.Err() != nil {
			return
		}
	}
}

// climb changes one label at a time, always the one that gains most.
func (s *exactSearch) climb(y Labeling) {
	for i, v := range s.c { // slope_i is the gain of switching label i from 0 to 1
		for _, a := range s.g.Adj[i] {
			if y[a.To] == On {
				v += a.Weight
			}
		}
		s.slope[i] = v
	}
	for {
		most, at := s.tolerance, -1
		for i, v := range s.slope {
			if y[i] == On {
				v = -v
			}
			if v > most {
				most, at = v, i
			}
		}
		if at < 0 {
			return
		}
		y[at] = On - y[at]
		for _, a := range s.g.Adj[at] {
			if y[at] == On {
				s.slope[a.To] += a.Weight
			} else {
				s.slope[a.To] -= a.Weight
			}
		}
	}
}
