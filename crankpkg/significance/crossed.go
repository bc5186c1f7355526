package significance

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Crossed tests the differences d[seed][example] of trainings with several seeds that are
// all tested on the same examples. Both the seeds and the examples are samples: another
// seed would have trained other models, and another test set would have judged them
// otherwise. More seeds do not make the test set larger, and so the p-value does not go to
// zero with them.
//
// It takes d = mu + seed + example + rest, all random: the variance of the mean is then
//
//	s^2(seed) / S + s^2(example) / E + s^2(rest) / (S E)
//
// for S seeds and E examples. The mean square of the seeds, over S E, estimates the first
// and the last term, with S - 1 degrees of freedom; what the mean square of the examples has
// beyond that of the rest, or of the seeds if this is less, estimates the second, with E - 1.
// (Readers and cases of a study in radiology make the same design; Dorfman, Berbaum and Metz
// 1992.) The two parts come together as in the Behrens-Fisher problem, by Fisher's solution:
// the mean is taken to be off by a sum of two Student's t, each times the root of its part.
// The test is not exact, but conservative with few seeds, where an approximation by one t
// would make too much of them; where one part is nothing it is the t test by the other.
//
// One seed makes it the paired t test over examples, and one example that over seeds. Zero
// confidence means 0.95. It panics without differences, on rows of different lengths and
// on a confidence out of range.
func Crossed(d [][]float64, confidence float64) metrics.Difference {
	confidence = checked(len(d), confidence)
	seeds, examples := marginMeans(d)
	const test = "seeds x examples"
	var out metrics.Difference
	switch {
	case len(seeds) == 1:
		out = PairedT(examples, confidence)
	case len(examples) == 1:
		out = PairedT(seeds, confidence)
	default:
		bySeed, byExample := parts(d, seeds, examples)
		mean := stat.Mean(seeds, nil)
		if !finite(mean, bySeed+byExample) {
			return unknown(mean, len(seeds)*len(examples), test)
		}
		if bySeed+byExample <= 1e-24*mean*mean {
			return PairedT(examples, confidence)
		}
		out = newTwoSpreads(bySeed, float64(len(seeds)-1), byExample, float64(len(examples)-1)).test(mean, confidence)
		out.N = len(seeds) * len(examples)
	}
	out.Test = test
	return out
}

// marginMeans returns the mean of each seed and that of each example.
func marginMeans(d [][]float64) (seeds, examples []float64) {
	seeds, examples = make([]float64, len(d)), make([]float64, len(d[0]))
	checked(len(examples), 0)
	for s, row := range d {
		if len(row) != len(examples) {
			panic(fmt.Sprintf("significance: %d examples with one seed, %d with another", len(examples), len(row)))
		}
		seeds[s] = stat.Mean(row, nil)
		floats.Add(examples, row)
	}
	floats.Scale(1/float64(len(d)), examples)
	return seeds, examples
}

// parts returns the two parts of the variance of the mean: by the seeds, and by the examples.
func parts(d [][]float64, seeds, examples []float64) (bySeed, byExample float64) {
	s, e := float64(len(seeds)), float64(len(examples))
	mean := stat.Mean(seeds, nil)
	var rest float64
	for k, row := range d {
		for m, v := range row {
			off := v - seeds[k] - examples[m] + mean
			rest += off * off
		}
	}
	rest /= (s - 1) * (e - 1)
	bySeed = stat.Variance(seeds, nil) / s
	// The rest is in both; it is taken off the examples as far as the seeds hold it.
	byExample = math.Max(0, stat.Variance(examples, nil)/e-math.Min(rest/(s*e), bySeed))
	return bySeed, byExample
}

// twoSpreads is the distribution of a t(f1) + b t(f2), two independent Student's t.
type twoSpreads struct {
	a, b  float64
	t1    distuv.StudentsT
	x, wx []float64 // values of b t(f2) and their probabilities
}

// newTwoSpreads returns the distribution for two variances and their degrees of freedom.
func newTwoSpreads(v1, f1, v2, f2 float64) *twoSpreads {
	const nodes = 64
	w := &twoSpreads{a: math.Sqrt(v1), b: math.Sqrt(v2), t1: distuv.StudentsT{Sigma: 1, Nu: f1}}
	t2 := distuv.StudentsT{Sigma: 1, Nu: f2}
	if w.a == 0 { // one t alone
		w.a, w.b, w.t1 = w.b, 0, t2
	}
	if w.b == 0 {
		w.x, w.wx = []float64{0}, []float64{1}
		return w
	}
	// The nodes are for the lower half of t2's probability, u = v^3 / 2, closer together in
	// its tail; the upper half mirrors it.
	w.x, w.wx = make([]float64, nodes), make([]float64, nodes)
	quad.Legendre{}.FixedLocations(w.x, w.wx, 0, 1)
	for k, v := range w.x {
		w.x[k] = w.b * t2.Quantile(v*v*v/2)
		w.wx[k] *= 1.5 * v * v
	}
	return w
}

// beyond returns the probability that the sum is at least d away from zero.
func (w *twoSpreads) beyond(d float64) float64 {
	d = math.Abs(d)
	var p float64
	for k, x := range w.x {
		p += w.wx[k] * (w.t1.CDF((x-d)/w.a) + w.t1.CDF((-x-d)/w.a))
	}
	if w.b == 0 {
		return p
	}
	return 2 * p
}

// test tests a mean that is off by such a sum.
func (w *twoSpreads) test(mean, confidence float64) metrics.Difference {
	half := w.quantile(1 - confidence)
	return metrics.Difference{Mean: mean, Low: mean - half, High: mean + half, P: w.beyond(mean)}
}

// quantile returns the d with beyond(d) = p, by the Illinois method on the logarithms, which
// are nearly linear in the tails.
func (w *twoSpreads) quantile(p float64) float64 {
	off := func(logD float64) float64 { return math.Log(w.beyond(math.Exp(logD)) / p) }
	low, high := math.Log(w.a+w.b)-3, math.Log(w.a+w.b)
	atLow, atHigh := off(low), off(high)
	for atLow < 0 {
		if low < -700 { // p is one but for rounding
			return 0
		}
		high, atHigh = low, atLow
		low -= 3
		atLow = off(low)
	}
	for atHigh > 0 {
		low, atLow = high, atHigh
		high++
		atHigh = off(high)
	}
	for range 100 {
		middle := (low*atHigh - high*atLow) / (atHigh - atLow)
		at := off(middle)
		switch {
		case math.Abs(at) < 1e-12 || high-low < 1e-13:
			return math.Exp(middle)
		case at > 0:
			low, atLow, atHigh = middle, at, atHigh/2
		default:
			high, atHigh, atLow = middle, at, atLow/2
		}
	}
	return math.Exp((low + high) / 2)
}
