package experiment_test

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Two methods on planted trees, two seeds each: a table of means, and who is ahead.
func ExampleExperiment() {
	table, err := experiment.Experiment{
		Sets:     []experiment.Set{experiment.PlantedSet("planted", crankpkg.PlantedTree{N: 6}, 100, 500)},
		Trainers: []crankpkg.Trainer{crankpkg.CRANK{Lambda: 1e-3, Restarts: 2}, crankpkg.Empty{Lambda: 1e-3}},
		Seeds:    []uint64{1, 2},
	}.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range table.Entries() {
		if e.Measure == metrics.SubsetAccuracy {
			fmt.Println(e.Set, e.Method, "rank", e.Rank, "of", e.Runs, "runs")
		}
	}
	// Output:
	// planted CRANK rank 1 of 2 runs
	// planted Empty rank 2 of 2 runs
}

// Two numbers of starts, on planted trees, lambda chosen anew in each cell: what the starts gain, in which interval.
func ExampleSweep() {
	table, err := experiment.Sweep{
		Methods: []crankpkg.Trainer{crankpkg.CRANK{}},
		Factors: []experiment.Factor{experiment.Vary("Restarts", 1, 3)},
		Sets:    []experiment.Set{experiment.PlantedSet("planted", crankpkg.PlantedTree{N: 6}, 60, 200)},
		Seeds:   experiment.Seeds(3),
		Select:  &crossval.Search{Lambdas: []float64{0.1, 0.01}, Folds: 2},
	}.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range table.Effects(metrics.ExampleF1) {
		fmt.Println(e.Label, "over", e.N, "seeds; an interval around the mean:", e.Low <= e.Mean && e.Mean <= e.High)
	}
	// Output:
	// Restarts 3 - 1 over 3 seeds; an interval around the mean: true
}
