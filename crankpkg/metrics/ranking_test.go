package metrics_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

func TestRankingAgainstScikitLearn(t *testing.T) {
	for k, c := range sklearnCases {
		got, err := metrics.EvaluateRanking(c.truth, c.scores, c.n)
		if err != nil {
			t.Fatal(err)
		}
		want := metrics.Ranking{RankingLoss: 100 * c.ranking[0], Coverage: c.ranking[1], AveragePrecision: 100 * c.ranking[2]}
		want.OneError, want.MacroAUC = got.OneError, got.MacroAUC // not theirs, or by label
		checkRanking(t, fmt.Sprint("set ", k), got, want)
	}
}

func TestAUCAgainstScikitLearn(t *testing.T) {
	for k, c := range sklearnCases {
		rows := len(c.truth) / c.n
		var sum, defined float64
		for i, want := range c.auc {
			y, s := make([]uint8, rows), make([]float64, rows)
			for m := range rows {
				y[m], s[m] = c.truth[m*c.n+i], c.scores[m*c.n+i]
			}
			if got := metrics.AUC(y, s); !sameNumber(got, want) {
				t.Errorf("set %d, label %d: AUC %v, want %v", k, i, got, want)
			}
			if !math.IsNaN(want) {
				sum += want
				defined++
			}
		}
		got, err := metrics.EvaluateRanking(c.truth, c.scores, c.n)
		if err != nil || !sameNumber(got.MacroAUC, 100*sum/defined) {
			t.Errorf("set %d: macro AUC %v, want %v, error %v", k, got.MacroAUC, 100*sum/defined, err)
		}
	}
}

// sameNumber allows rounding, and holds NaN to be equal to itself.
func sameNumber(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*(1+math.Abs(b))
}

func checkRanking(t *testing.T, what string, got, want metrics.Ranking) {
	t.Helper()
	if !sameNumber(got.RankingLoss, want.RankingLoss) || !sameNumber(got.Coverage, want.Coverage) ||
		!sameNumber(got.AveragePrecision, want.AveragePrecision) || !sameNumber(got.OneError, want.OneError) || !sameNumber(got.MacroAUC, want.MacroAUC) {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

// rankingByPairs follows the definitions word by word, label by label.
func rankingByPairs(truth []uint8, scores []float64) (r metrics.Ranking) {
	n, labels, pairs := len(truth), 0., 0.
	atLeast := func(i int, only bool) (count float64) { // labels, or true ones, of at least the score of i
		for j, s := range scores {
			if s >= scores[i] && (!only || truth[j] == 1) {
				count++
			}
		}
		return count
	}
	for i := range n {
		if truth[i] == 0 {
			continue
		}
		labels++
		r.Coverage = max(r.Coverage, atLeast(i, false))
		r.AveragePrecision += 100 * atLeast(i, true) / atLeast(i, false)
		for j := range n {
			if truth[j] == 0 {
				pairs++
				if scores[i] <= scores[j] {
					r.RankingLoss += 100
				}
			}
		}
	}
	if labels == 0 {
		return metrics.Ranking{AveragePrecision: 100}
	}
	r.AveragePrecision /= labels
	if pairs > 0 {
		r.RankingLoss /= pairs
	}
	for j := range n { // nothing stands above a label that is not true
		top := true
		for _, s := range scores {
			top = top && s <= scores[j]
		}
		if top && truth[j] == 0 {
			r.OneError = 100
		}
	}
	return r
}

// TestRankingAgainstDefinitions has many ties, and rows with no and with all labels.
func TestRankingAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 1))
	for range 300 {
		n, rows := 1+rng.IntN(6), 1+rng.IntN(8)
		truth, scores := testkit.RandomLabels(rng, n*rows), testkit.RandomNumbers(n*rows, rng)
		if rng.IntN(3) == 0 {
			for i := range n {
				truth[i] = 1
			}
		}
		scores[rng.IntN(n*rows)] = math.Inf(1 - 2*rng.IntN(2)) // a margin can be infinite
		var want metrics.Ranking
		for m := range rows {
			row := rankingByPairs(truth[m*n:(m+1)*n], scores[m*n:(m+1)*n])
			want.RankingLoss += row.RankingLoss / float64(rows)
			want.Coverage += row.Coverage / float64(rows)
			want.AveragePrecision += row.AveragePrecision / float64(rows)
			want.OneError += row.OneError / float64(rows)
		}
		got, err := metrics.EvaluateRanking(truth, scores, n)
		if err != nil {
			t.Fatal(err)
		}
		want.MacroAUC = got.MacroAUC
		checkRanking(t, fmt.Sprint(truth, scores), got, want)
	}
}

// TestRankingConventions has an example without labels, one with all and one in between.
func TestRankingConventions(t *testing.T) {
	for name, c := range map[string]struct {
		truth []uint8
		want  metrics.Ranking
	}{
		"none":            {[]uint8{0, 0, 0}, metrics.Ranking{AveragePrecision: 100, MacroAUC: math.NaN()}},
		"all":             {[]uint8{1, 1, 1}, metrics.Ranking{AveragePrecision: 100, Coverage: 3, MacroAUC: math.NaN()}},
		"tied at the top": {[]uint8{1, 0, 0}, metrics.Ranking{RankingLoss: 50, AveragePrecision: 50, Coverage: 2, OneError: 100, MacroAUC: math.NaN()}},
	} {
		got, err := metrics.EvaluateRanking(c.truth, []float64{2, 2, 1}, 3)
		if err != nil {
			t.Fatal(err)
		}
		checkRanking(t, name, got, c.want)
	}
}

func TestRankingRefuses(t *testing.T) {
	_, err := metrics.EvaluateRanking(make([]uint8, 4), []float64{0, 1, 2, math.NaN()}, 2)
	if !errors.Is(err, errs.ErrData) || err.Error() != "crankpkg: unusable data: row 1, label 1: a score of NaN" {
		t.Errorf("error %v", err)
	}
	if got := metrics.AUC([]uint8{0, 1}, []float64{math.NaN(), 1}); !math.IsNaN(got) {
		t.Errorf("AUC of a NaN: %v", got)
	}
	for name, f := range map[string]func(){
		"lengths differ": func() { metrics.EvaluateRanking(make([]uint8, 4), make([]float64, 6), 2) },
		"half a row":     func() { metrics.EvaluateRanking(make([]uint8, 5), make([]float64, 5), 2) },
		"no labels":      func() { metrics.EvaluateRanking(make([]uint8, 5), make([]float64, 5), 0) },
		"no examples":    func() { metrics.EvaluateRanking(nil, nil, 3) },
		"AUC":            func() { metrics.AUC(make([]uint8, 2), make([]float64, 3)) },
	} {
		if !testkit.Panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

// TestRankingAsJSON has a macro AUC that is not defined, and one that is.
func TestRankingAsJSON(t *testing.T) {
	for _, want := range []metrics.Ranking{{RankingLoss: 12.5, Coverage: 1, AveragePrecision: 3, OneError: 4, MacroAUC: 0.1}, {MacroAUC: math.NaN()}} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got metrics.Ranking
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		checkRanking(t, string(text), got, want)
	}
}

func ExampleEvaluateRanking() {
	truth := []uint8{
		1, 0, 1, 0,
		0, 1, 0, 0,
	}
	scores := []float64{
		2, -1, 0.5, 1, // the second true label comes third
		-1, 3, -2, 0,
	}
	r, err := metrics.EvaluateRanking(truth, scores, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ranking loss %.1f  coverage %.1f  average precision %.1f  one-error %.1f\n", r.RankingLoss, r.Coverage, r.AveragePrecision, r.OneError)
	// Output: ranking loss 12.5  coverage 2.0  average precision 91.7  one-error 0.0
}
