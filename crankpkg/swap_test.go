package crankpkg

import (
	"context"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
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
		if testkit.SharedEdges(tree, other) != 3 {
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
