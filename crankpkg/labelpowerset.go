package crankpkg

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/decision"
)

// LabelPowerset limits predictions to the labelings y that examples of the
// training set have, and prefers frequent ones:
//
//	y(x) = argmax over seen y of  score(x, y) + Prior log(examples with y).
//
// The maximum is found by looking at each: exact on any label graph, in time
// that grows with their number. It helps the zero-one measure most, where few of
// the 2^n labelings ever occur; what never occurred in training it cannot
// predict.
type LabelPowerset struct {
	Only bool // predict only seen labelings
	// Prior weighs how often a labeling was seen. The scores have the scale of the
	// label loss, so this has too.
	Prior float64
}

// Validate returns an error that wraps ErrSettings for a Prior without Only, or one
// that is not finite.
func (s LabelPowerset) Validate() error {
	if math.IsNaN(s.Prior) || math.IsInf(s.Prior, 0) || s.Prior != 0 && !s.Only {
		return fmt.Errorf("%w: %+v", ErrSettings, s)
	}
	return nil
}

// Restrict limits the predictions of m to the labelings of train, or frees them
// where s is zero.
func (s LabelPowerset) Restrict(m *Model, train *Dataset) {
	m.Labelings, m.LabelingScores = s.of(train)
}

// of returns the labelings of ds in the order in which they occur first, and what
// to add to their scores.
func (s LabelPowerset) of(ds *Dataset) (labelings []uint8, scores []float64) {
	if !s.Only {
		return nil, nil
	}
	labelings, counts := decision.Labelings(ds.Y, ds.NumLabels())
	for _, count := range counts {
		scores = append(scores, s.Prior*math.Log(float64(count)))
	}
	return labelings, scores
}

// validateLabelings checks the labelings of a model.
func (m *Model) validateLabelings() error {
	if len(m.Labelings) != len(m.LabelingScores)*m.NumLabels() {
		return fmt.Errorf("%w: model: %d values of %d labelings of %d labels", ErrData, len(m.Labelings), len(m.LabelingScores), m.NumLabels())
	}
	for k, v := range m.Labelings {
		if v > 1 {
			return fmt.Errorf("%w: model: value %d of the labelings is %d", ErrData, k, v)
		}
	}
	return checkFinite("score of labeling", m.LabelingScores)
}
