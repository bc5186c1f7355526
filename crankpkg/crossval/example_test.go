package crossval_test

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Lambda by cross-validation on the training examples, then the training with it.
func ExampleSearch() {
	train, test, _ := crankpkg.PlantedTree{N: 5, Seed: 1}.Generate(100, 500)
	search := crossval.Search{Trainer: crankpkg.ChowLiu{}, Lambdas: []float64{1, 0.01, 0.0001}, Folds: 3}
	choice, err := search.Run(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _, err := choice.Apply(search.Trainer).Train(context.Background(), train)
	fmt.Println(choice.Lambda(), m.Lambda, err, crankpkg.Evaluate(m, test).SubsetAccuracy > 70)
	// Output: 0.0001 0.0001 <nil> true
}

// A rule for F1 on Emotions, by what is expected of the labelings that the training examples have.
func ExampleSearch_ChooseRule() {
	train, test, err := crankpkg.LoadSplit("emotions")
	if err != nil {
		fmt.Println(err)
		return
	}
	method := crankpkg.Project{Settings: crankpkg.Settings{Scaling: crankpkg.ZScore}}
	search := crossval.Search{Trainer: method, Lambdas: []float64{0.1}, Criterion: metrics.ExampleF1}
	choice, err := search.ChooseRule(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _, err := choice.Train(context.Background(), method, train)
	plain := *m
	plain.Rule, plain.Labelings, plain.LabelingScores = decision.Rule{}, nil, nil
	fmt.Println(m.Rule.Expect, err, crankpkg.Evaluate(m, test).ExampleF1 > crankpkg.Evaluate(&plain, test).ExampleF1+3)
	// Output: ExampleF1 <nil> true
}

// From raw data to a model that tells probabilities of its labels.
func ExampleGeneral_calibrate() {
	ctx := context.Background()
	train, test, _ := crankpkg.PlantedTree{N: 4, D: 3, Noise: 0.2, Seed: 3}.Generate(100, 1000)
	general := crossval.General{Trainers: []crankpkg.Trainer{crankpkg.ChowLiu{}}, Measures: []metrics.Measure{metrics.ExampleF1}, Folds: 2, Calibrate: true}
	choice, err := general.Choose(ctx, train)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _, err := general.Train(ctx, choice, metrics.ExampleF1, train)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := m.Rule.Calibration.Probabilities(m.Predictor().MarginsAll(test.X))
	own := choice.Chosen[0].Choice
	fmt.Println(len(p), decision.LogLoss(p, test.Y) < own.BaseLogLoss, own.LogLoss < own.BaseLogLoss)
	// Output: 4000 true true
}
