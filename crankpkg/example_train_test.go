package crankpkg_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Learn a label tree from planted data, and predict with it.
func ExampleCRANK() {
	train, test, _ := crankpkg.PlantedTree{N: 6, Seed: 1}.Generate(200, 1000)
	m, trace, err := crankpkg.CRANK{Lambda: 1e-3, Restarts: 2}.Train(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("a forest:", labelgraph.IsForest(6, m.Edges))
	fmt.Println("certified to 1 %:", trace.Gap() <= 0.01)
	fmt.Println("better than chance:", crankpkg.Evaluate(m, test).HammingAccuracy > 80)
	// Output:
	// a forest: true
	// certified to 1 %: true
	// better than chance: true
}

// An ablation is a slice of trainers.
func ExampleTrainer() {
	train, _, _ := crankpkg.PlantedTree{N: 6, Seed: 1}.Generate(200, 0)
	for _, t := range []crankpkg.Trainer{
		crankpkg.Empty{}, crankpkg.MST{}, crankpkg.Greedy{}, crankpkg.Project{}, crankpkg.ChowLiu{},
		crankpkg.CRANK{Restarts: 1}, crankpkg.Full{},
	} {
		m, trace, err := t.WithLambda(0.01).Train(context.Background(), train)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-8s %2d pairs, %s\n", t.Name(), len(m.Edges), trace.Status)
	}
	// Output:
	// Empty     0 pairs, converged
	// MST       5 pairs, converged
	// Greedy    5 pairs, converged
	// Project   5 pairs, converged
	// Chow-Liu  5 pairs, converged
	// CRANK     5 pairs, converged
	// Full     15 pairs, converged
}

// Train the weights of a label graph that is known.
func ExampleFixedGraph() {
	train, test, truth := crankpkg.PlantedTree{Seed: 3}.Generate(300, 1000)
	m, _, err := crankpkg.FixedGraph{Lambda: 1e-4, Edges: truth.Edges}.Train(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(crankpkg.Evaluate(m, test).SubsetAccuracy > 60)
	// Output: true
}

// Errors wrap what kind they are of.
func ExampleTrainer_errors() {
	train, _, _ := crankpkg.PlantedTree{N: 3, Seed: 1}.Generate(20, 0)
	_, _, err := crankpkg.CRANK{Lambda: -1}.Train(context.Background(), train)
	switch {
	case errors.Is(err, crankpkg.ErrSettings):
		fmt.Println("change the settings:", err)
	case errors.Is(err, crankpkg.ErrData):
		fmt.Println("mend the data:", err)
	case errors.Is(err, crankpkg.ErrInternal): // a panic in a worker, with its stack
		fmt.Println("report it:", err)
	}
	// Output:
	// change the settings: CRANK: crankpkg: invalid setting: Lambda -1 is not positive
}
