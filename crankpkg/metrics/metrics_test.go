package metrics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat"
)

// Three examples of four labels, worked by hand.
var (
	handTruth     = []uint8{1, 0, 1, 0 /**/, 0, 0, 0, 0 /**/, 1, 1, 0, 0}
	handPredicted = []uint8{1, 1, 0, 0 /**/, 0, 0, 0, 0 /**/, 1, 1, 0, 0}
)

func TestEvaluateLabelsByHand(t *testing.T) {
	// Example F1: 2*1/(2+2), 0/0, 1. Micro: 3 hits, 1 miss, 1 phantom.
	// By label: 1, 2/3, 0, 0/0.
	for _, test := range []struct {
		convention metrics.EmptyF1
		want       metrics.Scores
	}{
		{metrics.EmptyIsOne, metrics.Scores{HammingAccuracy: 100 * 10. / 12, SubsetAccuracy: 100 * 2. / 3, ExampleF1: 100 * 2.5 / 3, MicroF1: 75, MacroF1: 100 * (1 + 2./3 + 0 + 1) / 4}},
		{metrics.EmptyIsZero, metrics.Scores{HammingAccuracy: 100 * 10. / 12, SubsetAccuracy: 100 * 2. / 3, ExampleF1: 100 * 1.5 / 3, MicroF1: 75, MacroF1: 100 * (1 + 2./3) / 4}},
	} {
		got := metrics.Evaluator{EmptyF1: test.convention}.Scores(handTruth, handPredicted, 4)
		if !scoresEqual(got, test.want, 1e-12) {
			t.Errorf("convention %d: got %+v, want %+v", test.convention, got, test.want)
		}
	}
}

func TestEvaluateLabelsExtremes(t *testing.T) {
	var all metrics.Scores
	for _, m := range metrics.Measures() {
		all.Set(m, 100)
	}
	zeros := make([]uint8, 6)
	ones := []uint8{1, 1, 1, 1, 1, 1}
	if got := metrics.Evaluate(ones, ones, 3); got != all {
		t.Errorf("all right: %+v", got)
	}
	if got := metrics.Evaluate(ones, zeros, 3); got != (metrics.Scores{}) {
		t.Errorf("all wrong: %+v", got)
	}
	if got := metrics.Evaluate(zeros, zeros, 3); got != all {
		t.Errorf("nothing true, nothing predicted: %+v", got)
	}
	if got, want := (metrics.Evaluator{EmptyF1: metrics.EmptyIsZero}).Scores(zeros, zeros, 3), (metrics.Scores{HammingAccuracy: 100, SubsetAccuracy: 100}); got != want {
		t.Errorf("nothing true, nothing predicted, counted as wrong: %+v", got)
	}
}

// scoresByLoops follows the definitions word by word.
func scoresByLoops(truth, predicted []uint8, n int, empty float64) metrics.Scores {
	rows := len(truth) / n
	f1 := func(at func(k int) int, size int) float64 {
		var both, sum float64
		for k := range size {
			y, p := float64(truth[at(k)]), float64(predicted[at(k)])
			both += y * p
			sum += y + p
		}
		if sum == 0 {
			return empty
		}
		return 2 * both / sum
	}
	var s metrics.Scores
	for m := range rows {
		right := 0.
		for i := range n {
			if truth[m*n+i] == predicted[m*n+i] {
				right++
			}
		}
		s.HammingAccuracy += 100 * right / float64(n*rows)
		s.SubsetAccuracy += 100 * math.Floor(right/float64(n)) / float64(rows)
		s.ExampleF1 += 100 * f1(func(i int) int { return m*n + i }, n) / float64(rows)
	}
	for i := range n {
		s.MacroF1 += 100 * f1(func(m int) int { return m*n + i }, rows) / float64(n)
	}
	s.MicroF1 = 100 * f1(func(k int) int { return k }, len(truth))
	return s
}

func TestEvaluateLabelsAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n, rows := 1+rng.IntN(6), 1+rng.IntN(8)
		truth, predicted := testkit.RandomLabels(rng, n*rows), testkit.RandomLabels(rng, n*rows)
		for convention, empty := range map[metrics.EmptyF1]float64{metrics.EmptyIsOne: 1, metrics.EmptyIsZero: 0} {
			got := metrics.Evaluator{EmptyF1: convention}.Scores(truth, predicted, n)
			if want := scoresByLoops(truth, predicted, n, empty); !scoresEqual(got, want, 1e-10) {
				t.Fatalf("%v against %v, n = %d: got %+v, want %+v", truth, predicted, n, got, want)
			}
		}
	}
}

func TestEvaluateLabelsIgnoresOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	const n, rows = 7, 9
	truth, predicted := testkit.RandomLabels(rng, n*rows), testkit.RandomLabels(rng, n*rows)
	want := metrics.Evaluate(truth, predicted, n)
	for range 20 {
		labels, examples := rng.Perm(n), rng.Perm(rows)
		truth2, predicted2 := make([]uint8, n*rows), make([]uint8, n*rows)
		for m := range rows {
			for i := range n {
				truth2[m*n+i] = truth[examples[m]*n+labels[i]]
				predicted2[m*n+i] = predicted[examples[m]*n+labels[i]]
			}
		}
		if got := metrics.Evaluate(truth2, predicted2, n); !scoresEqual(got, want, 1e-10) {
			t.Fatalf("got %+v after a permutation, want %+v", got, want)
		}
	}
}

func TestEvaluateExamplesMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const n, rows = 5, 40
	truth, predicted := testkit.RandomLabels(rng, n*rows), testkit.RandomLabels(rng, n*rows)
	for _, convention := range []metrics.EmptyF1{metrics.EmptyIsOne, metrics.EmptyIsZero} {
		e := metrics.Evaluator{EmptyF1: convention}
		all, each := e.Scores(truth, predicted, n), e.Examples(truth, predicted, n)
		all.MicroF1, all.MacroF1 = 0, 0
		means := metrics.Scores{HammingAccuracy: stat.Mean(each.HammingAccuracy, nil), SubsetAccuracy: stat.Mean(each.SubsetAccuracy, nil), ExampleF1: stat.Mean(each.ExampleF1, nil)}
		if !scoresEqual(all, means, 1e-10) {
			t.Errorf("convention %d: means %+v, scores %+v", convention, means, all)
		}
	}
}

func TestEvaluateLabelsPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"lengths differ": func() { metrics.Evaluate(make([]uint8, 6), make([]uint8, 4), 2) },
		"half a row":     func() { metrics.Evaluate(make([]uint8, 5), make([]uint8, 5), 2) },
		"no labels":      func() { metrics.Evaluate(make([]uint8, 5), make([]uint8, 5), 0) },
		"no examples":    func() { metrics.Evaluate(nil, nil, 3) },
	} {
		if !testkit.Panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func ExampleEvaluate() {
	truth := []uint8{
		1, 0, 1, 0,
		0, 1, 0, 0,
	}
	predicted := []uint8{
		1, 0, 0, 0,
		0, 1, 0, 0,
	}
	fmt.Println(metrics.Evaluate(truth, predicted, 4))
	// Output: Hamming accuracy 87.5  subset accuracy 50.0  F1 83.3
}

func scoresEqual(a, b metrics.Scores, tol float64) bool {
	return math.Abs(a.HammingAccuracy-b.HammingAccuracy) <= tol && math.Abs(a.SubsetAccuracy-b.SubsetAccuracy) <= tol &&
		math.Abs(a.ExampleF1-b.ExampleF1) <= tol && math.Abs(a.MicroF1-b.MicroF1) <= tol && math.Abs(a.MacroF1-b.MacroF1) <= tol
}
