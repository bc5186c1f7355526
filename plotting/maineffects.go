package plotting

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MainEffects is a picture of what each setting does: a panel for each, with the effect of
// each of its values and an interval, all on one scale.
type MainEffects struct {
	Title, YLabel string
	Settings      []SettingEffects
}

// SettingEffects are the effects of the values of one setting, such as their differences to
// the mean over all values, or to a base.
type SettingEffects struct {
	Name    string
	Values  []string
	Effects []metrics.Difference
}

// Figure draws the effects. It panics when a setting has not as many effects as values.
func (m MainEffects) Figure() *Figure {
	s := theStyle()
	f := s.newFigure()
	f.Title, f.ShareY, f.Columns = m.Title, true, min(4, len(m.Settings))
	var dropped int
	var width vg.Length
	for _, setting := range m.Settings {
		if len(setting.Values) != len(setting.Effects) {
			panic(fmt.Sprintf("plotting: %d values of %s with %d effects", len(setting.Values), setting.Name, len(setting.Effects)))
		}
		if len(setting.Values) == 0 {
			continue
		}
		p := s.newPlot(setting.Name, m.YLabel)
		p.Add(gridLines{style: s.gridStyle()}, level{y: 0, line: draw.LineStyle{Color: s.Faint, Width: vg.Points(0.9), Dashes: shortDash}})
		b := intervals{line: draw.LineStyle{Color: s.Positive, Width: vg.Points(1.4)}, marker: draw.GlyphStyle{Color: s.Positive, Radius: 3.4, Shape: draw.CircleGlyph{}}}
		for k, d := range setting.Effects {
			if !plottable(d.Mean, false) {
				dropped++
				continue
			}
			b.x, b.d = append(b.x, float64(k)), append(b.d, d)
		}
		p.Add(b)
		f.setValue(len(f.Panels), setting.said())
		finish(p, false, false)
		low, high := math.Min(p.Y.Min, 0), math.Max(p.Y.Max, 0)
		p.Y.Min, p.Y.Max = low-float64(0.05*(high-low)), high+float64(0.05*(high-low))
		p.X.Min, p.X.Max = -0.5, float64(len(setting.Values))-0.5
		names, notes := cleanNames(setting.Values)
		f.addNotes(notes...)
		column, slanted := s.nameColumns(names)
		s.nameTicks(&p.X, names, slanted)
		width = max(width, 70+column*vg.Length(len(names)))
		f.Panels = append(f.Panels, p)
	}
	if len(f.Panels) == 0 {
		return s.say(m.Title, "There are no effects.")
	}
	f.Columns = min(f.Columns, len(f.Panels))
	f.Width = vg.Length(f.Columns)*max(width, 1.9*vg.Inch) + 2*margin + vg.Length(f.Columns-1)*gutter
	f.addNotes(droppedNote(dropped, false))
	return f
}

// said says what the values do, without a p, which the picture has none of.
func (se SettingEffects) said() string {
	decimals := Forest{Differences: se.Effects}.decimals()
	var words []string
	for k, d := range se.Effects {
		words = append(words, spoken(se.Values[k]+": "+signed(d.Mean, decimals)+" "+intervalText(d, decimals)))
	}
	return listed(words)
}

// intervals are points with intervals, joined by a line. An interval without end goes on to
// the edge.
type intervals struct {
	x      []float64
	d      []metrics.Difference
	line   draw.LineStyle
	marker draw.GlyphStyle
}

// DataRange implements plot.DataRanger.
func (b intervals) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for k, d := range b.d {
		xmin, xmax = math.Min(xmin, b.x[k]), math.Max(xmax, b.x[k])
		for _, v := range []float64{d.Mean, d.Low, d.High} {
			if plottable(v, false) {
				ymin, ymax = math.Min(ymin, v), math.Max(ymax, v)
			}
		}
	}
	return xmin, xmax, ymin, ymax
}

// Plot implements plot.Plotter.
func (b intervals) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	bar := b.line
	bar.Width = vg.Points(1)
	var way []vg.Point
	for k, d := range b.d {
		x := trX(b.x[k])
		at := vg.Point{X: x, Y: trY(d.Mean)}
		way = append(way, at)
		if math.IsNaN(d.Low) || math.IsNaN(d.High) {
			continue
		}
		const cap = vg.Length(3)
		end := func(v float64, edge vg.Length) vg.Length {
			if !plottable(v, false) {
				return edge
			}
			y := trY(v)
			c.StrokeLine2(bar, x-cap, y, x+cap, y)
			return y
		}
		c.StrokeLine2(bar, x, end(d.Low, c.Min.Y), x, end(d.High, c.Max.Y))
	}
	c.StrokeLines(b.line, way)
	for _, at := range way {
		c.DrawGlyph(b.marker, at)
	}
}
