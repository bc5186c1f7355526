package main

import (
	"context"
	"fmt"
	"io"

	"github.com/crank-ml/crank/crankpkg"
)

// lossRow is the outcome of training one tree for one label loss.
type lossRow struct {
	Set              string
	Loss             string
	Hamming, ZeroOne float64 // weights of the losses
	Lambda           float64 // chosen by cross-validation
	Scores           crankpkg.Scores
	// Differences to the Hamming loss, on the same test examples.
	DHamming, DZeroOne, DF1 crankpkg.Difference
}

// losses trains the weights of CRANK's tree (found with the Hamming loss) for
// several losses. Each has a lambda of its own, since a zero-one loss is much
// smaller than a Hamming loss.
func losses(ctx context.Context, log io.Writer) (any, error) {
	var rows []lossRow
	for _, s := range []setting{{"scene", crankpkg.NoScaling, 0.003}, {"yeast", crankpkg.NoScaling, 0.001}} {
		train, test, err := crankpkg.LoadSplit(s.set)
		if err != nil {
			return nil, err
		}
		m, _, err := crankpkg.CRANK{Lambda: s.lambda, Settings: crankpkg.Settings{Scaling: s.scaling}}.Train(ctx, train)
		if err != nil {
			return nil, err
		}
		var hamming crankpkg.ExampleScores
		for k, loss := range []crankpkg.Loss{
			{Hamming: 1}, {Hamming: 1, ZeroOne: 0.5}, {Hamming: 1, ZeroOne: 1}, {Hamming: 1, ZeroOne: 2}, {Hamming: 1, ZeroOne: 4}, {Hamming: 1, ZeroOne: 8}, {Hamming: 1, ZeroOne: 16}, {ZeroOne: 1},
		} {
			r, each, err := trainLoss(ctx, crankpkg.FixedGraph{Edges: m.Edges, Settings: crankpkg.Settings{Scaling: s.scaling, Loss: loss}}, train, test)
			if err != nil {
				return nil, err
			}
			if k == 0 {
				hamming = each
			}
			boot := crankpkg.Bootstrap{Seed: 1}
			r.Set, r.Loss, r.Hamming, r.ZeroOne = s.set, loss.String(), loss.Hamming, loss.ZeroOne
			r.DHamming, r.DZeroOne, r.DF1 = boot.Compare(each.Hamming, hamming.Hamming), boot.Compare(each.ZeroOne, hamming.ZeroOne), boot.Compare(each.ExampleF1, hamming.ExampleF1)
			fmt.Fprintf(log, "%s %s lambda %g: %v\n", r.Set, r.Loss, r.Lambda, r.Scores)
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// trainLoss chooses lambda for the mean of the three measures and trains.
func trainLoss(ctx context.Context, f crankpkg.FixedGraph, train, test *crankpkg.Dataset) (r lossRow, each crankpkg.ExampleScores, err error) {
	cv := crankpkg.CrossValidation{Trainer: f, Lambdas: []float64{0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001}, Folds: 5, Seed: 1}
	choice, err := cv.Run(ctx, train)
	if err != nil {
		return r, each, err
	}
	m, _, err := choice.Apply(f).Train(ctx, train)
	if err != nil {
		return r, each, err
	}
	predicted := m.Predictor().PredictAll(test.X)
	r.Lambda, r.Scores = choice.Lambda(), crankpkg.EvaluateLabels(test.Y, predicted, test.NumLabels())
	return r, crankpkg.Evaluator{}.EvaluateExamples(test.Y, predicted, test.NumLabels()), nil
}
