package crankpkg

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// meanStdErr returns the mean of values and its standard error: the standard
// deviation of the values, divided by the square root of their number; 0 for a
// single value.
func meanStdErr(values []float64) (mean, stdErr float64) {
	if len(values) == 1 {
		return values[0], 0
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	return mean, deviation / math.Sqrt(float64(len(values)))
}

// meanScores returns the means of all measures and their standard errors.
func meanScores(scores []Scores) (mean, stdErr Scores) {
	values := make([]float64, len(scores))
	column := func(of func(*Scores) *float64) {
		for k := range scores {
			values[k] = *of(&scores[k])
		}
		*of(&mean), *of(&stdErr) = meanStdErr(values)
	}
	column(func(s *Scores) *float64 { return &s.Hamming })
	column(func(s *Scores) *float64 { return &s.ZeroOne })
	column(func(s *Scores) *float64 { return &s.ExampleF1 })
	column(func(s *Scores) *float64 { return &s.MicroF1 })
	column(func(s *Scores) *float64 { return &s.MacroF1 })
	return mean, stdErr
}
