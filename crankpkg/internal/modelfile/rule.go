package modelfile

import (
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/internal/jsonlist"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Calibration is a decision.Calibration.
type Calibration struct {
	Slope  jsonlist.List[float64] `json:"slope"`
	Offset jsonlist.List[float64] `json:"offset"`
}

// RuleOf returns r as a file has it; nil for the plain prediction.
func RuleOf(r decision.Rule) *Rule {
	if r.IsZero() {
		return nil
	}
	file := &Rule{
		Cut: r.Cut, Cuts: r.Cuts, Least: r.Least, Most: r.Most, PairFactor: r.PairFactor,
		Expect: string(r.Expect), Temperature: r.Temperature,
	}
	if c := r.Calibration; c != nil {
		file.Calibration = &Calibration{Slope: nonNil(c.Slope), Offset: nonNil(c.Offset)}
	}
	return file
}

// Rule returns the rule, the plain prediction in just one form, of nil too. It is for the
// caller to check.
func (r *Rule) Rule() decision.Rule {
	if r == nil {
		return decision.Rule{}
	}
	rule := decision.Rule{
		Cut: r.Cut, Cuts: r.Cuts, Least: r.Least, Most: r.Most, PairFactor: r.PairFactor,
		Expect: metrics.Measure(r.Expect), Temperature: r.Temperature,
	}
	if c := r.Calibration; c != nil {
		rule.Calibration = &decision.Calibration{Slope: c.Slope, Offset: c.Offset}
	}
	if rule.IsZero() {
		return decision.Rule{}
	}
	return rule
}
