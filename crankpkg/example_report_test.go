package crankpkg_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// smallModel has two features and three labels. Rain brings wind.
func smallModel() *crankpkg.Model {
	return &crankpkg.Model{
		FeatureNames: []string{"pressure", "season"}, LabelNames: []string{"rain", "wind", "snow"},
		Unary: []float64{-1, 0, 1 /**/, 0, 0, -1 /**/, -1, -1, 0},
		Edges: []crankpkg.Edge{labelgraph.NewEdge(0, 1)}, Pair: []float64{2},
	}
}

// A margin says how much worse the best labeling becomes when one label is turned.
func ExamplePredictor_Margins() {
	p := smallModel().Predictor()
	x := crankpkg.Row{Value: []float64{-1, 2}}
	fmt.Println(p.PredictLabels(x), p.Margins(x))
	// Output: [rain wind] [3 1 -1]
}

// Rows that come from elsewhere can be anything.
func ExamplePredictor_PredictRow() {
	p := smallModel().Predictor()
	for _, x := range [][]float64{{-1, 2}, {-1, math.NaN()}, {3}} {
		y, err := p.PredictRow(crankpkg.Row{Value: x})
		fmt.Println(y, err)
	}
	// Output:
	// [1 1 0] <nil>
	// [] crankpkg: unusable data: feature "season": NaN
	// [] crankpkg: unusable data: a row of 1 features for a model of 2
}

// All measures, and those of each label.
func ExampleModel_Report() {
	train, test, _ := crankpkg.PlantedTree{N: 5, Seed: 1}.Generate(200, 400)
	m, _, err := crankpkg.CRANK{Lambda: 1e-3, Restarts: 2}.Train(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	report, err := m.Report(test)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ranks better than chance:", report.Ranking.RankingLoss < 25, report.Ranking.MacroAUC > 75)
	for _, l := range report.Labels[:2] {
		fmt.Println(l.Name, "is on in", l.Support, "examples")
	}
	// Output:
	// ranks better than chance: true true
	// y0 is on in 206 examples
	// y1 is on in 195 examples
}
