package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/internal/treeset"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestTreeBound holds the bound at dual points of all kinds against the optima
// of all trees.
func TestTreeBound(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 3 + rng.IntN(2)
		p := randomTraining(rng, 40, 3, n, seed%2 == 0)
		lambda := 0.02 + 0.2*rng.Float64()
		s := New(p, labelgraph.AllPairs(n), lambda)
		set := treeset.NewSet(treeset.Trees(n), labelgraph.AllPairs(n))
		var optimum []float64 // of each tree of the set
		for tree := range labelgraph.SpanningTrees(n, set.Edges) {
			forest := New(p, tree, lambda)
			b, _ := forest.Solve(context.Background(), StopRule{Gap: 1e-7, Workers: 1})
			optimum = append(optimum, b.Primal)
		}
		shares := make([]float64, len(set.Edges))
		theta := make([]float64, len(set.Edges))
		for round := range 8 {
			for e := range theta {
				theta[e] = rng.NormFloat64()
			}
			set.SharesTo(shares, theta)
			s.SetShares(shares)
			for range 30 * round {
				s.visit(rng.IntN(40), true)
			}
			squares := s.LeastSquares(set.Edges)
			number := 0
			for tree := range labelgraph.SpanningTrees(n, set.Edges) {
				bound := s.UnaryDual()
				for _, e := range tree {
					bound -= squares[e.Index()] / (2 * lambda)
				}
				if bound > optimum[number]+1e-9 {
					t.Fatalf("seed %d: the bound %v is above %v for the tree %v", seed, bound, optimum[number], tree)
				}
				number++
			}
		}
	}
}

// TestShares checks the solver's state and that the dual does not decrease
// while each pair has a ridge of its own, and that a solve closes its gap.
func TestShares(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 4))
		n := 3 + rng.IntN(3)
		s := New(randomTraining(rng, 30, 3, n, seed%2 == 0), labelgraph.AllPairs(n), 0.05)
		z := make([]float64, len(s.pairs.edges))
		for range 3 {
			for e := range z {
				z[e] = max(0, rng.Float64()-0.2)
			}
			s.SetShares(z)
			for range 100 {
				before := s.dual()
				s.visit(rng.IntN(30), true)
				if after := s.dual(); after < before-1e-12*(1+math.Abs(before)) {
					t.Fatalf("seed %d: the dual fell from %v to %v", seed, before, after)
				}
			}
			checkState(t, s)
			for e, w := range s.pw.w {
				testkit.CheckNear(t, "pair weight", w, z[e]*s.pw.u[e]/s.pw.lambda)
			}
		}
		b, status := s.Solve(context.Background(), StopRule{Gap: 1e-6, Workers: 1})
		if status != Converged || b.Dual > b.Primal+1e-9 {
			t.Fatalf("seed %d: %v, bounds %v", seed, status, b)
		}
		c := s.Clone()
		checkState(t, c)
		if c.dual() != s.dual() {
			t.Fatalf("seed %d: the clone's dual is %v, not %v", seed, c.dual(), s.dual())
		}
	}
}

// TestPull holds the pull of pairs to u_ij itself where the solver has them, and where it does
// not, to the least residual.
func TestPull(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 8))
	const n = 5
	s := New(randomTraining(rng, 40, 3, n, false), []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 3}}, 0.02)
	s.Solve(context.Background(), StopRule{Gap: 0.05, Workers: 1})
	least := s.LeastSquares(labelgraph.AllPairs(n))
	for k, e := range labelgraph.AllPairs(n) {
		want := least[k]
		if at := slices.Index(s.pairs.edges, e); at >= 0 {
			want = s.pw.u[at] * s.pw.u[at]
		}
		testkit.CheckNear(t, "pull", s.Pull()[k], want)
	}
	before, passes, calls := s.Work(), s.passes, s.calls
	s.Solve(context.Background(), StopRule{Gap: 1e-3, Workers: 1})
	testkit.CheckNear(t, "work", s.Work()-before, float64(s.passes-passes)+2*float64(s.calls-calls)/40)
}
