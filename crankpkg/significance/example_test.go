package significance_test

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/significance"
)

func ExamplePairedT() {
	// Subset accuracy of one method less that of another, on five planted problems.
	d := []float64{1.2, -0.4, 2.5, 0.9, 1.7}
	fmt.Println(significance.PairedT(d, 0))
	fmt.Println(significance.SignFlip{}.Test(d)) // of five differences, no signs are rare enough
	// Output:
	// +1.18 [-0.15, 2.51], p 0.0694
	// +1.18 [-Inf, +Inf], p 0.1250
}

func ExampleResampledT() {
	// The same differences over five random splits into four fifths and one.
	fmt.Println(significance.ResampledT([]float64{1.2, -0.4, 2.5, 0.9, 1.7}, 0.25, 0))
	// Output: +1.18 [-0.81, 3.17], p 0.1758
}

func ExampleCrossed() {
	// Two seeds, six examples: 100 where the first method alone is right, -100 where the second is.
	fmt.Println(significance.Crossed([][]float64{{100, 0, 100, 0, 0, 0}, {100, 0, 0, 0, 100, 0}}, 0))
	// Output: +33.33 [-9.51, 76.18], p 0.1019
}

func ExampleHolm() {
	fmt.Println(significance.Holm([]float64{0.01, 0.04, 0.02}))
	// Output: [0.03 0.04 0.04]
}

func ExampleFriedman() {
	accuracy := [][]float64{ // sets by methods
		{0.81, 0.79, 0.74}, {0.66, 0.67, 0.61}, {0.92, 0.90, 0.90}, {0.55, 0.51, 0.52}, {0.73, 0.70, 0.69}, {0.88, 0.85, 0.84},
	}
	r := significance.Friedman{}.Test(accuracy)
	fmt.Printf("mean ranks %.2f, critical difference %.2f\n", r.Mean, r.CriticalDifference(0.05))
	// Output: mean ranks [1.17 2.08 2.75], critical difference 1.35
}
