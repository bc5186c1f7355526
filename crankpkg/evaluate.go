package crankpkg

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Evaluate returns the measures of m on test, whose rows are raw, with the default
// conventions. Features and labels go by their names, in any order; see Model.Match.
// It panics when some are missing or unknown, or test has no examples or is Unlabeled. For
// an error instead, call Report; for other conventions, give the labels that PredictAll
// returns to a metrics.Evaluator.
func Evaluate(m *Model, test *Dataset) Scores {
	matched, err := m.Match(test)
	if test.Unlabeled {
		err = test.Validate()
	}
	if err != nil {
		panic(err.Error())
	}
	return metrics.Evaluate(matched.Y, m.PredictAll(matched.X), matched.NumLabels())
}

// Report returns all measures of m on test, whose rows are raw, and those of each label,
// with the default conventions; the margins of the labels rank them. Features and labels go
// by their names, as for Evaluate. An error that wraps
// ErrData names what m cannot be measured on. For other conventions, give the labels that
// PredictAll and the margins that MarginsAll return to an Evaluator.
func (m *Model) Report(test *Dataset) (*metrics.Report, error) {
	for _, part := range []interface{ Validate() error }{m, test} {
		if err := part.Validate(); err != nil {
			return nil, err
		}
	}
	test, err := m.Match(test)
	if err != nil {
		return nil, err
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
