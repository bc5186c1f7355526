package treesearch

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/internal/treeset"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// problem returns m random examples of n labels that depend on one another.
func problem(rng *rand.Rand, m, n int) *solver.Problem {
	x, y := testkit.RandomExamples(rng, m, 4, n, false)
	return solver.NewProblem(x, y, n, infer.Loss{}, nil, nil)
}

// solve runs a solver to a gap without any other limit.
func solve(s *solver.Solver, gap float64, prune func(solver.Bounds) bool) (solver.Bounds, solver.Status) {
	return s.Solve(context.Background(), solver.StopRule{Gap: gap, Workers: 1, Prune: prune})
}

// config returns that of a search without limits, which keeps its points.
func config(lambda, gap float64, points *[]Point) Config {
	return Config{
		Lambda: lambda, Gap: gap, Workers: 1, Solve: solve,
		Stalls:  func(solver.Status) bool { return false },
		Stopped: func() bool { return false },
		Ends:    func(b solver.Bounds) bool { return b.Gap() <= gap },
		Count:   func(_, _ *solver.Solver) {},
		Record:  func(p Point) { *points = append(*points, p) },
	}
}

// allPairs returns a solver at a rough dual point of the problem with all pairs.
func allPairs(p *solver.Problem, lambda float64) *solver.Solver {
	s := solver.New(p, labelgraph.AllPairs(p.NumVertices()), lambda)
	solve(s, 0.2, nil)
	return s
}

// TestSearchIsCertified holds the bounds of both searches, at each point, to the training
// of every tree.
func TestSearchIsCertified(t *testing.T) {
	t.Parallel()
	const n, lambda, gap = 4, 0.02, 1e-3
	split := 0
	for seed := range uint64(2) {
		p := problem(rand.New(rand.NewPCG(seed, 5)), 30, n)
		want := solver.Bounds{Primal: math.Inf(1), Dual: math.Inf(1)}
		for tree := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
			b, _ := solve(solver.New(p, tree, lambda), 3e-4, nil)
			want.Primal, want.Dual = min(want.Primal, b.Primal), min(want.Dual, b.Dual)
		}
		root := allPairs(p, lambda)
		for _, run := range []func(*Search){
			func(s *Search) { s.BranchAndBound(root, [][]labelgraph.Edge{nil}); split += s.Solves() - 2 },
			func(s *Search) { s.Enumerate(root) },
		} {
			var points []Point
			s := New(treeset.Trees(n), config(lambda, gap, &points))
			run(s)
			for _, p := range points {
				if p.Bounds.Dual > want.Primal || p.Bounds.Primal < want.Dual {
					t.Errorf("seed %d: [%v, %v] after %d solves, but the best of all trees is in [%v, %v]",
						seed, p.Bounds.Dual, p.Bounds.Primal, p.Solves, want.Dual, want.Primal)
				}
			}
			if b := s.Bounds(); b.Gap() > gap || b != points[len(points)-1].Bounds {
				t.Errorf("seed %d: ends at %v of gap %v, the last point is %v", seed, b, b.Gap(), points[len(points)-1].Bounds)
			}
			best, b, _ := s.Best()
			if tree := best.GraphEdges(); len(tree) != n-1 || !labelgraph.IsForest(n, tree) || b.Primal != s.Bounds().Primal {
				t.Errorf("seed %d: the best tree is %v with %v, the search has %v", seed, tree, b, s.Bounds())
			}
		}
	}
	if split < 3 {
		t.Errorf("%d solves beyond the first tree and node: nothing to test", split)
	}
}

// TestWorkersChangeNothing compares the points of searches by one and by three workers.
func TestWorkersChangeNothing(t *testing.T) {
	t.Parallel()
	const n, lambda, gap = 4, 0.02, 1e-3
	p := problem(rand.New(rand.NewPCG(1, 6)), 30, n)
	root := allPairs(p, lambda)
	star := []labelgraph.Edge{{I: 0, J: 3}, {I: 1, J: 3}, {I: 2, J: 3}}
	for k, run := range []func(*Search){
		func(s *Search) { s.BranchAndBound(root, [][]labelgraph.Edge{nil}) },
		func(s *Search) { s.Enumerate(root) },
		func(s *Search) { s.Swaps(star, solver.New(p, star, lambda)) },
	} {
		var points [2][]Point
		for side, workers := range []int{1, 3} {
			c := config(lambda, gap, &points[side])
			c.Workers = workers
			run(New(treeset.Trees(n), c))
		}
		if len(points[0]) < 2 || !slices.Equal(points[0], points[1]) {
			t.Errorf("search %d: one worker comes by %v, three by %v", k, points[0], points[1])
		}
	}
}

// TestSearchStops ends searches by each of the reasons that the training may have.
func TestSearchStops(t *testing.T) {
	t.Parallel()
	const n, lambda = 5, 0.02
	p := problem(rand.New(rand.NewPCG(2, 6)), 30, n)
	root := allPairs(p, lambda)
	star := []labelgraph.Edge{{I: 0, J: 4}, {I: 1, J: 4}, {I: 2, J: 4}, {I: 3, J: 4}}
	for name, c := range map[string]struct {
		change func(*Config)
		run    func(*Search) bool
		stalls bool
	}{
		"ended":         {func(c *Config) { c.Ends = func(solver.Bounds) bool { return true } }, func(s *Search) bool { s.BranchAndBound(root, [][]labelgraph.Edge{nil}); return true }, false},
		"stalled":       {func(c *Config) { c.Stalls = func(solver.Status) bool { return true } }, func(s *Search) bool { s.BranchAndBound(root, [][]labelgraph.Edge{nil}); return true }, true},
		"swaps stopped": {func(c *Config) { c.Stopped = func() bool { return true } }, func(s *Search) bool { return s.Swaps(star, solver.New(p, star, lambda)) }, false},
		"swaps stalled": {func(c *Config) { c.Stalls = func(solver.Status) bool { return true } }, func(s *Search) bool { return s.Swaps(star, solver.New(p, star, lambda)) }, true},
	} {
		var points []Point
		cfg := config(lambda, 1e-6, &points)
		c.change(&cfg)
		s := New(treeset.Trees(n), cfg)
		if cut := c.run(s); !cut || s.Solves() != 1 || s.Stalled() != c.stalls {
			t.Errorf("%s: cut %v after %d solves, stalled %v", name, cut, s.Solves(), s.Stalled())
		}
	}
}
