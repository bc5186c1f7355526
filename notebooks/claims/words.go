package claims

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// If returns yes where ok holds, else no: words that the data choose.
func If(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

// Count returns a number with its noun, one or many: "1 edge", "3 edges".
func Count(n int, one, many string) string {
	return fmt.Sprintf("%d %s", n, If(n == 1, one, many))
}

// Difference is a mean difference of pairs with a 95 % interval.
type Difference struct {
	Mean, Low, High float64
	N               int
}

// Paired compares two methods on the same draws, folds or examples: the mean of a less b, with the 95 % interval of Student's t over
// the pairs. It panics where the lengths differ or are less than two.
func Paired(a, b []float64) Difference {
	if len(a) != len(b) || len(a) < 2 {
		panic(fmt.Sprintf("claims: %d values against %d; pairs, and two at least, are needed", len(a), len(b)))
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	mean, sd := stat.MeanStdDev(d, nil)
	t := distuv.StudentsT{Sigma: 1, Nu: float64(len(d) - 1)}.Quantile(0.975)
	half := t * sd / math.Sqrt(float64(len(d)))
	return Difference{Mean: mean, Low: mean - half, High: mean + half, N: len(d)}
}

// Of is the difference that a test of package significance, or a sweep, has found.
func Of(d metrics.Difference) Difference { return Difference{d.Mean, d.Low, d.High, d.N} }

// Words returns the words for a difference: ahead where the interval lies above zero, behind where it lies below, else level.
func (d Difference) Words(ahead, level, behind string) string {
	switch {
	case d.Low > 0:
		return ahead
	case d.High < 0:
		return behind
	}
	return level
}

// String returns the mean and the interval: "+1.2 (0.3 to 2.1)".
func (d Difference) String() string {
	return fmt.Sprintf("%+.1f (%.1f to %.1f)", d.Mean, d.Low, d.High)
}
