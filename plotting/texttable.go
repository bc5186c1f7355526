package plotting

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crank-ml/crank/crankpkg/experiment"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Table is a table of text and numbers. Show displays it in a notebook as a real table, whose
// text can be copied and whose rows a click on a heading sorts, with a plain twin for pages
// that show no HTML; elsewhere it prints that. Save draws it.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]string // as long as Columns each
	// Note stands below.
	Note string
}

// check panics unless the rows are as long as the headings are many.
func (t Table) check() {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			panic(fmt.Sprintf("plotting: row %d has %d cells below %d headings", i, len(row), len(t.Columns)))
		}
	}
}

// numeric reports whether column j holds numbers, as far as its cells are not empty or dashes:
// these stand at the right.
func (t Table) numeric(j int) bool {
	numbers := 0
	for _, row := range t.Rows {
		cell := strings.TrimLeft(row[j], "+-−±<>[p= ")
		switch {
		case row[j] == "" || row[j] == "–":
		case cell == "" || (cell[0] < '0' || cell[0] > '9') && !strings.HasPrefix(cell, "∞"):
			return false
		default:
			numbers++
		}
	}
	return numbers > 0
}

// String returns the table as text in columns.
func (t Table) String() string {
	t.check()
	widths := make([]int, len(t.Columns))
	for _, row := range append([][]string{t.Columns}, t.Rows...) {
		for j, cell := range row {
			widths[j] = max(widths[j], utf8.RuneCountInString(oneLine(cell)))
		}
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(oneLine(t.Title) + "\n\n")
	}
	for i, row := range append([][]string{t.Columns}, t.Rows...) {
		var line strings.Builder
		for j, cell := range row {
			cell = oneLine(cell)
			space := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell))
			if j > 0 {
				line.WriteString("  ")
			}
			if t.numeric(j) {
				line.WriteString(space + cell)
			} else {
				line.WriteString(cell + space)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		if i == 0 {
			for j, w := range widths {
				if j > 0 {
					b.WriteString("  ")
				}
				b.WriteString(strings.Repeat("-", w))
			}
			b.WriteString("\n")
		}
	}
	if t.Note != "" {
		b.WriteString("\n" + oneLine(t.Note) + "\n")
	}
	return b.String()
}

func oneLine(cell string) string { return strings.Join(strings.Fields(cell), " ") }

// sorter sorts the rows by the column whose heading is clicked, the other way around with
// each click. A page that removes scripts shows the table as it stands.
const sorter = `var h=event.target.closest('th');if(h){var k=h.cellIndex,u=h.dataset.up=h.dataset.up=='1'?'0':'1',b=this.parentNode.tBodies[0],` +
	`v=function(r){var t=r.cells[k].textContent,n=parseFloat(t.replace(/[−+<>=p\[ ]/g,function(c){return c=='−'?'-':''}));return isNaN(n)?t:n};` +
	`Array.from(b.rows).sort(function(x,y){var a=v(x),c=v(y);return (a<c?-1:a>c?1:0)*(u=='1'?1:-1)}).forEach(function(r){b.appendChild(r)})}`

// HTML returns the table for a page.
func (t Table) HTML() string {
	t.check()
	var b strings.Builder
	b.WriteString("<table>\n")
	if t.Title != "" {
		b.WriteString(`<caption style="caption-side:top;text-align:left;font-weight:bold">` + html.EscapeString(t.Title) + "</caption>\n")
	}
	align := make([]string, len(t.Columns))
	for j := range t.Columns {
		align[j] = "left"
		if t.numeric(j) {
			align[j] = "right"
		}
	}
	b.WriteString(`<thead onclick="` + html.EscapeString(sorter) + `"><tr>`)
	for j, c := range t.Columns {
		fmt.Fprintf(&b, `<th scope="col" style="text-align:%s;cursor:pointer">%s</th>`, align[j], html.EscapeString(c))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for j, cell := range row {
			fmt.Fprintf(&b, `<td style="text-align:%s;white-space:nowrap">%s</td>`, align[j], html.EscapeString(cell))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n")
	if t.Note != "" {
		b.WriteString("<p>" + html.EscapeString(t.Note) + "</p>\n")
	}
	return b.String()
}

// panel returns the table as a figure.
func (t Table) panel() *Figure {
	s := theStyle()
	t.check()
	if len(t.Columns) == 0 {
		return s.say(t.Title, "The table is empty.")
	}
	f := s.newFigure(textPanel{s, t})
	f.Title = t.Title
	f.addNotes(t.Note)
	f.Description = t.describe()
	return f
}

// Size implements sizer.
func (t Table) Size() (width, height vg.Length) { return t.panel().Size() }

// Draw implements Drawing.
func (t Table) Draw(c draw.Canvas) { t.panel().Draw(c) }

// describe implements describer.
func (t Table) describe() string {
	return sentences(oneLine(t.Title), fmt.Sprintf("A table of %s: %s", counted(len(t.Rows), "row"), apart(slices.DeleteFunc(slices.Clone(t.Columns), func(name string) bool { return name == "" }))))
}

// textPanel is the drawing of a Table.
type textPanel struct {
	s *Style
	t Table
}

// widths returns the width of each column.
func (p textPanel) widths() []vg.Length {
	all := make([]vg.Length, len(p.t.Columns))
	for _, row := range append([][]string{p.t.Columns}, p.t.Rows...) {
		for j, cell := range row {
			all[j] = max(all[j], p.s.nameStyle(1).Width(oneLine(cell)))
		}
	}
	return all
}

// Size implements sizer.
func (p textPanel) Size() (width, height vg.Length) {
	for _, w := range p.widths() {
		width += w + tablePad
	}
	return width, vg.Length(len(p.t.Rows)+1)*tableRow + 8
}

// Draw implements Drawing.
func (p textPanel) Draw(c draw.Canvas) {
	widths := p.widths()
	total, _ := p.Size()
	x0, y := c.Min.X, c.Max.Y-tableRow*0.7
	rule := func(y, width vg.Length) {
		c.StrokeLine2(draw.LineStyle{Color: p.s.Ink, Width: width}, x0, y, x0+total, y)
	}
	rule(c.Max.Y, 1.2)
	rule(c.Max.Y-tableRow-2, 0.7)
	for i, row := range append([][]string{p.t.Columns}, p.t.Rows...) {
		x := x0 + tablePad/2
		for j, cell := range row {
			sty, at := p.s.nameStyle(1), vg.Point{X: x, Y: y}
			sty.XAlign = text.XLeft
			if p.t.numeric(j) {
				sty.XAlign = text.XRight
				at.X += widths[j]
			}
			drawText(c, sty, at, oneLine(cell))
			x += widths[j] + tablePad
		}
		if y -= tableRow; i == 0 {
			y -= 6
		}
	}
	rule(y+tableRow*0.65, 1.2)
}

// Table returns the differences as a table, with what the figure has no room for.
func (fo Forest) Table() Table {
	fo.check()
	t := Table{Title: fo.Title, Columns: []string{"", "difference", "interval", "p", "pairs", "test"}}
	decimals := fo.decimals()
	for k, d := range fo.Differences {
		pairs := "–"
		if d.N > 0 {
			pairs = fmt.Sprint(d.N)
		}
		interval := intervalText(d, decimals)
		if math.IsNaN(d.Low) || math.IsNaN(d.High) {
			interval = "–"
		}
		t.Rows = append(t.Rows, []string{fo.Labels[k], signed(d.Mean, decimals), interval, pCell(d.P), pairs, d.Test})
	}
	if slices.ContainsFunc(fo.Corrected, func(p float64) bool { return !math.IsNaN(p) }) {
		const after = 4
		t.Columns = slices.Insert(t.Columns, after, "corrected")
		for k, p := range fo.Corrected {
			t.Rows[k] = slices.Insert(t.Rows[k], after, pCell(p))
		}
		t.Note = "Corrected: p after Holm's correction for the family of comparisons."
	}
	return t
}

// pCell returns a p-value as a column of them has it.
func pCell(p float64) string {
	if math.IsNaN(p) {
		return "–"
	}
	return strings.TrimPrefix(strings.TrimPrefix(pText(p), "p = "), "p ")
}

// Table returns the values and ranks as a table, in the order of the figure.
func (t RankedTable) Table() Table {
	out := Table{Title: t.Title, Columns: append(append([]string{""}, t.Columns...), "mean rank")}
	ranks, mean := t.Ranks()
	for _, i := range byMeanRank(mean) {
		row := []string{t.Rows[i]}
		for j, v := range t.Values[i] {
			cell := "–"
			if plottable(v, false) {
				cell = decimal(v, max(0, t.Decimals))
			}
			if !math.IsNaN(ranks[i][j]) {
				cell += fmt.Sprintf(" (%.3g)", ranks[i][j])
			}
			row = append(row, cell)
		}
		if math.IsNaN(mean[i]) {
			row = append(row, "–")
		} else {
			row = append(row, decimal(mean[i], 2))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// TableOf returns the values of an experiment as a table: a row for each set and method, with
// standard errors where there are several seeds, and ranks where not all are equal.
func TableOf(t *experiment.Table) Table {
	if t == nil {
		return Table{}
	}
	out := Table{Columns: []string{"set", "method"}}
	for _, m := range t.Measures {
		out.Columns = append(out.Columns, m.Label())
	}
	entries := t.Entries()
	for _, set := range t.Sets {
		for _, method := range t.Methods {
			row := []string{set, method}
			for _, m := range t.Measures {
				cell := "–"
				for _, e := range entries {
					if e.Set != set || e.Method != method || e.Measure != m {
						continue
					}
					cell = decimal(e.Value, 1)
					if e.Runs > 1 {
						cell += " ± " + decimal(e.StdErr, 1)
					}
					if slices.ContainsFunc(entries, func(o experiment.Entry) bool { return o.Set == set && o.Measure == m && o.Rank > 1 }) {
						cell += fmt.Sprintf(" (%d)", e.Rank)
					}
				}
				row = append(row, cell)
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}
