package crankpkg_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// Data of one's own: a matrix of numbers, names, and zeros and ones.
func ExampleDataset_own() {
	ds := &crankpkg.Dataset{
		Name: "weather", FeatureNames: []string{"hot", "wet"}, LabelNames: []string{"swim", "umbrella"},
		X: &crankpkg.Matrix{NumRows: 4, NumCols: 2, Value: []float64{1, 0, 0, 1, 1, 1, 0, 0}},
		Y: []uint8{1, 0, 0, 1, 1, 1, 0, 0},
	}
	fmt.Println(ds.Validate(), ds)
	m, _, err := crankpkg.CRANK{Lambda: 0.01}.Train(context.Background(), ds)
	if err != nil {
		fmt.Println(err)
		return
	}
	var p *crankpkg.Predictor = m.Predictor() // safe for concurrent use
	x := crankpkg.Row{Value: []float64{1, 0}}
	fmt.Println(p.PredictLabels(x))
	// Output:
	// <nil> weather: 4 examples, 2 dense features, 2 labels, cardinality 1.000
	// [swim]
}

func ExampleFold() {
	ds, _, _ := crankpkg.PlantedTree{}.Generate(10, 0)
	folds, err := ds.Folds(5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	var first crankpkg.Fold = folds[0]
	fmt.Println(len(folds), len(first.Train), len(first.Test))
	// Output: 5 8 2
}

// The three kinds of faults, and a data set that is not at hand.
func ExampleErrData() {
	ds, _, _ := crankpkg.PlantedTree{N: 3}.Generate(5, 0)
	ds.Y[4] = 2
	_, _, err := crankpkg.Empty{}.Train(context.Background(), ds)
	fmt.Println(errors.Is(err, crankpkg.ErrData), err)
	ds.Y[4] = 1
	_, _, err = crankpkg.Empty{Lambda: -1}.Train(context.Background(), ds)
	fmt.Println(errors.Is(err, crankpkg.ErrSettings), err)
	_, err = crankpkg.LoadModel("example_data_test.go")
	fmt.Println(errors.Is(err, crankpkg.ErrFormat))
	_, err = crankpkg.LoadAll("nosuchset")
	fmt.Println(errors.Is(err, crankpkg.ErrNotFound))
	// Output:
	// true crankpkg: unusable data: planted tree: row 1, label "y1": 2 is neither 0 nor 1
	// true Empty: crankpkg: invalid setting: Lambda -1 is not positive
	// true
	// true
}

// Which labels depend on one another, inputs left out of account.
func ExampleMutualInformation() {
	ds, _, _ := crankpkg.PlantedTree{N: 3, Seed: 1}.Generate(200, 0)
	for k, e := range []crankpkg.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}} {
		fmt.Printf("%v %.2f\n", e, crankpkg.MutualInformation(ds)[k])
	}
	// Output:
	// {0 1} 0.44
	// {0 2} 0.02
	// {1 2} 0.00
}
