package crankpkg_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg"
)

// Each of three labels is worth 2 and any two together lose 2. The relaxation has
// all of them half on, which is worth more than any labeling.
func Example_inference() {
	edges := crankpkg.AllPairs(3)
	g := crankpkg.NewPairGraph(3, edges, []float64{-2, -2, -2})
	c := []float64{2, 2, 2}

	y := make(crankpkg.Labeling, 3)
	value := crankpkg.NewLPOracle(g).Maximize(y, c)
	fmt.Println("relaxation:", value, y)

	r := crankpkg.MaximizeExact(context.Background(), g, c)
	fmt.Println("exact:", r.Value, r.Optimal)

	g.Set(edges[0], 0) // without the pair (0, 1) the graph is a tree
	value = crankpkg.NewTreeOracle(g).Maximize(y, c)
	fmt.Println("tree:", value, y)
	// Output:
	// relaxation: 3 ½½½
	// exact: 2 true
	// tree: 4 110
}

func ExampleMaximumSpanningForest() {
	edges := crankpkg.AllPairs(4)
	weights := []float64{5, 1, 4, 3, 0.5, 2}
	for _, k := range crankpkg.MaximumSpanningForest(4, edges, weights, 0) {
		fmt.Println(edges[k], weights[k])
	}
	fmt.Println("circuit rank of all pairs:", crankpkg.CircuitRank(4, edges))
	// Output:
	// {0 1} 5
	// {1 2} 4
	// {0 3} 3
	// circuit rank of all pairs: 3
}

func ExampleRandomTree() {
	tree := crankpkg.RandomTree(5, rand.New(rand.NewPCG(1, 1)))
	fmt.Println(len(tree), crankpkg.IsForest(5, tree))
	// Output: 4 true
}
