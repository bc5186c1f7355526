package crossval_test

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
)

// Lambda by cross-validation on the training examples, then the training with it.
func ExampleSearch() {
	train, test, _ := crankpkg.PlantedTree{N: 5, Seed: 1}.Generate(100, 500)
	search := crossval.Search{Trainer: crankpkg.ChowLiu{}, Lambdas: []float64{1, 0.01, 0.0001}, Folds: 3}
	choice, err := search.Run(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _, err := choice.Apply(search.Trainer).Train(context.Background(), train)
	fmt.Println(choice.Lambda(), m.Lambda, err, crankpkg.Evaluate(m, test).SubsetAccuracy > 70)
	// Output: 0.0001 0.0001 <nil> true
}
