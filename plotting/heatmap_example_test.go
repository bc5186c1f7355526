package plotting_test

import (
	"fmt"

	"github.com/crank-ml/crank/plotting"
)

func ExampleHeatMap() {
	f := plotting.HeatMap{
		Title: "Edges found (%)", XLabel: "training examples", YLabel: "pair scale",
		XNames: []string{"10", "100"}, YNames: []string{"0.5", "2"},
		Values: [][]float64{{30, 55}, {60, 95}},
		Min:    0, Max: 100,
	}.Figure()
	fmt.Println(f.Title)
	// Output: Edges found (%)
}
