package results

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/crank-ml/crank/internal/levels"
)

// checkLevel measures one design anew.
func checkLevel(t *testing.T, o Options) {
	rates, _ := rowsOf[levels.Rate](t, o.Out, "level.json")
	tests := 0
	for _, d := range levels.Designs() {
		tests += len(d.Tests)
	}
	if len(rates) != tests {
		t.Errorf("%d rates of %d tests", len(rates), tests)
	}
	first := levels.Designs()[0]
	for k, want := range first.Measure(first.Counts[0], rates[0].Runs) {
		if rates[k] != want {
			t.Errorf("%+v, and now %+v", rates[k], want)
		}
	}
}

// TestCommittedLevels holds the committed table to what the tests claim: those that are exact
// reject a true null in 3.5 to 6.5 % of the cases, or as near below five as their p-values
// allow; those that are not exact do not exceed it, but for the ones that are named here.
func TestCommittedLevels(t *testing.T) {
	t.Parallel()
	rates, _ := rowsOf[levels.Rate](t, committed, "level.json")
	expected, exact := 0, 0
	for _, d := range levels.Designs() {
		expected += len(d.Counts) * len(d.Tests)
	}
	if len(rates) != expected {
		t.Errorf("%d rates, and not %d", len(rates), expected)
	}
	aboveLevel := map[string]bool{
		"planted draws, skewed differences": true, // what no test of a mean can help with so few
		"5 x 2 folds, two learners":         true, // with 100 examples
	}
	for _, r := range rates {
		switch {
		case r.Exact && r.Reach < 0.035:
			if !(math.Abs(r.Null-r.Reach) <= 0.01) {
				t.Errorf("%+v", r)
			}
		case r.Exact:
			exact++
			if r.Null < 0.035 || r.Null > 0.065 {
				t.Errorf("%+v", r)
			}
		case !r.Naive && r.Null > 0.065 && !aboveLevel[r.Design] && !(r.Test == "Friedman, Iman and Davenport's F" && r.Count < 10):
			t.Errorf("%+v", r)
		case r.Runs < 5000:
			t.Errorf("%+v: few runs", r)
		}
	}
	if exact != 24 {
		t.Errorf("%d rates of exact tests", exact)
	}
}

// TestReadmeTellsTheLevels holds what the README says of levels to level.json.
func TestReadmeTellsTheLevels(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(readme(t)), " ")
	rates, _ := rowsOf[levels.Rate](t, committed, "level.json")
	between := func(among func(r levels.Rate) bool) (low, high float64) {
		low = 100
		for _, r := range rates {
			if among(r) {
				low, high = min(low, 100*r.Null), max(high, 100*r.Null)
			}
		}
		return low, high
	}
	test := func(design, test string) func(r levels.Rate) bool {
		return func(r levels.Rate) bool { return strings.HasPrefix(r.Design, design) && r.Test == test }
	}
	low, high := between(func(r levels.Rate) bool { return r.Exact && r.Reach >= 0.035 })
	crossedLow, crossedHigh := between(test("several seeds", "seeds x examples"))
	_, overSeeds := between(test("several seeds", "paired t over seeds"))
	_, overSplits := between(test("random splits", "paired t"))
	_, skewed := between(test("planted draws, skewed", "paired t"))
	_, folds := between(test("5 x 2", "5 x 2 F"))
	var bootstrap []string
	for _, r := range rates {
		if test("planted draws, normal", "bootstrap over seeds")(r) {
			bootstrap = append(bootstrap, fmt.Sprintf("%.0f", 100*r.Null))
		}
	}
	for _, claim := range []string{
		fmt.Sprintf("Those that are exact for what is drawn do so in %.1f to %.1f %%", low, high),
		fmt.Sprintf("seeds x examples in %.1f to %.1f %%", crossedLow, crossedHigh),
		"A bootstrap over the seeds does so in " + strings.Join(bootstrap, ", ") + " %",
		fmt.Sprintf("a t test over seeds with one test set in up to %.0f %%, one over splits in up to %.0f %%", overSeeds, overSplits),
		fmt.Sprintf("in up to %.0f %% where the differences are very skewed, and that of 5 x 2 folds in %.0f %% with a hundred examples", skewed, folds),
	} {
		if !strings.Contains(text, claim) {
			t.Errorf("README does not say %q", claim)
		}
	}
}
