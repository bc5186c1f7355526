package crankpkg_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// A path over lambda costs little more than its hardest point.
func ExampleTrainPath() {
	train, _, _ := crankpkg.PlantedTree{N: 5, Seed: 1}.Generate(60, 0)
	var t crankpkg.Trainer = crankpkg.Full{}
	fmt.Println(crankpkg.WarmPath(t))
	models, traces, err := crankpkg.TrainPath(context.Background(), t, train, []float64{1, 0.1, 0.01})
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, m := range models {
		fmt.Println(m.Lambda, traces[k].Gap() <= 0.01)
	}
	// Output:
	// true
	// 1 true
	// 0.1 true
	// 0.01 true
}

// A training that meets a limit says which, with the gap that it has reached.
func ExampleStatus() {
	train, _, _ := crankpkg.PlantedTree{N: 5, Seed: 1}.Generate(60, 0)
	t, ok := crankpkg.Adjust(crankpkg.Full{Lambda: 0.001}, func(s *crankpkg.Settings) { s.Gap, s.MaxPasses = 1e-9, 3 })
	fmt.Println(ok)
	_, trace, err := t.Train(context.Background(), train)
	switch trace.Status {
	case crankpkg.Converged:
		fmt.Println("certified")
	case crankpkg.PassLimit, crankpkg.TimeLimit, crankpkg.Cancelled:
		fmt.Println(trace.Status, errors.Is(err, crankpkg.ErrNotConverged))
	case crankpkg.NoProgress, crankpkg.NotConverged:
		fmt.Println("it gave up")
	}
	// Output:
	// true
	// pass limit true
}

// The paper's way of beta, asked for by name.
func ExampleBetaPath() {
	train, _, _ := crankpkg.PlantedTree{N: 5, Seed: 1}.Generate(60, 0)
	for _, path := range []crankpkg.BetaPath{crankpkg.AutoPath, crankpkg.GrowBeta, crankpkg.ShrinkBeta} {
		m, _, err := crankpkg.CRANK{Lambda: 0.01, Path: path}.Train(context.Background(), train)
		fmt.Printf("%q %d edges, %v\n", path, len(m.Edges), err)
	}
	// Output:
	// "" 4 edges, <nil>
	// "grow" 4 edges, <nil>
	// "shrink" 4 edges, <nil>
}
