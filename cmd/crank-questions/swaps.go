package main

import (
	"context"
	"fmt"
	"io"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/cputime"
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
		return []crankpkg.Trainer{crankpkg.CRANK{}}
	}
	return []crankpkg.Trainer{crankpkg.CRANK{}, crankpkg.Greedy{}, crankpkg.MST{}, crankpkg.ChowLiu{}}
}

// swaps starts SwapSearch from the trees of several methods.
func swaps(ctx context.Context, log io.Writer) (any, error) {
	var rows []swapRow
	for _, s := range []setting{
		{"flags", crankpkg.ZScore, 0}, {"emotions", crankpkg.ZScore, 0}, {"scene", crankpkg.NoScaling, 0},
		{"medical10", crankpkg.NoScaling, 0}, {"yeast", crankpkg.NoScaling, 0},
	} {
		train, test, err := crankpkg.LoadSplit(s.set)
		if err != nil {
			return nil, err
		}
		for _, lambda := range []float64{0.1, 0.03, 0.01, 0.003, 0.001} {
			for _, start := range starts(train.NumLabels()) {
				begin := cputime.Seconds()
				m, trace, err := crankpkg.SwapSearch{
					Lambda: lambda, Start: start, Settings: crankpkg.Settings{Gap: swapGap, Scaling: s.scaling},
				}.Train(ctx, train)
				if err != nil {
					return nil, err
				}
				r := swapRow{
					Set: s.set, Lambda: lambda, Start: start.Name(), Before: trace.Points[0].Primal, After: trace.Primal, Dual: trace.Dual,
					Trees: trace.Solves, CPU: cputime.Seconds() - begin, Scores: crankpkg.Evaluate(m, test),
				}
				fmt.Fprintf(log, "%s %g %s: %.5f to %.5f, %d trees, %.1f s\n", r.Set, lambda, r.Start, r.Before, r.After, r.Trees, r.CPU)
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}
