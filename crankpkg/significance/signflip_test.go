package significance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// TestSignFlipByDefinition goes through all signs, and through what the test rejects when
// the differences are moved to either side of an end of the interval.
func TestSignFlipByDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		d := make([]float64, 1+rng.IntN(9))
		for k := range d {
			d[k] = rng.NormFloat64() + 0.5
			if rng.IntN(3) == 0 {
				d[k] = math.Round(d[k]) // with equal ones, and zeros
			}
		}
		got := SignFlip{}.Test(d)
		if want := byAllSigns(d); !testkit.Near(got.P, want, 1e-12) {
			t.Errorf("%v: p %v, want %v", d, got.P, want)
		}
		if bounded := len(d) >= 6; bounded == math.IsInf(got.Low, 0) || bounded == math.IsInf(got.High, 0) {
			t.Errorf("%d differences: %v", len(d), got)
		}
		for end, inside := range map[float64]float64{got.Low: 1, got.High: -1} {
			if math.IsInf(end, 0) {
				continue
			}
			if p := byAllSigns(moved(d, end-1e-6*inside)); p > 0.05 {
				t.Errorf("%v: %v, but outside p is %v", d, got, p)
			}
			if p := byAllSigns(moved(d, end+1e-6*inside)); p <= 0.05 && got.Low != got.High {
				t.Errorf("%v: %v, but inside p is %v", d, got, p)
			}
		}
	}
}

func moved(d []float64, by float64) []float64 {
	out := make([]float64, len(d))
	for k, v := range d {
		out[k] = v - by
	}
	return out
}

// byAllSigns returns the share of signs whose sum is as far from zero as that of d.
func byAllSigns(d []float64) float64 {
	sum := func(signs int) (s float64) {
		for k, v := range d {
			if signs>>k&1 == 1 {
				v = -v
			}
			s += v
		}
		return math.Abs(s)
	}
	far := 0
	for signs := range 1 << len(d) {
		if sum(signs) >= sum(0)-1e-9 {
			far++
		}
	}
	return float64(far) / float64(int(1)<<len(d))
}

// TestSignFlipAtRandom compares random flips with the t test, which they agree with where
// there are many normal differences.
func TestSignFlipAtRandom(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 1))
	d := make([]float64, 100)
	for k := range d {
		d[k] = rng.NormFloat64() + 0.15
	}
	a, b := SignFlip{Seed: 1}.Test(d), PairedT(d, 0)
	if math.Abs(a.P-b.P) > 0.02 || math.Abs(a.Low-b.Low) > 0.03 || math.Abs(a.High-b.High) > 0.03 {
		t.Errorf("%v by signs, %v by t", a, b)
	}
	if again := (SignFlip{Seed: 1}).Test(d); again != a {
		t.Errorf("%v, then %v", a, again)
	}
	if other := (SignFlip{Seed: 2}).Test(d); other == a {
		t.Error("the seed changes nothing")
	}
}

// TestSignFlipLimits has the levels at which three differences bound an interval, and the most
// differences of which all signs are taken.
func TestSignFlipLimits(t *testing.T) {
	t.Parallel()
	d := []float64{1, 2, 6}
	check(t, "three, 75 %", SignFlip{Confidence: 0.75}.Test(d), 3, 1, 6, 0.25, 1e-12) // 2 of 8 signs
	check(t, "three, 50 %", SignFlip{Confidence: 0.5}.Test(d), 3, 1.5, 4, 0.25, 1e-12)
	if got := (SignFlip{}).Test(make([]float64, mostFlips)); got.P != 1 {
		t.Errorf("zeros: %v", got)
	}
	ones := slices.Repeat([]float64{1, 2}, mostFlips/2)
	if got := (SignFlip{}).Test(ones); got.P != 2./(1<<mostFlips) {
		t.Errorf("%d of one sign: p %v", mostFlips, got.P)
	}
}

// TestWithoutSpread has differences that tell nothing of how they vary.
func TestWithoutSpread(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	whole := func(mean, p float64, n int, test string) metrics.Difference {
		return metrics.Difference{Mean: mean, Low: -inf, High: inf, P: p, N: n, Test: test}
	}
	third := 1. / 3
	for name, c := range map[string][2]metrics.Difference{
		"one":                    {PairedT([]float64{2}, 0), whole(2, 1, 1, "paired t")},
		"two alike":              {PairedT([]float64{2, 2}, 0), whole(2, 0.5, 2, "sign flips")},
		"three zeros":            {PairedT(make([]float64, 3), 0), whole(0, 1, 3, "sign flips")},
		"seven alike":            {PairedT([]float64{1, 1, 1, 1, 1, 1, 1}, 0), {Mean: 1, Low: 1, High: 1, P: 2. / 128, N: 7, Test: "sign flips"}},
		"thirds":                 {PairedT([]float64{third, third, third}, 0), whole(third, 0.25, 3, "sign flips")},
		"one split":              {ResampledT([]float64{2}, 0.1, 0), whole(2, 1, 1, "corrected resampled t")},
		"splits alike":           {ResampledT([]float64{2, 2}, 0.1, 0), whole(2, 1, 2, "corrected resampled t")},
		"five by two":            {FiveByTwo([5][2]float64{{1, 1}, {2, 2}, {1, 1}, {1, 1}, {1, 1}}, 0), whole(1.2, 1, 10, "5 x 2 F")},
		"five by two zeros":      {FiveByTwo([5][2]float64{}, 0), whole(0, 1, 10, "5 x 2 F")},
		"crossed, all alike":     {Crossed([][]float64{{1, 1}, {1, 1}}, 0), whole(1, 0.5, 2, "sign flips")},
		"crossed, one and one":   {Crossed([][]float64{{1}}, 0), whole(1, 1, 1, "seeds x examples")},
		"signs of three in five": {SignFlip{}.Test([]float64{0, 0, 1, 2, 3}), whole(1.2, 0.25, 5, "sign flips")},
	} {
		if !testkit.Near(c[0].Mean, c[1].Mean, 1e-12) {
			t.Errorf("%s: %+v, want %+v", name, c[0], c[1])
		}
		c[0].Mean = c[1].Mean
		if c[0] != c[1] {
			t.Errorf("%s: %+v, want %+v", name, c[0], c[1])
		}
	}
}

// TestCrossedLimits holds the test to those that it becomes where one source of variance is
// not there: over examples if the seeds change nothing, over seeds with one example.
func TestCrossedLimits(t *testing.T) {
	t.Parallel()
	same := [][]float64{ten, ten, ten}
	a, b := Crossed(same, 0), PairedT(ten, 0)
	check(t, "seeds that change nothing", a, b.Mean, b.Low, b.High, b.P, 1e-9)
	column := make([][]float64, len(five))
	for k, v := range five {
		column[k] = []float64{v}
	}
	a, b = Crossed(column, 0.9), PairedT(five, 0.9)
	check(t, "one example", a, b.Mean, b.Low, b.High, b.P, 1e-12)
	a, b = Crossed([][]float64{ten}, 0), PairedT(ten, 0)
	check(t, "one seed", a, b.Mean, b.Low, b.High, b.P, 1e-12)
	// Examples that do not matter: all variance is between seeds.
	rows := make([][]float64, len(five))
	for k, v := range five {
		rows[k] = []float64{v, v, v}
	}
	a, b = Crossed(rows, 0), PairedT(five, 0)
	check(t, "examples that change nothing", a, b.Mean, b.Low, b.High, b.P, 1e-9)
}

// TestInvariance checks that a test of b - a mirrors that of a - b, that units do not matter,
// and that p is one less the confidence where the interval just reaches zero.
func TestInvariance(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 1))
	for range 20 {
		d := make([]float64, 10)
		for k := range d {
			d[k] = rng.NormFloat64() + 0.4
		}
		for name, test := range map[string]func(d []float64, confidence float64) metrics.Difference{
			"paired t":  PairedT,
			"signs":     func(d []float64, c float64) metrics.Difference { return SignFlip{Confidence: c}.Test(d) },
			"resampled": func(d []float64, c float64) metrics.Difference { return ResampledT(d, 0.2, c) },
			"5 x 2": func(d []float64, c float64) metrics.Difference {
				return FiveByTwo([5][2]float64{{d[0], d[1]}, {d[2], d[3]}, {d[4], d[5]}, {d[6], d[7]}, {d[8], d[9]}}, c)
			},
			"crossed": func(d []float64, c float64) metrics.Difference { return Crossed([][]float64{d[:5], d[5:]}, c) },
		} {
			a := test(d, 0)
			turned := make([]float64, len(d))
			for k, v := range d {
				turned[k] = -3 * v
			}
			b := test(turned, 0)
			check(t, name, b, -3*a.Mean, -3*a.High, -3*a.Low, a.P, 1e-7)
			if rejects := a.P <= 0.05; rejects == (a.Low < 0 && a.High > 0) {
				t.Errorf("%s: %+v", name, a)
			}
			if p := 1 - a.P; p > 0.01 && name != "signs" {
				if at := test(d, p); !(math.Abs(math.Min(math.Abs(at.Low), math.Abs(at.High))) <= 1e-6) {
					t.Errorf("%s: p %v, but the interval at that level is %v", name, a.P, at)
				}
			}
		}
	}
}

func TestPanics(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(){
		"no differences":     func() { PairedT(nil, 0) },
		"confidence":         func() { PairedT(five, 95) },
		"no flips":           func() { SignFlip{}.Test(nil) },
		"no splits":          func() { ResampledT(nil, 1, 0) },
		"no test examples":   func() { ResampledT(five, 0, 0) },
		"no training":        func() { ResampledT(five, math.Inf(1), 0) },
		"no seeds":           func() { Crossed(nil, 0) },
		"no examples":        func() { Crossed([][]float64{{}}, 0) },
		"ragged":             func() { Crossed([][]float64{{1, 2}, {1}}, 0) },
		"one set":            func() { Friedman{}.Test([][]float64{{1, 2}}) },
		"one method":         func() { Friedman{}.Test([][]float64{{1}, {2}}) },
		"ragged sets":        func() { Friedman{}.Test([][]float64{{1, 2}, {1}}) },
		"NaN among values":   func() { Friedman{}.Test([][]float64{{1, 2}, {1, math.NaN()}}) },
		"level of Nemenyi's": func() { Ranks{Sets: 3, Mean: five}.CriticalDifference(1) },
	} {
		if !testkit.Panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

// TestFriedmanExtremes has methods that are equal everywhere, and one order on all sets.
func TestFriedmanExtremes(t *testing.T) {
	t.Parallel()
	r := Friedman{}.Test([][]float64{{1, 1}, {2, 2}})
	if r.P != 1 || r.FP != 1 || r.ChiSquare != 0 || r.Mean[0] != 1.5 || r.Mean[1] != 1.5 {
		t.Errorf("all equal: %+v", r)
	}
	r = Friedman{}.Test([][]float64{{3, 2}, {9, 1}})
	// Half of the orders are alike on both sets; the approximation has zero for it.
	if r.P != 0.5 || r.FP != 0 || !math.IsInf(r.F, 1) || r.Mean[0] != 1 {
		t.Errorf("alike on two sets: %+v", r)
	}
}
