package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
)

// TestReadmeTellsWhatToExpect holds what the README says of CRANK in the paper's setting to significance.json
// and figure1.json.
func TestReadmeTellsWhatToExpect(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rows, _ := rowsOf[testResult](t, committed, "significance.json")
	planted, _ := rowsOf[learningPoint](t, committed, "figure1.json")
	for _, claim := range append(expected(rows), plantedGain(planted)) {
		if !strings.Contains(text, claim) {
			t.Errorf("README does not say %q", claim)
		}
	}
}

// TestExpectedMinds checks that no row can change sides, become certain or cease to be, and the words stay.
func TestExpectedMinds(t *testing.T) {
	t.Parallel()
	rows, _ := rowsOf[testResult](t, committed, "significance.json")
	want, corrected := expected(rows), holmRows(rows)
	for k, r := range rows {
		other := slices.Clone(rows)
		if other[k].P = 1; corrected[k] >= 0.05 {
			other[k].P, other[k].Mean = 1e-9, 1
		}
		if slices.Equal(expected(other), want) {
			t.Errorf("%s, %s, %s: p is %g instead of %g, and the README would say the same", r.Set, r.Against, r.Measure, other[k].P, r.P)
		}
		other[k] = r
		if other[k].Mean = -r.Mean; corrected[k] < 0.05 && slices.Equal(expected(other), want) {
			t.Errorf("%s, %s, %s: the difference is turned around, and the README would say the same", r.Set, r.Against, r.Measure)
		}
	}
	if slices.Equal(expected(rows[:len(rows)-1]), want) {
		t.Error("a comparison is missing, and the README would say the same")
	}
}

func holmRows(rows []testResult) []float64 {
	p := make([]float64, len(rows))
	for k, r := range rows {
		p[k] = r.P
	}
	return significance.Holm(p)
}

// expected returns what the README has to say of the comparisons of CRANK with other methods.
func expected(rows []testResult) []string {
	corrected := holmRows(rows)
	trees, certain := 0, 0
	var sets []string // with something certain
	for k, r := range rows {
		if slices.Contains([]string{"Greedy", "Project", "MST"}, r.Against) {
			trees++
			if corrected[k] < 0.05 {
				certain++
			}
		}
		if corrected[k] < 0.05 && !slices.Contains(sets, r.Set) {
			sets = append(sets, r.Set)
		}
	}
	none := map[bool]string{true: "none", false: fmt.Sprint(certain)}[certain == 0]
	side := func(against string, ahead bool) string { return certainOn(rows, corrected, against, ahead) }
	claims := []string{
		fmt.Sprintf("after Holm's correction for all %d comparisons", len(rows)),
		fmt.Sprintf("it is better than `Empty` %s, worse than `Full` %s.", side("Empty", true), side("Full", false)),
		fmt.Sprintf("Of the %d comparisons with `Greedy`, `Project` and `MST` %s is certain", trees, none),
	}
	if !slices.Contains(sets, "emotions") && !slices.Contains(sets, "medical10") {
		claims = append(claims, "nothing on Emotions and Medical")
	}
	if side("Empty", false)+side("Full", true) != "nowherenowhere" {
		claims = append(claims, "worse than `Empty` "+side("Empty", false), "better than `Full` "+side("Full", true))
	}
	return claims
}

// certainOn names the sets and measures in which CRANK certainly is ahead of a method, or behind it.
func certainOn(rows []testResult, corrected []float64, against string, ahead bool) string {
	names := map[string]string{"emotions": "Emotions", "medical10": "Medical", "scene": "Scene", "yeast": "Yeast"}
	var sets []string
	of := map[string][]string{}
	for k, r := range rows {
		if corrected[k] >= 0.05 || r.Against != against || r.Mean > 0 != ahead {
			continue
		}
		name := names[r.Set]
		if of[name] == nil {
			sets = append(sets, name)
		}
		of[name] = append(of[name], fmt.Sprintf("%.1f in %s", max(r.Mean, -r.Mean), r.Measure.Label()))
	}
	for k, name := range sets {
		sets[k] = fmt.Sprintf("on %s (by %s)", name, strings.Join(of[name], ", "))
	}
	if sets == nil {
		return "nowhere"
	}
	return strings.Join(sets, " and ")
}

// plantedGain tells CRANK less Empty on planted trees, with the most training examples.
func plantedGain(points []learningPoint) string {
	most, of := 0, map[string]float64{}
	for _, p := range points {
		most = max(most, p.TrainSize)
	}
	for _, p := range points {
		if p.TrainSize == most && p.Measure == metrics.SubsetAccuracy {
			of[p.Method] = p.Mean
		}
	}
	return fmt.Sprintf("is worth %.1f points of subset accuracy with %d training examples", of["CRANK"]-of["Empty"], most)
}
