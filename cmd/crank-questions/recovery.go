package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// recoveryRow is a cell of the phase diagram.
type recoveryRow struct {
	Size    int     // training examples
	Scale   float64 // of the pair weights; those of the features are 1
	Method  string
	Found   float64 // share of the planted edges, percent
	Exact   float64 // share of the trees that are found whole, percent
	Trees   int     // planted ones
	ZeroOne float64 // mean test score, percent
}

// recoveryTrees is the number of planted trees for each cell.
const recoveryTrees = 10

// recovery plants trees over six labels and looks for them with CRANK, with the
// certified best tree, and with Chow-Liu's, which does not look at the features.
func recovery(ctx context.Context, log io.Writer) (any, error) {
	var rows []recoveryRow
	for _, scale := range []float64{0.25, 0.5, 1, 2, 4, 8} {
		for _, size := range []int{10, 20, 40, 80, 160, 320, 640} {
			for _, method := range []crankpkg.Trainer{
				crankpkg.CRANK{Settings: crankpkg.Settings{Gap: 0.003}}, crankpkg.ChowLiu{},
				crankpkg.BestTree{Settings: crankpkg.Settings{Gap: 0.003, MaxTime: 10 * time.Second}},
			} {
				r, err := recoverTrees(ctx, size, scale, method)
				if err != nil {
					return nil, err
				}
				fmt.Fprintf(log, "scale %g, %d examples, %s: %.0f %% of the edges, %.0f %% of the trees\n", scale, size, r.Method, r.Found, r.Exact)
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

// recoverTrees plants the trees of one cell. Lambda is the default, one over the
// number of examples.
func recoverTrees(ctx context.Context, size int, scale float64, method crankpkg.Trainer) (recoveryRow, error) {
	r := recoveryRow{Size: size, Scale: scale, Method: method.Name(), Trees: recoveryTrees}
	for seed := range uint64(recoveryTrees) {
		train, test, truth := crankpkg.PlantedTree{N: 6, PairScale: scale, Noise: 0.02, Seed: seed + 1}.Generate(size, 500)
		m, _, err := method.Train(ctx, train)
		if err != nil {
			return r, err
		}
		found := 0
		for _, e := range truth.Edges {
			if slices.Contains(m.Edges, e) {
				found++
			}
		}
		r.Found += 100 * float64(found) / float64(len(truth.Edges)*recoveryTrees)
		if found == len(truth.Edges) {
			r.Exact += 100. / recoveryTrees
		}
		r.ZeroOne += crankpkg.Evaluate(m, test).ZeroOne / recoveryTrees
	}
	return r, nil
}
