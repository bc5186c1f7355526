package decision

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/floats"
)

// Rule says which labels are predicted, given scores. The zero value is the plain
// prediction, the labeling of the largest score.
type Rule struct {
	// Cut is subtracted from the score of every label that is on: the larger it is, the
	// fewer labels are predicted.
	Cut float64
	// Cuts, where not nil, has one number more for each label: Cut + Cuts[i] is
	// subtracted where label i is on.
	Cuts []float64
	// Least and Most bound the number of labels that are on. A Most of zero is no bound.
	Least, Most int
	// PairFactor multiplies the weights of all pairs. It is positive; zero means 1.
	PairFactor float64
	// Expect, where not empty, is one of the paper's measures, and the labels predicted are
	// those of which it is the largest in expectation, by the probabilities
	//
	//	p(y) ~ exp(score(y) / Temperature)
	//
	// of the labelings that the model has to choose from, under their scores as the rest of
	// the rule has them. Of SubsetAccuracy that is the labeling of the largest score. It
	// takes a model with Labelings, a positive Temperature, and neither Least nor Most.
	Expect      metrics.Measure
	Temperature float64
	// Calibration, where not nil, makes probabilities of the labels' margins under the cuts and
	// the factor. What is to Expect then goes by these, as if labels were independent, in place
	// of labelings and a Temperature, and meets Least and Most.
	Calibration *Calibration `json:",omitempty"`
}

// Calibrated reports whether r predicts by the probabilities of a Calibration.
func (r Rule) Calibrated() bool { return r.Expect != "" && r.Calibration != nil }

// IsZero reports whether r is the plain prediction: by its values, so that cuts that are
// all zero or a factor of 1 count as such.
func (r Rule) IsZero() bool {
	return r.Least == 0 && r.Most == 0 && r.Factor() == 1 && r.LabelCuts(len(r.Cuts)) == nil && r.Cut == 0 && r.Expect == "" && r.Calibration == nil
}

// Factor returns the factor on the weights of pairs: PairFactor, or 1.
func (r Rule) Factor() float64 {
	if r.PairFactor == 0 {
		return 1
	}
	return r.PairFactor
}

// LabelCuts returns what is subtracted from the score of each of n labels, or nil where
// that is nothing.
func (r Rule) LabelCuts(n int) []float64 {
	cuts := make([]float64, n)
	some := false
	for i := range cuts {
		cuts[i] = r.Cut
		if r.Cuts != nil {
			cuts[i] += r.Cuts[i]
		}
		some = some || cuts[i] != 0
	}
	if !some {
		return nil
	}
	return cuts
}

// Bounds returns the least and the greatest number of n labels that may be on, and whether
// that is a limit at all.
func (r Rule) Bounds(n int) (least, most int, limited bool) {
	most = n
	if r.Most > 0 {
		most = min(n, r.Most)
	}
	return r.Least, most, r.Least > 0 || most < n
}

// Allows reports whether the labeling y has as many labels on as r demands.
func (r Rule) Allows(y []uint8) bool {
	count := countOn(y)
	return count >= r.Least && (r.Most == 0 || count <= r.Most)
}

// Within returns r with limits that are no wider than the given ones, those that a model was
// trained with, say; a most of zero is no bound. The error wraps ErrSettings where no number of
// labels is within the limits of both, or where r is one that takes no limits.
func (r Rule) Within(least, most int) (Rule, error) {
	both, some := limits{r.Least, r.Most}.within(limits{least, most})
	if !some {
		return r, fmt.Errorf("%w: rule: %d labels at least and %d at most are left of limits of the training and of its own", errs.ErrSettings, both.least, both.most)
	}
	r.Least, r.Most = both.least, both.most
	return r, r.validateExpect()
}

// Validate returns an error that wraps ErrSettings unless r is a rule for n labels: all
// numbers finite, as many Cuts as labels or none, 0 <= Least <= n, and Most no less than
// Least where it is not zero.
func (r Rule) Validate(n int) error {
	if math.IsNaN(r.Cut) || math.IsInf(r.Cut, 0) {
		return fmt.Errorf("%w: rule: Cut is %v", errs.ErrSettings, r.Cut)
	}
	if r.Cuts != nil && len(r.Cuts) != n {
		return fmt.Errorf("%w: rule: Cuts has %d numbers for %d labels", errs.ErrSettings, len(r.Cuts), n)
	}
	for i, v := range r.Cuts {
		if sum := r.Cut + v; math.IsNaN(sum) || math.IsInf(sum, 0) {
			return fmt.Errorf("%w: rule: Cuts[%d] is %v", errs.ErrSettings, i, v)
		}
	}
	if !(r.PairFactor >= 0) || math.IsInf(r.PairFactor, 0) {
		return fmt.Errorf("%w: rule: PairFactor is %v", errs.ErrSettings, r.PairFactor)
	}
	if r.Least < 0 || r.Least > n {
		return fmt.Errorf("%w: rule: Least is %d of %d labels", errs.ErrSettings, r.Least, n)
	}
	if r.Most < 0 || r.Most > 0 && r.Most < r.Least {
		return fmt.Errorf("%w: rule: at least %d labels and at most %d", errs.ErrSettings, r.Least, r.Most)
	}
	if r.Calibration != nil {
		if err := r.Calibration.validate(n); err != nil {
			return err
		}
	}
	return r.validateExpect()
}

func (r Rule) validateExpect() error {
	switch {
	case r.Expect == "" && r.Temperature != 0:
		return fmt.Errorf("%w: rule: Temperature %v and nothing to Expect", errs.ErrSettings, r.Temperature)
	case r.Expect == "":
		return nil
	case !slices.Contains(metrics.PaperMeasures(), r.Expect):
		return fmt.Errorf("%w: rule: Expect is %q, none of the paper's measures", errs.ErrSettings, string(r.Expect))
	case r.Calibration != nil && r.Temperature != 0:
		return fmt.Errorf("%w: rule: a Calibration and a Temperature", errs.ErrSettings)
	case r.Calibration != nil:
		return nil
	case !(r.Temperature > 0) || math.IsInf(r.Temperature, 0):
		return fmt.Errorf("%w: rule: Temperature is %v", errs.ErrSettings, r.Temperature)
	case r.Least > 0 || r.Most > 0:
		return fmt.Errorf("%w: rule: limits on the number of labels of what is expected", errs.ErrSettings)
	}
	return nil
}

// ValidateIn is Validate for a model whose labels may be in groups of which exactly one is
// on. As many labels are on there as there are groups, and a rule has neither a Cut nor
// limits, expects nothing and is not calibrated.
func (r Rule) ValidateIn(n int, groups bool) error {
	if groups && (r.Cut != 0 || r.Least > 0 || r.Most > 0 || r.Expect != "" || r.Calibration != nil) {
		return fmt.Errorf("%w: rule: %s of labels in groups, of which exactly one is on", errs.ErrSettings, r)
	}
	return r.Validate(n)
}

// Weights returns weights of pairs with the factor: the same slice where that is 1.
func (r Rule) Weights(pairs []float64) []float64 {
	if r.Factor() == 1 {
		return pairs
	}
	weights := slices.Clone(pairs)
	floats.Scale(r.Factor(), weights)
	return weights
}

// Among returns those of some labelings of n labels, one after the other, and their scores
// that have as many labels on as r demands.
func (r Rule) Among(labelings []uint8, scores []float64, n int) (allowed []uint8, theirs []float64) {
	for k, score := range scores[:min(len(scores), len(labelings)/max(1, n))] {
		if y := labelings[k*n : (k+1)*n]; r.Allows(y) {
			allowed, theirs = append(allowed, y...), append(theirs, score)
		}
	}
	return allowed, theirs
}

// Clone returns a copy that shares no memory with r.
func (r Rule) Clone() Rule {
	r.Cuts, r.Calibration = slices.Clone(r.Cuts), r.Calibration.Clone()
	return r
}

// String returns the rule in a few words, as in
//
//	cut 0.12, at least 1 label, pairs x 0.75
func (r Rule) String() string {
	var parts []string
	if r.Cut != 0 {
		parts = append(parts, fmt.Sprintf("cut %.3g", r.Cut))
	}
	if len(r.Cuts) > 0 {
		parts = append(parts, fmt.Sprintf("cuts of the labels %.3g to %.3g", slices.Min(r.Cuts), slices.Max(r.Cuts)))
	}
	if r.Least > 0 {
		parts = append(parts, fmt.Sprintf("at least %d", r.Least))
	}
	if r.Most > 0 {
		parts = append(parts, fmt.Sprintf("at most %d", r.Most))
	}
	if f := r.Factor(); f != 1 {
		parts = append(parts, fmt.Sprintf("pairs x %.3g", f))
	}
	switch {
	case r.Calibrated():
		parts = append(parts, fmt.Sprintf("expected %s of calibrated labels", r.Expect.Label()))
	case r.Calibration != nil:
		parts = append(parts, "calibrated")
	case r.Expect != "":
		parts = append(parts, fmt.Sprintf("expected %s at temperature %.3g", r.Expect.Label(), r.Temperature))
	}
	if len(parts) == 0 {
		return "plain"
	}
	return strings.Join(parts, ", ")
}

// Limits returns the least and the greatest number of labels that an example of y has, M x
// n values row after row: what a training set says for certain, as far as it goes. It
// panics when y is no multiple of n labels, or has none.
func Limits(y []uint8, n int) (least, most int) {
	if n <= 0 || len(y) == 0 || len(y)%n != 0 {
		panic(fmt.Sprintf("decision: %d values for rows of %d labels", len(y), n))
	}
	least = n
	for row := range slices.Chunk(y, n) {
		count := countOn(row)
		least, most = min(least, count), max(most, count)
	}
	return least, most
}

func countOn(y []uint8) (count int) {
	for _, v := range y {
		count += int(v)
	}
	return count
}
