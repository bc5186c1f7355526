package multistate_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/multistate"
)

// Learn the tree of variables of three states, and predict with it.
func ExampleTrain() {
	train, test, truth := multistate.Planted{N: 6, States: 3, Seed: 1}.Generate(80, 200)
	ctx := context.Background()
	m, trace, err := multistate.Train(ctx, crankpkg.CRANK{Lambda: 1e-3, Restarts: 2}, train)
	if err != nil {
		log.Fatal(err)
	}
	empty, _, err := multistate.Train(ctx, crankpkg.Empty{Lambda: 1e-3}, train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the planted tree:", slices.Equal(m.Edges(), truth.Edges()))
	fmt.Println("certified to 1 %:", trace.Gap() <= 0.01)
	fmt.Println("a table:", len(m.Tables(test.Row(0))[0]), "numbers")
	fmt.Println("states:", len(m.Predict(test.Row(0))))
	gain := multistate.Evaluate(m, test).SubsetAccuracy - multistate.Evaluate(empty, test).SubsetAccuracy
	fmt.Println("20 points above Empty:", gain > 20)
	// Output:
	// the planted tree: true
	// certified to 1 %: true
	// a table: 9 numbers
	// states: 6
	// 20 points above Empty: true
}
