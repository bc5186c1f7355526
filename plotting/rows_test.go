package plotting

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

type measured struct {
	who       string
	x, y, err float64
}

func TestLines(t *testing.T) {
	t.Parallel()
	rows := []measured{{"a", 2, 5, 0}, {"b", 1, 7, 0.5}, {"a", 1, 1, 0}, {"c", 1, 1, 0}, {"a", 1, 3, 0}, {"", 1, 1, 1}}
	lines := Lines(rows, []string{"b", "a", "d", ""}, func(m measured) (string, float64, float64, float64) { return m.who, m.x, m.y, m.err })
	if len(lines) != 4 || lines[0].Name != "b" || lines[0].Err[0] != 0.5 {
		t.Fatalf("lines %+v", lines)
	}
	at := lines[1].XYs.(plotter.XYs)
	if len(at) != 2 || at[0] != (plotter.XY{X: 1, Y: 2}) || at[1] != (plotter.XY{X: 2, Y: 5}) {
		t.Errorf("points %v, want the mean 2 at 1 and 5 at 2", at)
	}
	if math.Abs(lines[1].Err[0]-math.Sqrt2) > 1e-12 || lines[1].Err[1] != 0 {
		t.Errorf("bars %v", lines[1].Err)
	}
	for _, l := range lines[2:] {
		if l.XYs.Len() != 0 || l.Err != nil {
			t.Errorf("%q has %d points", l.Name, l.XYs.Len())
		}
	}
}

// TestLess checks differences at shared x, that bars are left to the one alone, as a band, and that the lines given stay as they are.
func TestLess(t *testing.T) {
	t.Parallel()
	given := []Line{
		{Name: "a", XYs: plotter.XYs{{X: 1, Y: 5}, {X: 2, Y: 7}, {X: 4, Y: 1}}, Err: []float64{1, 2, 3}, Ringed: []bool{true, false, true}},
		{Name: "b", XYs: plotter.XYs{{X: math.NaN(), Y: 1}, {X: 1, Y: 2}, {X: 2, Y: 3}}, Err: []float64{9, 0.5, 0.25}},
		{Name: "none"},
	}
	lines := Less("b", given)
	a, b := lines[0].XYs.(plotter.XYs), lines[1].XYs.(plotter.XYs)
	if len(a) != 2 || a[0] != (plotter.XY{X: 1, Y: 3}) || a[1] != (plotter.XY{X: 2, Y: 4}) || !lines[0].Ringed[0] || lines[0].Ringed[1] {
		t.Errorf("a less b is %+v", lines[0])
	}
	if len(b) != 2 || b[0].Y != 0 || b[1].Y != 0 || len(lines[1].Err) != 2 || lines[1].Err[0] != 0.5 || !lines[1].Band {
		t.Errorf("b less itself is %+v", lines[1])
	}
	if lines[0].Err != nil || lines[0].Band || lines[2].XYs.Len() != 0 || given[0].Err == nil || given[1].Band {
		t.Errorf("bars of %+v, given %+v", lines, given)
	}
	if Less("nobody", given)[0].XYs.Len() != 0 {
		t.Error("differences from nothing")
	}
	Curves{Lines: lines}.Figure() // as many bars as points
}

// TestBandSpansTheBars looks that a band's outline goes along the upper ends of the bars and back along the lower ones, that the axis
// has room for it, and that it moves no other line aside.
func TestBandSpansTheBars(t *testing.T) {
	t.Parallel()
	cu := Curves{Lines: []Line{{Name: "a", XYs: plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 3}}, Err: []float64{2, 4}, Band: true},
		{Name: "b", XYs: plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 3}}, Err: []float64{2, 4}}}}
	var lines []errorSeries
	for _, l := range cu.Lines {
		e, _ := cu.line(l, theStyle().Others[0])
		lines = append(lines, e)
	}
	same := func(v float64) vg.Length { return vg.Length(v) }
	want := []vg.Point{{X: 0, Y: 3}, {X: 1, Y: 7}, {X: 1, Y: -1}, {X: 0, Y: -1}}
	if got := lines[0].outline(same, same); !slices.Equal(got, want) {
		t.Errorf("outline %v, want %v", got, want)
	}
	if sides, count := barSides(lines); count != 0 || sides[1] != 0 {
		t.Errorf("%d lines stand aside", count)
	}
	if p := cu.Figure().Plots()[0]; p.Y.Min > -1 || p.Y.Max < 7 {
		t.Errorf("the axis goes from %v to %v", p.Y.Min, p.Y.Max)
	}
}

func TestMatrix(t *testing.T) {
	t.Parallel()
	rows := []measured{{"a", 1, 5, 0}, {"b", 2, 7, 0}, {"b", 2, 8, 0}, {"c", 1, 9, 0}, {"a", 3, 9, 0}}
	column := map[float64]string{1: "one", 2: "two"}
	got := Matrix(rows, []string{"a", "b"}, []string{"two", "one"}, func(m measured) (string, string, float64) { return m.who, column[m.x], m.y })
	if got[1][0] != 8 || got[0][1] != 5 || !math.IsNaN(got[0][0]) || !math.IsNaN(got[1][1]) {
		t.Errorf("matrix %v", got)
	}
}

// TestBarsOfShares checks that no error bar of a share leaves 0 to 100, and that bars of others may.
func TestBarsOfShares(t *testing.T) {
	t.Parallel()
	for _, percent := range []bool{true, false} {
		e := errorSeries{series: series{XYs: plotter.XYs{{X: 1, Y: 3}, {X: 2, Y: 98}}}, err: []float64{5, 5}, percent: percent}
		low, _ := e.bar(0)
		_, high := e.bar(1)
		if percent != (low == 0 && high == 100) {
			t.Errorf("percent %v: bars from %v, to %v", percent, low, high)
		}
	}
}

// TestComparisonPanels checks the arrangement, the titles and that zero is in sight of differences.
func TestComparisonPanels(t *testing.T) {
	t.Parallel()
	row := []float64{3, 4, 5, math.NaN()}
	c := Comparison{Methods: []string{"a"}, Measures: []string{"s", "t", "u", "v"}, Mean: [][]float64{row}, YLabel: "points", Differences: true}
	f := c.Figure()
	if f.Columns != 2 {
		t.Errorf("four panels in %d columns", f.Columns)
	}
	p := f.Plots()[0]
	if p.Title.Text != "s" || p.Y.Label.Text != "points" || p.Y.Min > 0 {
		t.Errorf("title %q, label %q, from %v", p.Title.Text, p.Y.Label.Text, p.Y.Min)
	}
	c.Differences = false
	if p := c.Figure().Plots()[0]; p.Y.Min <= 0 {
		t.Errorf("zero is in sight of values: from %v", p.Y.Min)
	}
	c.LogY = true
	if p := c.Figure().Plots()[0]; p.Y.Min <= 0 || p.Y.Min >= p.Y.Max {
		t.Errorf("logarithmic from %v to %v", p.Y.Min, p.Y.Max)
	}
	few, many := c, c
	few.Methods = []string{"a", "b", "c", "d", "e"}
	few.Mean = [][]float64{row, row, row, row, row}
	many.Methods, many.Mean = append([]string{"a name of some length"}, few.Methods[1:]...), few.Mean
	_, low := few.Figure().Size()
	if _, high := many.Figure().Size(); high <= low {
		t.Errorf("long names have no room of their own: %v and %v", low, high)
	}
	names := []string{"yeast, Greedy", "scene, a", "b", "c"}
	for count, want := range map[int]string{0: "", 1: "Not measured, or not finite: yeast, Greedy.", 3: "Not measured, or not finite: yeast, Greedy; scene, a; b.", 4: "4 values were not measured, or are not finite."} {
		if got := missingNote(names[:count]); got != want {
			t.Errorf("%d values: %q, want %q", count, got, want)
		}
	}
	few.LogY, few.Measures, few.Mean = false, []string{"m"}, [][]float64{{1}, {math.NaN()}, {2}, {3}, {4}}
	few.Err = nil
	if got, want := texts(few.Figure()), missingNote([]string{"m, b"}); !strings.Contains(got, want) {
		t.Errorf("the picture does not say %q: %s", want, got)
	}
}
