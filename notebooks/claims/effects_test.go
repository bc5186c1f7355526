package claims

import (
	"math"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// TestApart has one effect that is clear, one that is clear only by itself, one that is not, and one of nothing at all.
func TestApart(t *testing.T) {
	effect := func(label string, mean, half, p float64) experiment.Effect {
		return experiment.Effect{Label: label, Difference: metrics.Difference{Mean: mean, Low: mean - half, High: mean + half, P: p}}
	}
	said := Apart([]experiment.Effect{effect("A 1 - 0", 2, 0.5, 1e-6), effect("B 1 - 0", -3, 2.5, 0.02), effect("C 1 - 0", 0.1, 1, 0.8), effect("D 1 - 0", 0, math.Inf(1), 1)})
	for _, part := range []string{"4 comparisons: A 1 - 0 (+2).", "Nothing at all is changed by D 1 - 0.", "2 others lie within ±5.5"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q does not say %q", said, part)
		}
	}
	if said := Apart([]experiment.Effect{effect("B 1 - 0", -3, 2.5, 0.02)}); !strings.Contains(said, "1 comparison: B 1 - 0 (-3).") || strings.Contains(said, "other") {
		t.Errorf("one alone: %q", said)
	}
	if said := Apart([]experiment.Effect{effect("C 1 - 0", 0.1, 1, 0.8)}); !strings.Contains(said, "none. The 95 % intervals of the 1 other lie within ±1.1.") {
		t.Errorf("none: %q", said)
	}
	if said := Apart([]experiment.Effect{effect("C 1 - 0", 0.1, 1, 0.8), effect("D 1 - 0", 0.1, 2, 0.9)}); !strings.Contains(said, "none. The 95 % intervals of all 2 lie within ±2.1.") {
		t.Errorf("none of two: %q", said)
	}
}

// TestWidest draws what is apart from zero and the widest of the others, in the order that they come in.
func TestWidest(t *testing.T) {
	t.Parallel()
	effect := func(label string, mean, half, p float64) experiment.Effect {
		return experiment.Effect{Label: label, Difference: metrics.Difference{Mean: mean, Low: mean - half, High: mean + half, P: p}}
	}
	effects := []experiment.Effect{effect("a", 0, 1, 0.9), effect("b", 2, 0.5, 1e-6), effect("c", -1, 3, 0.4), effect("d", 0.1, 2, 0.8), effect("e", -2, 1, 1e-4)}
	for others, want := range []string{"be", "bce", "bcde", "abcde", "abcde"} {
		got := ""
		for _, e := range widest(others, effects) {
			got += e.Label
		}
		if got != want {
			t.Errorf("%d others: %s, want %s", others, got, want)
		}
	}
	if n := CountApart(effects); n != 2 {
		t.Errorf("%d are apart, want 2", n)
	}
}

// TestScales checks the scales on which rows are compared: twice the passes are one more, and one percent more is about one more.
func TestScales(t *testing.T) {
	t.Parallel()
	row := func(passes int, primal float64) *experiment.Row {
		return &experiment.Row{Outcome: experiment.Outcome{Passes: passes, Primal: primal}}
	}
	if d := Doublings(row(24, 1)) - Doublings(row(12, 1)); math.Abs(d-1) > 1e-12 {
		t.Errorf("twice the passes are %v doublings", d)
	}
	if d := LogPercent(row(1, 2.02)) - LogPercent(row(1, 2)); math.Abs(d-1) > 0.01 {
		t.Errorf("one percent more is %v", d)
	}
	if Percent(true) != 100 || Percent(false) != 0 {
		t.Errorf("percent %v and %v", Percent(true), Percent(false))
	}
}

// TestLists checks that a list has a line for each effect, that notes are sentences, and that effects on several measures bear
// the names of these.
func TestLists(t *testing.T) {
	one := experiment.Effect{Label: "A 1 - 0", Difference: metrics.Difference{Mean: 2, Low: 1, High: 3, P: 1e-6, N: 9}}
	printed, _, _ := run(t, func() { List([]experiment.Effect{one, one}) })
	if strings.Count(printed, "- A 1 - 0: ") != 2 || !strings.Contains(printed, "2 comparisons: A 1 - 0 (+2)") {
		t.Errorf("list %q", printed)
	}
	table := &experiment.SweepTable{Notes: []string{"one", "two"}, Sets: []string{"s"}, Methods: []string{"a", "b"}, Seeds: []uint64{1, 2}}
	if printed, _, _ := run(t, func() { Notes(table) }); printed != "Note: one.\nNote: two.\n" {
		t.Errorf("notes %q", printed)
	}
	for _, seed := range table.Seeds {
		for k, method := range table.Methods {
			r := experiment.Row{Set: "s", Method: method, Seed: seed}
			r.Scores.HammingAccuracy, r.Scores.SubsetAccuracy = 80+float64(seed)+float64(k), 50-2*float64(k)
			table.Rows = append(table.Rows, r)
		}
	}
	effects := OnMeasures(table, metrics.SubsetAccuracy, metrics.HammingAccuracy)
	if len(effects) != 2 || effects[0].Label != "zero-one: method b - a" || effects[1].Label != "Hamming accuracy: method b - a" || effects[0].Mean != -2 || effects[1].Mean != 1 {
		t.Errorf("effects %v", effects)
	}
}
