package crankpkg

import "github.com/crank-ml/crank/crankpkg/metrics"

// Evaluate returns the measures of m on test, whose rows are raw, with the default
// conventions. Features and labels go by their names, in any order; see Model.Match.
// It panics when some are missing or unknown, or test has no examples. For an error
// instead, call Match first; for other conventions, give the labels that PredictAll
// returns to a metrics.Evaluator.
func Evaluate(m *Model, test *Dataset) Scores {
	matched, err := m.Match(test)
	if err != nil {
		panic(err.Error())
	}
	return metrics.Evaluate(matched.Y, m.PredictAll(matched.X), matched.NumLabels())
}
