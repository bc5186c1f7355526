package gated_test

import (
	"context"
	"fmt"
	"log"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/gated"
)

// The tree that made these data is another one where the first feature is positive. What labels
// alone get wrong tells so, and a tree for each side does better than one.
func Example() {
	ctx := context.Background()
	train, test, _ := gated.Planted{Tree: crankpkg.PlantedTree{N: 6, Seed: 1}, Kind: gated.TwoTrees}.Generate(500, 1000)
	alone, _, err := crankpkg.Empty{Lambda: 0.01}.Train(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	split, strength, err := gated.SplitByMistakes(train, alone)
	if err != nil {
		log.Fatal(err)
	}
	one, _, err := crankpkg.CRANK{Lambda: 0.01}.Train(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	two, err := gated.Train(ctx, crankpkg.CRANK{Lambda: 0.01}, split, train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("split by feature", split.Column, "and sure of it:", strength > 3)
	fmt.Println("two trees are better:", gated.Evaluate(two, test).SubsetAccuracy > crankpkg.Evaluate(one, test).SubsetAccuracy+5)
	// Output:
	// split by feature 0 and sure of it: true
	// two trees are better: true
}
