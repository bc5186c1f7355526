package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curves is a picture of one or more lines: a measure against the number of
// training examples for each method, say.
type Curves struct {
	Title, XLabel, YLabel string
	Lines                 []Line
	LogX, LogY            bool
	// WholeX says that x counts something: its ticks are whole numbers.
	WholeX bool
	// Percent says that y is a share in percent: error bars end at 0 and 100.
	Percent bool
	// Ring says in the key what a ring around a point means.
	Ring string

	behind []plot.Plotter // drawn below the lines
}

// Line is one line of Curves. A line that bears the name of a method has its
// look.
type Line struct {
	Name string
	// Like, if there, is the method whose color the line has, such as that of a set, or a level of the same method to compare with. Lines
	// like one method differ by dash and marker, in the order in which they come; without markers they are thin.
	Like string
	XYs  plotter.XYer
	// Err, if there, is the half length of an error bar at each point, such as
	// the standard error of the mean.
	Err []float64
	// Band draws Err as a band along the line in place of bars: for one line among several, whose points it shows to be within it.
	Band bool
	// Dots leaves the line out and draws markers alone, however many.
	Dots bool
	// NoMarkers leaves the markers out: the points are corners, such as those of steps.
	NoMarkers bool
	// Area shades what is between the line and zero.
	Area bool
	// Ringed, if there, says of each point whether it gets a ring around it: that it is to
	// be taken with care, such as the score of a training that ended early.
	Ringed []bool
}

// Figure draws the lines. It panics when a line has Err and points in different
// numbers.
func (cu Curves) Figure() *Figure {
	s := theStyle()
	p := s.newPlot(cu.XLabel, cu.YLabel)
	p.Add(gridLines{style: s.gridStyle()})
	f := s.newFigure(p)
	f.Title = cu.Title
	looks := cu.looks(s)
	drawn, dropped, ringed := 0, 0, false
	lines := make([]errorSeries, len(cu.Lines))
	for k, l := range cu.Lines {
		var d int
		lines[k], d = cu.line(l, looks[k])
		dropped += d
		p.Add(bandOf{lines[k]}) // below all lines, those of other methods too
		if l.Area && !cu.LogY { // there is no zero on a logarithmic axis
			p.Add(area{XYs: lines[k].XYs, color: fade(lines[k].line.Color, s.paper(), 0.8)})
		}
	}
	p.Add(zeroLine{s: s, faint: true, never: cu.LogY})
	p.Add(cu.behind...)
	sides, count := barSides(lines)
	for k, l := range cu.Lines {
		line := lines[k]
		line.side, line.beside = sides[k], count
		drawn += len(line.XYs)
		ringed = ringed || slices.Contains(line.ringed, true)
		p.Add(line)
		if l.Name != "" {
			f.addKey(KeyEntry{Name: l.Name, Line: line.line, Marker: line.marker})
		}
	}
	if ringed && cu.Ring != "" {
		f.addKey(KeyEntry{Name: cu.Ring, Marker: s.ring()})
	}
	f.setValue(0, cu.ends(lines))
	if drawn == 0 {
		f = s.say(cu.Title, "There are no points to draw.")
	}
	finish(p, cu.LogX, cu.LogY)
	bars, marks := marked(lines)
	aside := 0.007 * float64(max(0, count-1)) // for lines beside one another
	makeRoom(p, markRoom+aside, append(bars, marks...), markRoom, marks)
	if cu.WholeX && !cu.LogX {
		p.X.Tick.Marker = integerTicks{}
	}
	if ticks := cu.dataTicks(); ticks != nil {
		p.X.Tick.Marker = ticks
	}
	if cu.wholeY() {
		p.Y.Tick.Marker = integerTicks{}
	}
	f.addNotes(droppedNote(dropped, cu.LogX || cu.LogY))
	return f
}

// looks returns the looks of the lines.
func (cu Curves) looks(s *Style) []MethodStyle {
	names := make([]string, len(cu.Lines))
	for k, l := range cu.Lines {
		names[k] = orDefault(l.Like, l.Name)
	}
	looks := s.methodStyles(names)
	for k, l := range cu.Lines {
		if l.Like == "" {
			continue
		}
		before := 0
		for _, name := range names[:k] {
			before += bit(name == l.Like)
		}
		other := s.other(before)
		looks[k].Dashes, looks[k].Marker = other.Dashes, other.Marker
	}
	return looks
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// marked returns the points of the lines with error bars, and those with marks.
func marked(lines []errorSeries) (bars, marks plotter.XYs) {
	for _, l := range lines {
		for i, at := range l.XYs {
			if l.err[i] != 0 && l.band == nil {
				bars = append(bars, at)
			}
			if l.marker.Shape != nil || l.ringed[i] {
				marks = append(marks, at)
			}
		}
	}
	return bars, marks
}

// barSides returns for each line how many steps aside it is drawn, and how many lines are: where several have long error bars at the
// same x, the bars would hide one another.
func barSides(lines []errorSeries) (sides []float64, count int) {
	sides = make([]float64, len(lines))
	var with []int
	long := longBar(lines)
	for k, l := range lines {
		for m, other := range lines {
			if m != k && l.hides(other, long) {
				with = append(with, k)
				break
			}
		}
	}
	for n, k := range with {
		sides[k] = float64(n) - float64(len(with)-1)/2
	}
	return sides, len(with)
}

// longBar returns from what length on error bars are in one another's way: shorter ones are hardly longer than a marker.
func longBar(lines []errorSeries) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		_, _, low, high := l.DataRange()
		lo, hi = math.Min(lo, low), math.Max(hi, high)
	}
	return 0.1 * (hi - lo)
}

// hides reports whether two lines have bars at the same x that overlap, both at least so long, at half of the x that they share or
// more: lines that are drawn aside for a single point would look apart everywhere.
func (e errorSeries) hides(other errorSeries, long float64) bool {
	shared, hidden := 0, 0
	if e.band != nil || other.band != nil {
		return false
	}
	for i, v := range e.XYs {
		for m, w := range other.XYs {
			if v.X != w.X {
				continue
			}
			shared++
			if math.Min(e.err[i], other.err[m]) >= long/2 && math.Abs(v.Y-w.Y) < e.err[i]+other.err[m] {
				hidden++
			}
		}
	}
	return shared > 0 && 2*hidden >= shared
}

// wholeY tells whether all values are whole numbers and have no error bars: counts, for which a
// tick at a half means nothing.
func (cu Curves) wholeY() bool {
	if cu.LogY {
		return false
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, l := range cu.Lines {
		if l.XYs == nil {
			continue
		}
		for i := range l.XYs.Len() {
			_, y := l.XYs.XY(i)
			if !plottable(y, false) {
				continue
			}
			if y != math.Round(y) || l.Err != nil {
				return false
			}
			least, most = math.Min(least, y), math.Max(most, y)
		}
	}
	return most > least
}

// manyPoints is from where on a line has no marks; beside such a line, those of a third have none either.
const manyPoints = 60

func (cu Curves) hasLong() bool {
	return slices.ContainsFunc(cu.Lines, func(l Line) bool { return l.XYs != nil && !l.Dots && l.XYs.Len() > manyPoints })
}

func (cu Curves) line(l Line, look MethodStyle) (e errorSeries, dropped int) {
	if l.XYs == nil {
		return e, 0
	}
	n := l.XYs.Len()
	if l.Err != nil && len(l.Err) != n {
		panic(fmt.Sprintf("plotting: %d error bars for %d points", len(l.Err), n))
	}
	if l.Ringed != nil && len(l.Ringed) != n {
		panic(fmt.Sprintf("plotting: rings said of %d of %d points", len(l.Ringed), n))
	}
	e.line, e.marker, e.logY, e.percent, e.ring = look.line(), look.glyph(), cu.LogY, cu.Percent, theStyle().ring()
	switch {
	case l.Dots:
		e.line.Width, e.marker.Radius = 0, 2.2
		if n > 200 { // rings and crosses would be one blot
			e.marker.Radius, e.marker.Shape = 1.2, draw.CircleGlyph{}
		}
	case n == 1:
		e.line.Width, e.marker.Radius = 0, vg.Points(3.6) // no line in the key, and to be seen among lines
	case n > manyPoints, n > manyPoints/3 && cu.hasLong(), l.NoMarkers && n > 1:
		e.marker = draw.GlyphStyle{}
		if l.Like != "" {
			e.line.Width = 1
		}
	}
	if l.Band {
		e.band = fade(e.line.Color, theStyle().paper(), 0.8)
	}
	for i := range n {
		x, y := l.XYs.XY(i)
		if !plottable(x, cu.LogX) || !plottable(y, cu.LogY) {
			dropped++
			continue
		}
		e.XYs = append(e.XYs, plotter.XY{X: x, Y: y})
		bar := 0.0
		if l.Err != nil {
			bar = l.Err[i]
		}
		if !plottable(bar, false) {
			bar = 0
		}
		e.err = append(e.err, math.Abs(bar))
		e.ringed = append(e.ringed, l.Ringed != nil && l.Ringed[i])
	}
	return e, dropped
}

// area is what is between a line and zero.
type area struct {
	plotter.XYs
	color color.Color
}

// DataRange implements plot.DataRanger: zero is in sight.
func (a area) DataRange() (xmin, xmax, ymin, ymax float64) {
	if len(a.XYs) == 0 {
		return math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	}
	xmin, xmax, ymin, ymax = plotter.XYRange(a.XYs)
	return xmin, xmax, math.Min(0, ymin), math.Max(0, ymax)
}

// Plot implements plot.Plotter.
func (a area) Plot(c draw.Canvas, p *plot.Plot) {
	if len(a.XYs) == 0 || p.Y.Min > 0 || p.Y.Max < 0 {
		return
	}
	trX, trY := p.Transforms(&c)
	outline := []vg.Point{{X: trX(a.XYs[0].X), Y: trY(0)}}
	for _, v := range a.XYs {
		outline = append(outline, vg.Point{X: trX(v.X), Y: trY(v.Y)})
	}
	outline = append(outline, vg.Point{X: trX(a.XYs[len(a.XYs)-1].X), Y: trY(0)})
	c.FillPolygon(a.color, outline)
}

// errorSeries is a series with error bars.
type errorSeries struct {
	series
	err     []float64
	band    color.Color // of what the error bars span, in their place; nil draws the bars
	logY    bool
	percent bool
	ringed  []bool
	ring    draw.GlyphStyle
	side    float64 // steps to the right that the line is drawn at, for its bars not to hide those of others
	beside  int     // lines that are drawn beside one another
}

// barCap is how far the ends of an error bar reach to each side.
const barCap = vg.Length(3)

// ring is the look of a ring around a point.
func (s *Style) ring() draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.Ink, Radius: 5, Shape: heavy{draw.RingGlyph{}}}
}

// bar returns the ends of an error bar; on a logarithmic axis, one that would
// reach zero ends at a tenth of the value, and none of a share leaves 0 to 100.
func (e errorSeries) bar(i int) (lo, hi float64) {
	y := e.XYs[i].Y
	lo, hi = y-e.err[i], y+e.err[i]
	if e.logY && lo <= 0 {
		lo = y / 10
	}
	if e.percent {
		lo, hi = math.Max(lo, math.Min(0, y)), math.Min(hi, math.Max(100, y))
	}
	return lo, hi
}

// DataRange implements plot.DataRanger.
func (e errorSeries) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = e.series.DataRange()
	for i := range e.XYs {
		lo, hi := e.bar(i)
		ymin, ymax = math.Min(ymin, lo), math.Max(ymax, hi)
	}
	return xmin, xmax, ymin, ymax
}

// aside returns how far to the right the points are drawn: steps are small where points are close together.
func (e errorSeries) aside(trX func(float64) vg.Length) vg.Length {
	if e.side == 0 {
		return 0
	}
	step := vg.Length(2.6)
	for i := 1; i < len(e.XYs); i++ {
		if gap := trX(e.XYs[i].X) - trX(e.XYs[i-1].X); gap > 0 {
			step = min(step, 0.75*gap/vg.Length(e.beside))
		}
	}
	return vg.Length(e.side) * step
}

// Plot implements plot.Plotter.
func (e errorSeries) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	aside := e.aside(trX)
	if e.band == nil {
		e.plotBars(c, trX, trY, aside)
	}
	e.series.plot(c, p, aside)
	for i, ringed := range e.ringed {
		if ringed {
			c.DrawGlyph(e.ring, vg.Point{X: trX(e.XYs[i].X) + aside, Y: trY(e.XYs[i].Y)})
		}
	}
}

// bandOf is what the error bars of a series span, where it has a band.
type bandOf struct{ of errorSeries }

// Plot implements plot.Plotter.
func (b bandOf) Plot(c draw.Canvas, p *plot.Plot) {
	if b.of.band == nil {
		return
	}
	if outline := c.ClipPolygonXY(b.of.outline(p.Transforms(&c))); len(outline) > 0 {
		c.FillPolygon(b.of.band, outline)
	}
}

// outline is that of the band: along the upper ends of the bars, and back along the lower ones.
func (e errorSeries) outline(trX, trY func(float64) vg.Length) []vg.Point {
	var upper, lower []vg.Point
	for i, v := range e.XYs {
		lo, hi := e.bar(i)
		upper, lower = append(upper, vg.Point{X: trX(v.X), Y: trY(hi)}), append(lower, vg.Point{X: trX(v.X), Y: trY(lo)})
	}
	slices.Reverse(lower)
	return append(upper, lower...)
}

// plotBars draws the error bars, so far to the right of where they are.
func (e errorSeries) plotBars(c draw.Canvas, trX, trY func(float64) vg.Length, aside vg.Length) {
	bar := draw.LineStyle{Color: e.line.Color, Width: vg.Points(1)}
	for i, v := range e.XYs {
		if e.err[i] == 0 {
			continue
		}
		lo, hi := e.bar(i)
		x, y0, y1 := trX(v.X)+aside, trY(lo), trY(hi)
		const cap = barCap
		for _, l := range [][]vg.Point{{{X: x, Y: y0}, {X: x, Y: y1}}, {{X: x - cap, Y: y0}, {X: x + cap, Y: y0}}, {{X: x - cap, Y: y1}, {X: x + cap, Y: y1}}} {
			c.StrokeLines(bar, c.ClipLinesXY(l)...)
		}
	}
}
