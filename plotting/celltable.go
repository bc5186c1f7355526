package plotting

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// CellTable is a table of short texts in shaded cells: a parameter for each pair of states, a verdict for each method and case.
type CellTable struct {
	Title, XLabel, YLabel string
	Rows, Columns         []string // the first row is on top
	Cells                 [][]string
	// Shade, if there, has a positive number for cells in the color of positive weights, a negative one for the other color.
	Shade [][]int
	// Marks are ways through the table: a set of cells (row, column) with a marker and a name in the key.
	Marks []CellMarks
}

// CellMarks marks cells of a CellTable.
type CellMarks struct {
	Name  string
	Cells [][2]int // row and column
}

// WithNumbers returns the table with whole numbers as its cells; those from high on have the color of positive weights, those down from
// low the other one.
func (ct CellTable) WithNumbers(values [][]int, low, high int) CellTable {
	ct.Cells, ct.Shade = make([][]string, len(values)), make([][]int, len(values))
	for i, row := range values {
		for _, v := range row {
			shade := 0
			switch {
			case v >= high:
				shade = 1
			case v <= low:
				shade = -1
			}
			ct.Cells[i], ct.Shade[i] = append(ct.Cells[i], minus(strconv.Itoa(v))), append(ct.Shade[i], shade)
		}
	}
	return ct
}

// Figure draws the table. It panics where Cells, or Shade, is not rows by columns, or a mark is outside.
func (ct CellTable) Figure() *Figure {
	s := theStyle()
	if len(ct.Rows) == 0 || len(ct.Columns) == 0 {
		return s.say(ct.Title, "The table has no cells.")
	}
	ct.check()
	p := s.newPlot(ct.XLabel, ct.YLabel)
	p.Add(cellTable{s: s, t: ct})
	f := s.newFigure(p)
	f.Title = ct.Title
	f.setValue(0, ct.cells())
	for k, m := range ct.Marks {
		f.addKey(KeyEntry{Name: m.Name, Marker: s.cellMark(k)})
	}
	rows := slices.Clone(ct.Rows)
	slices.Reverse(rows)
	s.nameTicks(&p.X, ct.Columns, false)
	s.nameTicks(&p.Y, rows, false)
	p.X.Min, p.X.Max = -0.5, float64(len(ct.Columns))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(rows))-0.5
	p.X.Padding, p.Y.Padding, p.X.Width, p.Y.Width = 0, 0, 0, 0
	f.Width, f.Height = ct.size(s)
	return f
}

// size returns the size of the figure: wide enough for the longest text of each column.
func (ct CellTable) size(s *Style) (width, height vg.Length) {
	sty, column, names := s.textStyle(1, nil), vg.Length(34), vg.Length(0)
	for j, name := range ct.Columns {
		column = max(column, sty.Width(name)+12)
		for _, row := range ct.Cells {
			column = max(column, sty.Width(row[j])+14)
		}
	}
	for _, name := range ct.Rows {
		names = max(names, sty.Width(name))
	}
	width = names + 60 + column*vg.Length(len(ct.Columns))
	height = 70 + 23*vg.Length(len(ct.Rows))
	if ct.Title != "" {
		height += 20
	}
	if len(ct.Marks) > 0 {
		height += 18
	}
	return max(width, 200), height
}

func (ct CellTable) check() {
	for name, rows := range map[string]int{"Cells": len(ct.Cells), "Shade": len(ct.Shade)} {
		if rows != len(ct.Rows) && (name == "Cells" || ct.Shade != nil) {
			panic(fmt.Sprintf("plotting: %s has %d rows, want %d", name, rows, len(ct.Rows)))
		}
	}
	for i := range ct.Rows {
		if len(ct.Cells[i]) != len(ct.Columns) || ct.Shade != nil && len(ct.Shade[i]) != len(ct.Columns) {
			panic(fmt.Sprintf("plotting: row %d of the table has another number of columns than %d", i, len(ct.Columns)))
		}
	}
	for _, m := range ct.Marks {
		for _, c := range m.Cells {
			if c[0] < 0 || c[0] >= len(ct.Rows) || c[1] < 0 || c[1] >= len(ct.Columns) {
				panic(fmt.Sprintf("plotting: the marked cell %v is outside of the table", c))
			}
		}
	}
}

// cellMark is the look of the kth marks: a dot, a ring, and so on.
func (s *Style) cellMark(k int) draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.RingGlyph{}, draw.CrossGlyph{}}
	return draw.GlyphStyle{Color: s.Ink, Radius: 3, Shape: shapes[k%len(shapes)]}
}

// cellTable draws a CellTable.
type cellTable struct {
	s *Style
	t CellTable
}

// Plot implements plot.Plotter.
func (ct cellTable) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	last := len(ct.t.Rows) - 1
	for i, row := range ct.t.Cells {
		for j, txt := range row {
			x, y := float64(j), float64(last-i)
			const gap = vg.Length(0.7)
			fill := ct.fill(i, j)
			fillRect(c, fill, trX(x-0.5)+gap, trY(y-0.5)+gap, trX(x+0.5)-gap, trY(y+0.5)-gap)
			sty := ct.s.textStyle(1, inkOn(fill))
			sty.XAlign = text.XCenter
			drawText(c, sty, vg.Point{X: trX(x), Y: trY(y) - ct.s.TextSize*0.35}, txt)
		}
	}
	for k, m := range ct.t.Marks {
		for _, cell := range m.Cells {
			at := vg.Point{X: trX(float64(cell[1]) - 0.32), Y: trY(float64(last - cell[0]))}
			at.Y += vg.Length(5 - 10*(k%2))
			c.DrawGlyphNoClip(ct.s.cellMark(k), at)
		}
	}
}

// fill returns the color of a cell.
func (ct cellTable) fill(i, j int) color.Color {
	if ct.t.Shade == nil || ct.t.Shade[i][j] == 0 {
		return fade(ct.s.Faint, ct.s.paper(), 0.9)
	}
	if ct.t.Shade[i][j] < 0 {
		return fade(ct.s.Negative, ct.s.paper(), 0.6)
	}
	return fade(ct.s.Positive, ct.s.paper(), 0.6)
}
