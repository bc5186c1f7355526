package significance

import (
	"math"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

var (
	five = []float64{1.2, -0.4, 2.5, 0.9, 1.7}
	ten  = []float64{1.2, -0.4, 2.5, 0.9, 1.7, -0.8, 0.6, 3.1, 0.2, 1.4}
)

func check(t *testing.T, what string, got metrics.Difference, mean, low, high, p, tol float64) {
	t.Helper()
	for _, v := range [][2]float64{{got.Mean, mean}, {got.Low, low}, {got.High, high}, {got.P, p}} {
		if !(math.Abs(v[0]-v[1]) <= tol*(1+math.Abs(v[1]))) && v[0] != v[1] {
			t.Errorf("%s: %v, want %v [%v, %v], p %v", what, got, mean, low, high, p)
			return
		}
	}
}

// TestAgainstScipy compares with values of scipy 1.17.1: ttest_1samp and its
// confidence_interval, permutation_test of all samples, and for the tests that it lacks their
// formulas with its distributions t and f.
func TestAgainstScipy(t *testing.T) {
	t.Parallel()
	check(t, "paired t", PairedT(five, 0), 1.18, -0.1497983751860108, 2.509798375186011, 0.0694159088547888, 1e-9)
	check(t, "paired t of two", PairedT([]float64{0.3, 1.1}, 0.9), 0.7, -1.825500605870018, 3.225500605870015, 0.3304986810771358, 1e-9)
	check(t, "resampled t", ResampledT(five, 0.25, 0), 1.18, -0.8146975627790163, 3.1746975627790164, 0.1758399358565049, 1e-9)
	check(t, "5 x 2", FiveByTwo([5][2]float64{{1, 0.2}, {0.7, -0.3}, {1.5, 0.4}, {0.1, 0.9}, {0.8, 1.1}}, 0),
		0.64, -0.557811579068351, 1.8378115790683627, 0.2535581824455805, 1e-7)
	if p := (SignFlip{}).Test(ten).P; p != 0.02734375 {
		t.Errorf("sign flips: p %v, want 28 of 1024", p)
	}
}

// TestCrossedAgainstQuadrature compares with adaptive quadrature over the density of one t
// and the tail of the other (scipy.integrate.quad), and the mean squares with numpy's.
func TestCrossedAgainstQuadrature(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ d, v1, f1, v2, f2, p float64 }{
		{1, 1, 1, 1, 10, 0.6228157589808344}, {2.5, 0.3, 1, 1, 99, 0.17409310216424626},
		{3, 1, 4, 0.2, 3, 0.05752755418003286}, {2, 0.01, 1, 1, 499, 0.0856683065388681},
		{3, 0, 1, 4, 5, 0.1939036802424733}, {3, 4, 5, 0, 1, 0.1939036802424733}, // 2 t.sf(1.5, 5)
	} {
		w := newTwoSpreads(c.v1, c.f1, c.v2, c.f2)
		got := w.beyond(c.d)
		if !(math.Abs(got-c.p) <= 3e-6) {
			t.Errorf("%+v: %v", c, got)
		}
		// The interval holds the means that are not rejected: one that reaches zero has p for its level.
		if out := w.test(c.d, 1-got); math.Abs(out.Low) > 1e-6*c.d || out.P != got {
			t.Errorf("%+v: interval %v", c, out)
		}
	}
	d := [][]float64{{1, 0, 2, 1}, {3, 1, 2, 4}, {0, 1, 1, 2}}
	seeds, examples := marginMeans(d)
	if v1, v2 := parts(d, seeds, examples); !testkit.Near(v1, 0.25, 1e-12) || !testkit.Near(v2, 0.05555555555555558, 1e-12) {
		t.Errorf("parts %v, %v", v1, v2)
	}
	check(t, "crossed", Crossed(d, 0), 1.5, -0.7944037797437757, 3.7944037797437757, 0.11356344919954048, 1e-7)
}

// TestNemenyiAgainstDemsar has the critical values of Demsar (2006), table 5 (a), for 2 to 10
// methods, and more digits of scipy.stats.studentized_range.
func TestNemenyiAgainstDemsar(t *testing.T) {
	t.Parallel()
	for alpha, row := range map[float64][]float64{
		0.05: {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164},
		0.10: {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920},
	} {
		for k, want := range row {
			if got := studentizedRangeQuantile(1-alpha, k+2) / math.Sqrt2; math.Abs(got-want) > 0.00151 { // his are cut in places
				t.Errorf("%v, %d methods: %v, want %v", alpha, k+2, got, want)
			}
		}
	}
	for k, want := range map[int][2]float64{
		2: {1.9599639845400534, 0.01962441497663958}, 3: {2.343700586378409, 0.05131090641818992}, 5: {2.7277743708703763, 0.134321477410152},
		10: {3.163683577053373, 0.36707651011496156}, 20: {3.5437991315177815, 0.7110127152093351},
	} {
		if got := studentizedRangeQuantile(0.95, k) / math.Sqrt2; !testkit.Near(got, want[0], 1e-7) {
			t.Errorf("%d methods: %v, want %v", k, got, want[0])
		}
		if got := 1 - studentizedRange(3.3, k); !testkit.Near(got, want[1], 1e-9) {
			t.Errorf("%d methods: beyond 3.3 with %v, want %v", k, got, want[1])
		}
	}
}

// TestFriedmanAgainstDemsar has the example of Demsar (2006), table 6: the AUC of four trees on
// 14 sets, here by its ranks. He does without the correction for equal values, which scipy's
// friedmanchisquare makes.
func TestFriedmanAgainstDemsar(t *testing.T) {
	t.Parallel()
	ranks := [][]float64{
		{4, 3, 2, 1}, {1, 2, 3, 4}, {4, 1, 2, 3}, {4, 1, 3, 2}, {4, 2, 3, 1}, {1, 2.5, 4, 2.5}, {3, 2, 4, 1},
		{2.5, 2.5, 4, 1}, {4, 3, 2, 1}, {2.5, 2.5, 2.5, 2.5}, {4, 2.5, 1, 2.5}, {3, 2, 4, 1}, {4, 1, 2, 3}, {3, 1, 4, 2},
	}
	values := make([][]float64, len(ranks))
	for k, row := range ranks {
		for _, rank := range row {
			values[k] = append(values[k], -rank)
		}
	}
	r := Friedman{}.Test(values)
	for j, want := range []float64{3.143, 2.000, 2.893, 1.964} {
		if !(math.Abs(r.Mean[j]-want) <= 0.0005) {
			t.Errorf("mean rank %v, want %v", r.Mean[j], want)
		}
	}
	const ties = 1 - 78./840 // 3 pairs and one four: sum of t^3 - t, over 14 (4^3 - 4)
	if !testkit.Near(r.ChiSquare, 10.228346456692925, 1e-12) || math.Abs(r.ChiSquare*ties-9.28) > 0.005 {
		t.Errorf("chi square %v", r.ChiSquare)
	}
	// He has CD = 1.25 at 0.05, 1.12 at 0.10.
	if a, b := r.CriticalDifference(0.05), r.CriticalDifference(0.10); math.Abs(a-1.25) > 0.006 || math.Abs(b-1.12) > 0.006 {
		t.Errorf("critical differences %v, %v", a, b)
	}
	if p := r.Nemenyi(0, 3); p > 0.1 || p < 0.05 || r.Nemenyi(3, 0) != p || math.Abs(r.Nemenyi(2, 2)-1) > 1e-9 {
		t.Errorf("p %v of the first and the last", p)
	}
	plainValues := [][]float64{{90, 80, 70}, {85, 88, 60}, {70, 65, 72}, {91, 82, 83}, {77, 71, 70}}
	plain := Friedman{}.Test(plainValues)
	if !testkit.Near(plain.ChiSquare, 2.8, 1e-9) || !testkit.Near(plain.F, 1.5555555555555556, 1e-9) || !testkit.Near(plain.FP, 0.26873855999999935, 1e-9) {
		t.Errorf("without equal values: %+v", plain)
	}
	// Of the 6^5 orders, 2856 have a statistic of 2.8 or more: the exact tables have p 0.367.
	if !testkit.Near(plain.P, 2856./7776, 1e-12) {
		t.Errorf("p %v by permutations", plain.P)
	}
	// Random ones agree with all of them, here with two sets more that rank all methods alike.
	more := append(plainValues, []float64{1, 1, 1}, []float64{2, 2, 2})
	if p := (Friedman{Seed: 1}).Test(more).P; math.Abs(p-2856./7776) > 0.015 || p == plain.P {
		t.Errorf("p %v by random permutations", p)
	}
}

// TestHolm has the example by hand: 0.01 times 4, 0.02 times 3 is 0.06, 0.03 times 2 as well, 0.04 stays below.
func TestHolm(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	got := Holm([]float64{0.04, nan, 0.01, 0.03, 0.02})
	for k, want := range []float64{0.06, nan, 0.04, 0.06, 0.06} {
		if math.Abs(got[k]-want) > 1e-15 || math.IsNaN(got[k]) != math.IsNaN(want) {
			t.Errorf("%v at %d, want %v", got[k], k, want)
		}
	}
	if got := Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("above one: %v", got)
	}
	if got := Holm(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
