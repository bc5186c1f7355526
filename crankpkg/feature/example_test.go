package feature_test

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
)

// The two classes of the exclusive or cannot be told apart by a linear model, and
// are by one that is linear in Fourier features. The model keeps the map: it
// predicts raw rows.
func ExampleFourierFeatures() {
	train := &crankpkg.Dataset{
		FeatureNames: []string{"a", "b"}, LabelNames: []string{"a xor b"},
		X: feature.NewDense(2, [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}), Y: []uint8{0, 1, 1, 0},
	}
	for _, f := range []feature.FourierFeatures{{}, {Count: 100, Gamma: 1}} {
		m, _, err := crankpkg.Empty{Lambda: 0.01, Settings: crankpkg.Settings{Fourier: f}}.Train(context.Background(), train)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%3d Fourier features: %.0f %% right\n", f.Count, crankpkg.Evaluate(m, train).HammingAccuracy)
	}
	// Output:
	//   0 Fourier features: 50 % right
	// 100 Fourier features: 100 % right
}

// The same by features of the kernel itself, with all rows as landmarks: the model keeps
// these, and a weight for each.
func ExampleKernelFeatures() {
	train := &crankpkg.Dataset{
		FeatureNames: []string{"a", "b"}, LabelNames: []string{"a xor b"},
		X: feature.NewDense(2, [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}), Y: []uint8{0, 1, 1, 0},
	}
	for _, kind := range []feature.KernelKind{feature.NoKernel, feature.Gaussian, feature.Laplace} {
		kernel := feature.KernelFeatures{Kind: kind}
		m, _, err := crankpkg.Empty{Lambda: 0.01, Settings: crankpkg.Settings{Kernel: kernel}}.Train(context.Background(), train)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("kernel %q: %.0f %% right\n", kind, crankpkg.Evaluate(m, train).HammingAccuracy)
	}
	// Output:
	// kernel "": 50 % right
	// kernel "gaussian": 100 % right
	// kernel "laplace": 100 % right
}
