package infer_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Each of three labels is worth 2 and any two together lose 2. The relaxation has
// all of them half on, which is worth more than any labeling.
func Example_inference() {
	edges := labelgraph.AllPairs(3)
	g := infer.NewPairGraph(3, edges, []float64{-2, -2, -2})
	c := []float64{2, 2, 2}

	y := make(infer.Labeling, 3)
	value := infer.NewLPOracle(g).Maximize(y, c)
	fmt.Println("relaxation:", value, y)

	r := infer.MaximizeExact(context.Background(), g, c)
	fmt.Println("exact:", r.Value, r.Optimal)

	g.Set(edges[0], 0) // without the pair (0, 1) the graph is a tree
	value = infer.NewTreeOracle(g).Maximize(y, c)
	fmt.Println("tree:", value, y)
	// Output:
	// relaxation: 3 ½½½
	// exact: 2 true
	// tree: 4 110
}

// The margin of a label tells how far it is from its other value. Label 1 is on for
// the sake of label 0 alone.
func ExampleMaxMarginals() {
	g := infer.NewPairGraph(3, []labelgraph.Edge{{I: 0, J: 1}}, []float64{3})
	margin := make([]float64, 3)
	exact := infer.NewMaxMarginals(g).MarginsTo(margin, []float64{1, -2, -1})
	fmt.Println(margin, exact)
	// Output: [2 1 -1] true
}

func ExampleMaximumSpanningForest() {
	edges := labelgraph.AllPairs(4)
	weights := []float64{5, 1, 4, 3, 0.5, 2}
	for _, k := range labelgraph.MaximumSpanningForest(4, edges, weights, 0) {
		fmt.Println(edges[k], weights[k])
	}
	fmt.Println("circuit rank of all pairs:", labelgraph.CircuitRank(4, edges))
	// Output:
	// {0 1} 5
	// {1 2} 4
	// {0 3} 3
	// circuit rank of all pairs: 3
}

func ExampleRandomTree() {
	tree := labelgraph.RandomTree(5, rand.New(rand.NewPCG(1, 1)))
	fmt.Println(len(tree), labelgraph.IsForest(5, tree))
	// Output: 4 true
}
