package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Slice is a function of two variables, such as an envelope on a slice of the
// cube of edge weights.
type Slice struct {
	Title                  string
	XLabel, YLabel, ZLabel string
	F                      func(x, y float64) float64
	// XMin to XMax and YMin to YMax is what is shown; a range without
	// a length, or without finite ends, means [0, 1].
	XMin, XMax, YMin, YMax float64
	// Levels are the heights of contour lines; nil means about eight round
	// ones.
	Levels []float64
	// Marks are points to show.
	Marks plotter.XYs
	// Tangents are further functions; Surface draws them as meshes one can look
	// through.
	Tangents []func(x, y float64) float64
	// Azimuth and Elevation are where Surface is looked at from, in degrees;
	// both zero, or one not finite, means (-55, 28).
	Azimuth, Elevation float64
}

func (sl Slice) withDefaults() Slice {
	sl.XMin, sl.XMax = orUnit(sl.XMin, sl.XMax)
	sl.YMin, sl.YMax = orUnit(sl.YMin, sl.YMax)
	if sl.Azimuth == 0 && sl.Elevation == 0 || !plottable(sl.Azimuth, false) || !plottable(sl.Elevation, false) {
		sl.Azimuth, sl.Elevation = -55, 28
	}
	return sl
}

// samples is a function on a grid; what is not finite is NaN.
type samples struct {
	x, y     []float64
	z        [][]float64 // z[i][j] at x[i], y[j]
	min, max float64
	broken   int
}

func sample(f func(x, y float64) float64, sl Slice, n int) samples {
	s := samples{min: math.Inf(1), max: math.Inf(-1)}
	for i := range n {
		t := float64(i) / float64(n-1)
		s.x = append(s.x, sl.XMin+float64(t*(sl.XMax-sl.XMin)))
		s.y = append(s.y, sl.YMin+float64(t*(sl.YMax-sl.YMin)))
	}
	for _, x := range s.x {
		column := make([]float64, n)
		for j, y := range s.y {
			column[j] = f(x, y)
			if !plottable(column[j], false) {
				column[j] = math.NaN()
				s.broken++
				continue
			}
			s.min, s.max = math.Min(s.min, column[j]), math.Max(s.max, column[j])
		}
		s.z = append(s.z, column)
	}
	return s
}

// levels returns about eight round heights well inside the range.
func (s samples) levels() []float64 {
	span := s.max - s.min
	if !hasLength(s.min, s.max) {
		return nil
	}
	var levels []float64
	step := roundStep(span / 10)
	for k := math.Ceil(s.min / step); float64(k*step) < s.max; k++ {
		if v := float64(k * step); v > s.min+float64(0.01*span) && v < s.max-float64(0.01*span) {
			levels = append(levels, v)
		}
	}
	return levels
}

// note tells of places where the function is not finite.
func (s samples) note() string {
	if s.broken == 0 {
		return ""
	}
	return fmt.Sprintf("The function is not finite on %.0f %% of the slice, which is left blank.", math.Ceil(100*float64(s.broken)/float64(len(s.x)*len(s.y))))
}

// The grid of samples implements plotter.GridXYZ.
func (s samples) Dims() (c, r int)   { return len(s.x), len(s.y) }
func (s samples) Z(c, r int) float64 { return s.z[c][r] }
func (s samples) X(c int) float64    { return s.x[c] }
func (s samples) Y(r int) float64    { return s.y[r] }

// heights is a map of samples whose layout asks for the room of those at its rim alone: the others lie no further out, and are many.
type heights struct{ *plotter.HeatMap }

// GlyphBoxes implements plot.GlyphBoxer.
func (h heights) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	outer := *h.HeatMap
	outer.GridXYZ = rim{h.GridXYZ}
	return outer.GlyphBoxes(p)
}

// rim has the two outermost samples on each side: by rounding the last ones may lie outside of the axes, which leaves them out.
type rim struct{ plotter.GridXYZ }

func (r rim) Dims() (columns, rows int) {
	columns, rows = r.GridXYZ.Dims()
	return min(columns, 4), min(rows, 4)
}

func (r rim) X(k int) float64 {
	columns, _ := r.GridXYZ.Dims()
	return r.GridXYZ.X(outermost(k, columns))
}

func (r rim) Y(k int) float64 {
	_, rows := r.GridXYZ.Dims()
	return r.GridXYZ.Y(outermost(k, rows))
}

// outermost returns the place of the k-th of the outermost four of n.
func outermost(k, n int) int {
	if k >= 2 {
		k += max(0, n-4)
	}
	return k
}

// Contours draws the function as a map: colors, and lines of equal height.
func (sl Slice) Contours() *Figure {
	s := theStyle()
	if sl.F == nil {
		return s.say(sl.Title, "There is no function.")
	}
	sl = sl.withDefaults()
	grid := sample(sl.F, sl, 121)
	if grid.min > grid.max {
		return s.say(sl.Title, "The function is finite nowhere on this slice.")
	}
	p := s.newPlot(sl.XLabel, sl.YLabel)
	top := grid.max
	if !hasLength(grid.min, top) { // a plain has one color
		top = grid.min + math.Max(1, math.Abs(grid.min))
	}
	heat := plotter.NewHeatMap(grid, sequential)
	heat.Min, heat.Max, heat.Rasterized = grid.min, top, true
	heat.NaN = s.paper()
	p.Add(heights{heat})
	levels := sl.Levels
	if levels == nil {
		levels = grid.levels()
	}
	if len(levels) > 0 {
		p.Add(contourLines{samples: grid, levels: levels, line: draw.LineStyle{Color: rgb(0xff, 0xff, 0xff), Width: vg.Points(1)}})
	}
	p.Add(colorScale{s: s, colors: sequential, min: grid.min, max: top})
	if len(sl.Marks) > 0 {
		p.Add(series{XYs: sl.Marks, marker: draw.GlyphStyle{Color: rgb(0xff, 0xff, 0xff), Radius: 4, Shape: draw.CircleGlyph{}}})
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = sl.XMin, sl.XMax, sl.YMin, sl.YMax
	p.X.Padding, p.Y.Padding = 0, 0
	f := s.newFigure(p)
	f.Title = sl.Title
	f.Width, f.Height = 4.9*vg.Inch, 4*vg.Inch
	f.setValue(0, grid.extremes())
	f.addNotes(grid.note())
	return f
}

// Along returns the function along the line that goes through the middle of the
// slice at an angle, in degrees from the x axis: X is the way from the middle,
// in units of half the slice, so that it ends at -1 and 1 for a level line.
func (sl Slice) Along(angle float64) (points plotter.XYs) {
	if sl.F == nil {
		return nil
	}
	sl = sl.withDefaults()
	const n = 100
	end := sl.end(angle)
	for k := -n; k <= n; k++ {
		t := float64(float64(k) / n * end)
		x, y := sl.point(angle, t)
		points = append(points, plotter.XY{X: t, Y: sl.F(x, y)})
	}
	return points
}

// end returns how far the line goes within the slice.
func (sl Slice) end(angle float64) float64 {
	sin, cos := math.Sincos(angle * math.Pi / 180)
	return 1 / math.Max(math.Abs(sin), math.Abs(cos))
}

// point returns the point of the line at t.
func (sl Slice) point(angle, t float64) (x, y float64) {
	sin, cos := math.Sincos(angle * math.Pi / 180)
	return (sl.XMin+sl.XMax)/2 + float64(t*cos*(sl.XMax-sl.XMin)/2), (sl.YMin+sl.YMax)/2 + float64(t*sin*(sl.YMax-sl.YMin)/2)
}

// Cuts returns a position for each of the given number of angles, half a turn in
// all: left the first slice as a map with a line through its middle, right all
// of the slices along that line, under their titles.
func Cuts(angles int, slices ...Slice) *Positions {
	var frames []Drawing
	var labels []string
	for k := range angles {
		if len(slices) == 0 {
			break
		}
		angle := 180 * float64(k) / float64(angles)
		frames = append(frames, cutFigure(angle, slices))
		labels = append(labels, fmt.Sprintf("%.3g°", angle))
	}
	return Scrubber(frames, labels)
}

// cutFigure draws the cut at one angle.
func cutFigure(angle float64, slices []Slice) *Figure {
	theMap := slices[0].Contours()
	var lines []Line
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, sl := range slices {
		lines = append(lines, Line{Name: sl.Title, XYs: sl.Along(angle)})
		if sl.F != nil {
			all := sample(sl.F, sl.withDefaults(), 21) // at any angle
			lo, hi = math.Min(lo, all.min), math.Max(hi, all.max)
		}
	}
	for _, p := range theMap.Plots() {
		p.Add(cutLine{slices[0].withDefaults(), angle, theMap.theStyle()})
	}
	along := Curves{Title: fmt.Sprintf("cut at %.3g°", angle), XLabel: "along the line", YLabel: "value", Lines: lines}.Figure()
	for _, p := range along.Plots() {
		p.X.Min, p.X.Max = -math.Sqrt2, math.Sqrt2
		if hasLength(lo, hi) {
			p.Y.Min, p.Y.Max = lo-float64(0.04*(hi-lo)), hi+float64(0.04*(hi-lo))
		}
	}
	f := Grid(2, theMap, along)
	f.Width, f.Height = 9*vg.Inch, 4*vg.Inch
	return f
}

// cutLine is the line on the map, with a dot where it ends at the right of the cut.
type cutLine struct {
	sl    Slice
	angle float64
	s     *Style
}

// Plot implements plot.Plotter.
func (l cutLine) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	end := l.sl.end(l.angle)
	at := func(t float64) vg.Point { x, y := l.sl.point(l.angle, t); return vg.Point{X: trX(x), Y: trY(y)} }
	a, b := at(-end), at(end)
	c.StrokeLine2(draw.LineStyle{Color: l.s.Negative, Width: vg.Points(2)}, a.X, a.Y, b.X, b.Y)
	c.DrawGlyph(draw.GlyphStyle{Color: l.s.Negative, Radius: 4, Shape: draw.CircleGlyph{}}, b)
}
