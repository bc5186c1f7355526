package mrf_test

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/mrf"
)

// Three variables of three states, each pair at odds when equal: a triangle has a
// labeling that pleases all, and the relaxation is tight.
func ExampleLP() {
	states, edges := []int{3, 3, 3}, labelgraph.AllPairs(3)
	lp, err := mrf.NewLP(states, edges)
	if err != nil {
		fmt.Println(err)
		return
	}
	unequal := []float64{-1, 0, 0, 0, -1, 0, 0, 0, -1}
	value, bound := lp.Maximize([][]float64{{1, 0, 0}, {0.5, 0.4, 0}, {0, 0, 0.1}}, [][]float64{unequal, unequal, unequal})
	y := make([]int, 3)
	lp.LabelingTo(y)
	fmt.Printf("%.2f %.2f %v %v\n", value, bound, lp.Integral(), y)
	// Output: 1.50 1.50 true [0 1 2]
}
