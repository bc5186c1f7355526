package metrics_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

func TestMcNemarByHand(t *testing.T) {
	for _, test := range []struct {
		a, b        int
		exact, midP float64
	}{
		// Bin(5, 1/2): P(0) = 1/32.
		{0, 5, 2. / 32, 1. / 32},
		// Bin(8, 1/2): P(0) + P(1) = 9/256, P(1) = 8/256.
		{7, 1, 18. / 256, 10. / 256},
		// Bin(3, 1/2): P(0) + P(1) = 4/8, P(1) = 3/8.
		{2, 1, 1, 5. / 8},
		{4, 4, 1, 1},
		{0, 0, 1, 1},
		{0, 1, 1, 0.5},
		{0, 60, math.Ldexp(1, -59), math.Ldexp(1, -60)},
	} {
		got := metrics.NewMcNemar(test.a, test.b)
		if !testkit.Near(got.Exact, test.exact, 1e-12) || !testkit.Near(got.MidP, test.midP, 1e-12) {
			t.Errorf("%d, %d: got exact %v, mid-p %v, want %v, %v", test.a, test.b, got.Exact, got.MidP, test.exact, test.midP)
		}
		if mirror := metrics.NewMcNemar(test.b, test.a); mirror.Exact != got.Exact || mirror.MidP != got.MidP {
			t.Errorf("%d, %d: not symmetric", test.a, test.b)
		}
	}
	if !testkit.Panics(func() { metrics.NewMcNemar(-1, 2) }) {
		t.Error("no panic on a negative number")
	}
}

// TestBootstrapRefuses gives one wrong setting at a time.
func TestBootstrapRefuses(t *testing.T) {
	t.Parallel()
	two := []float64{1, 2}
	for name, f := range map[string]func(){
		"no values":           func() { metrics.Bootstrap{}.Compare(nil, nil) },
		"unequal numbers":     func() { metrics.Bootstrap{}.Compare(two, two[:1]) },
		"negative resamples":  func() { metrics.Bootstrap{Resamples: -1}.Compare(two, two) },
		"confidence of 1":     func() { metrics.Bootstrap{Confidence: 1}.Compare(two, two) },
		"negative confidence": func() { metrics.Bootstrap{Confidence: -0.5}.Compare(two, two) },
		"confidence of NaN":   func() { metrics.Bootstrap{Confidence: math.NaN()}.Compare(two, two) },
	} {
		if !testkit.Panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestCompareZeroOne(t *testing.T) {
	// Rows: both right; only a; only b; only b; both wrong.
	truth := []uint8{1, 0 /**/, 0, 1 /**/, 1, 1 /**/, 0, 0 /**/, 1, 0}
	a := []uint8{1, 0 /**/, 0, 1 /**/, 1, 0 /**/, 1, 1 /**/, 0, 0}
	b := []uint8{1, 0 /**/, 1, 1 /**/, 1, 1 /**/, 0, 0 /**/, 1, 1}
	if got := metrics.CompareSubsetAccuracy(truth, a, b, 2); got != metrics.NewMcNemar(1, 2) {
		t.Errorf("got %+v", got)
	}
}

// TestBootstrapTwoExamples checks against all resamples of two examples: the
// mean of the differences 1 and 3 is 1 with probability 1/4, 2 with 1/2, 3
// with 1/4.
func TestBootstrapTwoExamples(t *testing.T) {
	got := metrics.Bootstrap{Resamples: 40000, Confidence: 0.4, Seed: 1}.Compare([]float64{2, 5}, []float64{1, 2})
	if got.Mean != 2 || got.Low != 2 || got.High != 2 {
		t.Errorf("40 %% interval: %+v, want 2 [2, 2]", got)
	}
	got = metrics.Bootstrap{Resamples: 40000, Confidence: 0.6, Seed: 1}.Compare([]float64{2, 5}, []float64{1, 2})
	if got.Low != 1 || got.High != 3 {
		t.Errorf("60 %% interval: %+v, want [1, 3]", got)
	}
	if got.P != 1./40001 {
		t.Errorf("p = %v: no resample is 2 away from the mean 2", got.P)
	}
	// Differences -1 and 3, mean 1: resampled means -1, 1, 3; the outer two,
	// with probability 1/2, are at least 1 away from 1. Five standard errors
	// of the share are 5 sqrt(1/4 / 40000) = 0.0125.
	got = metrics.Bootstrap{Resamples: 40000, Seed: 2}.Compare([]float64{0, 3}, []float64{1, 0})
	if !(math.Abs(got.P-0.5) <= 0.0125) {
		t.Errorf("p = %v, want 0.5", got.P)
	}
}

func TestBootstrapEqualPredictors(t *testing.T) {
	a := []float64{0, 100, 50, 50}
	if got, want := (metrics.Bootstrap{}).Compare(a, a), (metrics.Difference{P: 1, N: 4, Test: "paired bootstrap"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestBootstrapOfWhatIsNotFinite rejects nothing, as no resample can be compared.
func TestBootstrapOfWhatIsNotFinite(t *testing.T) {
	t.Parallel()
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		d := metrics.Bootstrap{Resamples: 99}.Compare([]float64{1, bad, 3}, []float64{0, 1, 1})
		if d.P != 1 || !math.IsInf(d.Low, -1) || !math.IsInf(d.High, 1) || d.N != 3 {
			t.Errorf("%v: %+v", bad, d)
		}
	}
}

// TestBootstrapCoverage draws data with a known mean of 0: the interval of 90 %
// holds it in about 90 % of the cases, and p < 0.1 in about 10 %.
func TestBootstrapCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	const draws = 400
	var covered, rejected float64
	zeros := make([]float64, 60)
	for k := range draws {
		values := testkit.Normals(len(zeros), rng)
		d := metrics.Bootstrap{Resamples: 400, Confidence: 0.9, Seed: uint64(k)}.Compare(values, zeros)
		if d.Low <= 0 && 0 <= d.High {
			covered++
		}
		if d.P < 0.1 {
			rejected++
		}
	}
	// The standard error of either share is 0.015; the percentile interval of
	// 60 values is about 0.01 too short.
	if share := covered / draws; share < 0.83 || share > 0.95 {
		t.Errorf("coverage %v, want about 0.9", share)
	}
	if share := rejected / draws; share < 0.05 || share > 0.17 {
		t.Errorf("share of p < 0.1 under the null is %v, want about 0.1", share)
	}
}

func TestBootstrapReproducible(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	a, b := make([]float64, 30), make([]float64, 30)
	for k := range a {
		a[k], b[k] = rng.Float64(), rng.Float64()
	}
	first := metrics.Bootstrap{Seed: 3}.Compare(a, b)
	if again := (metrics.Bootstrap{Seed: 3, Resamples: 10000, Confidence: 0.95}).Compare(a, b); again != first {
		t.Errorf("got %+v, then %+v", first, again)
	}
	if other := (metrics.Bootstrap{Seed: 4}).Compare(a, b); other == first {
		t.Error("the seed changes nothing")
	}
}

func TestBootstrapPanics(t *testing.T) {
	two := []float64{1, 2}
	for name, f := range map[string]func(){
		"lengths differ": func() { metrics.Bootstrap{}.Compare(two, two[:1]) },
		"no examples":    func() { metrics.Bootstrap{}.Compare(nil, nil) },
		"confidence":     func() { metrics.Bootstrap{Confidence: 95}.Compare(two, two) },
		"resamples":      func() { metrics.Bootstrap{Resamples: -1}.Compare(two, two) },
	} {
		if !testkit.Panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func ExampleBootstrap_Compare() {
	truth := []uint8{1, 0, 0, 1, 1, 1, 0, 0}
	a := []uint8{1, 0, 0, 1, 1, 1, 1, 0}
	b := []uint8{0, 0, 0, 1, 1, 0, 1, 1}
	var e metrics.Evaluator
	d := metrics.Bootstrap{Seed: 1}.Compare(e.Examples(truth, a, 2).HammingAccuracy, e.Examples(truth, b, 2).HammingAccuracy)
	fmt.Printf("a is better by %.1f points\n", d.Mean)
	// Output: a is better by 37.5 points
}

// TestBootstrapAgainstEnumeration goes through all resamples of few examples:
// their differences are parts of whole numbers, whose sums round, while the
// numbers themselves tell exactly which resamples are as far from the mean as
// that is from zero.
func TestBootstrapAgainstEnumeration(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 1))
	checkBootstrap(t, []int{6667, -3333, 0}, 1, 100)
	checkBootstrap(t, []int{2, -1, 0}, 100, 3)
	for range 24 {
		whole := make([]int, 3+rng.IntN(2))
		for k := range whole {
			whole[k] = rng.IntN(7) - 2
		}
		checkBootstrap(t, whole, 100, 3)
	}
}

// checkBootstrap compares p for differences of scale whole / parts with the
// share of all n^n resamples, up to five standard errors.
func checkBootstrap(t *testing.T, whole []int, scale, parts float64) {
	t.Helper()
	n := len(whole)
	sum, all := 0, 1
	values, zeros := make([]float64, n), make([]float64, n)
	for k, v := range whole {
		sum, all = sum+v, all*n
		values[k] = scale * float64(v) / parts
	}
	extreme := 0
	for code := range all {
		off := -sum // the resample's sum less that of the data
		for range n {
			off += whole[code%n]
			code /= n
		}
		if off*off >= sum*sum {
			extreme++
		}
	}
	const resamples = 20000
	want := float64(extreme) / float64(all)
	got := metrics.Bootstrap{Resamples: resamples, Seed: 3}.Compare(values, zeros).P
	if five := 5 * math.Sqrt(want*(1-want)/resamples); !(math.Abs(got-want) <= five+1./resamples) {
		t.Errorf("%v times %v / %v: p = %v, but %d of %d resamples are extreme: %v", whole, scale, parts, got, extreme, all, want)
	}
}

// TestDifferenceAsJSON has intervals that are bounded, on one side alone, and not at all.
// TestNoPValueReadsAsZero checks that a p-value is never printed as if it were 0, and that one of four decimals is what it was.
func TestNoPValueReadsAsZero(t *testing.T) {
	for p, want := range map[float64]string{1: "1.0000", 0.0252: "0.0252", 0.0001: "0.0001", 0.00009: "< 0.0001", 1e-300: "< 0.0001"} {
		if got := metrics.PText(p); got != want {
			t.Errorf("%v is printed as %q, want %q", p, got, want)
		}
		if text := (metrics.Difference{P: p}).String(); !strings.HasSuffix(text, "p "+want) {
			t.Errorf("a difference of p-value %v is printed as %q", p, text)
		}
	}
}

func TestDifferenceAsJSON(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for text, want := range map[string]metrics.Difference{
		`{"Mean":1.5,"Low":-1,"High":4,"P":0.25}`:                             {Mean: 1.5, Low: -1, High: 4, P: 0.25},
		`{"Mean":1.5,"Low":null,"High":null,"P":1,"N":2,"Test":"sign flips"}`: {Mean: 1.5, Low: -inf, High: inf, P: 1, N: 2, Test: "sign flips"},
		`{"Mean":0,"Low":0,"High":null,"P":1}`:                                {High: inf, P: 1},
	} {
		got, err := json.Marshal(want)
		if err != nil || string(got) != text {
			t.Errorf("%s, %v, want %s", got, err, text)
		}
		var back metrics.Difference
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != want {
			t.Errorf("%s: read as %+v, %v", text, back, err)
		}
	}
	if _, err := json.Marshal(metrics.Difference{Mean: math.NaN()}); err == nil {
		t.Error("NaN as JSON")
	}
	if err := new(metrics.Difference).UnmarshalJSON([]byte(`{"Mean":"x"}`)); err == nil {
		t.Error("a text as a mean")
	}
}
