package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// swapRow is what swaps gain on one tree.
type swapRow struct {
	Set           string
	Lambda        float64
	Start         string
	Before, After float64 // objectives
	Dual          float64 // lower bound on the objective of the tree after
	Trees         int     // trained
	CPU           float64 // of the swaps, start included
	Scores        crankpkg.Scores
}

// swapGap is the relative gap to which trees are compared.
const swapGap = 5e-4

// starts lists the methods whose trees are improved, CRANK alone where that takes
// long.
func starts(n int) []crankpkg.Trainer {
	if n > 10 {
		return []crankpkg.Trainer{paperCRANK(crankpkg.Settings{})}
	}
	return []crankpkg.Trainer{paperCRANK(crankpkg.Settings{}), crankpkg.Greedy{}, crankpkg.MST{}, crankpkg.ChowLiu{}}
}

// swaps makes question_swaps.json: SwapSearch from the trees of several methods.
func (mk *maker) swaps(ctx context.Context) error {
	var rows []swapRow
	sets := []string{"flags", "emotions", "scene", "medical10", "yeast"}
	for _, set := range pick(mk, sets, sets[:2]) {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		for _, lambda := range pick(mk, []float64{0.1, 0.03, 0.01, 0.003, 0.001}, []float64{0.1, 0.01}) {
			for _, start := range starts(train.NumLabels()) {
				t := crankpkg.SwapSearch{Lambda: lambda, Start: start, Settings: crankpkg.Settings{Gap: swapGap, Scaling: standing[set].scaling}}
				r, err := kept(ctx, mk, []string{set, fmt.Sprint(lambda), start.Name()}, []any{train, test, t}, func() (r swapRow, err error) {
					m, trace, cpu, err := mk.train(ctx, t, train)
					if err != nil {
						return r, err
					}
					return swapRow{
						Set: set, Lambda: lambda, Start: start.Name(), Before: trace.Points[0].Primal, After: trace.Primal, Dual: trace.Dual,
						Trees: trace.Solves, CPU: cpu, Scores: crankpkg.Evaluate(m, test),
					}, nil
				})
				if err != nil {
					return err
				}
				rows = append(rows, r)
			}
		}
	}
	return writeReport(mk, "question_swaps.json", rows)
}
