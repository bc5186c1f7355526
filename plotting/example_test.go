package plotting_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/plotting"
)

func ExampleNetwork() {
	m := &crankpkg.Model{
		Method:     "CRANK",
		LabelNames: []string{"beach", "sunset", "field", "mountain"},
		Edges:      []crankpkg.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}},
		Pair:       []float64{-0.8, -1.2, 0.4},
	}
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	fmt.Println(plotting.Save(filepath.Join(dir, "tree.pdf"), plotting.Network(m)))
	// Output: <nil>
}
