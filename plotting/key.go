package plotting

import (
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	keySample = vg.Length(26) // width of a line or patch in a key
	keyGap    = vg.Length(5)  // from the sample to its name
	keySpace  = vg.Length(18) // from a name to the next sample
)

func (s *Style) keyRowHeight() vg.Length { return s.TextSize * 1.5 }

func (s *Style) noteHeight() vg.Length { return s.TextSize * 1.2 }

func (f *Figure) entryWidth(e KeyEntry) vg.Length {
	return e.sampleWidth() + f.theStyle().textStyle(1, nil).Width(e.Name)
}

// sampleWidth returns what the sample takes, nothing for an entry of text
// alone.
func (e KeyEntry) sampleWidth() vg.Length {
	if e.Line.Color == nil && e.Fill == nil && e.Marker.Shape == nil {
		return 0
	}
	return keySample + keyGap
}

// keyWidth returns the width of the key in one row.
func (f *Figure) keyWidth() vg.Length {
	width := -keySpace
	for _, e := range f.Key {
		width += keySpace + f.entryWidth(e)
	}
	return width + 1 // for rounding
}

// keyRows breaks the key into rows that fit into width.
func (f *Figure) keyRows(width vg.Length) [][]KeyEntry {
	var rows [][]KeyEntry
	var used vg.Length
	for _, e := range f.Key {
		w := f.entryWidth(e)
		if len(rows) == 0 || used+keySpace+w > width {
			rows, used = append(rows, nil), -keySpace
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], e)
		used += keySpace + w
	}
	return rows
}

// drawKey draws the key, centered, its lowest row at y.
func (f *Figure) drawKey(c draw.Canvas, y vg.Length) {
	s := f.theStyle()
	rows := f.keyRows(c.Max.X - c.Min.X)
	for k := len(rows) - 1; k >= 0; k-- {
		width := -keySpace
		for _, e := range rows[k] {
			width += keySpace + f.entryWidth(e)
		}
		x := c.Center().X - width/2
		for _, e := range rows[k] {
			e.draw(c, x, y+s.TextSize*0.6)
			drawText(c, s.textStyle(1, s.Ink), vg.Point{X: x + e.sampleWidth(), Y: y + s.TextSize*0.25}, e.Name)
			x += f.entryWidth(e) + keySpace
		}
		y += s.keyRowHeight()
	}
}

// draw draws the sample of e, from x to the right and centered on y.
func (e KeyEntry) draw(c draw.Canvas, x, y vg.Length) {
	if e.Fill != nil {
		const half = 4.5
		c.FillPolygon(e.Fill, []vg.Point{{X: x, Y: y - half}, {X: x + keySample, Y: y - half}, {X: x + keySample, Y: y + half}, {X: x, Y: y + half}})
	}
	if e.Line.Color != nil && e.Line.Width > 0 {
		c.StrokeLine2(e.Line, x, y, x+keySample, y)
	}
	if e.Marker.Shape != nil {
		c.DrawGlyphNoClip(e.Marker, vg.Point{X: x + keySample/2, Y: y})
	}
}

// noteLines breaks the notes, and one more, into lines that fit into width.
func (f *Figure) noteLines(width vg.Length, more string) []string {
	sty := f.theStyle().textStyle(0.85, nil)
	var lines []string
	for _, note := range append(f.Notes[:len(f.Notes):len(f.Notes)], more) {
		line := ""
		for _, word := range strings.Fields(note) {
			longer := strings.TrimPrefix(line+" "+word, " ")
			if line != "" && sty.Width(longer) > width {
				lines = append(lines, line)
				longer = word
			}
			line = longer
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
