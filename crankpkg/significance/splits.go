package significance

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat/distuv"
)

// ResampledT is Nadeau and Bengio's corrected resampled t test (2003) of differences over
// random splits of one data set, with testOverTrain test examples to each training example.
// The splits share examples, so that their differences are correlated, and more splits do
// not make up for more data. The test takes n_test / (n_train + n_test) for the correlation,
// and is exact for normal differences with this one; it is an approximation for all others.
// Zero confidence means 0.95. It panics without differences, on a confidence out of range
// and unless testOverTrain is positive.
func ResampledT(d []float64, testOverTrain, confidence float64) metrics.Difference {
	confidence = checked(len(d), confidence)
	if !(testOverTrain > 0) || math.IsInf(testOverTrain, 0) {
		panic(fmt.Sprintf("significance: %v test examples to each training example", testOverTrain))
	}
	const test = "corrected resampled t"
	mean, spread := meanAndSpread(d)
	if len(d) == 1 || spread == 0 || !finite(mean, spread) {
		return unknown(mean, len(d), test)
	}
	stdErr := spread * math.Sqrt(1/float64(len(d))+testOverTrain)
	return student(mean, stdErr, float64(len(d)-1), confidence, len(d), test)
}

// FiveByTwo is Alpaydin's combined F test (1999) of the differences of five repetitions of
// two-fold cross-validation, d[repetition][fold]. It is an approximation, which rejects too
// often with a hundred examples or so. Mean is that of all ten differences; the interval, which holds what the test does not reject, is a point
// where the repetitions differ more than their folds. Zero confidence means 0.95. It panics
// on a confidence out of range.
func FiveByTwo(d [5][2]float64, confidence float64) metrics.Difference {
	confidence = checked(len(d), confidence)
	const test = "5 x 2 F"
	var all []float64
	var folds float64 // sum of the variances of the two folds
	for _, r := range d {
		all = append(all, r[0], r[1])
		folds += (r[0] - r[1]) * (r[0] - r[1]) / 2
	}
	mean, spread := meanAndSpread(all)
	if folds <= 1e-24*mean*mean || !finite(mean, folds) {
		return unknown(mean, len(all), test)
	}
	// The sum of (d - mu)^2 over 2 folds is F with 10 and 5 degrees of freedom.
	f := distuv.F{D1: 10, D2: 5}
	around := 9 * spread * spread
	half := math.Sqrt(math.Max(0, 2*folds*f.Quantile(confidence)-around) / 10)
	return metrics.Difference{
		Mean: mean, Low: mean - half, High: mean + half,
		P: f.Survival((around + 10*mean*mean) / (2 * folds)), N: len(all), Test: test,
	}
}
