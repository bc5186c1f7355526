package crankpkg_test

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// One training on two processors: the passes visit two halves of the examples
// side by side. The certified gap is that of any other training.
func ExampleSettings_shards() {
	train, _, _ := crankpkg.PlantedTree{N: 6, Noise: 0.05, Seed: 1}.Generate(2000, 0)
	set := crankpkg.Settings{Shards: 2}
	_, trace, err := crankpkg.Full{Lambda: 0.01, Settings: set}.Train(context.Background(), train)
	fmt.Println(trace.Status, trace.Gap() <= 0.01, err)
	// Output: converged true <nil>
}
