package plotting

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Drawing is what Show and Save accept: a *Figure, a *plot.Plot, an *Animation.
type Drawing interface {
	Draw(draw.Canvas)
}

// sizer is a Drawing that knows how large it should be.
type sizer interface {
	Size() (width, height vg.Length)
}

// Figure is one or more panels in a grid, under a title and over a key and
// notes.
type Figure struct {
	Title string
	// Panels stand row after row, Columns in each row (zero means one).
	Panels  []Drawing
	Columns int
	// Width and Height are in points (1/72 inch); zero means what suits the
	// panels.
	Width, Height vg.Length
	// ShareX gives the panels of a column one range on the x axis, and its
	// numbers to the lowest panel alone; ShareY the panels of a row one range
	// on the y axis. Both concern panels that are plots.
	ShareX, ShareY bool
	// Key explains the lines and markers of all panels, once.
	Key []KeyEntry
	// Notes are set small below: what could not be drawn, and why.
	Notes []string
	// Description says what there is to see, for those who do not see it: it becomes the
	// alternative text in notebooks and in SVG files. Empty means the title, the axes, some
	// values, the key and the notes.
	Description string

	style  *Style
	values []string // what each panel holds, in words, for those who do not see it
}

// KeyEntry is one entry of a key: a line, a marker or a patch of color.
type KeyEntry struct {
	Name   string
	Line   draw.LineStyle
	Marker draw.GlyphStyle
	Fill   color.Color
}

// MethodKey returns key entries for methods, in the style in use.
func MethodKey(methods ...string) []KeyEntry {
	key := make([]KeyEntry, len(methods))
	for i, look := range theStyle().methodStyles(methods) {
		key[i] = KeyEntry{Name: methods[i], Line: look.line(), Marker: look.glyph()}
	}
	return key
}

// Grid puts drawings into one figure. The key of the figures among them is
// drawn once, and their notes are put together.
func Grid(columns int, drawings ...Drawing) *Figure {
	f := &Figure{Columns: columns, style: theStyle()}
	several := severalWidths(drawings)
	for _, d := range drawings {
		inner, ok := d.(*Figure)
		if !ok {
			f.Panels = append(f.Panels, d)
			continue
		}
		if len(inner.Panels) == 1 {
			f.Panels = append(f.Panels, inner.soloPanel())
			f.setValue(len(f.Panels)-1, inner.value(0))
			for _, e := range inner.Key {
				if several && inner.Title != "" && strings.HasPrefix(e.Name, widestKey) {
					e.Name = strings.TrimPrefix(inner.Title, graphTitle+": ") + ", " + e.Name
				}
				f.addKey(e)
			}
			f.addNotes(inner.Notes...)
			continue
		}
		f.Panels = append(f.Panels, inner)
	}
	return f
}

// severalWidths tells whether the widest lines of label graphs stand for different weights: then the key names the graphs.
func severalWidths(drawings []Drawing) bool {
	first := ""
	for _, d := range drawings {
		inner, ok := d.(*Figure)
		if !ok {
			continue
		}
		for _, e := range inner.Key {
			if !strings.HasPrefix(e.Name, widestKey) {
				continue
			}
			if first != "" && e.Name != first {
				return true
			}
			first = e.Name
		}
	}
	return false
}

// soloPanel returns the only panel, under the figure's title.
func (f *Figure) soloPanel() Drawing {
	if f.Title == "" {
		return f.Panels[0]
	}
	p, ok := f.Panels[0].(*plot.Plot)
	if !ok {
		return titled{f.Panels[0], f.Title, f.theStyle()}
	}
	if p.Title.Text != "" {
		return p
	}
	under := *p
	under.Title.Text = f.Title
	return &under
}

// titled is a panel under a title.
type titled struct {
	Drawing
	title string
	s     *Style
}

func (t titled) height() vg.Length { return t.s.bold(1.1).Height(t.title) + 8 }

// Size implements sizer.
func (t titled) Size() (width, height vg.Length) {
	width, height = sizeWithin(t.Drawing)
	return max(width, t.s.bold(1.1).Width(t.title)), height + t.height()
}

// Draw implements Drawing.
func (t titled) Draw(c draw.Canvas) {
	sty := t.s.bold(1.1)
	sty.XAlign = draw.XCenter
	drawText(c, sty, vg.Point{X: c.Center().X, Y: c.Max.Y - sty.FontExtents().Ascent}, t.title)
	t.Drawing.Draw(draw.Crop(c, 0, 0, 0, -t.height()))
}

// Plots returns the panels that are plots, in their order.
func (f *Figure) Plots() []*plot.Plot {
	var plots []*plot.Plot
	for _, d := range f.Panels {
		if p, ok := d.(*plot.Plot); ok {
			plots = append(plots, p)
		}
	}
	return plots
}

// newFigure returns a figure with the given panels, one column.
func (s *Style) newFigure(panels ...Drawing) *Figure {
	return &Figure{Panels: panels, style: s}
}

// addKey adds the entries whose names the key does not have yet.
func (f *Figure) addKey(entries ...KeyEntry) {
	for _, e := range entries {
		known := false
		for _, k := range f.Key {
			known = known || k.Name == e.Name
		}
		if !known {
			f.Key = append(f.Key, e)
		}
	}
}

// addNotes adds the notes that are not there yet.
func (f *Figure) addNotes(notes ...string) {
	for _, n := range notes {
		known := n == ""
		for _, m := range f.Notes {
			known = known || m == n
		}
		if !known {
			f.Notes = append(f.Notes, n)
		}
	}
}

func (f *Figure) theStyle() *Style {
	if f.style != nil {
		return f.style
	}
	return theStyle()
}

func (f *Figure) columns() int { return max(1, min(f.Columns, max(1, len(f.Panels)))) }

func (f *Figure) rows() int { return (len(f.Panels) + f.columns() - 1) / f.columns() }

// The size of a panel that does not know its own.
const (
	panelWidth  = 5.6 * vg.Inch
	panelHeight = 3.5 * vg.Inch
	margin      = vg.Length(10) // around the figure
	gutter      = vg.Length(14) // between panels
)

// Size returns the width and the height of f, in points.
func (f *Figure) Size() (width, height vg.Length) {
	if f.Width > 0 && f.Height > 0 {
		return f.Width, f.Height
	}
	return f.size(f.lettersNote(f.size("")))
}

// sizeWithin returns the size of a part of a figure. What the fonts lack is
// noted once, by the whole figure.
func sizeWithin(d Drawing) (width, height vg.Length) {
	if f, ok := d.(*Figure); ok {
		return f.size("")
	}
	return sizeOf(d)
}

// lettersNote returns the note on letters that no font has, nothing if there are
// none. The texts are those of the moment: titles and labels can be changed until
// a figure is drawn.
func (f *Figure) lettersNote(width, height vg.Length) string {
	var s survey
	f.draw(draw.NewCanvas(&s, width, height), "")
	return s.note()
}

// size returns the size of f with one more note.
func (f *Figure) size(note string) (width, height vg.Length) {
	width, height = f.Width, f.Height
	cols, rows := f.columns(), f.rows()
	cellW, cellH := panelWidth, panelHeight
	switch { // so that a row fits a page
	case cols == 2:
		cellW, cellH = 4.4*vg.Inch, 3*vg.Inch
	case cols > 2:
		cellW, cellH = 3.2*vg.Inch, 2.6*vg.Inch
	}
	sized := false
	for _, d := range f.Panels {
		if _, ok := d.(sizer); ok {
			w, h := sizeWithin(d)
			if !sized {
				cellW, cellH, sized = w, h, true
			}
			cellW, cellH = max(cellW, w), max(cellH, h)
		}
	}
	if width <= 0 {
		width = vg.Length(cols)*cellW + vg.Length(cols-1)*gutter
		width = max(width, f.theStyle().bold(1.2).Width(f.Title))
		if len(f.Key) > 0 || len(f.Notes) > 0 || note != "" {
			width = max(width, 3.2*vg.Inch, min(f.keyWidth(), 4.4*vg.Inch))
		}
		width += 2 * margin
	}
	if height <= 0 {
		above, below := f.frame(width, note)
		height = vg.Length(rows)*cellH + vg.Length(max(0, rows-1))*gutter + 2*margin + above + below
	}
	return width, height
}

// frame returns the heights of what stands above the panels and below them.
func (f *Figure) frame(width vg.Length, note string) (above, below vg.Length) {
	s := f.theStyle()
	if f.Title != "" {
		above = s.bold(1.2).Height(f.Title) + 8
	}
	inner := width - 2*margin
	if len(f.Key) > 0 {
		below += vg.Length(len(f.keyRows(inner)))*s.keyRowHeight() + 12
	}
	if lines := f.noteLines(inner, note); len(lines) > 0 {
		below += vg.Length(len(lines))*s.noteHeight() + 4
	}
	return above, below
}

// Draw draws f over all of c.
func (f *Figure) Draw(c draw.Canvas) {
	if isWithin(c) {
		f.draw(c, "")
		return
	}
	note := f.lettersNote(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y)
	c.Canvas = within{c.Canvas}
	f.draw(c, note)
}

// draw draws f with one more note.
func (f *Figure) draw(c draw.Canvas, note string) {
	s := f.theStyle()
	if s.Background != nil {
		c.SetColor(s.Background)
		c.Fill(c.Rectangle.Path())
	}
	above, below := f.frame(c.Max.X-c.Min.X, note)
	c = draw.Crop(c, margin, -margin, margin, -margin)
	if f.Title != "" {
		sty := s.bold(1.2)
		sty.XAlign = draw.XCenter
		drawText(c, sty, vg.Point{X: c.Center().X, Y: c.Max.Y - sty.FontExtents().Ascent}, f.Title)
	}
	f.drawPanels(draw.Crop(c, 0, 0, below, -above))
	y := c.Min.Y
	lines := f.noteLines(c.Max.X-c.Min.X, note)
	for i := len(lines) - 1; i >= 0; i-- {
		drawText(c, s.textStyle(0.85, s.Faint), vg.Point{X: c.Min.X, Y: y + 2}, lines[i])
		y += s.noteHeight()
	}
	if len(lines) > 0 {
		y += 4
	}
	f.drawKey(c, y)
}

// drawPanels draws the grid; the data areas of plots line up.
func (f *Figure) drawPanels(c draw.Canvas) {
	cols, rows := f.columns(), f.rows()
	if rows == 0 {
		return
	}
	plots := f.grid()
	tiles := draw.Tiles{Cols: cols, Rows: rows, PadX: gutter, PadY: gutter}
	canvases := plot.Align(plots, tiles, c)
	alignTitles(plots, canvases)
	for k, d := range f.Panels {
		j, i := k/cols, k%cols
		if size := canvases[j][i].Size(); !(size.X > 0 && size.Y > 0) {
			continue // there is no room, and axes of less than none have no end of ticks
		}
		if p := plots[j][i]; p != nil {
			p.Draw(canvases[j][i])
			continue
		}
		d.Draw(canvases[j][i])
	}
}

// alignTitles lifts the titles of each row to the height of the highest one.
// The plots are copies.
func alignTitles(plots [][]*plot.Plot, canvases [][]draw.Canvas) {
	for j, row := range plots {
		top := vg.Length(math.Inf(-1))
		for i, p := range row {
			if p != nil {
				top = max(top, canvases[j][i].Max.Y)
			}
		}
		for i, p := range row {
			if p != nil && p.Title.Text != "" {
				p.Title.Padding += top - canvases[j][i].Max.Y
				canvases[j][i].Max.Y = top
			}
		}
	}
}

// grid returns the plots of the panels, nil for other panels, with the shared
// axes applied to copies.
func (f *Figure) grid() [][]*plot.Plot {
	cols, rows := f.columns(), f.rows()
	plots := make([][]*plot.Plot, rows)
	for j := range plots {
		plots[j] = make([]*plot.Plot, cols)
	}
	for k, d := range f.Panels {
		if p, ok := d.(*plot.Plot); ok {
			copied := *p
			setAnyLetter(&copied)
			plots[k/cols][k%cols] = &copied
		}
	}
	if f.ShareX {
		for i := range cols {
			column := make([]*plot.Plot, rows)
			for j := range rows {
				column[j] = plots[j][i]
			}
			shareAxis(column, func(p *plot.Plot) *plot.Axis { return &p.X }, len(column)-1)
		}
	}
	if f.ShareY {
		for _, row := range plots {
			shareAxis(row, func(p *plot.Plot) *plot.Axis { return &p.Y }, 0)
		}
	}
	return plots
}

// setAnyLetter lets a plot that was not made here measure its texts as they are
// drawn.
func setAnyLetter(p *plot.Plot) {
	for _, sty := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		if h, ok := sty.Handler.(text.Plain); ok && h == builtIn {
			sty.Handler = plainText{}
		}
	}
}

// shareAxis gives the plots one range on the axis; all but the outer one lose
// its numbers and its label.
func shareAxis(plots []*plot.Plot, axis func(*plot.Plot) *plot.Axis, outer int) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range plots {
		if p != nil {
			lo, hi = math.Min(lo, axis(p).Min), math.Max(hi, axis(p).Max)
		}
	}
	for k, p := range plots {
		if p == nil {
			continue
		}
		a := axis(p)
		a.Min, a.Max = lo, hi
		// The outermost plot of a ragged grid is the last one that is there.
		if k == outer || (outer > 0 && plots[k+1] == nil) {
			continue
		}
		a.Label.Text = ""
		a.Tick.Marker = unlabeled{a.Tick.Marker}
	}
}

// unlabeled keeps the ticks of a Ticker and drops their labels.
type unlabeled struct{ plot.Ticker }

func (u unlabeled) Ticks(lo, hi float64) []plot.Tick {
	ticks := u.Ticker.Ticks(lo, hi)
	for i := range ticks {
		ticks[i].Label = ""
	}
	return ticks
}

// drawText sets one line of text with its base line at pt.
func drawText(c draw.Canvas, sty text.Style, pt vg.Point, txt string) {
	runs := textRuns(sty, txt)
	c.SetColor(sty.Color)
	pt.X += vg.Length(sty.XAlign) * runsWidth(runs)
	drawRuns(c, runs, pt)
}
