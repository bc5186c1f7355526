package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/crank-ml/crank/bench/glpk"
	"github.com/crank-ml/crank/crankpkg"
)

// predictionRow tells how long a model takes for a test example, the unary scores
// included.
type predictionRow struct {
	Set    string `json:"set"`
	Method string `json:"method"`
	// Solver finds the labels given the unary scores.
	Solver  string  `json:"solver"`
	Seconds float64 `json:"seconds"` // median over the parts of the test set
	// Relative is the median of the time relative to that of Full by GLPK's
	// simplex method from a cold start, the paper's 1 in Table 2.
	Relative float64 `json:"relative"`
}

// What is compared: the test set of Table 2, in parts of so many examples.
const (
	predictionSet    = "yeast"
	predictionLambda = 0.001
	predictionPart   = 100
)

// addPrediction compares the predictions of Full and of two forests.
func (r *results) addPrediction(log io.Writer) error {
	train, test, err := crankpkg.LoadSplit(predictionSet)
	if err != nil {
		return err
	}
	var full, crank, empty *crankpkg.Model
	for _, t := range []struct {
		trainer crankpkg.Trainer
		to      **crankpkg.Model
	}{{crankpkg.Full{}, &full}, {crankpkg.CRANK{}, &crank}, {crankpkg.Empty{}, &empty}} {
		if *t.to, _, err = t.trainer.WithLambda(predictionLambda).Train(context.Background(), train); err != nil {
			return err
		}
	}
	s := newSimplexPredictor(full)
	defer s.simplex.Close()
	if err := s.check(test); err != nil {
		return err
	}
	racers := []racer{
		{method: "Full", solver: "GLPK, cold", run: s.run(glpk.Cold)},
		{method: "Full", solver: "GLPK, warm", run: s.run(glpk.Warm)},
		{method: "Full", solver: "GLPK, presolve", run: s.run(glpk.Presolve)},
		{method: "Full", solver: "roof duality", run: one(full)},
		{method: "CRANK", solver: "tree", run: one(crank)},
		{method: "CRANK", solver: "tree, batch", run: batch(crank)},
		{method: "Empty", solver: "none", run: one(empty)},
		{method: "Empty", solver: "none, batch", run: batch(empty)},
	}
	race(racers, test)
	for _, c := range racers {
		row := predictionRow{Set: predictionSet, Method: c.method, Solver: c.solver, Seconds: median(c.seconds), Relative: median(c.relative)}
		fmt.Fprintf(log, "%s, %-5s by %-14s %10.3f us a test example, relative to Full by GLPK %.5f\n", row.Set, row.Method, row.Solver+":", 1e6*row.Seconds, row.Relative)
		r.Prediction = append(r.Prediction, row)
	}
	return nil
}

// racer predicts the examples of a part of the test set.
type racer struct {
	method, solver    string
	run               func(part *crankpkg.Matrix)
	seconds, relative []float64 // by part
}

// race lets all racers predict one part after the other.
func race(racers []racer, test *crankpkg.Dataset) {
	for first := 0; first+predictionPart <= test.Len(); first += predictionPart {
		rows := make([]int, predictionPart)
		for k := range rows {
			rows[k] = first + k
		}
		part := test.Subset(rows).X
		for k := range racers {
			c := &racers[k]
			seconds := cpuSecondsOf(func() { c.run(part) }) / predictionPart
			c.seconds = append(c.seconds, seconds)
			c.relative = append(c.relative, seconds/racers[0].seconds[len(racers[0].seconds)-1])
		}
	}
}

// one predicts one example at a time.
func one(m *crankpkg.Model) func(*crankpkg.Matrix) {
	p, y := m.Predictor(), make([]uint8, m.NumLabels())
	return func(part *crankpkg.Matrix) {
		for k := range part.NumRows {
			p.PredictTo(y, part.Row(k))
		}
	}
}

// batch predicts all examples in one call.
func batch(m *crankpkg.Model) func(*crankpkg.Matrix) {
	p, y := m.Predictor(), make([]uint8, m.NumLabels()*predictionPart)
	return func(part *crankpkg.Matrix) { p.PredictAllTo(y, part, 1) }
}

// simplexPredictor finds the labels of a model by the simplex method.
type simplexPredictor struct {
	*contest
	predictor *crankpkg.Predictor
	scores    []float64
}

func newSimplexPredictor(m *crankpkg.Model) *simplexPredictor {
	return &simplexPredictor{contest: newContest(m.Graph()), predictor: m.Predictor(), scores: make([]float64, m.NumLabels())}
}

func (s *simplexPredictor) run(start glpk.Start) func(*crankpkg.Matrix) {
	return func(part *crankpkg.Matrix) {
		for k := range part.NumRows {
			s.predictor.ScoresTo(s.scores, part.Row(k))
			if _, err := s.simplex.Maximize(s.y, s.scores, start); err != nil {
				panic(err) // check has had the same problems solved
			}
		}
	}
}

// check holds the optimal values of both solvers to each other on all test
// examples.
func (s *simplexPredictor) check(test *crankpkg.Dataset) error {
	for k := range test.Len() {
		s.predictor.ScoresTo(s.scores, test.Row(k))
		value, err := s.simplex.Maximize(s.y, s.scores, glpk.Cold)
		if err != nil {
			return err
		}
		want := s.oracle.Maximize(s.labeling, s.scores)
		if math.Abs(value-want) > 1e-7*(1+math.Abs(want)) {
			return fmt.Errorf("test example %d: GLPK has the optimum %v, roof duality %v", k, value, want)
		}
	}
	return nil
}
