package crankpkg_test

import (
	"context"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
)

func ExampleLoss() {
	loss := crankpkg.Loss{Hamming: 1, ZeroOne: 2, ExampleF1: 4}
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
	train := &crankpkg.Dataset{FeatureNames: []string{"x"}, LabelNames: []string{"a", "b"}, X: feature.NewDense(1, [][]float64{
		{1}, {1}, {1}, {-1}, {-1}, {-1}, {-1},
	}), Y: []uint8{1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1}}
	for _, f := range []crankpkg.EdgeFeatures{{}, {All: true}} {
		m, _, err := crankpkg.Full{Lambda: 0.01, Settings: crankpkg.Settings{EdgeFeatures: f}}.Train(context.Background(), train)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, x := range []float64{-1, 1} {
			row := crankpkg.Row{Value: []float64{x}}
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
	train := &crankpkg.Dataset{FeatureNames: []string{"x"}, LabelNames: []string{"positive"}, X: feature.NewDense(1, [][]float64{
		{-2}, {-1}, {-1}, {1}, {1}, {2}, {5},
	}), Y: []uint8{0, 0, 0, 1, 1, 1, 0}}
	for _, most := range []float64{0, 1.5} {
		m, _, err := crankpkg.Empty{Lambda: 0.01, Settings: crankpkg.Settings{HingeCap: most, Gap: 1e-6}}.Train(context.Background(), train)
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

// No line parts the inside of a ring from its outside; features of a Gaussian kernel
// do.
func ExampleSettings_fourier() {
	ring := &crankpkg.Dataset{FeatureNames: []string{"a", "b"}, LabelNames: []string{"inside"}}
	var rows [][]float64
	for k := range 40 {
		radius := 0.5 + float64(k%2)
		angle := float64(k)
		rows = append(rows, []float64{radius * math.Cos(angle), radius * math.Sin(angle)})
		ring.Y = append(ring.Y, uint8(1-k%2))
	}
	ring.X = feature.NewDense(2, rows)
	for _, f := range []crankpkg.FourierFeatures{{}, {Count: 200, Gamma: 1}} {
		m, _, err := crankpkg.Empty{Lambda: 1e-3, Settings: crankpkg.Settings{Fourier: f}}.Train(context.Background(), ring)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(f.Count, crankpkg.Evaluate(m, ring).SubsetAccuracy == 100)
	}
	// Output:
	// 0 false
	// 200 true
}
