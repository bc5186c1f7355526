package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// stroke is a path that was drawn, with its color and dashes.
type stroke struct {
	color  color.Color
	dashes []vg.Length
	size   vg.Point
}

// strokes returns what is stroked in a picture, in its order.
func strokes(d Drawing) (all []stroke) {
	var rec recorder.Canvas
	width, height := sizeOf(d)
	framed(d).Draw(draw.NewCanvas(&rec, width, height))
	var now stroke
	for _, action := range rec.Actions {
		switch a := action.(type) {
		case *recorder.SetColor:
			now.color = a.Color
		case *recorder.SetLineDash:
			now.dashes = a.Dashes
		case *recorder.Stroke:
			low, high := a.Path[0].Pos, a.Path[0].Pos
			for _, c := range a.Path {
				low.X, low.Y, high.X, high.Y = min(low.X, c.Pos.X), min(low.Y, c.Pos.Y), max(high.X, c.Pos.X), max(high.Y, c.Pos.Y)
			}
			now.size = high.Sub(low)
			all = append(all, now)
		}
	}
	return all
}

// TestChoiceLiesBelow has the level and the chosen lambda of a validation drawn over the whole plot, before the line and its error bars.
func TestChoiceLiesBelow(t *testing.T) {
	t.Parallel()
	line := Line{Name: "CRANK", XYs: plotter.XYs{{X: 0.01, Y: 60}, {X: 0.1, Y: 64}, {X: 1, Y: 61}}, Err: []float64{1, 1, 1}}
	all := strokes(Validation{Lines: []Line{line}, Chosen: 0.01}.Figure())
	is := func(dashes []vg.Length, long func(vg.Point) bool) int {
		return slices.IndexFunc(all, func(s stroke) bool { return slices.Equal(s.dashes, dashes) && long(s.size) })
	}
	level := is(dashed, func(size vg.Point) bool { return size.X > 150 && size.Y < 0.01 })
	chosen := is(dotted, func(size vg.Point) bool { return size.Y > 100 && size.X < 0.01 })
	bar := slices.IndexFunc(all, func(s stroke) bool {
		return s.color == theStyle().Methods["CRANK"].Color && s.size.X < 0.01 && s.size.Y > 5 && !slices.Equal(s.dashes, dotted)
	})
	if level < 0 || chosen < 0 || bar < 0 || level > bar || chosen > bar {
		t.Errorf("of %d strokes the level is %d, the chosen lambda %d, the first error bar %d", len(all), level, chosen, bar)
	}
}

// TestReadingLineLiesBelow has the line of a position after the band of a method and what another one shades, and before the lines of all,
// whose marks are read at it.
func TestReadingLineLiesBelow(t *testing.T) {
	t.Parallel()
	points := plotter.XYs{{X: 1, Y: 60}, {X: 2, Y: 64}}
	lines := []Line{{Name: "Full", XYs: points, Area: true}, {Name: "CRANK", XYs: points, Err: []float64{1, 1}, Band: true}}
	var rec recorder.Canvas
	f := Curves{Lines: lines}.Scrubber().Frames[0].(*Figure)
	width, height := sizeOf(f)
	f.Draw(draw.NewCanvas(&rec, width, height))
	first := func(c color.Color) int {
		return slices.IndexFunc(rec.Actions, func(a recorder.Action) bool {
			set, is := a.(*recorder.SetColor)
			return is && set.Color == c
		})
	}
	s := theStyle()
	light := func(method string) int { return first(fade(s.Methods[method].Color, s.paper(), 0.8)) }
	band, shade, reading := light("CRANK"), light("Full"), first(s.Faint)
	full, crank := first(s.Methods["Full"].Color), first(s.Methods["CRANK"].Color)
	if min(band, shade) < 0 || max(band, shade) > reading || reading > min(full, crank) {
		t.Errorf("the band is action %d, what is shaded %d, the reading line %d, the lines %d and %d", band, shade, reading, full, crank)
	}
}

// TestScaleOfColorsHasAName draws the name of the scale, which has room beside the numbers.
func TestScaleOfColorsHasAName(t *testing.T) {
	t.Parallel()
	h := HeatMap{XNames: []string{"a", "b"}, YNames: []string{"p"}, Values: [][]float64{{1, 2}}}
	without := colorScale{s: theStyle()}.GlyphBoxes(nil)[0].Rectangle.Max.X
	with := colorScale{s: theStyle(), name: "points"}.GlyphBoxes(nil)[0].Rectangle.Max.X
	if strings.Contains(texts(h.Figure()), "points") || with <= without {
		t.Errorf("room of %v with a name, %v without", with, without)
	}
	if h.ZLabel = "points"; !strings.Contains(texts(h.Figure()), "points") {
		t.Error("the name is not drawn")
	}
}

// TestPowersAreWrittenInOneWay has powers of ten all along a logarithmic axis with a number that is hard to read, and none on another.
func TestPowersAreWrittenInOneWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lo, hi float64
		powers bool
	}{{0.001, 1000, false}, {0.001, 0.05, false}, {1, 1e4, true}, {1e-4, 1, true}, {1e-5, 1e-4, true}, {1e-6, 1e6, true}} {
		labeled := 0
		for _, tick := range (logTicks{}).Ticks(c.lo, c.hi) {
			if tick.Label == "" {
				continue
			}
			if labeled++; strings.Contains(tick.Label, "10^{") != c.powers {
				t.Errorf("from %g to %g: %q", c.lo, c.hi, tick.Label)
			}
		}
		if labeled < 2 {
			t.Errorf("from %g to %g: %d labels", c.lo, c.hi, labeled)
		}
	}
}

// TestSmallDifferencesArePale checks the color of each cell by its sign and the paleness by its size.
func TestSmallDifferencesArePale(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	ct := CellTable{Rows: []string{"p"}, Columns: []string{"a", "b", "c", "d", "e", "f"}}.WithDifferences(
		[][]float64{{3, -3, 0.5, -0.5, -0.04, nan}}, [][]float64{{1, 1, 1, 1, 0.01, 1}}, 1)
	if got := fmt.Sprint(ct.Cells, ct.Shade, ct.Pale); got != "[[+3.0 −3.0 +0.5 −0.5 0.0 ]] [[1 -1 1 -1 0 0]] [[false false true true false false]]" {
		t.Error(got)
	}
}

// TestEndsAreThoseOfData says where the data ends on an axis that goes on for marks, and where the axis does once it was set.
func TestEndsAreThoseOfData(t *testing.T) {
	t.Parallel()
	f := Curves{Lines: []Line{{Name: "a", XYs: plotter.XYs{{X: 1, Y: 2}, {X: 2, Y: 5}}}}}.Figure()
	p := f.Plots()[0]
	if lo, hi := ends(&p.X); lo != 1 || hi != 2 || p.X.Min >= 1 || p.X.Max <= 2 {
		t.Errorf("data from %v to %v, axis from %v to %v", lo, hi, p.X.Min, p.X.Max)
	}
	p.X.Min, p.X.Max = 0, 7
	if lo, hi := ends(&p.X); lo != 0 || hi != 7 {
		t.Errorf("from %v to %v on an axis from 0 to 7", lo, hi)
	}
}
