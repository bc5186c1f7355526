package crankpkg

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestLeastResiduals compares with joint marginals drawn within Frechet's
// bounds: none comes nearer to zero, and some choice comes as near.
func TestLeastResiduals(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		p := randomTraining(rng, 30, 4, 6, seed%2 == 0)
		s := newSolver(p, []Edge{{0, 1}, {1, 2}, {3, 5}}, 0.05)
		s.solve(context.Background(), stopRule{gap: 0.05, seed: seed, workers: 1})
		least, mu := s.leastResiduals(), s.marginals()
		own := map[Edge]float64{}
		for e, edge := range s.pairs.edges {
			own[edge] = s.pw.u[e]
		}
		for _, edge := range AllPairs(p.n) {
			got := least[edge.Index()]
			if u, used := own[edge]; used {
				if got != u {
					t.Errorf("pair %v of the solver: %v, want %v", edge, got, u)
				}
				continue
			}
			lowest, highest := frechetRange(s, mu, edge)
			if want := math.Max(lowest, math.Min(highest, 0)); math.Abs(got-want) > 1e-12 {
				t.Errorf("pair %v: %v, want %v, nearest to zero in [%v, %v]", edge, got, want, lowest, highest)
			}
		}
	}
}

// frechetRange returns the range of u_ij over all tables of two binary labels
// with the marginals mu, found from the corners where a cell of the table is zero.
func frechetRange(s *solver, mu []float64, e Edge) (lowest, highest float64) {
	for m := range s.ex {
		a, b := mu[m*s.n+e.I], mu[m*s.n+e.J]
		y := s.labelsOf(m)
		truth := float64(y[e.I] & y[e.J])
		least, most := math.Inf(1), math.Inf(-1)
		for _, both := range []float64{0, a, b, a + b - 1} {
			if min(both, a-both, b-both, 1-a-b+both) > -1e-12 {
				least, most = min(least, both), max(most, both)
			}
		}
		lowest += (truth - most) * s.step
		highest += (truth - least) * s.step
	}
	return lowest, highest
}

// TestFewPairsBoundAll checks what lets beta shrink from few pairs: where no
// least residual exceeds beta, the dual of the solver's few pairs bounds the
// penalized objective over all pairs, although the labelings alone do not show it.
func TestFewPairsBoundAll(t *testing.T) {
	hidden := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 4))
		p := randomTraining(rng, 40, 4, 5, false)
		few := newSolver(p, nil, 0.02)
		few.solve(context.Background(), stopRule{gap: 1e-4, seed: seed, workers: 1})
		beta := floats.Norm(few.leastResiduals(), math.Inf(1))
		if floats.Norm(few.allResiduals(), math.Inf(1)) > beta {
			hidden++
		}
		all := newSolver(p, AllPairs(p.n), 0.02)
		all.setPenalty(beta, nil)
		b, _ := all.solve(context.Background(), stopRule{gap: 1e-4, seed: seed, workers: 1})
		if dual := few.dual(); dual > b.primal+1e-9 {
			t.Errorf("seed %d: the dual of no pair is %v, the optimum of all at most %v", seed, dual, b.primal)
		}
	}
	if hidden == 0 {
		t.Error("the labelings show all that the marginals do: the test is too easy")
	}
}

// TestCompletionTakesLeastResiduals checks that the pairs that complete a forest
// are those whose residual stays large for all joint marginals.
func TestCompletionTakesLeastResiduals(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 5))
	p := randomTraining(rng, 60, 4, 7, false)
	s := newSolver(p, []Edge{{0, 1}, {2, 3}}, 0.05)
	s.solve(context.Background(), stopRule{gap: 0.05, workers: 1})
	tree := s.spanningTree(0)
	if len(tree) != p.n-1 || !IsForest(p.n, tree) {
		t.Fatalf("%v is no spanning tree", tree)
	}
	kept := map[Edge]bool{}
	for _, e := range tree {
		kept[e] = true
	}
	support, _ := s.support()
	for _, e := range support {
		if !kept[e] {
			t.Errorf("pair %v with a weight is missing in %v", e, tree)
		}
	}
	u := s.leastResiduals()
	for k, out := range tree { // no pair across the cut is larger
		if s.graph.Weight(out) != 0 {
			continue
		}
		rest := append(append([]Edge{}, tree[:k]...), tree[k+1:]...)
		part, _ := Components(p.n, rest)
		for _, e := range AllPairs(p.n) {
			if part[e.I] != part[e.J] && math.Abs(u[e.Index()]) > math.Abs(u[out.Index()]) {
				t.Errorf("pair %v is in the tree, %v would be better", out, e)
			}
		}
	}
}
