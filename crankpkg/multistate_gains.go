package crankpkg

import (
	"math"
	"slices"
)

// stateGain is how far an edge between variables lowers the objective of a
// forest, whose optimum the solver has reached with it.
type stateGain struct {
	edge   Edge
	gain   float64
	solver *solver
}

// learnStateGreedy is Greedy for variables of several states.
func (t *training) learnStateGreedy(gap float64) (*Model, *Trace, error) {
	s := newSolver(t.problem, nil, t.lambda)
	b, _ := t.solve(s, gap, "no pairs")
	for !t.stopped() {
		gains := t.stateGains(s, b, gap)
		best := stateGain{}
		for _, g := range gains {
			if g.gain > best.gain {
				best = g
			}
		}
		if best.solver == nil {
			break
		}
		s, b.primal = best.solver, b.primal-best.gain
	}
	b, status := t.solve(s, t.set.Gap, "forest")
	return t.finish(s, b, status)
}

// learnStateMST is MST for variables of several states.
func (t *training) learnStateMST(gap float64) (*Model, *Trace, error) {
	s := newSolver(t.problem, nil, t.lambda)
	b, _ := t.solve(s, gap, "no pairs")
	var edges []Edge
	var weights []float64
	for _, g := range t.stateGains(s, b, gap) {
		edges, weights = append(edges, g.edge), append(weights, g.gain)
	}
	var tree []Edge
	for _, e := range MaximumSpanningForest(t.problem.numVariables(), edges, weights, t.set.Seed) {
		tree = append(tree, edges[e])
	}
	return t.solveEdges(tree)
}

// stateGains trains the forest of s with each edge that closes no cycle, from
// where s is. Its bounds are b.
func (t *training) stateGains(s *solver, b bounds, gap float64) []stateGain {
	forest := s.graphEdges()
	component, _ := Components(t.problem.numVariables(), forest)
	var gains []stateGain
	for _, e := range AllPairs(t.problem.numVariables()) {
		if component[e.I] != component[e.J] {
			gains = append(gains, stateGain{edge: e})
		}
	}
	points := make([][]TracePoint, len(gains))
	t.parallel(len(gains), func(k int) {
		g := &gains[k]
		if t.stopped() {
			return
		}
		edges, _ := sortEdges(append(slices.Clone(forest), g.edge), t.problem.numVariables())
		g.solver = s.clone()
		g.solver.setEdges(t.problem.pairsOf(edges))
		with, _ := t.solveInto(&points[k], g.solver, crew{workers: 1}, t.set.Seed, gap, "gain")
		g.gain = b.primal - with.primal
	})
	return gains
}

// informationTree returns the maximum spanning tree of the variables' empirical
// mutual information (Chow and Liu 1968).
func (p *problem) informationTree(seed uint64) []Edge {
	n := p.numVariables()
	all := AllPairs(n)
	info := make([]float64, len(all))
	for k, e := range all {
		info[k] = p.information(e)
	}
	var tree []Edge
	for _, e := range MaximumSpanningForest(n, all, info, seed) {
		tree = append(tree, all[e])
	}
	return tree
}

// information returns the mutual information of the states of an edge's ends in
// the training examples, in nats.
func (p *problem) information(e Edge) float64 {
	l, total := p.states, len(p.y)/p.n
	ki, kj := l.states[e.I], l.states[e.J]
	joint, first, second := make([]float64, ki*kj), make([]float64, ki), make([]float64, kj)
	for m := range total {
		y := p.y[m*p.n : (m+1)*p.n]
		s := slices.Index(y[l.start[e.I]:], 1)
		t := slices.Index(y[l.start[e.J]:], 1)
		joint[s*kj+t] += 1 / float64(total)
		first[s] += 1 / float64(total)
		second[t] += 1 / float64(total)
	}
	var sum float64
	for s, a := range first {
		for t, b := range second {
			if v := joint[s*kj+t]; v > 0 {
				sum += v * math.Log(v/(a*b))
			}
		}
	}
	return max(sum, 0)
}
