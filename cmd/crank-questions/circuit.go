package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
)

// circuitRow is the outcome of one graph between a tree and all pairs.
type circuitRow struct {
	Set    string
	Graph  string // how it was found: "tree + Full" or "beta path"
	Split  uint64 // seed of the split, 0 for the published one
	Rank   int    // circuit rank
	Primal float64
	// Cutset is the size of the cut set, for which 2^Cutset trees are solved.
	Cutset int
	// Exact and Relaxed are the test scores of exact predictions and of those of
	// the relaxation, rounded.
	Exact, Relaxed crankpkg.Scores
}

// circuits trains graphs of growing circuit rank on real data: CRANK's tree with
// the pairs that weigh most in Full, and the supports that CRANK passes on its way
// from all pairs to a forest.
func circuits(ctx context.Context, log io.Writer) (any, error) {
	var rows []circuitRow
	for _, s := range []setting{{"emotions", crankpkg.ZScore, 0.03}, {"scene", crankpkg.NoScaling, 0.003}, {"yeast", crankpkg.NoScaling, 0.001}} {
		for split := range uint64(4) {
			train, test, err := load(s.set, split)
			if err != nil {
				return nil, err
			}
			more, err := s.circuits(ctx, train, test)
			if err != nil {
				return nil, err
			}
			for k := range more {
				more[k].Set, more[k].Split = s.set, split
				r := more[k]
				fmt.Fprintf(log, "%s %d %-11s rank %2d cut %2d: %.4f exact %v relaxed %v\n", r.Set, split, r.Graph, r.Rank, r.Cutset, r.Primal, r.Exact, r.Relaxed)
			}
			rows = append(rows, more...)
		}
	}
	return rows, nil
}

// load returns the published split, or a random one with as many examples.
func load(set string, split uint64) (train, test *crankpkg.Dataset, err error) {
	train, test, err = crankpkg.LoadSplit(set)
	if err != nil || split == 0 {
		return train, test, err
	}
	return crankpkg.LoadSeededSplit(set, float64(train.Len())/float64(train.Len()+test.Len()), split)
}

func (s setting) circuits(ctx context.Context, train, test *crankpkg.Dataset) ([]circuitRow, error) {
	n := train.NumLabels()
	set := crankpkg.Settings{Scaling: s.scaling, Gap: 0.003}
	tree, trace, err := crankpkg.CRANK{Lambda: s.lambda, Settings: set}.Train(ctx, train)
	if err != nil {
		return nil, err
	}
	full, _, err := crankpkg.Full{Lambda: s.lambda, Settings: set}.Train(ctx, train)
	if err != nil {
		return nil, err
	}
	var rows []circuitRow
	add := func(graph string, edges []crankpkg.Edge) error {
		f := crankpkg.FixedGraph{Lambda: s.lambda, Edges: edges, Settings: set}
		m, trace, err := f.Train(ctx, train)
		if err != nil {
			return err
		}
		rows = append(rows, circuitRow{
			Graph: graph, Rank: crankpkg.CircuitRank(n, edges), Primal: trace.Primal, Cutset: len(crankpkg.FeedbackVertexSet(n, m.Edges)),
			Exact: exactScores(m, test), Relaxed: crankpkg.Evaluate(m, test),
		})
		return nil
	}
	order := heaviestOff(full, tree.Edges)
	for _, more := range []int{0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, len(order)} {
		if more > len(order) || more > 0 && more == rows[len(rows)-1].Rank {
			continue
		}
		if err := add("tree + Full", slices.Concat(tree.Edges, order[:more])); err != nil {
			return nil, err
		}
	}
	seen := map[int]bool{}
	for _, step := range trace.Steps {
		if rank := step.CircuitRank; rank > 0 && len(step.Edges) < crankpkg.NumPairs(n) && !seen[rank] {
			seen[rank] = true
			if err := add("beta path", step.Edges); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// heaviestOff lists the edges of m that are not in the tree, those with the
// largest weights first.
func heaviestOff(m *crankpkg.Model, tree []crankpkg.Edge) []crankpkg.Edge {
	order := make([]int, 0, len(m.Edges))
	for k, e := range m.Edges {
		if !slices.Contains(tree, e) {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(m.Pair[b]), math.Abs(m.Pair[a])) })
	edges := make([]crankpkg.Edge, len(order))
	for k, at := range order {
		edges[k] = m.Edges[at]
	}
	return edges
}

// exactScores evaluates exact predictions, by cut-set conditioning.
func exactScores(m *crankpkg.Model, test *crankpkg.Dataset) crankpkg.Scores {
	n, p := m.NumLabels(), m.Predictor()
	oracle := crankpkg.NewCutsetOracle(m.Graph())
	y, c := make(crankpkg.Labeling, n), make([]float64, n)
	predicted := make([]uint8, test.Len()*n)
	for k := range test.Len() {
		p.ScoresTo(c, test.Row(k))
		oracle.Maximize(y, c)
		y.RoundTo(predicted[k*n:(k+1)*n], c)
	}
	return crankpkg.EvaluateLabels(test.Y, predicted, n)
}
