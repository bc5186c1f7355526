package crankpkg

import (
	"context"
	"fmt"
	"github.com/crank-ml/crank/crankpkg/feature"
	"math"
)

func ExampleLoss() {
	loss := Loss{Hamming: 1, ZeroOne: 2, ExampleF1: 4}
	truth := []uint8{1, 1, 0}
	fmt.Println(loss)
	fmt.Printf("%.2f\n", loss.Of([]uint8{1, 1, 0}, truth))
	fmt.Printf("%.2f\n", loss.Of([]uint8{1, 0, 0}, truth)) // 1 + 2 + 4 (1 - 2/3)
	// Output:
	// Hamming + 2 zero-one + 4 F1
	// 0.00
	// 4.33
}

// Where x is 1 the labels are equal, where it is -1 they tell nothing of each
// other: the weight of their pair has to depend on x.
func ExampleEdgeFeatures() {
	train := &Dataset{FeatureNames: []string{"x"}, LabelNames: []string{"a", "b"}, X: feature.NewDense(1, [][]float64{
		{1}, {1}, {1}, {-1}, {-1}, {-1}, {-1},
	}), Y: []uint8{1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1}}
	for _, f := range []EdgeFeatures{{}, {All: true}} {
		m, _, err := Full{Lambda: 0.01, Settings: Settings{EdgeFeatures: f}}.Train(context.Background(), train)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, x := range []float64{-1, 1} {
			row := Row{Value: []float64{x}}
			pair := m.Score(row, []uint8{1, 1}) - m.Score(row, []uint8{1, 0}) - m.Score(row, []uint8{0, 1})
			fmt.Printf("|w_ab| is %.1f at x = %v\n", math.Abs(pair), x)
		}
	}
	// Output:
	// |w_ab| is 0.4 at x = -1
	// |w_ab| is 0.4 at x = 1
	// |w_ab| is 0.0 at x = -1
	// |w_ab| is 0.7 at x = 1
}

// One of the examples has the wrong label and lies far out. With a cap it does
// not count any more once its hinge has come above: the others get their margins.
func ExampleSettings_hingeCap() {
	train := &Dataset{FeatureNames: []string{"x"}, LabelNames: []string{"positive"}, X: feature.NewDense(1, [][]float64{
		{-2}, {-1}, {-1}, {1}, {1}, {2}, {5},
	}), Y: []uint8{0, 0, 0, 1, 1, 1, 0}}
	for _, most := range []float64{0, 1.5} {
		m, _, err := Empty{Lambda: 0.01, Settings: Settings{HingeCap: most, Gap: 1e-6}}.Train(context.Background(), train)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("cap %v: scores", most)
		for k := range train.Len() {
			fmt.Printf(" %.1f", m.Scores(train.Row(k))[0])
		}
		fmt.Println()
	}
	// Output:
	// cap 0: scores -1.7 -1.0 -1.0 0.3 0.3 1.0 3.0
	// cap 1.5: scores -2.0 -1.0 -1.0 1.0 1.0 2.0 5.0
}
