package crankpkg

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Evaluate returns the measures of m on test, whose rows are raw, with the
// default conventions. It panics when m and test have different numbers of
// features or labels, or test no examples. For other conventions, give the labels
// that PredictAll returns to an Evaluator.
func Evaluate(m *Model, test *Dataset) Scores {
	if m.NumLabels() != test.NumLabels() {
		panic(fmt.Sprintf("crankpkg: a model of %d labels for data with %d", m.NumLabels(), test.NumLabels()))
	}
	return metrics.Evaluate(test.Y, m.PredictAll(test.X), test.NumLabels())
}
