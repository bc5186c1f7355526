package metrics

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Bootstrap compares two predictors by resampling the examples of the one test
// set that both have predicted. Its zero fields mean the documented defaults.
type Bootstrap struct {
	// Resamples is the number of resampled test sets. Zero means 10,000.
	Resamples int
	// Confidence is the coverage of the interval. Zero means 0.95.
	Confidence float64
	// Seed determines the resampling.
	Seed uint64
}

// Difference is the outcome of a paired comparison of two predictors: how large the
// difference is, how well that is known, and then how surprising it would be between
// equals. Package significance has the tests that make one.
type Difference struct {
	// Mean is the mean of a - b, over the examples or whatever N counts.
	Mean float64
	// Low and High bound a confidence interval for it. They are infinite where there are
	// too few values to bound it.
	Low, High float64
	// P is the two-sided p-value of the hypothesis that both are equally good.
	P float64
	// N is the number of pairs that were compared: examples, draws, splits. Zero means that
	// it is not known.
	N int `json:",omitempty"`
	// Test names what made P, as in "paired t".
	Test string `json:",omitempty"`
}

// String returns the difference as in "+1.20 [0.15, 2.31], p 0.0252".
func (d Difference) String() string {
	return fmt.Sprintf("%+.2f [%.2f, %.2f], p %s", d.Mean, d.Low, d.High, PText(d.P))
}

// PText returns a p-value with four decimals, as in "0.0252", and "< 0.0001" where these
// would all be 0: no p-value is.
func PText(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// differenceJSON is a Difference as JSON has it: no end of the interval where that is
// infinite.
type differenceJSON struct {
	Mean      float64
	Low, High *float64
	P         float64
	N         int    `json:",omitempty"`
	Test      string `json:",omitempty"`
}

// MarshalJSON implements json.Marshaler. An infinite end of the interval is null.
func (d Difference) MarshalJSON() ([]byte, error) {
	v := differenceJSON{d.Mean, &d.Low, &d.High, d.P, d.N, d.Test}
	if math.IsInf(d.Low, -1) {
		v.Low = nil
	}
	if math.IsInf(d.High, 1) {
		v.High = nil
	}
	return json.Marshal(v)
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Difference) UnmarshalJSON(data []byte) error {
	low, high := math.Inf(-1), math.Inf(1)
	v := differenceJSON{Low: &low, High: &high}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if v.Low == nil {
		v.Low = &low
	}
	if v.High == nil {
		v.High = &high
	}
	*d = Difference{v.Mean, *v.Low, *v.High, v.P, v.N, v.Test}
	return nil
}

// Compare returns the difference between a and b, the values of a measure for
// the same examples under two predictors (a field of ExampleScores each). The
// interval is the percentile interval; p is the share of resamples whose mean
// is at least as far from the observed mean as that is from zero, the observed
// one counted too: (1 + those) / (1 + Resamples), which is never zero. Compare
// knows nothing, with p 1 and the whole line for an interval, where values are not finite. It
// panics when the lengths differ or are zero, and on settings out of range.
func (s Bootstrap) Compare(a, b []float64) Difference {
	if len(a) != len(b) || len(a) == 0 {
		panic(fmt.Sprintf("metrics: comparison of %d with %d values", len(a), len(b)))
	}
	if s.Resamples == 0 {
		s.Resamples = 10000
	}
	if s.Confidence == 0 {
		s.Confidence = 0.95
	}
	if s.Resamples < 0 || !(s.Confidence > 0 && s.Confidence < 1) {
		panic(fmt.Sprintf("metrics: %+v", s))
	}
	diff := make([]float64, len(a))
	floats.SubTo(diff, a, b)
	d := Difference{Mean: stat.Mean(diff, nil), N: len(diff), Test: "paired bootstrap"}
	if slices.ContainsFunc(diff, func(v float64) bool { return v-v != 0 }) {
		d.Low, d.High, d.P = math.Inf(-1), math.Inf(1), 1 // there are NaN or infinite values, which tell nothing
		return d
	}
	means := s.resampledMeans(diff)
	extreme := 1
	// Rounding must not tell a resample that equals the data from the data.
	far := math.Abs(d.Mean) * (1 - 1e-12)
	for _, mean := range means {
		if math.Abs(mean-d.Mean) >= far {
			extreme++
		}
	}
	d.P = float64(extreme) / float64(len(means)+1)
	slices.Sort(means)
	tail := (1 - s.Confidence) / 2
	d.Low = stat.Quantile(tail, stat.Empirical, means, nil)
	d.High = stat.Quantile(1-tail, stat.Empirical, means, nil)
	return d
}

func (s Bootstrap) resampledMeans(values []float64) []float64 {
	rng := rand.New(rand.NewPCG(s.Seed, 0))
	means := make([]float64, s.Resamples)
	for k := range means {
		var sum float64
		for range values {
			sum += values[rng.IntN(len(values))]
		}
		means[k] = sum / float64(len(values))
	}
	return means
}

// McNemar is McNemar's test between two predictors on the same test set. It
// looks at the examples that exactly one of them has right: were both equally
// good, each would be as likely to be that one.
type McNemar struct {
	OnlyA, OnlyB int     // examples that only a, only b has right in every label
	Exact        float64 // two-sided p-value of the exact binomial test
	MidP         float64 // the mid-p value: less conservative, nearly unbiased
}

// CompareSubsetAccuracy returns McNemar's test of the zero-one measure for the
// predictions a and b of truth, all M x n. It panics like Evaluate.
func CompareSubsetAccuracy(truth, a, b []uint8, n int) McNemar {
	numRows := checkLabels(truth, a, n)
	checkLabels(truth, b, n)
	var onlyA, onlyB int
	for m := range numRows {
		rightA := perRow(truth, a, n, m).Wrong() == 0
		rightB := perRow(truth, b, n, m).Wrong() == 0
		switch {
		case rightA && !rightB:
			onlyA++
		case rightB && !rightA:
			onlyB++
		}
	}
	return NewMcNemar(onlyA, onlyB)
}

// NewMcNemar returns the test for the given numbers of examples that only one
// of the two predictors has right. It panics on negative numbers.
func NewMcNemar(onlyA, onlyB int) McNemar {
	if onlyA < 0 || onlyB < 0 {
		panic(fmt.Sprintf("metrics: McNemar's test of %d and %d examples", onlyA, onlyB))
	}
	t := McNemar{OnlyA: onlyA, OnlyB: onlyB, Exact: 1, MidP: 1}
	if onlyA == onlyB {
		return t
	}
	fewer := float64(min(onlyA, onlyB))
	coin := distuv.Binomial{N: float64(onlyA + onlyB), P: 0.5}
	twice := 2 * coin.CDF(fewer)
	t.Exact = min(1, twice)
	t.MidP = twice - coin.Prob(fewer)
	return t
}
