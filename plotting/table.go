package plotting

import (
	"math"
	"sort"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// RankedTable is a table of measurements with the ranks in each column: the
// best value is bold and all ranks are set small behind the values, as in the
// tables of comparisons over data sets. Equal values share the better rank; where
// all are equal there are no ranks.
type RankedTable struct {
	Title   string
	Rows    []string // methods
	Columns []string // data sets or measures
	// Values[i][j] belongs to Rows[i] and Columns[j]; NaN is shown as a dash and
	// has no rank.
	Values [][]float64
	// SmallerIsBetter turns the order of the ranks around.
	SmallerIsBetter bool
	// Decimals of the values shown.
	Decimals int
}

// Ranks returns the rank of each value within its column, from 1 for the best,
// NaN for a missing value and in a column whose values are all equal, and the mean
// rank of each row over the columns where no rank is missing, so that all means are
// of the same columns; NaN where there are none. Values that are shown alike are equal.
func (t RankedTable) Ranks() (ranks [][]float64, mean []float64) {
	checkTable("Values", t.Values, len(t.Rows), len(t.Columns))
	ranks = make([][]float64, len(t.Rows))
	mean = make([]float64, len(t.Rows))
	for i := range ranks {
		ranks[i] = make([]float64, len(t.Columns))
	}
	scale := math.Pow(10, float64(t.Decimals))
	for j := range t.Columns {
		for i := range t.Rows {
			v := t.Values[i][j]
			if !plottable(v, false) {
				ranks[i][j] = math.NaN()
				continue
			}
			better := 0
			for k := range t.Rows {
				other := t.Values[k][j]
				if !plottable(other, false) {
					continue
				}
				if d := math.Round(other*scale) - math.Round(v*scale); d != 0 && d > 0 != t.SmallerIsBetter {
					better++
				}
			}
			ranks[i][j] = float64(better + 1)
		}
		if !settled(ranks, j) {
			for i := range ranks {
				ranks[i][j] = math.NaN()
			}
		}
	}
	for i, row := range ranks {
		sum, n := 0.0, 0
		for j, r := range row {
			if whole(ranks, j) {
				sum, n = sum+r, n+1
			}
		}
		mean[i] = sum / float64(n)
	}
	return ranks, mean
}

// whole reports whether no rank of a column is missing.
func whole(ranks [][]float64, j int) bool {
	for _, row := range ranks {
		if math.IsNaN(row[j]) {
			return false
		}
	}
	return true
}

// wholeNote names the columns that the mean ranks are of, where these are not all.
func (p *tablePanel) wholeNote() string {
	var of []string
	for j, name := range p.columnNames {
		if whole(p.ranks, j) {
			of = append(of, name)
		}
	}
	switch len(of) {
	case len(p.columnNames):
		return ""
	case 0:
		return "There are no mean ranks: no column has a rank for each row."
	}
	return "Mean ranks are of " + apart(of) + ", which have a rank for each row."
}

// settled reports whether a column tells rows apart.
func settled(ranks [][]float64, j int) bool {
	for _, row := range ranks {
		if row[j] > 1 {
			return true
		}
	}
	return false
}

// Figure draws the table, rows from the best mean rank to the worst. It panics
// when Values is not rows by columns.
func (t RankedTable) Figure() *Figure {
	s := theStyle()
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		return s.say(t.Title, "The table is empty.")
	}
	p := &tablePanel{s: s, t: t}
	p.ranks, p.mean = t.Ranks()
	p.order = byMeanRank(p.mean)
	f := s.newFigure(p)
	f.Title = t.Title
	var notes []string
	p.rowNames, notes = cleanNames(t.Rows)
	f.addNotes(notes...)
	p.columnNames, notes = cleanNames(t.Columns)
	f.addNotes(notes...)
	f.addNotes(p.wholeNote())
	return f
}

// byMeanRank returns the rows from the best mean rank to the worst, those without one last.
func byMeanRank(mean []float64) []int {
	order := make([]int, len(mean))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := mean[order[a]], mean[order[b]]
		return x < y || math.IsNaN(y) && !math.IsNaN(x)
	})
	return order
}

// tablePanel is the drawing of a RankedTable.
type tablePanel struct {
	s                     *Style
	t                     RankedTable
	ranks                 [][]float64
	mean                  []float64
	order                 []int
	rowNames, columnNames []string
}

const (
	tableRow = vg.Length(20)
	tablePad = vg.Length(14) // between columns
)

// widths returns the width of the column of names, then of each column, then
// of that of the mean ranks.
func (p *tablePanel) widths() []vg.Length {
	name := p.s.nameStyle(1)
	all := []vg.Length{0}
	for _, n := range p.rowNames {
		all[0] = max(all[0], name.Width(n)+18)
	}
	for j, n := range p.columnNames {
		w := name.Width(n)
		for i := range p.t.Rows {
			w = max(w, p.s.bold(1).Width(p.value(i, j))+p.rankWidth())
		}
		all = append(all, w)
	}
	return append(all, p.s.bold(1).Width("mean rank"))
}

func (p *tablePanel) rankWidth() vg.Length { return p.s.textStyle(0.75, nil).Width("00") + 3 }

func (p *tablePanel) value(i, j int) string {
	if v := p.t.Values[i][j]; plottable(v, false) {
		return minus(strconv.FormatFloat(v, 'f', max(0, p.t.Decimals), 64))
	}
	return "–"
}

// Size implements sizer.
func (p *tablePanel) Size() (width, height vg.Length) {
	for _, w := range p.widths() {
		width += w + tablePad
	}
	return width, vg.Length(len(p.t.Rows)+1)*tableRow + 8
}

// Draw draws the table into the upper left of c.
func (p *tablePanel) Draw(c draw.Canvas) {
	widths := p.widths()
	total, _ := p.Size()
	x0, y := c.Min.X, c.Max.Y-tableRow*0.7
	rule := func(y vg.Length, width vg.Length) {
		c.StrokeLine2(draw.LineStyle{Color: p.s.Ink, Width: width}, x0, y, x0+total, y)
	}
	rule(c.Max.Y, 1.2)
	x := x0 + widths[0] + tablePad
	for j, n := range append(append([]string(nil), p.columnNames...), "mean rank") {
		p.right(c, p.s.nameStyle(1), x+widths[j+1], y, n)
		x += widths[j+1] + tablePad
	}
	rule(c.Max.Y-tableRow-2, 0.7)
	y -= 6
	looks := p.s.methodStyles(p.t.Rows)
	for _, i := range p.order {
		y -= tableRow
		look := looks[i].glyph()
		look.Radius = 3.5
		c.DrawGlyphNoClip(look, vg.Point{X: x0 + 6, Y: y + p.s.TextSize*0.35})
		name := p.s.nameStyle(1)
		name.XAlign = draw.XLeft
		drawText(c, name, vg.Point{X: x0 + 18, Y: y}, p.rowNames[i])
		x := x0 + widths[0] + tablePad
		for j := range p.t.Columns {
			p.cell(c, x, widths[j+1], y, i, j)
			x += widths[j+1] + tablePad
		}
		if !math.IsNaN(p.mean[i]) {
			p.right(c, p.s.textStyle(1, p.s.Ink), x+widths[len(widths)-1], y, strconv.FormatFloat(p.mean[i], 'f', 2, 64))
		}
	}
	rule(y-tableRow*0.35, 1.2)
}

// cell writes a value, and its rank behind it.
func (p *tablePanel) cell(c draw.Canvas, x, width, y vg.Length, i, j int) {
	sty := p.s.textStyle(1, p.s.Ink)
	rank := p.ranks[i][j]
	if rank == 1 {
		sty = p.s.bold(1)
	}
	p.right(c, sty, x+width-p.rankWidth(), y, p.value(i, j))
	if !math.IsNaN(rank) {
		small := p.s.textStyle(0.75, p.s.Faint)
		drawText(c, small, vg.Point{X: x + width - p.rankWidth() + 3, Y: y + p.s.TextSize*0.3}, strconv.FormatFloat(rank, 'g', 3, 64))
	}
}

func (p *tablePanel) right(c draw.Canvas, sty text.Style, x, y vg.Length, txt string) {
	sty.XAlign = draw.XRight
	drawText(c, sty, vg.Point{X: x, Y: y}, txt)
}
