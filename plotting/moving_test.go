package plotting

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestAlongIsTheFunction checks the cut against the function at points computed from the angle.
func TestAlongIsTheFunction(t *testing.T) {
	t.Parallel()
	sl := Slice{F: func(x, y float64) float64 { return 10*x + y }, XMin: 1, XMax: 3, YMin: -4, YMax: 4}
	for angle, want := range map[float64][2]float64{0: {10, 30}, 45: {10 - 4, 30 + 4}, 90: {20 - 4, 20 + 4}, 135: {30 - 4, 10 + 4}, 180: {30, 10}} {
		points := sl.Along(angle)
		first, middle, last := points[0], points[len(points)/2], points[len(points)-1]
		if math.Abs(first.Y-want[0]) > 1e-9 || math.Abs(last.Y-want[1]) > 1e-9 || math.Abs(middle.Y-20) > 1e-9 || middle.X != 0 || first.X != -last.X {
			t.Errorf("at %g degrees from %v by %v to %v, want values %v", angle, first, middle, last, want)
		}
	}
	if (Slice{}).Along(1) != nil || len(Cuts(3).Frames) != 0 || len(Cuts(3, Slice{}).Frames) != 3 {
		t.Error("slices without a function")
	}
}

// TestReadingLineTellsTheValues checks what stands in the keys of the positions.
func TestReadingLineTellsTheValues(t *testing.T) {
	t.Parallel()
	p := Curves{Title: "scores", XLabel: "$λ$, of the penalty", LogX: true, Lines: []Line{
		{Name: "Full", XYs: plotter.XYs{{X: 0.1 + 0.2, Y: 1.23456}, {X: 1, Y: 2}, {X: -1, Y: 7}}},
		{Name: "Empty", XYs: plotter.XYs{{X: 0.3, Y: 5}, {X: 10, Y: 6}}},
		{XYs: plotter.XYs{{X: 1, Y: 3}}},
		{Name: "holes", XYs: plotter.XYs{{X: 0.3, Y: math.NaN()}, {X: 1, Y: math.Inf(1)}, {X: 10, Y: 4}}}, {Name: "none"},
	}}.Scrubber()
	want := []string{"$λ$ = 0.3: Full: 1.23, Empty: 5.00, holes: –", "$λ$ = 1: Full: 2.00, Empty: –, holes: –", "$λ$ = 10: Full: –, Empty: 6.00, holes: 4.00"}
	if len(p.Frames) != len(want) {
		t.Fatalf("positions %q", p.Labels)
	}
	for k, d := range p.Frames {
		f := d.(*Figure)
		got := fmt.Sprintf("%s: %s, %s, %s", p.Labels[k], f.Key[0].Name, f.Key[1].Name, f.Key[2].Name)
		if got != want[k] || f.Title != "scores, "+p.Labels[k] {
			t.Errorf("position %d is %q under %q, want %q", k, got, f.Title, want[k])
		}
	}
	if p := (Curves{}).Scrubber(); len(p.Frames) != 1 {
		t.Errorf("%d positions without a line", len(p.Frames))
	}
}

// TestTangentTouches checks that the picture of a line that touches a parabola
// keeps its range, and that odd functions leave a picture.
func TestTangentTouches(t *testing.T) {
	t.Parallel()
	ta := Tangent{XLabel: "$x$", F: func(x float64) float64 { return x * x }, Slope: func(x float64) float64 { return 2 * x }, XMin: -1, XMax: 1}
	p := ta.Scrubber(5)
	for k, label := range []string{"−1", "−0.5", "0", "0.5", "1"} {
		f := p.Frames[k].(*Figure)
		if plot := f.Plots()[0]; plot.Y.Min != -0.25 || plot.Y.Max != 1.25 || !strings.HasSuffix(p.Labels[k], "$x$ = "+label) {
			t.Errorf("%s from %g to %g", p.Labels[k], plot.Y.Min, plot.Y.Max)
		}
	}
	if len(ta.Scrubber(0).Frames) != 0 || len(ta.Scrubber(1).Frames) != 1 {
		t.Error("no position, and one")
	}
	checkDrawn(t, "no function", Tangent{}.Figure(0))
}

func TestPathScrubber(t *testing.T) {
	t.Parallel()
	trace := crankTrace()
	p := PathScrubber(trace, treeModel(14, className).LabelNames)
	steps := lastOfEachBeta(trace.Steps)
	if len(p.Frames) != len(steps) {
		t.Fatalf("%d positions for %d penalties", len(p.Frames), len(steps))
	}
	for k, d := range p.Frames {
		if title := d.(*Figure).Title; !strings.HasPrefix(title, p.Labels[k]+":") {
			t.Errorf("%q is labeled %q", title, p.Labels[k])
		}
	}
	if n := len(PathScrubber(nil, nil).Frames); n != 1 {
		t.Errorf("%d positions of no path", n)
	}
}
