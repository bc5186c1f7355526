package main

import (
	"encoding/json"
	"fmt"
	"os"

	"gonum.org/v1/gonum/stat"

	"github.com/crank-ml/crank/crankpkg"
)

// result is an entry of general.json: one measure of one model on the test
// examples.
type result struct {
	Set       string           `json:"set"`
	Method    string           `json:"method"`
	Criterion crankpkg.Measure `json:"criterion"` // what the settings were chosen by
	Measure   crankpkg.Measure `json:"measure"`
	Value     float64          `json:"value"`
	StdErr    float64          `json:"stderr"`
	// Validated is the mean of the criterion over the folds, and its standard error.
	Validated       float64 `json:"validated"`
	ValidatedStdErr float64 `json:"validated_stderr"`
	Lambda          float64 `json:"lambda"`
	Settings        string  `json:"settings"`
	Gap             float64 `json:"gap"` // relative, of the last convex problem
	// Mark is the best that is known from elsewhere, by MarkSource.
	Mark       float64 `json:"mark"`
	MarkSource string  `json:"mark_source"`
	// Scalar is the value of CRANK as in the paper, and Difference what Value has
	// more, with a 95 % interval and the p-value of a paired bootstrap.
	Scalar     float64 `json:"scalar"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	P          float64 `json:"p_value"`
}

// scalar is what CRANK has in Table 1.
type scalar struct {
	Set     string           `json:"set"`
	Method  string           `json:"method"`
	Lambda  float64          `json:"lambda"`
	Scaling crankpkg.Scaling `json:"scaling"`
}

// trainer returns the CRANK of Table 1.
func (s scalar) trainer() crankpkg.Trainer {
	return crankpkg.CRANK{Lambda: s.Lambda, Settings: crankpkg.Settings{Gap: 0.0005, Seed: 1, Scaling: s.Scaling}}
}

// readScalars reads the CRANK of each set from table1.json.
func readScalars(path string) (map[string]scalar, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var entries []scalar
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	scalars := make(map[string]scalar)
	for _, e := range entries {
		if e.Method == "CRANK" {
			scalars[e.Set] = e
		}
	}
	return scalars, nil
}

// finalGap is the relative gap of the models that are tested.
const finalGap = 0.005

// methods are trained in the settings chosen.
func methods(s crankpkg.Settings) []crankpkg.Trainer {
	s.Gap, s.Seed = finalGap, 1
	return []crankpkg.Trainer{crankpkg.CRANK{Restarts: 3, Settings: s}, crankpkg.Full{Settings: s}, crankpkg.Empty{Settings: s}}
}

// test trains what was chosen and tells how it does on the test examples.
func (mk *maker) test(set string, train, test *crankpkg.Dataset, choices []choice, s scalar) ([]result, error) {
	base, _, err := mk.predict(s.trainer(), train, test)
	if err != nil {
		return nil, err
	}
	var results []result
	for _, c := range choices {
		measures := []crankpkg.Measure{c.criterion}
		if c.criterion == crankpkg.MeanOfThree {
			measures = crankpkg.PaperMeasures()
		}
		for _, t := range methods(c.settings) {
			scores, gap, err := mk.predict(t.WithLambda(c.lambda), train, test)
			if err != nil {
				return nil, err
			}
			for _, m := range measures {
				r := c.result(set, t.Name(), m, scores, base)
				r.Gap = gap
				results = append(results, r)
				fmt.Fprintf(mk.log, "%s by %s: %s has %s %.1f +- %.1f, mark %.1f, %+.1f to scalar CRANK (p %.3g)\n",
					set, c.criterion.Label(), t.Name(), m.Label(), r.Value, r.StdErr, r.Mark, r.Difference, r.P)
			}
		}
	}
	return results, nil
}

// predict trains t and returns the measures of each test example, and the gap.
func (mk *maker) predict(t crankpkg.Trainer, train, test *crankpkg.Dataset) (crankpkg.ExampleScores, float64, error) {
	m, trace, err := t.(crankpkg.Adjustable).Adjust(func(s *crankpkg.Settings) { s.Workers = mk.workers }).Train(mk.ctx, train)
	if err != nil {
		return crankpkg.ExampleScores{}, 0, err
	}
	return crankpkg.Evaluator{}.EvaluateExamples(test.Y, m.PredictAll(test.X), test.NumLabels()), trace.Gap(), nil
}

// result compares a model with scalar CRANK and the best elsewhere.
func (c choice) result(set, method string, m crankpkg.Measure, scores, base crankpkg.ExampleScores) result {
	values := scores.Of(m)
	mean, deviation := stat.MeanStdDev(values, nil)
	d := crankpkg.Bootstrap{Seed: 1}.Compare(values, base.Of(m))
	r := result{
		Set: set, Method: method, Criterion: c.criterion, Measure: m,
		Value: mean, StdErr: stat.StdErr(deviation, float64(len(values))),
		Validated: c.mean, ValidatedStdErr: c.stdErr, Lambda: c.lambda, Settings: describe(c.settings),
		Scalar: stat.Mean(base.Of(m), nil), Difference: d.Mean, Low: d.Low, High: d.High, P: d.P,
	}
	r.Mark, r.MarkSource = markOf(set, m)
	return r
}
