package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// TestLeastResiduals compares with joint marginals drawn within Frechet's
// bounds: none comes nearer to zero, and some choice comes as near.
func TestLeastResiduals(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		p := randomTraining(rng, 30, 4, 6, seed%2 == 0)
		s := New(p, []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 3, J: 5}}, 0.05)
		s.Solve(context.Background(), StopRule{Gap: 0.05, Seed: seed, Workers: 1})
		least, mu := s.LeastResiduals(), s.marginals()
		own := map[labelgraph.Edge]float64{}
		for e, edge := range s.pairs.edges {
			own[edge] = s.pw.u[e]
		}
		for _, edge := range labelgraph.AllPairs(p.n) {
			got := least[edge.Index()]
			if u, used := own[edge]; used {
				if got != u {
					t.Errorf("pair %v of the solver: %v, want %v", edge, got, u)
				}
				continue
			}
			lowest, highest := frechetRange(s, mu, edge)
			if want := math.Max(lowest, math.Min(highest, 0)); !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("pair %v: %v, want %v, nearest to zero in [%v, %v]", edge, got, want, lowest, highest)
			}
		}
	}
}

// frechetRange returns the range of u_ij over all tables of two binary labels
// with the marginals mu, found from the corners where a cell of the table is zero.
func frechetRange(s *Solver, mu []float64, e labelgraph.Edge) (lowest, highest float64) {
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
	t.Parallel()
	hidden := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 4))
		p := randomTraining(rng, 40, 4, 5, false)
		few := New(p, nil, 0.02)
		few.Solve(context.Background(), StopRule{Gap: 1e-4, Seed: seed, Workers: 1})
		beta := floats.Norm(few.LeastResiduals(), math.Inf(1))
		if floats.Norm(few.allResiduals(), math.Inf(1)) > beta {
			hidden++
		}
		all := New(p, labelgraph.AllPairs(p.n), 0.02)
		all.SetPenalty(beta, nil)
		b, _ := all.Solve(context.Background(), StopRule{Gap: 1e-4, Seed: seed, Workers: 1})
		if dual := few.dual(); dual > b.Primal+1e-9 {
			t.Errorf("seed %d: the dual of no pair is %v, the optimum of all at most %v", seed, dual, b.Primal)
		}
	}
	if hidden == 0 {
		t.Error("the labelings show all that the marginals do: the test is too easy")
	}
}

// TestCompletionTakesLeastResiduals checks that the pairs that complete a forest
// are those whose residual stays large for all joint marginals.
func TestCompletionTakesLeastResiduals(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 5))
	p := randomTraining(rng, 60, 4, 7, false)
	s := New(p, []labelgraph.Edge{{I: 0, J: 1}, {I: 2, J: 3}}, 0.05)
	s.Solve(context.Background(), StopRule{Gap: 0.05, Workers: 1})
	tree := s.SpanningTree(0)
	if len(tree) != p.n-1 || !labelgraph.IsForest(p.n, tree) {
		t.Fatalf("%v is no spanning tree", tree)
	}
	kept := map[labelgraph.Edge]bool{}
	for _, e := range tree {
		kept[e] = true
	}
	support, _ := s.support()
	for _, e := range support {
		if !kept[e] {
			t.Errorf("pair %v with a weight is missing in %v", e, tree)
		}
	}
	u := s.LeastResiduals()
	for k, out := range tree { // no pair across the cut is larger
		if s.graph.Weight(out) != 0 {
			continue
		}
		rest := append(append([]labelgraph.Edge{}, tree[:k]...), tree[k+1:]...)
		part, _ := labelgraph.Components(p.n, rest)
		for _, e := range labelgraph.AllPairs(p.n) {
			if part[e.I] != part[e.J] && math.Abs(u[e.Index()]) > math.Abs(u[out.Index()]) {
				t.Errorf("pair %v is in the tree, %v would be better", out, e)
			}
		}
	}
}

// TestAdmit checks by pair what joins, and that the pairs that were there keep
// their v, whatever comes between them.
func TestAdmit(t *testing.T) {
	t.Parallel()
	kept := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 18))
		n := 2 + rng.IntN(5)
		f := feature.EdgeFeatures{}
		if seed%2 == 0 {
			f.All = true
		}
		s := New(generalProblem(rng, 10, 2, n, false, infer.Loss{}, f), testkit.RandomEdges(n, 0.4, rng), 0.1)
		k := s.pw.k
		v := make([]float64, len(s.pw.w))
		want := make(map[labelgraph.Edge][]float64)
		for e, edge := range s.pairs.edges {
			for q := range k {
				v[e*k+q] = float64(rng.IntN(3) - 1)
			}
			want[edge] = slices.Clone(v[e*k : (e+1)*k])
			kept++
		}
		u, beta := make([]float64, labelgraph.NumPairs(n)*k), 0.5+rng.Float64()
		for e := range u {
			u[e] = rng.NormFloat64()
		}
		more := false
		for _, edge := range labelgraph.AllPairs(n) {
			if _, used := want[edge]; used {
				continue
			}
			for _, v := range u[edge.Index()*k : (edge.Index()+1)*k] {
				if !(math.Abs(v) <= beta) {
					want[edge], more = make([]float64, k), true
				}
			}
		}
		v, got := s.Admit(u, beta, v)
		if got != more {
			t.Fatalf("seed %d: admits %v, want %v", seed, got, more)
		}
		if len(s.pairs.edges) != len(want) || len(v) != len(want)*k {
			t.Fatalf("seed %d: %d pairs and %d values of v, want %d pairs", seed, len(s.pairs.edges), len(v), len(want))
		}
		for e, edge := range s.pairs.edges {
			if v := v[e*k : (e+1)*k]; !slices.Equal(v, want[edge]) {
				t.Errorf("seed %d, pair %v: v = %v, want %v", seed, edge, v, want[edge])
			}
		}
	}
	if kept == 0 {
		t.Error("no pair was there before")
	}
}
