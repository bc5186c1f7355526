package crankpkg

import (
	"cmp"
	"context"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/treesearch"
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
	if l, ok := methodOf(s.Start); ok {
		return l.check()
	}
	return nil
}

func (SwapSearch) takesGroups() error { return freeLabelsOnly("SwapSearch") }

func (s SwapSearch) learn(t *training) (*Model, *Trace, error) {
	t.known.admits = func(edges []Edge) bool { return labelgraph.IsForest(t.problem.NumLabels(), edges) }
	search := t.newSearch(treeset.Trees(t.problem.NumLabels()))
	first, err := s.firstTree(t)
	if err != nil {
		return nil, nil, err
	}
	cut := search.Swaps(first, solver.New(t.problem, first, t.lambda))
	t.trace.Solves = search.Solves()
	best, bounds, status := search.Best()
	switch {
	case search.Stalled():
		status = PassLimit
	case cut:
		status = t.statusOf(solver.Bounds{Primal: 1}, 0, 0) // it is out of time
	}
	return t.finish(best, bounds, status)
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
		if l, ok := methodOf(start); ok {
			m, _, err = l.learn(t)
		} else if start, err = atLambda(start, t.lambda); err == nil {
			m, _, err = trainStored(t.ctx, start, t.ds)
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

const (
	// raceGap is the relative gap at which trees race first. Duals at 2 % tell trees apart
	// that differ by 0.1 %, since they set out from one dual point. Where the model is
	// trained to much smaller gaps, races follow at raceStep of the gap before, down to
	// four times the model's.
	raceGap  = 0.02
	raceStep = 0.25
	// raceShare is the work of the races at one gap in multiples of all work before.
	raceShare = 0.5
)

// climb improves the tree of a start of CRANK by swaps that are not certified (see
// treesearch.Climb).
func (s *crankStart) climb(t *training) {
	for gap := max(raceGap, 2*t.set.Gap); ; gap *= raceStep {
		b, status := s.solve(t, gap, "tree")
		if s.stalled = s.stalled || t.stalled(status); status != Converged {
			return
		}
		climb := &treesearch.Climb{
			Lambda: t.lambda, Workers: t.set.Workers, Budget: raceShare * s.solver.Work(),
			Solve: func(x *solver.Solver, gap, beyond float64) (solver.Bounds, Status) {
				return x.Solve(t.ctx, solver.StopRule{
					Gap: gap, Passes: t.mostPasses(gap), Deadline: t.deadline, Workers: 1, Seed: s.seed, Beyond: beyond,
				})
			},
			Lost: t.count, Stopped: t.stopped,
		}
		s.solver = climb.From(s.solver, b, gap)
		t.trace.Solves += climb.Races()
		if gap*raceStep < 4*t.set.Gap || t.stopped() {
			return
		}
	}
}
