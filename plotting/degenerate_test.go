package plotting

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/plot/plotter"
)

// TestDegenerateData draws what data may bring and checks that a picture comes
// out and, where something could not be drawn, that the figure says so.
func TestDegenerateData(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	onePoint := &crankpkg.Trace{Points: []crankpkg.TracePoint{{Pass: 1, Primal: 2, Dual: 1}}}
	constant := &crankpkg.Trace{Points: []crankpkg.TracePoint{{Pass: 1, Primal: 2, Dual: 1}, {Pass: 2, Primal: 2, Dual: 1}}}
	broken := &crankpkg.Trace{Points: []crankpkg.TracePoint{{Pass: 1, Primal: inf, Dual: nan}, {Pass: 2, Primal: 2, Dual: 2}}}
	model := func(names ...string) *crankpkg.Model {
		return &crankpkg.Model{LabelNames: names, Edges: []crankpkg.Edge{{I: 0, J: 1}}, Pair: []float64{nan}}
	}
	for name, c := range map[string]struct {
		figure *Figure
		note   string
	}{
		"nil trace":           {Convergence(nil), ""},
		"empty trace":         {Convergence(&crankpkg.Trace{}), ""},
		"one point":           {Convergence(onePoint), ""},
		"constant":            {Convergence(constant, BySecond), ""},
		"not finite":          {Convergence(broken, ByOracleCall), "left out"},
		"nil path":            {Path(nil), ""},
		"no steps":            {Path(onePoint), ""},
		"one step":            {Path(&crankpkg.Trace{Steps: []crankpkg.Step{{Beta: 0}}}), ""},
		"steps at zero":       {Path(&crankpkg.Trace{Steps: []crankpkg.Step{{Beta: 0}, {Beta: 1e-3}, {Beta: 1}}}), "β = 0"},
		"step not finite":     {Path(&crankpkg.Trace{Steps: []crankpkg.Step{{Beta: nan, Loss: inf}, {Beta: inf}}}), "left out"},
		"nil model":           {Network(nil), ""},
		"no labels":           {Network(&crankpkg.Model{}), ""},
		"one label":           {Network(&crankpkg.Model{LabelNames: []string{"a"}}), "no pair"},
		"weight not finite":   {Network(model("a", "b")), "not finite"},
		"letters not in font": {Network(model("音楽", "b")), "#0"},
		"right to left":       {Network(model("שלום", "b")), "not finite"},
		"joined, not in font": {Network(model("سلام", "b")), "#0"},
		"no name":             {Network(model("", "b")), "#0"},
		"Greek and Cyrillic":  {Network(model("μουσική", "музыка")), "not finite"},
		"200 labels":          {Network(treeModel(200, className)), ""},
		"long names":          {Network(treeModel(12, func(int) string { return strings.Repeat("long name ", 40) })), ""},
		"control characters":  {Network(model("a\nb\x00", "c\td")), "not finite"},
	} {
		checkDrawn(t, name, c.figure)
		svg, err := encode(c.figure, "svg")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, wrong := range []string{"NaN", "Inf"} {
			if bytes.Contains(svg, []byte(wrong)) {
				t.Errorf("%s: a coordinate is %s", name, wrong)
			}
		}
		if notes := strings.Join(c.figure.Notes, "\n"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q in them", name, notes, c.note)
		}
	}
}

// checkDrawn draws a bitmap, small for speed, and checks that it is not empty.
func checkDrawn(t *testing.T, name string, d Drawing) {
	t.Helper()
	img := rasterize(d, 24)
	for k, v := range img.Pix {
		if v != img.Pix[k%4] { // a pixel unlike the first
			return
		}
	}
	t.Errorf("%s: the picture is empty", name)
}

func TestCleanNames(t *testing.T) {
	long := "a name that is much too long to be drawn: tail"
	clean, notes := cleanNames([]string{"plain", "two\n lines", long, "音", "", "amazed-suprised"})
	want := []string{"plain", "two lines", "", "#3", "#4", "amazed-suprised"}
	for i := range want {
		if want[i] != "" && clean[i] != want[i] {
			t.Errorf("name %d is %q, want %q", i, clean[i], want[i])
		}
	}
	if n := len([]rune(clean[2])); n > longestName || !strings.HasSuffix(clean[2], "tail") || !strings.HasPrefix(clean[2], "a name") {
		t.Errorf("%q: %d letters", clean[2], n)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "#3, #4") {
		t.Errorf("notes %q", notes)
	}
}

// TestMistakesPanic checks that slices which do not belong together are a
// mistake of the caller.
func TestMistakesPanic(t *testing.T) {
	names := []string{"a", "b"}
	for name, f := range map[string]func(){
		"weights":     func() { LabelGraph{Names: names, Edges: labelgraph.AllPairs(2), Weights: []float64{1, 2}}.Figure() },
		"frequencies": func() { LabelGraph{Names: names, Frequency: []float64{1}}.Figure() },
		"layout":      func() { LabelGraph{Names: names, Layout: &Layout{}}.Figure() },
		"edge":        func() { LabelGraph{Names: names, Edges: []crankpkg.Edge{{I: 0, J: 2}}}.Place() },
		"error bars":  func() { Curves{Lines: []Line{{XYs: plotter.XYs{{X: 1, Y: 1}}, Err: []float64{1, 2}}}}.Figure() },
		"comparison":  func() { Comparison{Methods: names, Measures: names, Mean: [][]float64{{1, 2}}}.Figure() },
		"table":       func() { RankedTable{Rows: names, Columns: names, Values: [][]float64{{1, 2}, {1}}}.Figure() },
		"validation":  func() { Validation{Lines: []Line{{XYs: plotter.XYs{{X: 1, Y: 1}}, Err: []float64{}}}}.Figure() },
		"pairs":       func() { PairConfusion(names, make([]uint8, 4), make([]uint8, 2)) },
		"labelings":   func() { LabelingScores{Names: names, Scores: []float64{1}}.Figure() },
	} {
		func() {
			defer func() {
				if r := recover(); r == nil {
					t.Errorf("%s: no panic", name)
				} else if s, ok := r.(string); !ok || !strings.HasPrefix(s, "plotting: ") {
					t.Errorf("%s: panic %v", name, r)
				}
			}()
			f()
		}()
	}
}

// TestNotesCountWhatIsLeftOut has values that no axis has, over all series of a figure, and none: the note tells how many they are.
func TestNotesCountWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		draw    func(bad ...float64) *Figure
		alsoLog bool // zero cannot be drawn either
	}{
		"searches": {func(bad ...float64) *Figure {
			return Anytime{Searches: []SearchRun{{"a", []float64{1, 2, 3}, []float64{1, bad[0], 2}}, {"b", []float64{1, 2}, []float64{bad[1], bad[2]}}}}.Figure()
		}, false},
		"searches at times": {func(bad ...float64) *Figure {
			return Anytime{LogX: true, Searches: []SearchRun{{"a", []float64{bad[0], 2, 3}, []float64{1, 1, 2}}, {"b", []float64{bad[1], bad[2], 2}, []float64{1, 2, 3}}}}.Figure()
		}, true},
		"points": {func(bad ...float64) *Figure {
			return Scatter{Groups: []ScatterGroup{{Name: "a", XYs: plotter.XYs{{X: bad[0], Y: 1}, {X: 1, Y: 2}}}, {Name: "b", XYs: plotter.XYs{{X: 1, Y: bad[1]}, {X: bad[2], Y: 1}}}}}.Figure()
		}, false},
		"bars": {func(bad ...float64) *Figure {
			return Bars{Names: []string{"a", "b", "c", "d"}, Values: append([]float64{1}, bad...)}.Figure()
		}, false},
		"bars alone": {func(bad ...float64) *Figure { return Bars{Names: []string{"a", "b", "c"}, Values: bad}.Figure() }, false},
		"ranks": {func(bad ...float64) *Figure {
			return CriticalDifference{Methods: []string{"a", "b", "c", "d"}, Ranks: append([]float64{1}, bad...)}.Figure()
		}, false},
	} {
		for _, bad := range [][]float64{{1, 1, 1}, {nan, 1, 1}, {1, inf, 2}, {inf, 1, -inf}, {1, nan, inf}, {nan, nan, nan}, {0, 1, 1}, {0, 0, nan}} {
			count := 0
			for _, v := range bad {
				if math.IsNaN(v) || math.IsInf(v, 0) || c.alsoLog && v == 0 {
					count++
				}
			}
			want := ""
			if count == 1 {
				want = "1 value that is not finite"
			} else if count > 1 {
				want = fmt.Sprintf("%d values that are not finite", count)
			}
			if notes := strings.Join(c.draw(bad...).Notes, "\n"); !strings.HasPrefix(notes, want) || want == "" && strings.Contains(notes, "left out") {
				t.Errorf("%s of %v: notes %q, want %q", name, bad, notes, want)
			}
		}
	}
}
