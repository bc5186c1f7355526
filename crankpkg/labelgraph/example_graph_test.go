package labelgraph_test

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// How far is a graph from a forest, and what is its heaviest one?
func ExampleMaximumSpanningEdges() {
	edges := labelgraph.AllPairs(4)
	weights := []float64{5, 1, 4, 3, 0.5, 2} // of (0,1), (0,2), (1,2), (0,3), (1,3), (2,3)
	fmt.Println("circuit rank", labelgraph.CircuitRank(4, edges), "graphic rank", labelgraph.GraphicRank(4, edges))
	tree := labelgraph.MaximumSpanningEdges(4, edges, weights, 0)
	fmt.Println(tree, labelgraph.IsForest(4, tree))
	// Output:
	// circuit rank 3 graphic rank 3
	// [{0 1} {1 2} {0 3}] true
}
