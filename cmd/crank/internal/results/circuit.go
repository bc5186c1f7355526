package results

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
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

// circuit makes question_circuit.json: graphs of growing circuit rank on real data.
func (mk *maker) circuit(ctx context.Context) error {
	var rows []circuitRow
	for _, set := range pick(mk, []string{"emotions", "scene", "yeast"}, []string{"emotions"}) {
		s := crankpkg.Settings{Scaling: standing[set].scaling, Gap: 0.003}
		for split := range uint64(pick(mk, 4, 2)) {
			train, test, err := mk.resplit(set, split)
			if err != nil {
				return err
			}
			inputs := []any{train, test, standing[set].lambda, s}
			more, err := kept(ctx, mk, []string{set, fmt.Sprint(split)}, inputs, func() ([]circuitRow, error) {
				return mk.circuits(ctx, standing[set].lambda, s, train, test)
			})
			if err != nil {
				return err
			}
			for _, r := range more {
				r.Set, r.Split = set, split
				rows = append(rows, r)
			}
		}
	}
	return writeReport(mk, "question_circuit.json", rows)
}

// resplit returns the published split, or a random one with as many examples.
func (mk *maker) resplit(set string, split uint64) (train, test *crankpkg.Dataset, err error) {
	train, test, err = mk.Sets.Split(set)
	if err != nil || split == 0 {
		return train, test, err
	}
	return mk.Sets.Seeded(set, float64(train.Len())/float64(train.Len()+test.Len()), split)
}

// graph is a set of edges, and how it was found.
type graph struct {
	from  string
	edges []crankpkg.Edge
}

// circuits trains CRANK's tree with the pairs that weigh most in Full, and the
// supports that CRANK passes on its way from all pairs to a forest.
func (mk *maker) circuits(ctx context.Context, lambda float64, s crankpkg.Settings, train, test *crankpkg.Dataset) ([]circuitRow, error) {
	n := train.NumLabels()
	tree, trace, _, err := mk.train(ctx, crankpkg.CRANK{Lambda: lambda, Restarts: 10, Settings: s}, train)
	if err != nil {
		return nil, err
	}
	full, _, _, err := mk.train(ctx, crankpkg.Full{Lambda: lambda, Settings: s}, train)
	if err != nil {
		return nil, err
	}
	var rows []circuitRow
	for _, g := range append(withPairs(tree.Edges, heaviestOff(full, tree.Edges)), supports(n, trace.Steps)...) {
		m, trace, _, err := mk.train(ctx, crankpkg.FixedGraph{Lambda: lambda, Edges: g.edges, Settings: s}, train)
		if err != nil {
			return nil, err
		}
		rows = append(rows, circuitRow{
			Graph: g.from, Rank: labelgraph.CircuitRank(n, g.edges), Primal: trace.Primal,
			Cutset: len(infer.FeedbackVertexSet(n, m.Edges)), Exact: exactScores(m, test), Relaxed: crankpkg.Evaluate(m, test),
		})
	}
	return rows, nil
}

// withPairs returns the tree with the first of the other pairs, and more and more
// of them.
func withPairs(tree, pairs []crankpkg.Edge) []graph {
	counts := []int{0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, len(pairs)}
	counts = slices.DeleteFunc(counts, func(count int) bool { return count > len(pairs) })
	var graphs []graph
	for _, count := range slices.Compact(counts) {
		graphs = append(graphs, graph{"tree + Full", slices.Concat(tree, pairs[:count])})
	}
	return graphs
}

// supports returns the supports with cycles that CRANK passed after that of all
// pairs, the first of each rank.
func supports(n int, steps []crankpkg.Step) []graph {
	var graphs []graph
	seen := map[int]bool{0: true}
	for _, step := range steps {
		if len(step.Edges) < labelgraph.NumPairs(n) && !seen[step.CircuitRank] {
			seen[step.CircuitRank] = true
			graphs = append(graphs, graph{"beta path", step.Edges})
		}
	}
	return graphs
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
	oracle := infer.NewCutsetOracle(m.Graph())
	y, c := make(crankpkg.Labeling, n), make([]float64, n)
	predicted := make([]uint8, test.Len()*n)
	for k := range test.Len() {
		p.ScoresTo(c, test.Row(k))
		oracle.Maximize(y, c)
		y.RoundTo(predicted[k*n:(k+1)*n], c)
	}
	return metrics.Evaluate(test.Y, predicted, n)
}
