package significance

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// PairedT is Student's paired t test of the differences d, which are independent of one
// another: each has training and test examples of its own. It is exact for differences from
// a normal distribution, with as few as two, and good for others. One difference tells
// nothing: the interval is the whole line. Where all differences are equal there is no
// spread to go by, and the test is that of SignFlip. Zero confidence means 0.95. It panics
// without differences, and on a confidence out of range.
func PairedT(d []float64, confidence float64) metrics.Difference {
	confidence = checked(len(d), confidence)
	mean, spread := meanAndSpread(d)
	switch {
	case len(d) == 1, !finite(mean, spread):
		return unknown(mean, len(d), "paired t")
	case spread == 0:
		return SignFlip{Confidence: confidence}.Test(d)
	}
	return student(mean, spread/math.Sqrt(float64(len(d))), float64(len(d)-1), confidence, len(d), "paired t")
}

// student returns the t test of a mean with the given standard error.
func student(mean, stdErr, freedom, confidence float64, n int, test string) metrics.Difference {
	t := distuv.StudentsT{Sigma: 1, Nu: freedom}
	half := t.Quantile((1+confidence)/2) * stdErr
	return metrics.Difference{Mean: mean, Low: mean - half, High: mean + half, P: 2 * t.CDF(-math.Abs(mean)/stdErr), N: n, Test: test}
}

// unknown is what a test says of values that tell nothing of their spread.
func unknown(mean float64, n int, test string) metrics.Difference {
	return metrics.Difference{Mean: mean, Low: math.Inf(-1), High: math.Inf(1), P: 1, N: n, Test: test}
}

// finite reports whether values have a mean and a spread: none of them is NaN or infinite.
func finite(mean, spread float64) bool { return mean-mean == 0 && spread-spread == 0 }

// meanAndSpread returns the mean of d and its standard deviation, which is 0 where that is
// rounding.
func meanAndSpread(d []float64) (mean, spread float64) {
	mean, spread = stat.MeanStdDev(d, nil)
	if len(d) == 1 || spread <= 1e-12*math.Abs(mean) {
		spread = 0
	}
	return mean, spread
}

// checked returns the confidence, 0.95 for zero.
func checked(n int, confidence float64) float64 {
	if confidence == 0 {
		confidence = 0.95
	}
	if n == 0 || !(confidence > 0 && confidence < 1) {
		panic(fmt.Sprintf("significance: %d values, confidence %v", n, confidence))
	}
	return confidence
}
