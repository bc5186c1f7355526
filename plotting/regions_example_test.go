package plotting_test

import (
	"fmt"

	"github.com/crank-ml/crank/plotting"
)

func ExampleRegions() {
	// Where the heavier of two edges is in the maximum spanning tree.
	f := plotting.Regions{
		XLabel: "$π_{12}$", YLabel: "$π_{13}$",
		Owner: func(x, y float64) string {
			if x > y {
				return "12 in T"
			}
			return "13 in T"
		},
	}.Figure()
	for _, k := range f.Key {
		fmt.Println(k.Name)
	}
	// Output:
	// 13 in T
	// 12 in T
}
