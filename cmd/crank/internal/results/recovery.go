package results

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"gonum.org/v1/gonum/stat"
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

// recovery makes question_recovery.json: trees over six labels are planted, and
// looked for with CRANK, with the certified best tree, and with Chow-Liu's, which
// does not look at the features. Lambda is the default, one over the number of
// examples.
func (mk *maker) recovery(ctx context.Context) error {
	e := experiment.Experiment{Seeds: seeds(pick(mk, 10, 2)), Trainers: []crankpkg.Trainer{
		paperCRANK(crankpkg.Settings{Gap: 0.003}), crankpkg.ChowLiu{},
		crankpkg.BestTree{Settings: crankpkg.Settings{Gap: 0.003, MaxTime: 10 * time.Second}},
	}}
	scaleOf := map[string]float64{}
	for _, scale := range pick(mk, []float64{0.25, 0.5, 1, 2, 4, 8}, []float64{1, 4}) {
		for _, size := range pick(mk, []int{10, 20, 40, 80, 160, 320, 640}, []int{10, 40}) {
			name := fmt.Sprintf("scale %g, %d examples", scale, size)
			scaleOf[name] = scale
			e.Sets = append(e.Sets, experiment.PlantedSet(name, recoveryTree(scale), size, 500))
		}
	}
	table, err := mk.experiment(ctx, "recovery", e)
	if err != nil {
		return err
	}
	var rows []recoveryRow
	for runs := range slices.Chunk(table.Cells, len(e.Seeds)) {
		rows = append(rows, recovered(scaleOf[runs[0].Set], runs))
	}
	return writeReport(mk, "question_recovery.json", rows)
}

func recoveryTree(scale float64) crankpkg.PlantedTree {
	return crankpkg.PlantedTree{N: 6, PairScale: scale, Noise: 0.02}
}

// recovered compares the trees of one method with those that were planted.
func recovered(scale float64, runs []experiment.Cell) recoveryRow {
	var found, exact, zeroOne []float64
	for _, c := range runs {
		p := recoveryTree(scale)
		p.Seed = c.Seed
		_, _, truth := p.Generate(c.Train, 0)
		count := common(c.Edges, truth.Edges)
		found = append(found, 100*float64(count)/float64(len(truth.Edges)))
		exact = append(exact, 100*float64(count/len(truth.Edges)))
		zeroOne = append(zeroOne, c.Scores.SubsetAccuracy)
	}
	return recoveryRow{
		Size: runs[0].Train, Scale: scale, Method: runs[0].Method, Trees: len(runs),
		Found: stat.Mean(found, nil), Exact: stat.Mean(exact, nil), ZeroOne: stat.Mean(zeroOne, nil),
	}
}

// common counts the planted edges that are among edges.
func common(edges, planted []crankpkg.Edge) int {
	count := 0
	for _, e := range planted {
		if slices.Contains(edges, e) {
			count++
		}
	}
	return count
}
