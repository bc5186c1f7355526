package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Comparison is a picture of methods by measures: a panel for each measure, in
// which each method has its mean and an error bar.
type Comparison struct {
	Title    string
	Methods  []string
	Measures []string
	// Mean[i][j] is method i by measure j; NaN for what was not measured. Err,
	// if there, is the half length of each error bar.
	Mean, Err [][]float64
	// YLabel, if there, is what all panels measure; Measures are then their titles,
	// such as the names of data sets.
	YLabel string
	// Differences says that the values are differences: zero is in sight in each panel.
	Differences bool
	// Percent says that the values are shares in percent: error bars end at 0 and 100.
	Percent bool
	LogY    bool
	// LinearTo, where positive, is for differences of very different sizes: the axis is logarithmic
	// beyond it, on both sides of zero, linear between, and the same in all panels.
	LinearTo float64
}

// Figure draws the comparison. It panics when Mean or Err are not methods by
// measures.
func (co Comparison) Figure() *Figure {
	s := theStyle()
	if len(co.Methods) == 0 || len(co.Measures) == 0 {
		return s.say(co.Title, "There is nothing to compare.")
	}
	checkTable("Mean", co.Mean, len(co.Methods), len(co.Measures))
	if co.Err != nil {
		checkTable("Err", co.Err, len(co.Methods), len(co.Measures))
	}
	f := s.newFigure()
	f.Title, f.Columns = co.Title, co.columns()
	looks := s.methodStyles(co.Methods)
	column, slanted := s.nameColumns(co.Methods)
	var missing []string
	for j, measure := range co.Measures {
		p := s.newPlot("", measure)
		if co.YLabel != "" {
			p.Title.Text, p.Y.Label.Text = measure, co.YLabel
		}
		p.Add(gridLines{style: s.gridStyle()}, zeroLine{s: s, always: co.Differences && !co.LogY})
		for i := range co.Methods {
			look := looks[i]
			marker := look.glyph()
			marker.Radius = vg.Points(4)
			e := errorSeries{series: series{marker: marker}, err: []float64{0}, logY: co.LogY, percent: co.Percent}
			e.line.Color = look.Color // of the error bar
			if !plottable(co.Mean[i][j], co.LogY) {
				missing = append(missing, joined(measure, co.Methods[i]))
				continue
			}
			e.XYs = plotter.XYs{{X: float64(i), Y: co.Mean[i][j]}}
			if co.Err != nil && plottable(co.Err[i][j], false) {
				e.err[0] = co.Err[i][j]
			}
			p.Add(e)
		}
		finish(p, false, co.LogY)
		// Room at the sides, and names below.
		p.X.Min, p.X.Max = -0.6, float64(len(co.Methods))-0.4
		widen(&p.Y, co.LogY)
		s.nameTicks(&p.X, co.Methods, slanted)
		f.Panels = append(f.Panels, p)
		f.setValue(j, co.means(j))
	}
	if co.LinearTo > 0 && !co.LogY {
		twoSided(f.Plots(), co.LinearTo)
	}
	f.Width = vg.Length(f.Columns)*(65+column*vg.Length(len(co.Methods))) + 2*margin + vg.Length(f.Columns-1)*gutter
	f.addNotes(missingNote(missing))
	if extra := s.slantedHeight(co.Methods) - usualNames; slanted && extra > 0 {
		_, f.Height = f.size("")
		f.Height += vg.Length(f.rows()) * extra
	}
	return f
}

// usualNames is the height that panels of the usual size have for slanted names.
const usualNames = vg.Length(20)

// slantedHeight returns the height of the longest of some names when they are slanted.
func (s *Style) slantedHeight(names []string) vg.Length {
	return s.widest(names) * vg.Length(math.Sin(nameSlant))
}

// columns returns how many panels stand beside one another: up to three, and four as two by two.
func (co Comparison) columns() int {
	if len(co.Measures) == 4 {
		return 2
	}
	return min(3, len(co.Measures))
}

// widen leaves a margin above and below the values.
func widen(a *plot.Axis, log bool) {
	const share = 0.06
	if log {
		factor := math.Pow(a.Max/a.Min, share)
		a.Min, a.Max = a.Min/factor, float64(a.Max*factor)
		return
	}
	margin := float64(share * (a.Max - a.Min))
	a.Min, a.Max = a.Min-margin, a.Max+margin
}

// missingNote names the values that are not drawn, or counts them where they are many.
func missingNote(missing []string) string {
	const most = 3
	switch {
	case len(missing) == 0:
		return ""
	case len(missing) > most:
		return fmt.Sprintf("%d values were not measured, or are not finite.", len(missing))
	}
	return "Not measured, or not finite: " + strings.Join(missing, "; ") + "."
}

// joined returns the names of a value's places, as far as they have any.
func joined(names ...string) string {
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "" }), ", ")
}

// zeroLine is a line at zero where that is in sight, or always.
type zeroLine struct {
	s             *Style
	always, never bool
	faint         bool // rather a part of the grid than a line among others
}

// DataRange implements plot.DataRanger.
func (z zeroLine) DataRange() (xmin, xmax, ymin, ymax float64) {
	inf := math.Inf(1)
	if z.always {
		return inf, -inf, 0, 0
	}
	return inf, -inf, inf, -inf
}

// Plot implements plot.Plotter.
func (z zeroLine) Plot(c draw.Canvas, p *plot.Plot) {
	if z.never || p.Y.Min >= 0 || p.Y.Max <= 0 {
		return
	}
	look := draw.LineStyle{Color: z.s.Ink, Width: vg.Points(0.8), Dashes: shortDash}
	if z.faint {
		look = draw.LineStyle{Color: z.s.Faint, Width: vg.Points(0.8)}
	}
	_, trY := p.Transforms(&c)
	c.StrokeLine2(look, c.Min.X, trY(0), c.Max.X, trY(0))
}

// nameColumns returns the room that each of some names needs beside the others,
// and whether they have to be slanted.
func (s *Style) nameColumns(names []string) (width vg.Length, slanted bool) {
	const least, most, space = 24, 60, 10
	for _, name := range names {
		width = max(width, s.textStyle(1, nil).Width(name)+space)
	}
	if len(names) > 4 || width > most {
		return least, true
	}
	return max(width, least), false
}

// nameSlant is the angle of slanted names.
const nameSlant = 0.9

// nameTicks puts names at 0, 1, ... of an axis, slanted if they are many.
func (s *Style) nameTicks(a *plot.Axis, names []string, slanted bool) {
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: float64(i), Label: name}
	}
	a.Tick.Marker = ticks
	a.Tick.Color, a.Tick.Length = color.Transparent, 3
	if slanted {
		a.Tick.Length = 7
		a.Tick.Label.Rotation = nameSlant
		a.Tick.Label.XAlign = -1
		a.Tick.Label.YAlign = -0.6
	}
}

// checkTable panics unless table is rows x columns.
func checkTable(name string, table [][]float64, rows, columns int) {
	if len(table) != rows {
		panic(fmt.Sprintf("plotting: %s has %d rows, want %d", name, len(table), rows))
	}
	for i, row := range table {
		if len(row) != columns {
			panic(fmt.Sprintf("plotting: row %d of %s has %d values, want %d", i, name, len(row), columns))
		}
	}
}
