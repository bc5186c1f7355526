package crankpkg

import (
	"context"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// FixedGraph trains the weights of a given label graph:
//
//	min_w  lambda/2 |w|^2 + (1/M) sum_m h^m(w),   w_ij = 0 off the graph.
//
// On a graph with cycles the hinge is that of the LP relaxation.
type FixedGraph struct {
	Lambda float64 // l2 regularization; zero means 1/M
	Edges  []Edge
	Settings
}

// Name returns "Fixed".
func (FixedGraph) Name() string { return "Fixed" }

// WithLambda returns f with another lambda.
func (f FixedGraph) WithLambda(lambda float64) Trainer { f.Lambda = lambda; return f }

// Train solves the problem to the relative gap of the settings.
func (f FixedGraph) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, f, ds)
}

func (f FixedGraph) common() (float64, Settings) { return f.Lambda, f.Settings }

func (f FixedGraph) meetsCycles(n int) bool {
	edges, err := sortEdges(f.Edges, n)
	return err == nil && !labelgraph.IsForest(n, edges)
}

func (f FixedGraph) learn(t *training) (*Model, *Trace, error) {
	edges, err := sortEdges(f.Edges, t.problem.NumVertices())
	if err != nil {
		return nil, nil, err
	}
	return t.solveEdges(edges)
}

// solveEdges trains on the given edges from the start.
func (t *training) solveEdges(edges []Edge) (*Model, *Trace, error) {
	s := solver.New(t.problem, edges, t.lambda)
	b, status := t.solveLast(s, t.set.Gap, "solve")
	return t.finish(s, b, status)
}

// sortEdges returns a copy of edges in the order of Edge.Index, or an error
// when one is not an edge over n labels or occurs twice.
func sortEdges(edges []Edge, n int) ([]Edge, error) {
	sorted := slices.Clone(edges)
	for _, e := range sorted {
		if e.I < 0 || e.I >= e.J || e.J >= n {
			return nil, fmt.Errorf("%w: %v is not an edge over %d labels", ErrSettings, e, n)
		}
	}
	slices.SortFunc(sorted, func(a, b Edge) int { return a.Index() - b.Index() })
	for k := 1; k < len(sorted); k++ {
		if sorted[k] == sorted[k-1] {
			return nil, fmt.Errorf("%w: the edge %v occurs twice", ErrSettings, sorted[k])
		}
	}
	return sorted, nil
}
