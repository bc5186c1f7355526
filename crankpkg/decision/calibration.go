package decision

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// Calibration makes probabilities of margins, of which each label has a sigmoid of its own
// (Platt 1999):
//
//	p_i = 1 / (1 + exp(-(Slope_i margin_i + Offset_i))).
//
// The margin of a label is that of its max-marginals under the rest of the Rule, as
// Predictor.Margins of crankpkg returns it. No slope is negative, so that a larger margin never
// means a smaller probability.
type Calibration struct {
	Slope, Offset []float64 // by label
}

// Probability returns that of label i at a margin.
func (c *Calibration) Probability(i int, margin float64) float64 {
	if c.Slope[i] == 0 {
		return sigmoid(c.Offset[i]) // of infinite margins, too
	}
	return sigmoid(c.Slope[i]*margin + c.Offset[i])
}

// Probabilities returns those of all labels for margins, M x n, row after row. It panics
// when there are margins that make no whole row.
func (c *Calibration) Probabilities(margins []float64) []float64 {
	n := len(c.Slope)
	if n == 0 || len(margins)%n != 0 {
		panic(fmt.Sprintf("decision: %d margins of %d labels", len(margins), n))
	}
	p := make([]float64, len(margins))
	for k, margin := range margins {
		p[k] = c.Probability(k%n, margin)
	}
	return p
}

// Clone returns a copy that shares no memory with c; nil of nil.
func (c *Calibration) Clone() *Calibration {
	if c == nil {
		return nil
	}
	return &Calibration{Slope: slices.Clone(c.Slope), Offset: slices.Clone(c.Offset)}
}

// validate returns an error that wraps ErrSettings unless c is one of n labels.
func (c *Calibration) validate(n int) error {
	if len(c.Slope) != n || len(c.Offset) != n {
		return fmt.Errorf("%w: rule: Calibration has %d slopes and %d offsets for %d labels", errs.ErrSettings, len(c.Slope), len(c.Offset), n)
	}
	for i, slope := range c.Slope {
		if !(slope >= 0) || math.IsInf(slope, 0) || math.IsNaN(c.Offset[i]) || math.IsInf(c.Offset[i], 0) {
			return fmt.Errorf("%w: rule: Calibration of label %d has slope %v and offset %v", errs.ErrSettings, i, slope, c.Offset[i])
		}
	}
	return nil
}

func sigmoid(z float64) float64 {
	if z < 0 {
		e := math.Exp(z)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-z))
}

// LogLoss returns the mean of -log p(y) over labels that are on or off, y, of which p has the
// probabilities of being on. It panics when the lengths differ.
func LogLoss(p []float64, y []uint8) float64 {
	if len(p) != len(y) {
		panic("decision: unequal numbers of labels")
	}
	var sum float64
	for k, v := range p {
		if y[k] == 0 {
			v = 1 - v
		}
		sum -= math.Log(v)
	}
	return sum / float64(len(p))
}
