package metrics_test

import (
	"testing"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Each measure picks its own score, and the mean of three is that.
func TestScoresOf(t *testing.T) {
	t.Parallel()
	s := metrics.Scores{HammingAccuracy: 90, SubsetAccuracy: 30, ExampleF1: 60, MicroF1: 61, MacroF1: 55}
	for m, want := range map[metrics.Measure]float64{
		metrics.HammingAccuracy: 90, metrics.SubsetAccuracy: 30, metrics.ExampleF1: 60,
		metrics.MicroF1: 61, metrics.MacroF1: 55, metrics.MeanOfThree: 60,
	} {
		if got := s.Of(m); got != want || !m.Valid() || m.Label() == "" {
			t.Errorf("%s (%s): %v, want %v", m, m.Label(), got, want)
		}
	}
	if metrics.Measure("none").Valid() {
		t.Error("any name is a measure")
	}
}
