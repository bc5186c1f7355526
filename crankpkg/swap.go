package crankpkg

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/treeset"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// SwapSearch improves the tree of another method by swaps: one edge out of the
// tree, another one in that joins the two parts again. It takes swaps that
// lower the objective until none does so by more than the gap. The objective
// of a neighbor is computed only where its dual bound at the present tree's
// dual point (see Set) does not tell that it is no better.
type SwapSearch struct {
	Lambda float64 // l2 regularization; zero means 1/M
	// Start is the method whose tree is improved, nil means CRANK. One of this
	// package is used with the settings below; of another one the maximum
	// spanning tree of |w_ij|_1 counts.
	Start Trainer
	// Settings are those of the whole search. Gap is also the relative gap to
	// which trees are compared; zero means 0.001.
	Settings
}

// Name returns "SwapSearch".
func (SwapSearch) Name() string { return "SwapSearch" }

// WithLambda returns s with another lambda.
func (s SwapSearch) WithLambda(lambda float64) Trainer { s.Lambda = lambda; return s }

// Train trains the first tree and improves it.
func (s SwapSearch) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, s, ds)
}

func (s SwapSearch) common() (float64, Settings) {
	s.Gap = cmp.Or(s.Gap, 0.001)
	return s.Lambda, s.Settings
}

func (s SwapSearch) check() error {
	if l, ok := s.Start.(learner); ok {
		return l.check()
	}
	return nil
}

func (SwapSearch) takesGroups() error { return freeLabelsOnly("SwapSearch") }

func (s SwapSearch) learn(t *training) (*Model, *Trace, error) {
	t.known.admits = func(edges []Edge) bool { return labelgraph.IsForest(t.problem.NumLabels(), edges) }
	search := newTreeSearch(t, treeset.Trees(t.problem.NumLabels()))
	first, err := s.firstTree(t)
	if err != nil {
		return nil, nil, err
	}
	search.try([]candidateTree{{first, solver.New(t.problem, first, t.lambda)}})
	search.recordTree()
	improved, cut := true, false
	for improved && !cut {
		improved, cut = search.swap()
		search.recordTree()
	}
	t.trace.Solves = search.solves
	best := search.best
	status := best.status
	switch {
	case search.stalled:
		status = PassLimit
	case cut:
		status = t.statusOf(solver.Bounds{Primal: 1}, 0, 0) // it is out of time
	}
	return t.finish(best.solver, best.bounds, status)
}

// firstTree returns the tree to start from.
func (s SwapSearch) firstTree(t *training) ([]Edge, error) {
	start := s.Start
	if start == nil {
		start = CRANK{}
	}
	var m *Model
	var err error
	t.detour(t.set.Gap, func() {
		if l, ok := start.(learner); ok {
			m, _, err = l.learn(t)
		} else {
			m, _, err = start.WithLambda(t.lambda).Train(t.ctx, t.ds)
		}
	})
	if m == nil {
		return nil, err
	}
	return m.spanningTree(), nil
}

// SpanningTree returns the maximum spanning tree of |w_ij|_1, completed by pairs
// without a weight, in the order of Edge.Index.
func (m *Model) spanningTree() []Edge {
	all := labelgraph.AllPairs(m.NumLabels())
	sizes, norms := make([]float64, len(all)), m.PairNorms()
	for k, e := range m.Edges {
		sizes[e.Index()] = norms[k]
	}
	return labelgraph.MaximumSpanningEdges(m.NumLabels(), all, sizes, 0)
}

// swap looks for a better neighbor of the best tree. Of the neighbors that
// nothing is known of, those with the lowest bounds are trained first. It is cut
// when time runs out first.
func (s *treeSearch) swap() (improved, cut bool) {
	before := s.best
	neighbors := s.neighbors()
	for len(neighbors) > 0 && s.best == before && !s.t.stopped() && !s.stalled {
		k := min(nodeBatch, len(neighbors))
		s.try(neighbors[:k])
		neighbors = neighbors[k:]
	}
	return s.best != before, s.stalled || s.t.stopped() && len(neighbors) > 0
}

// neighbors returns the trees one swap away that may be better than the best
// one by more than the gap, the lowest bounds first.
func (s *treeSearch) neighbors() []candidateTree {
	from := s.best.solver
	tree := from.GraphEdges()
	squares := from.LeastSquares(s.edges)
	base := from.UnaryDual()
	for _, e := range tree {
		base -= squares[e.Index()] / (2 * s.t.lambda)
	}
	type neighbor struct {
		edges []Edge
		bound float64
	}
	var found []neighbor
	for k, old := range tree {
		rest := slices.Delete(slices.Clone(tree), k, k+1)
		part, _ := labelgraph.Components(s.t.problem.NumLabels(), rest)
		for _, e := range s.edges {
			if e == old || part[e.I] == part[e.J] {
				continue
			}
			bound := base + (squares[old.Index()]-squares[e.Index()])/(2*s.t.lambda)
			if bound >= s.cutoff() {
				continue
			}
			edges := append(slices.Clone(rest), e)
			slices.SortFunc(edges, func(a, b Edge) int { return a.Index() - b.Index() })
			found = append(found, neighbor{edges, bound})
		}
	}
	slices.SortStableFunc(found, func(a, b neighbor) int { return cmp.Compare(a.bound, b.bound) })
	var trees []candidateTree
	for _, f := range found {
		trees = append(trees, candidateTree{f.edges, from})
	}
	return trees
}

// recordTree adds the bounds of the best tree to the trace.
func (s *treeSearch) recordTree() {
	b := s.best.bounds
	s.t.trace.Points = append(s.t.trace.Points, TracePoint{
		Solve: s.solves, Pass: s.t.trace.Passes, OracleCalls: s.t.trace.OracleCalls,
		Elapsed: time.Since(s.t.begin), Primal: b.Primal, Dual: b.Dual, Support: len(s.best.solver.GraphEdges()),
	})
	s.t.tell("swaps", s.t.trace.Passes, b)
}
