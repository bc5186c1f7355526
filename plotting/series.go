package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// series is a line with markers. It draws whatever it is given: NaN breaks the
// line.
type series struct {
	plotter.XYs
	line   draw.LineStyle
	marker draw.GlyphStyle
}

// newSeries returns the finite points of (x, y), positive ones on logarithmic
// axes, and how many are left out.
func newSeries(x, y []float64, logX, logY bool) (s series, dropped int) {
	for i := range x {
		if !plottable(x[i], logX) || !plottable(y[i], logY) {
			dropped++
			continue
		}
		s.XYs = append(s.XYs, plotter.XY{X: x[i], Y: y[i]})
	}
	return s, dropped
}

// beyond is where numbers are as good as infinite: differences and sums of those
// up to it are finite.
const beyond = 1e300

// plottable reports whether v can be drawn: as a finite number, and on a
// logarithmic axis as a positive one that is not as good as zero.
func plottable(v float64, log bool) bool {
	return math.Abs(v) <= beyond && (!log || v >= 1/beyond)
}

// hasLength reports whether there are numbers enough from lo to hi for an axis or
// for a scale of colors.
func hasLength(lo, hi float64) bool {
	return hi-lo > math.Max(1/beyond, float64(1e-12*math.Max(math.Abs(lo), math.Abs(hi))))
}

// orUnit returns a range that a caller chose, in either direction, or [0, 1] if it
// cannot be drawn.
func orUnit(lo, hi float64) (float64, float64) {
	if plottable(lo, false) && plottable(hi, false) && hasLength(math.Min(lo, hi), math.Max(lo, hi)) {
		return lo, hi
	}
	return 0, 1
}

// droppedNote tells how many values are left out, nothing if none are.
func droppedNote(dropped int, log bool) string {
	why := "not finite"
	if log {
		why = "not finite, or not positive on a logarithmic axis,"
	}
	switch {
	case dropped == 0:
		return ""
	case dropped == 1:
		return fmt.Sprintf("1 value that is %s is left out.", why)
	}
	return fmt.Sprintf("%d values that are %s are left out.", dropped, why)
}

// Plot implements plot.Plotter.
func (s series) Plot(c draw.Canvas, p *plot.Plot) { s.plot(c, p, 0) }

// plot draws the series so far to the right of where it is.
func (s series) plot(c draw.Canvas, p *plot.Plot, aside vg.Length) {
	trX, trY := p.Transforms(&c)
	var pts []vg.Point
	for _, v := range s.XYs {
		pts = append(pts, vg.Point{X: trX(v.X) + aside, Y: trY(v.Y)})
	}
	if s.line.Width > 0 {
		c.StrokeLines(s.line, c.ClipLinesXY(pts)...)
	}
	if s.marker.Shape == nil {
		return
	}
	for _, pt := range pts {
		c.DrawGlyph(s.marker, pt)
	}
}

// DataRange implements plot.DataRanger.
func (s series) DataRange() (xmin, xmax, ymin, ymax float64) {
	if len(s.XYs) == 0 {
		inf := math.Inf(1)
		return inf, -inf, inf, -inf
	}
	return plotter.XYRange(s.XYs)
}

// Thumbnail implements plot.Thumbnailer.
func (s series) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(s.line, c.Min.X, y, c.Max.X, y)
	if s.marker.Shape != nil {
		c.DrawGlyph(s.marker, c.Center())
	}
}

// finish settles the axes of p when all its data is in: a range for constant
// data, and logarithmic scales.
func finish(p *plot.Plot, logX, logY bool) {
	finishAxis(&p.X, logX)
	finishAxis(&p.Y, logY)
}

func finishAxis(a *plot.Axis, log bool) {
	if a.Min > a.Max { // no data
		a.Min, a.Max = 0, 1
		if log {
			a.Min = 0.1
		}
	}
	if log {
		if a.Max <= float64(a.Min*1.001) {
			a.Min, a.Max = a.Min/2, float64(a.Max*2)
		}
		bendAxis(a, plot.LogScale{})
		a.Tick.Marker = logTicks{}
		return
	}
	if span := a.Max - a.Min; span <= math.Max(1/beyond, float64(1e-9*math.Max(math.Abs(a.Min), math.Abs(a.Max)))) {
		pad := math.Max(float64(0.05*math.Abs(a.Max)), 1e-3)
		if a.Min == 0 {
			pad = 1
		}
		a.Min, a.Max = a.Min-pad, a.Max+pad
	}
}

// bendAxis gives an axis a scale that is not linear.
func bendAxis(a *plot.Axis, scale plot.Normalizer) {
	a.Scale = middled{scale}
	a.Max += float64(math.Pi * 1e-13 * (a.Max - a.Min)) // no datum is the mean of the ends
}

// middled is a scale for which the mean of the ends is in the middle. That is where gonum/plot looks up the place of the label
// of an axis, which stands in the middle whatever the scale: it would keep room for a label elsewhere, beyond the end of the axis.
type middled struct{ plot.Normalizer }

// Normalize implements plot.Normalizer.
func (m middled) Normalize(lo, hi, v float64) float64 {
	if v == 0.5*(hi+lo) {
		return 0.5
	}
	return m.Normalizer.Normalize(lo, hi, v)
}

// grid lines behind the data, at the ticks with a label.
type gridLines struct {
	style    draw.LineStyle
	vertical bool
}

func (s *Style) gridStyle() draw.LineStyle {
	return draw.LineStyle{Color: fade(s.Faint, s.paper(), 0.75), Width: vg.Points(0.5)}
}

// paper is the background, white if the style has none.
func (s *Style) paper() color.Color {
	if s.Background == nil {
		return color.White
	}
	return s.Background
}

func (g gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	if g.vertical {
		for _, t := range labeledTicks(p.X) {
			if x := trX(t.Value); t.Label != "" && c.ContainsX(x) {
				c.StrokeLine2(g.style, x, c.Min.Y, x, c.Max.Y)
			}
		}
	}
	for _, t := range labeledTicks(p.Y) {
		if y := trY(t.Value); t.Label != "" && c.ContainsY(y) {
			c.StrokeLine2(g.style, c.Min.X, y, c.Max.X, y)
		}
	}
}

// labeledTicks returns the ticks of an axis with the labels that it hides where
// its neighbor shows them.
func labeledTicks(a plot.Axis) []plot.Tick {
	marker := a.Tick.Marker
	if u, hidden := marker.(unlabeled); hidden {
		marker = u.Ticker
	}
	return marker.Ticks(a.Min, a.Max)
}
