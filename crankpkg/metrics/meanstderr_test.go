package metrics_test

import (
	"math"
	"testing"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// The standard error by its definition; there is none of a single value.
func TestMeanStdErr(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values       []float64
		mean, stdErr float64
	}{
		{[]float64{3}, 3, 0},
		{[]float64{1, 3}, 2, 1}, // deviation sqrt(2), over sqrt(2)
		{[]float64{1, 2, 6}, 3, math.Sqrt(7. / 3)},
		{[]float64{4, 4, 4, 4}, 4, 0},
	} {
		mean, stdErr := metrics.MeanStdErr(c.values)
		if math.Abs(mean-c.mean) > 1e-12 || math.Abs(stdErr-c.stdErr) > 1e-12 {
			t.Errorf("%v: %v +- %v, want %v +- %v", c.values, mean, stdErr, c.mean, c.stdErr)
		}
	}
}
