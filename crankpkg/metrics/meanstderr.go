package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// MeanStdErr returns the mean of values and its standard error: the standard
// deviation of the values, divided by the square root of their number; 0 for a
// single value.
func MeanStdErr(values []float64) (mean, stdErr float64) {
	if len(values) == 1 {
		return values[0], 0
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	return mean, deviation / math.Sqrt(float64(len(values)))
}
