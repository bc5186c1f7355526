package metrics_test

import (
	"reflect"
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
	// Every field of Scores is one of the Measures.
	fields := reflect.TypeFor[metrics.Scores]()
	if len(metrics.Measures()) != fields.NumField() {
		t.Errorf("%d measures of %d scores", len(metrics.Measures()), fields.NumField())
	}
	for k, m := range metrics.Measures() {
		var one metrics.Scores
		one.Set(m, 7)
		if got := reflect.ValueOf(one).Field(k); fields.Field(k).Name != string(m) || got.Float() != 7 || one.Of(m) != 7 {
			t.Errorf("%s sets %+v", m, one)
		}
	}
	if metrics.Measure("none").Valid() {
		t.Error("any name is a measure")
	}
}
