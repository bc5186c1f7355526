package plotting

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// texts returns what a drawing has of text, joined.
func texts(d Drawing) string {
	var w witness
	w.look(d)
	return strings.Join(w.texts, " ")
}

func threeDifferences() Forest {
	return Forest{Title: "A less B", XLabel: "points", Labels: []string{"first", "second", "third"}, Differences: []metrics.Difference{
		{Mean: 1.25, Low: 0.5, High: 2, P: 0.0004, N: 10, Test: "paired t"},
		{Mean: -0.5, Low: -1, High: 0, P: 0.05, N: 10, Test: "paired t"},
		{Mean: 3, Low: math.Inf(-1), High: math.Inf(1), P: 0.25, N: 3, Test: "sign flips"},
	}}
}

// TestForest checks the numbers beside the lines, and that zero is on the axis wherever the
// intervals are.
func TestForest(t *testing.T) {
	t.Parallel()
	f := threeDifferences().Figure()
	all := texts(f)
	for _, want := range []string{"+1.25", "[0.50, 2.00]", "p = 0.0004", "−0.50", "[−1.00, 0.00]", "p = 0.050", "∞", "paired t, sign flips"} {
		if !strings.Contains(all, want) {
			t.Errorf("the picture lacks %q: %s", want, all)
		}
	}
	far := threeDifferences()
	far.Labels, far.Differences = far.Labels[:1], []metrics.Difference{{Mean: 100, Low: 90, High: 110}}
	if p := far.Figure().Plots()[0]; p.X.Min > 0 || p.X.Max < 110 {
		t.Errorf("the axis is from %v to %v", p.X.Min, p.X.Max)
	}
	// An interval that ends at zero does not leave it out.
	for k, want := range []int{1, 0, 0} {
		if got := sideOf(threeDifferences().Differences[k]); got != want {
			t.Errorf("difference %d is on side %d of zero", k, got)
		}
	}
	// The key has what there is, each with the look of its lines.
	above, below, with := metrics.Difference{Mean: 1, Low: 0.5, High: 2}, metrics.Difference{Mean: -1, Low: -2, High: -0.5}, metrics.Difference{Low: -1, High: 1}
	for _, c := range []struct {
		differences []metrics.Difference
		key         []string
		side        []int
	}{
		{[]metrics.Difference{with, below, above}, []string{"interval above zero", "below zero", "with zero"}, []int{1, -1, 0}},
		{[]metrics.Difference{with, below}, []string{"interval below zero", "with zero"}, []int{-1, 0}},
		{[]metrics.Difference{with}, []string{"interval with zero"}, []int{0}},
	} {
		rows := forestRows{s: theStyle()}
		for _, d := range c.differences {
			rows.rows = append(rows.rows, forestEntry{d, 0})
		}
		key := rows.key()
		if len(key) != len(c.key) {
			t.Fatalf("the key is %v, want %q", key, c.key)
		}
		for k, e := range key {
			if e.Name != c.key[k] || !reflect.DeepEqual(e.Marker, rows.marker(c.side[k])) {
				t.Errorf("entry %d of the key is %+v, want %q", k, e, c.key[k])
			}
		}
	}
	if !panics(func() { Forest{Labels: []string{"a"}}.Figure() }) {
		t.Error("no panic on a label too many")
	}
}

// TestDifferences takes those of one measure, and names them.
func TestDifferences(t *testing.T) {
	t.Parallel()
	d := metrics.Difference{Mean: 2, Low: 1, High: 3, P: 0.01}
	fo := Differences([]experiment.Comparison{
		{Set: "yeast", A: "CRANK", B: "Empty", Measure: metrics.ExampleF1},
		{Set: "yeast", A: "CRANK", B: "Empty", Measure: metrics.SubsetAccuracy, Difference: d},
	}, metrics.SubsetAccuracy)
	if len(fo.Labels) != 1 || fo.Labels[0] != "yeast: CRANK − Empty" || fo.Differences[0] != d || fo.XLabel != "subset accuracy, points" {
		t.Errorf("%+v", fo)
	}
}

// TestEffects has one that a single difference tells of, without an interval.
func TestEffects(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	fo := Effects([]experiment.Effect{
		{Label: "Restarts 10 - 1", Difference: metrics.Difference{Mean: 2, Low: 1, High: 3, P: 0.01, N: 8, Test: "paired t"}},
		{Label: "Path", Difference: metrics.Difference{Mean: 1, Low: nan, High: nan, P: nan, N: 1, Test: "paired t"}},
	}, metrics.SubsetAccuracy)
	if got := fmt.Sprint(fo.Table().Rows); got != "[[Restarts 10 - 1 +2.00 [1.00, 3.00] 0.010 8 paired t] [Path +1.00 – – 1 paired t]]" {
		t.Errorf("table %s", got)
	}
	family := Effects(experiment.Family([]experiment.Effect{
		{Label: "a", Difference: metrics.Difference{Mean: 2, Low: 1, High: 3, P: 0.01, N: 8, Test: "t"}},
		{Label: "b", Difference: metrics.Difference{Mean: 1, Low: -1, High: 3, P: 0.3, N: 8, Test: "t"}},
		{Label: "c", Difference: metrics.Difference{Mean: 1, Low: nan, High: nan, P: nan, N: 1, Test: "t"}},
	}), metrics.SubsetAccuracy).Table()
	if got := fmt.Sprint(family.Columns, family.Rows); got != "[ difference interval p corrected pairs test] [[a +2.00 [1.00, 3.00] 0.010 0.020 8 t] [b +1.00 [−1.00, 3.00] 0.300 0.300 8 t] [c +1.00 – – – 1 t]]" {
		t.Errorf("table %s", got)
	}
	for _, text := range []string{family.String(), family.HTML()} {
		if !strings.Contains(strings.ReplaceAll(text, "&#39;", "'"), "Holm's correction") {
			t.Errorf("what is corrected is not said: %s", text)
		}
	}
	if !panics(func() {
		Forest{Labels: []string{"a"}, Differences: make([]metrics.Difference, 1), Corrected: make([]float64, 2)}.Table()
	}) {
		t.Error("too many corrected values are taken")
	}
	if all := texts(fo.Figure()); !strings.Contains(all, "no interval") || strings.Contains(all, "NaN") {
		t.Errorf("picture %s", all)
	}
}

// TestForestRows checks that the first label stands on top.
func TestForestRows(t *testing.T) {
	t.Parallel()
	ticks := threeDifferences().Figure().Plots()[0].Y.Tick.Marker.Ticks(0, 2)
	if len(ticks) != 3 || ticks[2].Label != "first" || ticks[0].Label != "third" {
		t.Errorf("rows %v", ticks)
	}
}

// TestCriticalDifferenceGroups has the longest groups without a difference, and none within one.
func TestCriticalDifferenceGroups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ranks []float64
		cd    float64
		want  [][2]int
	}{
		{[]float64{1, 2, 3, 4}, 1.5, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{[]float64{1, 2, 3, 4}, 2.5, [][2]int{{0, 2}, {1, 3}}},
		{[]float64{1, 2, 3, 4}, 5, [][2]int{{0, 3}}},
		{[]float64{1, 2, 3, 4}, 1, nil}, // as far apart as the critical difference is far enough
		{[]float64{1, 1.2, 3.4, 3.6}, 1, [][2]int{{0, 1}, {2, 3}}},
		{[]float64{2, 2, 2}, 0.1, [][2]int{{0, 2}}},
	} {
		p := rankPanel{cd: c.cd}
		for _, r := range c.ranks {
			p.methods = append(p.methods, rankedMethod{rank: r})
		}
		if got := p.bars(); !slices.Equal(got, c.want) {
			t.Errorf("%v with %v: groups %v, want %v", c.ranks, c.cd, got, c.want)
		}
	}
	f := CriticalDifference{Methods: []string{"last", "first", "lost"}, Ranks: []float64{3, 1, math.NaN()}, CD: 1}.Figure()
	if said := describe(f); !strings.Contains(said, "first 1.00, last 3.00") || !strings.Contains(said, "left out") {
		t.Errorf("described as %q", said)
	}
	if !panics(func() { CriticalDifference{Methods: []string{"a"}}.Figure() }) {
		t.Error("no panic on a rank too few")
	}
}

// TestAnytimeSteps checks the best value so far against its definition, both ways.
func TestAnytimeSteps(t *testing.T) {
	t.Parallel()
	points := plotter.XYs{{X: 1, Y: 5}, {X: 2, Y: 3}, {X: 3, Y: 7}, {X: 4, Y: 7}, {X: 5, Y: 2}}
	for _, smaller := range []bool{false, true} {
		steps := Anytime{SmallerIsBetter: smaller}.best(points, 9)
		at := func(x float64) (y float64) { // the value after the last step up to x
			for _, s := range steps {
				if s.X <= x {
					y = s.Y
				}
			}
			return y
		}
		for k := range points {
			want := points[0].Y
			for _, p := range points[:k+1] {
				if smaller {
					want = math.Min(want, p.Y)
				} else {
					want = math.Max(want, p.Y)
				}
			}
			if got := at(points[k].X); got != want {
				t.Errorf("smaller is better %v: at %v the best is %v, want %v", smaller, points[k].X, got, want)
			}
		}
		if last := steps[len(steps)-1]; last.X != 9 {
			t.Errorf("the line ends at %v", last)
		}
	}
	if !panics(func() { Anytime{Searches: []SearchRun{{At: []float64{1}}}}.Figure() }) {
		t.Error("no panic on a time too many")
	}
}

// TestMainEffectsShareAScale checks that zero is on it.
func TestMainEffectsShareAScale(t *testing.T) {
	t.Parallel()
	m := MainEffects{Settings: []SettingEffects{
		{"a", []string{"1", "2"}, []metrics.Difference{{Mean: 5, Low: 4, High: 6}, {Mean: 8, Low: 7, High: math.Inf(1)}}},
		{"b", []string{"x"}, []metrics.Difference{{Mean: 2, Low: 1, High: 3}}}, {"none", nil, nil},
	}}
	f := m.Figure()
	if plots := f.Plots(); len(plots) != 2 || !f.ShareY || plots[0].Y.Min > 0 || plots[1].Y.Min > 0 || plots[0].Y.Max < 8 {
		t.Errorf("%d panels", len(f.Plots()))
	}
	m.Settings[0].Values = m.Settings[0].Values[:1]
	if !panics(func() { m.Figure() }) {
		t.Error("no panic on an effect too many")
	}
}

// TestScatterLabels checks that a name stays within the picture.
func TestScatterLabels(t *testing.T) {
	t.Parallel()
	sc := Scatter{Groups: []ScatterGroup{{Name: "CRANK", XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, Labels: []string{"", "at the edge"}}}}
	if all := texts(sc.Figure()); !strings.Contains(all, "at the edge") {
		t.Errorf("texts %s", all)
	}
	sc.Groups[0].Labels = []string{"one"}
	if !panics(func() { sc.Figure() }) {
		t.Error("no panic on a label too few")
	}
}

// TestEveryFigureIsDescribed checks that there is alternative text for all, which has the
// title, and that it is text alone.
func TestEveryFigureIsDescribed(t *testing.T) {
	t.Parallel()
	for name, figure := range everyFigure("a <title> & more", 1, 2) {
		d := figure()
		said := describe(d)
		if f, ok := d.(*Figure); ok && f.Title != "" && !strings.Contains(said, spoken(f.Title)) {
			t.Errorf("%s: %q lacks the title %q", name, said, f.Title)
		}
		if len(said) < 10 || said == "A picture." || strings.ContainsAny(said, "$\n") || !strings.HasSuffix(said, ".") {
			t.Errorf("%s: described as %q", name, said)
		}
		svg, err := encode(d, "svg")
		if err != nil {
			t.Fatal(err)
		}
		if got := textOf(t, svg, "desc"); got != said {
			t.Errorf("%s: the SVG file has %q, want %q", name, got, said)
		}
	}
}

// textOf returns the text of the first element of a name, of a document that has to be well formed.
func textOf(t *testing.T, document []byte, name string) (out string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(string(document)))
	decoder.Strict = false // the header names a document type
	within := false
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch v := token.(type) {
		case xml.StartElement:
			within = v.Name.Local == name
		case xml.EndElement:
			within = false
		case xml.CharData:
			if within {
				out += string(v)
			}
		}
	}
}

// TestDescriptions has what is said of some figures.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	plain := Curves{Title: "Scores", XLabel: "$λ$", YLabel: "F1, %", LogX: true, Lines: []Line{{Name: "CRANK", XYs: plotter.XYs{{X: 0.001, Y: 10}, {X: 0.1, Y: 20}}}}}.Figure()
	own := Curves{Title: "Scores"}.Figure()
	own.Description = "Nothing to see."
	for want, f := range map[string]*Figure{
		"Scores. F1, % from 10 to 20 against λ, logarithmic, from 0.001 to 0.1. From the first to the last point: CRANK: 10 to 20. Key: CRANK.": plain,
		"Nothing to see.":           own,
		"Empty. There is no table.": CompareMethods(nil, "Empty"),
		"A less B. Differences with intervals: first: +1.25 [0.50, 2.00], p = 0.0004; second: −0.50 [−1.00, 0.00], p = 0.050; third: +3.00 [−∞, ∞], p = 0.250. Intervals and p by: paired t, sign flips.": threeDifferences().Figure(),
	} {
		if got := describe(f); got != want {
			t.Errorf("described as %q, want %q", got, want)
		}
	}
}

// TestDescriptionsOfPanels holds that an upper panel goes by the label beneath it, that panels beyond those that are
// described are named by their titles, and that a map's label is a sentence of its own.
func TestDescriptionsOfPanels(t *testing.T) {
	t.Parallel()
	curve := func(title, x string, until float64) Drawing {
		panel := Curves{XLabel: x, YLabel: "F1", Lines: []Line{{Name: "CRANK", XYs: plotter.XYs{{X: 0, Y: 1}, {X: until, Y: 2}}}}}.Figure().Panels[0]
		panel.(*plot.Plot).Title.Text = title
		return panel
	}
	stacked := Grid(1, curve("upper", "", 1), curve("lower", "share $s$", 1))
	if said := describe(stacked); !strings.Contains(said, "upper. F1 from 1 to 2 against share s") {
		t.Errorf("the upper panel is %q", said)
	}
	apart := Grid(1, curve("upper", "", 1), curve("lower", "share $s$", 2))
	if said := describe(apart); !strings.Contains(said, "upper. F1 from 1 to 2 against x") {
		t.Errorf("the upper panel, which ends elsewhere, is %q", said)
	}
	strip := Grid(4)
	for k := range 8 {
		strip.Panels = append(strip.Panels, curve(fmt.Sprintf("step %d", k), "t", 1))
	}
	if said := describe(strip); !strings.Contains(said, " 2 more panels: step 6, step 7.") {
		t.Errorf("a strip of eight is %q", said)
	}
	heat := HeatMap{Title: "Pairs", XNames: []string{"a", "b"}, YNames: []string{"c"}, ZLabel: "score", Values: [][]float64{{1, 2}}}
	if said := describe(heat.Figure()); !strings.Contains(said, "score. Least: 1") {
		t.Errorf("a map is %q", said)
	}
}

// TestNotebooksGetAlternativeText looks at the messages that go to a notebook.
func TestNotebooksGetAlternativeText(t *testing.T) {
	t.Parallel()
	f := threeDifferences().Figure()
	m, err := pictureMessage(f)
	if err != nil {
		t.Fatal(err)
	}
	meta := m.Metadata["image/png"].(map[string]any)
	if meta["alt"] != describe(f) || m.Data["text/plain"] != describe(f) || meta["width"].(int) < 100 || m.Data["image/png"] == nil || m.Data["text/html"] != nil {
		t.Errorf("metadata %v", meta)
	}
	m, err = pictureMessage(Animate(0, Curves{Title: `"quoted" <b>`}.Figure()))
	if err != nil {
		t.Fatal(err)
	}
	if page := m.Data["text/html"].(string); !strings.Contains(page, `alt="An animation of 1 pictures. The last: &#34;quoted&#34; &lt;b&gt;.`) || m.Data["image/png"] == nil {
		t.Errorf("animation: %.200s", page[max(0, len(page)-300):])
	}
	if _, err := pictureMessage(Curves{}.Figure()); err != nil {
		t.Error(err)
	}
}

// TestTable holds both forms of a table to its cells.
func TestTable(t *testing.T) {
	t.Parallel()
	table := Table{
		Title: "A & B", Columns: []string{"name", "value"}, Note: "1 < 2",
		Rows: [][]string{{"<one>", "1.5"}, {"twenty", "−20.25"}, {"none", "–"}},
	}
	want := "A & B\n\nname     value\n------  ------\n<one>      1.5\ntwenty  −20.25\nnone         –\n\n1 < 2\n"
	if got := table.String(); got != want {
		t.Errorf("as text:\n%s", got)
	}
	page := table.HTML()
	if got := textOf(t, []byte("<p>"+page+"</p>"), "td"); got != "<one>1.5twenty−20.25none–" {
		t.Errorf("cells %q", got)
	}
	for _, want := range []string{"text-align:right;white-space:nowrap\">−20.25<", "text-align:left;white-space:nowrap\">twenty<", "<caption", "A &amp; B", "<p>1 &lt; 2</p>"} {
		if !strings.Contains(page, want) {
			t.Errorf("HTML lacks %q:\n%s", want, page)
		}
	}
	m := tableMessage(table)
	if m.Data["text/html"] != page || m.Data["text/plain"] != want || len(m.Data) != 2 {
		t.Errorf("a notebook gets %v", m.Data)
	}
	for _, want := range []string{"twenty", "−20.25", "1 < 2"} {
		if all := texts(table); !strings.Contains(all, want) {
			t.Errorf("the picture lacks %q: %s", want, all)
		}
	}
	if !panics(func() { _ = Table{Columns: []string{"a"}, Rows: [][]string{{"1", "2"}}}.String() }) {
		t.Error("no panic on a row too long")
	}
}

// TestNumericColumns has what stands at the right.
func TestNumericColumns(t *testing.T) {
	t.Parallel()
	for cells, want := range map[string]bool{
		"1|2.5|−3": true, "+1.20|": true, "[−1.00, 2.00]|[−∞, ∞]": true, "< 0.0001|0.5": true, "80.1 ± 0.2 (1)|–": true,
		"one|2": false, "|": false, "–|–": false, "CRANK": false, "-": false,
	} {
		table := Table{Columns: []string{"x"}}
		for _, c := range strings.Split(cells, "|") {
			table.Rows = append(table.Rows, []string{c})
		}
		if got := table.numeric(0); got != want {
			t.Errorf("%q: numbers %v", cells, got)
		}
	}
}

// TestTablesOfResults checks the tables of differences, of ranks and of experiments.
func TestTablesOfResults(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint(threeDifferences().Table().Rows); got != "[[first +1.25 [0.50, 2.00] 0.0004 10 paired t] [second −0.50 [−1.00, 0.00] 0.050 10 paired t] [third +3.00 [−∞, ∞] 0.250 3 sign flips]]" {
		t.Errorf("differences: %s", got)
	}
	ranked := RankedTable{Rows: []string{"a", "b"}, Columns: []string{"s", "t"}, Values: [][]float64{{1, math.NaN()}, {2, 3}}}
	if got := fmt.Sprint(ranked.Table().Rows); got != "[[b 2 (1) 3 1.00] [a 1 (2) – 2.00]]" {
		t.Errorf("ranks: %s", got)
	}
	cell := func(method string, seed uint64, v float64) experiment.Cell {
		return experiment.Cell{Set: "yeast", Method: method, Seed: seed, Scores: metrics.Scores{HammingAccuracy: v}}
	}
	table := &experiment.Table{Sets: []string{"yeast"}, Methods: []string{"CRANK", "Empty", "none"}, Measures: []metrics.Measure{metrics.HammingAccuracy},
		Cells: []experiment.Cell{cell("CRANK", 1, 80), cell("CRANK", 2, 82), cell("Empty", 1, 79), cell("Empty", 2, 79)}}
	if got := fmt.Sprint(TableOf(table)); !strings.Contains(got, "yeast  CRANK     81.0 ± 1.0 (1)\n") || !strings.Contains(got, "none                   –\n") {
		t.Errorf("experiment:\n%s", got)
	}
	if got := TableOf(nil); len(got.Columns) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestForestHeadings has two sets with two rows each: the set is said once, above its rows.
func TestForestHeadings(t *testing.T) {
	t.Parallel()
	d := metrics.Difference{Mean: 1, Low: 0.5, High: 1.5, P: 0.01, N: 8}
	fo := Forest{Labels: []string{"scene: A", "scene: B", "yeast: A", "yeast: B"}, Differences: []metrics.Difference{d, d, d, d}}
	lines, heading := fo.headed()
	if fmt.Sprint(lines, heading) != "[scene A B yeast A B] [true false false true false false]" {
		t.Errorf("%v %v", lines, heading)
	}
	all := texts(fo.Figure())
	if strings.Count(all, "scene") != 1 || strings.Contains(all, "scene:") {
		t.Errorf("picture %s", all)
	}
	for _, labels := range [][]string{{"scene: A", "yeast: A"}, {"scene: A", "scene: B", "both"}} {
		if lines, heading := (Forest{Labels: labels}).headed(); fmt.Sprint(lines) != fmt.Sprint(labels) || heading[0] {
			t.Errorf("%v: %v", labels, lines)
		}
	}
}

// TestDiagonal holds both axes to one range, with room for the marks at its ends.
func TestDiagonal(t *testing.T) {
	t.Parallel()
	sc := Scatter{LogX: true, LogY: true, Diagonal: "equal", Groups: []ScatterGroup{{XYs: plotter.XYs{{X: 1, Y: 10}, {X: 5, Y: 200}}}}}
	p := sc.Figure().Plots()[0]
	if p.X.Min != p.Y.Min || p.X.Max != p.Y.Max || p.X.Max < 210 || p.X.Max > 250 || p.X.Min > 0.95 || p.X.Min < 0.8 {
		t.Errorf("x from %g to %g, y from %g to %g", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	if all := texts(sc.Figure()); !strings.Contains(all, "equal") {
		t.Errorf("the key has no diagonal: %s", all)
	}
}

// TestWholeY has counts, whose axis has no halves, and values between, whose axis may.
func TestWholeY(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ys    plotter.XYs
		whole bool
	}{{plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 3}}, true}, {plotter.XYs{{X: 0, Y: 0.2}, {X: 1, Y: 3}}, false}} {
		p := Curves{Lines: []Line{{XYs: c.ys}}}.Figure().Plots()[0]
		halves := false
		for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			halves = halves || tick.Value != math.Round(tick.Value)
		}
		if halves == c.whole {
			t.Errorf("%v: ticks at halves %v", c.ys, halves)
		}
	}
}

// TestSparseDecades has no tick between powers of ten where labels leave some out.
func TestSparseDecades(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ hi, most float64 }{{1e20, 1}, {1e3, 9}} {
		most := 0.0
		for _, tick := range (logTicks{}).Ticks(1, c.hi) {
			most = math.Max(most, math.Round(tick.Value/math.Pow(10, math.Floor(math.Log10(tick.Value)+1e-9))))
		}
		if most != c.most {
			t.Errorf("to %g: ticks up to %g times a power of ten, want %g", c.hi, most, c.most)
		}
	}
}
