package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// timing is an entry of table2.json.
type timing struct {
	Method string `json:"method"`
	// Phase is train; or test, all of a prediction; or inference, the part of
	// it that comes after the scores w_i . x.
	Phase    string   `json:"phase"`
	Solver   string   `json:"solver"` // of Full's LP relaxation
	Relative float64  `json:"relative"`
	Paper    *float64 `json:"paper"`
	// Seconds are for the whole training, or for one test example.
	Seconds float64 `json:"seconds"`
}

// The settings of the times: all methods at the same lambda and gap.
const (
	timeSet    = "yeast"
	timeLambda = 0.001
	timeGap    = 0.01
)

// oneStart is CRANK without restarts.
const oneStart = "CRANK, one start"

// The solvers of Full's relaxation.
const (
	roofDuality = "roof duality"
	simplex     = "simplex"
)

// table2 makes table2.json. It takes times one after the other: leave the machine
// alone meanwhile.
func (mk *maker) table2() error {
	train, test, err := crankpkg.LoadSplit(timeSet)
	if err != nil {
		return err
	}
	repeats, sample := 5, 8
	if mk.quick {
		repeats, sample = 1, 2
	}
	var models []*crankpkg.Model
	trainTime, testTime, inferTime := map[string]float64{}, map[string]float64{}, map[string]float64{}
	single := crankpkg.CRANK{Restarts: 1, Settings: crankpkg.Settings{Gap: timeGap}}
	for _, t := range append(methods(timeGap), crankpkg.Named(oneStart, single)) {
		t = t.WithLambda(timeLambda)
		var m *crankpkg.Model
		var err error
		trainTime[t.Name()] = fastest(repeats, func() {
			if err == nil {
				m, _, err = t.Train(mk.ctx, train)
			}
		})
		if err != nil {
			return err
		}
		testTime[t.Name()], inferTime[t.Name()] = predictionTime(m, test), inferenceTime(m, test)
		models = append(models, m)
		fmt.Fprintf(mk.log, "table2 %s: %.2f s, %.2f microseconds a test example\n", t.Name(), trainTime[t.Name()], 1e6*testTime[t.Name()])
	}
	full := models[slices.IndexFunc(models, func(m *crankpkg.Model) bool { return m.Method == "Full" })]
	bySimplex, err := simplexTime(full, test, sample)
	if err != nil {
		return err
	}
	fmt.Fprintf(mk.log, "table2 Full by the simplex method: %.2f s a test example\n", bySimplex)
	var rows []timing
	for _, m := range models {
		rows = append(rows, newTiming(m.Method, "train", roofDuality, trainTime[m.Method], trainTime["Full"]))
	}
	for _, m := range models {
		rows = append(rows, newTiming(m.Method, "test", roofDuality, testTime[m.Method], testTime["Full"]))
	}
	for _, m := range models {
		rows = append(rows, newTiming(m.Method, "inference", roofDuality, inferTime[m.Method], inferTime["Full"]))
	}
	for _, m := range models {
		seconds := testTime[m.Method]
		if m == full {
			seconds = bySimplex
		}
		rows = append(rows, newTiming(m.Method, "test", simplex, seconds, bySimplex))
	}
	return write(mk, "table2.json", rows)
}

func newTiming(method, phase, solver string, seconds, full float64) timing {
	row := timing{Method: method, Phase: phase, Solver: solver, Relative: seconds / full, Seconds: seconds}
	for _, p := range crankpkg.PaperTable2() {
		if p.Method == method {
			row.Paper = map[string]*float64{"train": &p.Train, "test": &p.Test}[phase]
		}
	}
	return row
}

// fastest returns the shortest time of f in seconds: what other work on the
// machine disturbs least.
func fastest(repeats int, f func()) float64 {
	best := math.Inf(1)
	for range repeats {
		begin := time.Now()
		f()
		best = min(best, time.Since(begin).Seconds())
	}
	return best
}

// predictionTime returns the time of one prediction on one processor, from the
// fastest of many passes over the test examples.
func predictionTime(m *crankpkg.Model, test *crankpkg.Dataset) float64 {
	p := m.Predictor()
	y := make([]uint8, len(test.Y))
	return fastest(200, func() { p.PredictAllTo(y, test.X, 1) }) / float64(test.Len())
}

// inferenceTime is predictionTime without the scores.
func inferenceTime(m *crankpkg.Model, test *crankpkg.Dataset) float64 {
	n := m.NumLabels()
	p, oracle := m.Predictor(), crankpkg.NewAutoOracle(m.Graph())
	scores, y := make([]float64, n*test.Len()), make(crankpkg.Labeling, n)
	for k := range test.Len() {
		p.ScoresTo(scores[k*n:][:n], test.Row(k))
	}
	return fastest(200, func() {
		for k := range test.Len() {
			oracle.Maximize(y, scores[k*n:][:n])
		}
	}) / float64(test.Len())
}
