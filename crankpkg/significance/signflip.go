package significance

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat"
)

// SignFlip is the test by random signs: between equals, each difference could as well have
// had the other sign. It is exact for differences of any distributions that are symmetric
// about their mean, not only normal ones. With n differences no p-value is below 2 / 2^n: at
// five per cent it rejects nothing with fewer than six, and its interval is the whole line.
// Its zero fields mean the documented defaults.
type SignFlip struct {
	// Confidence is the coverage of the interval. Zero means 0.95.
	Confidence float64
	// Resamples is the number of random flips where there are more than 16 differences; up to
	// that all are taken. Zero means 9999.
	Resamples int
	// Seed determines the random flips.
	Seed uint64
}

// mostFlips is the number of differences of which all flips are taken.
const mostFlips = 16

// Test tests the differences d. It panics without any, and on settings out of range.
//
// The interval is Hartigan's (1969): of the means of all subsets of the differences, as many
// are below the true mean as above it. Flipping the signs of a subset makes the sum at least
// what it was just where the subset's mean is not positive, so that the interval holds the
// means that the test does not reject.
func (s SignFlip) Test(d []float64) metrics.Difference {
	s.Confidence = checked(len(d), s.Confidence)
	if s.Resamples == 0 {
		s.Resamples = 9999
	}
	if mean, spread := meanAndSpread(d); !finite(mean, spread) {
		return unknown(mean, len(d), "sign flips")
	}
	means := s.subsetMeans(d)
	flips := float64(len(means) + 1) // with the one that flips nothing
	out := metrics.Difference{Mean: stat.Mean(d, nil), Low: math.Inf(-1), High: math.Inf(1), N: len(d), Test: "sign flips"}
	// Sums that cancel out, but for rounding, are zero.
	zero := 0.0
	for _, v := range d {
		zero = math.Max(zero, 1e-12*math.Abs(v))
	}
	notAbove, notBelow := 1.0, 1.0
	for _, m := range means {
		if m <= zero {
			notAbove++
		}
		if m >= -zero {
			notBelow++
		}
	}
	out.P = math.Min(1, 2*math.Min(notAbove, notBelow)/flips)
	if k := int((1 - s.Confidence) / 2 * flips * (1 + 1e-12)); k > 0 {
		slices.Sort(means)
		out.Low, out.High = means[k-1], means[len(means)-k]
	}
	return out
}

// subsetMeans returns the means of the subsets of d that are not empty, or of random ones.
func (s SignFlip) subsetMeans(d []float64) []float64 {
	if len(d) > mostFlips {
		rng := rand.New(rand.NewPCG(s.Seed, 0))
		means := make([]float64, 0, s.Resamples)
		for len(means) < s.Resamples {
			if m := subsetMean(d, rng); !math.IsNaN(m) {
				means = append(means, m)
			}
		}
		return means
	}
	sums, counts := make([]float64, 1<<len(d)), make([]float64, 1<<len(d))
	for k, v := range d { // those with d[k] follow on those without
		for set := range 1 << k {
			sums[set|1<<k], counts[set|1<<k] = sums[set]+v, counts[set]+1
		}
	}
	for set := 1; set < len(sums); set++ {
		sums[set] /= counts[set]
	}
	return sums[1:]
}

// subsetMean returns the mean of a random subset, NaN for the empty one.
func subsetMean(d []float64, rng *rand.Rand) float64 {
	var sum, count float64
	var bits uint64
	for k, v := range d {
		if k%64 == 0 {
			bits = rng.Uint64()
		}
		if bits&1 == 1 {
			sum += v
			count++
		}
		bits >>= 1
	}
	return sum / count
}
