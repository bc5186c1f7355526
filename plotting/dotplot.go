package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// DotPlot is a picture of values of named things: a row for each, with a marker for each group of
// values, such as times of methods here and in a paper.
type DotPlot struct {
	Title, XLabel string
	Names         []string // from above
	Groups        []DotGroup
	LogX          bool
	// Reference, if there, is a value to compare with: a line from top to bottom.
	Reference *Level
}

// DotGroup has a value for each name; NaN for what was not measured.
type DotGroup struct {
	Name   string
	Values []float64
}

// dotRow is the height of a row.
const dotRow = vg.Length(30)

// Figure draws the values. It panics where a group has not as many values as there are names.
func (d DotPlot) Figure() *Figure {
	s := theStyle()
	if len(d.Names) == 0 || len(d.Groups) == 0 {
		return s.say(d.Title, "There is nothing to compare.")
	}
	p := s.newPlot(d.XLabel, "")
	rows := dotRows{s: s, logX: d.LogX, reference: d.Reference}
	f := s.newFigure(p)
	f.Title = d.Title
	names, notes := cutNames(d.Names, longestName)
	f.addNotes(notes...)
	groups := make([]string, len(d.Groups))
	for k, g := range d.Groups {
		if len(g.Values) != len(d.Names) {
			panic(fmt.Sprintf("plotting: %d values for %d names", len(g.Values), len(d.Names)))
		}
		groups[k] = g.Name
	}
	var missing []string
	for k, look := range s.methodStyles(groups) {
		marker := look.glyph()
		marker.Radius = vg.Points(4)
		f.addKey(KeyEntry{Name: groups[k], Marker: marker})
		for i, v := range d.Groups[k].Values {
			if !plottable(v, d.LogX) {
				missing = append(missing, joined(oneLine(d.Names[i]), groups[k]))
				continue
			}
			rows.dots = append(rows.dots, dot{v, float64(len(names)-1-i) + d.offset(k), marker})
		}
	}
	if len(rows.dots) == 0 {
		return s.say(d.Title, "There are no values to draw.")
	}
	rows.count = len(names)
	p.Add(gridLines{style: s.gridStyle(), vertical: true}, rows)
	finish(p, d.LogX, false)
	makeRoom(p, markRoom, rows.points(), 0, nil)
	upward := make([]string, len(names))
	for i, name := range names {
		upward[len(names)-1-i] = name
	}
	s.nameTicks(&p.Y, upward, false)
	p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
	if d.Reference != nil && d.Reference.Name != "" {
		f.addKey(KeyEntry{Name: d.Reference.Name, Line: rows.line()})
	}
	f.addNotes(missingNote(missing))
	f.setValue(0, d.values())
	above, below := f.frame(f.Width, "")
	f.Width = 3.6*vg.Inch + s.widest(names)
	f.Height = dotRow*vg.Length(len(names)) + 50 + above + below
	return f
}

// offset is how far above its row group k stands: values that are alike hide none.
func (d DotPlot) offset(k int) float64 {
	room := 0.3
	switch len(d.Groups) {
	case 1:
		return 0
	case 2:
	default:
		room = 0.5
	}
	return room/2 - float64(room*float64(k)/float64(len(d.Groups)-1))
}

// dot is a value at its height.
type dot struct {
	x, y   float64
	marker draw.GlyphStyle
}

// dotRows draws a DotPlot.
type dotRows struct {
	s         *Style
	dots      []dot
	count     int
	logX      bool
	reference *Level
}

func (r dotRows) line() draw.LineStyle {
	return draw.LineStyle{Color: r.s.Ink, Width: vg.Points(0.8), Dashes: shortDash}
}

// DataRange implements plot.DataRanger.
func (r dotRows) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = math.Inf(1), math.Inf(-1)
	for _, d := range r.dots {
		xmin, xmax = math.Min(xmin, d.x), math.Max(xmax, d.x)
	}
	if r.reference != nil && plottable(r.reference.Value, r.logX) {
		xmin, xmax = math.Min(xmin, r.reference.Value), math.Max(xmax, r.reference.Value)
	}
	return xmin, xmax, 0, float64(r.count - 1)
}

// points returns where the dots are.
func (r dotRows) points() (at plotter.XYs) {
	for _, d := range r.dots {
		at = append(at, plotter.XY{X: d.x, Y: d.y})
	}
	return at
}

// Plot implements plot.Plotter.
func (r dotRows) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	if r.reference != nil && plottable(r.reference.Value, r.logX) {
		x := trX(r.reference.Value)
		c.StrokeLine2(r.line(), x, c.Min.Y, x, c.Max.Y)
	}
	for _, d := range r.dots {
		c.DrawGlyphNoClip(d.marker, vg.Point{X: trX(d.x), Y: trY(d.y)})
	}
}
