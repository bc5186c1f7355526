package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

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
	// Pale, if there, says which of the shaded cells have little of their color.
	Pale [][]bool
	// Above, Below and Within, if there, say in the key what the color of positive weights, the other one and pale cells mean.
	Above, Below, Within string
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

// WithDifferences returns the table with differences and the given decimals in its cells, shaded by sign; what is smaller than its
// standard error is pale. Without standard errors nothing is. What is not finite is left blank. The key says what the colors mean, in words
// of the table's own or in plain ones. It panics where values, or stdErrs, is not rows by columns.
func (ct CellTable) WithDifferences(values, stdErrs [][]float64, decimals int) CellTable {
	checkTable("values", values, len(ct.Rows), len(ct.Columns))
	if stdErrs != nil {
		checkTable("stdErrs", stdErrs, len(ct.Rows), len(ct.Columns))
	}
	ct.Cells, ct.Shade, ct.Pale = nil, nil, nil
	for i, row := range values {
		texts, shades, pale := make([]string, len(row)), make([]int, len(row)), make([]bool, len(row))
		for j, v := range row {
			if !plottable(v, false) {
				continue
			}
			if texts[j] = signed(v, decimals); strings.Trim(texts[j], "0.") != "" { // it does not round to zero
				shades[j], pale[j] = cmp.Compare(v, 0), stdErrs != nil && math.Abs(v) < stdErrs[i][j]
			}
		}
		ct.Cells, ct.Shade, ct.Pale = append(ct.Cells, texts), append(ct.Shade, shades), append(ct.Pale, pale)
	}
	ct.Above, ct.Below = orDefault(ct.Above, "above zero"), orDefault(ct.Below, "below zero")
	ct.Within = orDefault(ct.Within, "smaller than a standard error")
	return ct
}

// shadeKey returns what the key says of the colors that occur.
func (ct CellTable) shadeKey(s *Style) (key []KeyEntry) {
	all := slices.Concat(ct.Shade...)
	if ct.Above != "" && slices.ContainsFunc(all, func(shade int) bool { return shade > 0 }) {
		key = append(key, KeyEntry{Name: ct.Above, Fill: fade(s.Positive, s.paper(), fullShade)})
	}
	if ct.Below != "" && slices.ContainsFunc(all, func(shade int) bool { return shade < 0 }) {
		key = append(key, KeyEntry{Name: ct.Below, Fill: fade(s.Negative, s.paper(), fullShade)})
	}
	if ct.Within != "" && ct.countPale() > 0 {
		key = append(key, KeyEntry{Name: "pale: " + ct.Within})
	}
	return key
}

func (ct CellTable) pale(i, j int) bool { return ct.Pale != nil && ct.Pale[i][j] }

// Figure draws the table. It panics where Cells, Shade or Pale is not rows by columns, or a mark is outside.
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
	f.addKey(ct.shadeKey(s)...)
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
	f.Width, f.Height = ct.size(s, len(f.Key) > 0)
	return f
}

// size returns the size of the figure: wide enough for the longest text of each column.
func (ct CellTable) size(s *Style, key bool) (width, height vg.Length) {
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
	if key {
		height += 18
	}
	return max(width, 200), height
}

func (ct CellTable) check() {
	rows := func(name string, n int, there bool) {
		if there && n != len(ct.Rows) {
			panic(fmt.Sprintf("plotting: %s has %d rows, want %d", name, n, len(ct.Rows)))
		}
	}
	rows("Cells", len(ct.Cells), true)
	rows("Shade", len(ct.Shade), ct.Shade != nil)
	rows("Pale", len(ct.Pale), ct.Pale != nil)
	for i := range ct.Rows {
		if len(ct.Cells[i]) != len(ct.Columns) || ct.Shade != nil && len(ct.Shade[i]) != len(ct.Columns) || ct.Pale != nil && len(ct.Pale[i]) != len(ct.Columns) {
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

// fullShade and paleShade are how much of the paper is in the colors of cells.
const fullShade, paleShade = 0.6, 0.85

// fill returns the color of a cell.
func (ct cellTable) fill(i, j int) color.Color {
	paper := fullShade
	if ct.t.pale(i, j) {
		paper = paleShade
	}
	if ct.t.Shade == nil || ct.t.Shade[i][j] == 0 {
		return fade(ct.s.Faint, ct.s.paper(), 0.9)
	}
	if ct.t.Shade[i][j] < 0 {
		return fade(ct.s.Negative, ct.s.paper(), paper)
	}
	return fade(ct.s.Positive, ct.s.paper(), paper)
}
