package treesearch

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// climber returns a climb without limits but its budget, and the work of its losers.
func climber(lambda, budget float64, workers int) (*Climb, *float64) {
	lost := new(float64)
	return &Climb{
		Lambda: lambda, Workers: workers, Budget: budget,
		Solve: func(s *solver.Solver, gap, beyond float64) (solver.Bounds, solver.Status) {
			return s.Solve(context.Background(), solver.StopRule{Gap: gap, Workers: 1, Beyond: beyond})
		},
		Lost:    func(from, to *solver.Solver) { *lost += to.Work() - from.Work() },
		Stopped: func() bool { return false },
	}, lost
}

// TestClimb climbs from random trees. Whatever the number of workers, it comes to the same tree,
// which is better, trained closely, wherever it is another one; and its work is accounted for.
func TestClimb(t *testing.T) {
	t.Parallel()
	const n, lambda, gap = 6, 0.01, 0.02
	moved := 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 23))
		p := problem(rng, 60, n)
		tree := labelgraph.RandomTree(n, rng)
		slices.SortFunc(tree, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
		first := solver.New(p, tree, lambda)
		b, _ := solve(first, gap, nil)
		begin := first.Work()
		climb, lost := climber(lambda, 1e6, 1)
		s := climb.From(first, b, gap)
		if climb.Races() != len(climb.tried)-1 || climb.Races() == 0 { // no tree races twice, and the first one not at all
			t.Errorf("seed %d: %d races of %d trees", seed, climb.Races(), len(climb.tried))
		}
		testkit.CheckNear(t, "work", climb.spent, *lost+s.Work()-begin)
		three, _ := climber(lambda, 1e6, 3)
		if other := three.From(first, b, gap); !reflect.DeepEqual(other.GraphEdges(), s.GraphEdges()) || other.Certify(1) != s.Certify(1) || three.Races() != climb.Races() {
			t.Errorf("seed %d: one worker comes to %v, three to %v", seed, s.GraphEdges(), other.GraphEdges())
		}
		if none, _ := climber(lambda, 0, 1); none.From(first, b, gap) != first || none.Races() != 0 {
			t.Errorf("seed %d: %d races without a budget", seed, none.Races())
		}
		if slices.Equal(s.GraphEdges(), tree) {
			continue
		}
		moved++
		before, _ := solve(solver.New(p, tree, lambda), 1e-4, nil)
		after, _ := solve(solver.New(p, s.GraphEdges(), lambda), 1e-4, nil)
		if after.Dual >= before.Primal || !labelgraph.IsForest(n, s.GraphEdges()) {
			t.Errorf("seed %d: from %v of %v to %v of %v", seed, tree, before, s.GraphEdges(), after)
		}
	}
	if moved < 2 {
		t.Errorf("%d of the trees were left: the test needs some", moved)
	}
}

// TestChallengers holds the list of challengers to all trees that are one swap away: for each
// new edge it has that of the largest promise, unless that is negligible, the best ones first.
func TestChallengers(t *testing.T) {
	t.Parallel()
	const n, lambda = 5, 0.01
	listed := 0
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 29))
		tree := labelgraph.RandomTree(n, rng)
		slices.SortFunc(tree, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
		s := solver.New(problem(rng, 40, n), tree, lambda)
		b, _ := solve(s, 0.02, nil)
		c, _ := climber(lambda, 1, 1)
		c.best, c.bounds = s, b
		squares := s.Pull()
		sum := func(edges []labelgraph.Edge) (total float64) {
			for _, e := range edges {
				total += squares[e.Index()] / (2 * lambda)
			}
			return total
		}
		most := make(map[labelgraph.Edge]float64) // by new edge
		for other := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
			if testkit.SharedEdges(tree, other) != n-2 {
				continue
			}
			in := other[slices.IndexFunc(other, func(e labelgraph.Edge) bool { return !slices.Contains(tree, e) })]
			if promise := sum(other) - sum(tree); promise > leastPromise*b.Primal && promise > most[in] {
				most[in] = promise
			}
		}
		trees := c.challengers()
		if len(trees) != len(most) {
			t.Errorf("seed %d: %d challengers for %d edges", seed, len(trees), len(most))
		}
		for k, other := range trees {
			in := other[slices.IndexFunc(other, func(e labelgraph.Edge) bool { return !slices.Contains(tree, e) })]
			testkit.CheckNear(t, "promise", sum(other)-sum(tree), most[in])
			if k > 0 && sum(other) > sum(trees[k-1])+1e-12 {
				t.Errorf("seed %d: a promise of %v after one of %v", seed, sum(other), sum(trees[k-1]))
			}
			listed++
		}
	}
	if listed == 0 {
		t.Error("no challenger at all")
	}
}
