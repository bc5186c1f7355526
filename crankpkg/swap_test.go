package crankpkg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/treeset"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestSwapSearch starts from poor trees: the result is a tree none of whose
// neighbors is better by more than the gap.
func TestSwapSearch(t *testing.T) {
	const lambda, gap = 0.02, 1e-3
	train, _ := planted(t, 5, 60, 6)
	star := []Edge{{I: 0, J: 4}, {I: 1, J: 4}, {I: 2, J: 4}, {I: 3, J: 4}}
	m, trace, err := SwapSearch{
		Lambda: lambda, Start: FixedGraph{Edges: star}, Settings: Settings{Gap: gap},
	}.Train(context.Background(), train)
	if err != nil || trace.Status != Converged || trace.Gap() > gap {
		t.Fatalf("%v, gap %v, %v", trace.Status, trace.Gap(), err)
	}
	if first, last := trace.Points[0].Primal, trace.Primal; !(last < first*(1-gap)) {
		t.Errorf("from %v to %v: no swap was found, so there is nothing to test", first, last)
	}
	tree := m.spanningTree()
	for other := range labelgraph.SpanningTrees(5, labelgraph.AllPairs(5)) {
		if shared(tree, other) != 3 {
			continue
		}
		f := FixedGraph{Lambda: lambda, Edges: other, Settings: Settings{Gap: 1e-4}}
		_, neighbor, err := f.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		if neighbor.Primal < trace.Primal*(1-gap) {
			t.Errorf("%v with %v is better than %v with %v", other, neighbor.Primal, tree, trace.Primal)
		}
	}
	if _, best, _ := (BestTree{Lambda: lambda}).Train(context.Background(), train); trace.Primal < best.Dual {
		t.Errorf("%v is below the bound %v on all trees", trace.Primal, best.Dual)
	}
}

// shared counts the edges that two trees have in common.
func shared(a, b []Edge) int {
	has := make(map[Edge]bool)
	for _, e := range a {
		has[e] = true
	}
	count := 0
	for _, e := range b {
		if has[e] {
			count++
		}
	}
	return count
}

// swapTraining returns a search at a trained first tree.
func swapTraining(t *testing.T, ds *Dataset, set Settings, first []Edge) *treeSearch {
	t.Helper()
	training, err := newTraining(context.Background(), SwapSearch{Lambda: 0.05, Settings: set}, ds)
	if err != nil {
		t.Fatal(err)
	}
	s := newTreeSearch(training, treeset.Trees(ds.NumLabels()))
	s.try([]candidateTree{{first, solver.New(training.problem, first, training.lambda)}})
	return s
}

// TestSwapNeighbors lists the trees one swap away by enumeration: those whose dual
// bound does not tell that they are no better, and only those, are neighbors, the
// lowest bounds first, and none that training finds better is left out.
func TestSwapNeighbors(t *testing.T) {
	t.Parallel()
	kept, dropped, better := 0, 0, 0
	for seed := range uint64(6) {
		const n = 5
		train, _ := planted(t, n, 40, seed)
		rng := rand.New(rand.NewPCG(seed, 17))
		first := labelgraph.RandomTree(n, rng)
		slices.SortFunc(first, func(a, b Edge) int { return a.Index() - b.Index() })
		s := swapTraining(t, train, Settings{Gap: 0.01, Workers: 1}, first)
		bounds := make(map[string]float64)
		for _, c := range s.neighbors() {
			bounds[fmt.Sprint(c.edges)] = s.treeBound(c.edges)
		}
		last := math.Inf(-1)
		for _, c := range s.neighbors() {
			if b := s.treeBound(c.edges); b < last-1e-12 {
				t.Errorf("seed %d: a bound of %v after one of %v", seed, b, last)
			} else {
				last = b
			}
		}
		for tree := range labelgraph.SpanningTrees(n, labelgraph.AllPairs(n)) {
			_, listed := bounds[fmt.Sprint(tree)]
			switch neighbor := shared(first, tree) == n-2; {
			case listed && !neighbor:
				t.Errorf("seed %d: %v is not one swap from %v", seed, tree, first)
			case neighbor && listed != (s.treeBound(tree) < s.cutoff()):
				t.Errorf("seed %d: %v of bound %v at a cutoff of %v: listed %v", seed, tree, s.treeBound(tree), s.cutoff(), listed)
			case listed:
				kept++
			case neighbor:
				dropped++
				b, _ := solver.New(s.t.problem, tree, s.t.lambda).Solve(context.Background(), solver.StopRule{Gap: 3e-3, Workers: 1})
				if b.Primal < s.cutoff() {
					t.Errorf("seed %d: %v with %v is left out at a cutoff of %v", seed, tree, b.Primal, s.cutoff())
				}
			}
		}
		before := s.best.bounds.Primal
		if improved, _ := s.swap(); improved != (s.best.bounds.Primal < before) {
			t.Errorf("seed %d: improved %v, from %v to %v", seed, improved, before, s.best.bounds.Primal)
		} else if improved {
			better++
		}
	}
	if kept == 0 || dropped == 0 || better == 0 {
		t.Errorf("%d neighbors are kept, %d dropped, and %d trees improved: the test needs all three", kept, dropped, better)
	}
}

// treeBound returns the lower bound on the objective of a tree at the dual point
// of the best one: what the tree's pairs take from the unary part of the dual.
func (s *treeSearch) treeBound(tree []Edge) float64 {
	bound := s.best.solver.UnaryDual()
	for _, square := range s.best.solver.LeastSquares(tree) {
		bound -= square / (2 * s.t.lambda)
	}
	return bound
}

// foreignTrainer is a method of another package: it returns the tree it was made
// with, and tells the lambda at which it was trained.
type foreignTrainer struct {
	lambda float64
	tree   []Edge
	told   *[]float64
}

func (foreignTrainer) Name() string { return "foreign" }

func (f foreignTrainer) WithLambda(lambda float64) Trainer { f.lambda = lambda; return f }

func (f foreignTrainer) Train(_ context.Context, ds *Dataset) (*Model, *Trace, error) {
	*f.told = append(*f.told, f.lambda)
	m := &Model{LabelNames: ds.LabelNames, FeatureNames: ds.FeatureNames, Edges: f.tree, Pair: slices.Repeat([]float64{1}, len(f.tree))}
	m.Unary = make([]float64, ds.NumLabels()*(ds.NumFeatures()+1))
	return m, &Trace{}, nil
}

// TestSwapSearchStartsAnyMethod starts from the tree of another method, which is
// trained once and at the lambda of the search.
func TestSwapSearchStartsAnyMethod(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 5, 50, 6)
	star := []Edge{{I: 0, J: 4}, {I: 1, J: 4}, {I: 2, J: 4}, {I: 3, J: 4}}
	for _, lambda := range []float64{0.03, 0} {
		var told []float64
		start := foreignTrainer{lambda: 99, tree: star, told: &told}
		_, trace, err := SwapSearch{Lambda: lambda, Start: start, Settings: Settings{Gap: 0.01}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		want := lambda
		if want == 0 {
			want = 1. / 50
		}
		if !slices.Equal(told, []float64{want}) {
			t.Errorf("started at the lambdas %v, want %v", told, want)
		}
		_, alone, err := FixedGraph{Lambda: lambda, Edges: star, Settings: Settings{Gap: 1e-3}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		if first := trace.Points[0]; first.Primal < alone.Dual || first.Dual > alone.Primal {
			t.Errorf("the first tree has [%v, %v], the star [%v, %v]", first.Dual, first.Primal, alone.Dual, alone.Primal)
		}
	}
}
