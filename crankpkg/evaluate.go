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

// Report returns all measures of m on test, whose rows are raw, and those of each label,
// with the default conventions; the margins of the labels rank them. An error that wraps
// ErrData names what m cannot be measured on. For other conventions, give the labels that
// PredictAll and the margins that MarginsAll return to an Evaluator.
func (m *Model) Report(test *Dataset) (*metrics.Report, error) {
	for _, part := range []interface{ Validate() error }{m, test} {
		if err := part.Validate(); err != nil {
			return nil, err
		}
	}
	if m.NumLabels() != test.NumLabels() {
		return nil, fmt.Errorf("%w: %s: a model of %d labels for data with %d", ErrData, test.Name, m.NumLabels(), test.NumLabels())
	}
	p := m.Predictor()
	predicted, err := p.PredictRows(test.X)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", test.Name, err)
	}
	margins, err := p.MarginsRows(test.X)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", test.Name, err)
	}
	return metrics.NewReport(test.Y, predicted, margins, m.LabelNames)
}
