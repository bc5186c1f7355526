package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scrubber returns a position for each x of the lines: the picture with a
// reading line there, and what the lines are at it in the key.
func (cu Curves) Scrubber() *Positions {
	var frames []Drawing
	var labels []string
	for _, x := range cu.positions() {
		frames = append(frames, cu.reading(x))
		labels = append(labels, cu.label(x))
	}
	if len(frames) == 0 {
		frames, labels = []Drawing{cu.Figure()}, []string{"no points"}
	}
	return Scrubber(frames, labels)
}

func (cu Curves) label(x float64) string {
	name, _, _ := strings.Cut(cu.XLabel, ",") // without a unit
	return fmt.Sprintf("%s = %s", name, shortNumber(x))
}

// positions returns the different x of the lines, in order. Those that differ by
// rounding are one.
func (cu Curves) positions() (xs []float64) {
	for _, l := range cu.Lines {
		if l.XYs == nil {
			continue
		}
		for i := range l.XYs.Len() {
			if x, y := l.XYs.XY(i); plottable(x, cu.LogX) && plottable(y, cu.LogY) {
				xs = append(xs, x)
			}
		}
	}
	slices.Sort(xs)
	return slices.CompactFunc(xs, same)
}

// same tells whether two numbers are one but for rounding.
func same(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// reading draws the lines with a reading line at x.
func (cu Curves) reading(x float64) *Figure {
	below := cu // the marks that are read stand on the line
	below.behind = append(slices.Clip(cu.behind), readingLine{x, theStyle().Faint})
	f := below.Figure()
	f.values = nil // the key has those at the line
	text := cu.inReading()
	for _, l := range cu.Lines {
		for i := range f.Key {
			if f.Key[i].Name == l.Name && l.Name != "" {
				f.Key[i].Name = l.Name + ": " + l.at(x, text, cu.LogY)
			}
		}
	}
	f.Title = cu.Title
	if f.Title != "" {
		f.Title += ", "
	}
	f.Title += cu.label(x)
	return f
}

// inReading returns how to write values of the lines: all with the same decimals, as many as tell them apart.
func (cu Curves) inReading() func(y float64) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	var all []float64
	for _, l := range cu.Lines {
		if l.XYs == nil {
			continue
		}
		for i := range l.XYs.Len() {
			if _, y := l.XYs.XY(i); plottable(y, cu.LogY) {
				lo, hi, all = math.Min(lo, y), math.Max(hi, y), append(all, y)
			}
		}
	}
	most := 2 - math.Floor(math.Log10(hi-lo))
	if cu.LogY || !(most >= 0 && most <= 6) {
		return func(y float64) string { return minus(fmt.Sprintf("%.4g", y)) }
	}
	decimals := 0
	for _, y := range all {
		_, digits, _ := strings.Cut(strconv.FormatFloat(y, 'f', int(most), 64), ".")
		decimals = max(decimals, len(strings.TrimRight(digits, "0")))
	}
	return func(y float64) string { return decimal(y, decimals) }
}

// at returns the value of the line at x, in words, or a dash where it is not drawn.
func (l Line) at(x float64, text func(y float64) string, log bool) string {
	if l.XYs == nil {
		return "–"
	}
	for i := range l.XYs.Len() {
		if px, y := l.XYs.XY(i); same(px, x) && plottable(y, log) {
			return text(y)
		}
	}
	return "–"
}

// readingLine is an upright line over the height of a plot.
type readingLine struct {
	x     float64
	color color.Color
}

// Plot implements plot.Plotter.
func (r readingLine) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	x := trX(r.x)
	c.StrokeLine2(draw.LineStyle{Color: r.color, Width: vg.Points(1.5)}, x, c.Min.Y, x, c.Max.Y)
}
