package plotting

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/crank-ml/crank/plotting/internal/letters"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// UseFont gives the figures a font for the letters that the built-in one lacks,
// of Chinese, say. All other letters look as before. The file is TTF, OTF or a
// collection of these (TTC, OTC). Of several fonts the one that was given last
// is asked first; the fonts of the system follow. The error names the file.
func UseFont(path string) error {
	fonts, err := letters.Read(path)
	if err != nil {
		return fmt.Errorf("plotting: %w", err)
	}
	moreFonts.Give(fonts)
	return nil
}

// moreFonts has the letters that the built-in font lacks.
var moreFonts = letters.NewList(letters.System)

// run is a piece of text in one font; rise lifts it above the base line.
type run struct {
	text string
	face font.Face
	rise vg.Length
	kind runKind
}

// runKind is how a run comes onto the canvas.
type runKind int

const (
	asText  runKind = iota // by the canvas
	asPath                 // one letter of a font that the canvas may not know
	missing                // one letter that no font has: a box with its number
)

// appendRuns appends the runs of a piece of text: one if face has all of its
// letters. All text of figures goes through here.
func appendRuns(runs []run, txt string, face font.Face, rise vg.Length) []run {
	if hasAll(face, txt) {
		return append(runs, run{text: txt, face: face, rise: rise})
	}
	var buf sfnt.Buffer
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			runs = append(runs, run{text: plain.String(), face: face, rise: rise})
			plain.Reset()
		}
	}
	for _, r := range letters.Visual(txt) {
		if has(face, &buf, r) {
			if !letters.RightToLeft(r) {
				plain.WriteRune(r)
				continue
			}
			// As a path, so that it is not turned around again.
			flush()
			runs = append(runs, run{text: string(r), face: face, rise: rise, kind: asPath})
			continue
		}
		if unicode.IsControl(r) {
			plain.WriteByte(' ')
			continue
		}
		if f := moreFonts.Find(r); f != nil {
			flush()
			runs = append(runs, run{text: string(r), face: font.Face{Font: face.Font, Face: f}, rise: rise, kind: asPath})
			continue
		}
		switch {
		case unicode.IsSpace(r):
			plain.WriteByte(' ')
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			// Says how its neighbors look, and has no look of its own.
		default:
			flush()
			runs = append(runs, run{text: string(r), face: face, rise: rise, kind: missing})
		}
	}
	flush()
	return runs
}

func has(face font.Face, buf *sfnt.Buffer, r rune) bool {
	g, err := face.Face.GlyphIndex(buf, r)
	return err == nil && g != 0
}

// buffers are large, and texts are many.
var buffers = sync.Pool{New: func() any { return new(sfnt.Buffer) }}

// hasAll reports whether face sets txt as it stands.
func hasAll(face font.Face, txt string) bool {
	buf := buffers.Get().(*sfnt.Buffer)
	defer buffers.Put(buf)
	for _, r := range txt {
		if !has(face, buf, r) || letters.RightToLeft(r) {
			return false
		}
	}
	return true
}

// drawable reports whether some font has each letter of a name.
func drawable(name string) bool {
	for _, r := range appendRuns(nil, name, font.DefaultCache.Lookup(sans, 10), 0) {
		if r.kind == missing {
			return false
		}
	}
	return true
}

func (r run) width() vg.Length {
	if r.kind == missing {
		return r.boxWidth()
	}
	return r.face.Width(r.text)
}

func runsWidth(runs []run) vg.Length { return placeRuns(runs, func(run, vg.Length) {}) }

func drawRuns(c vg.Canvas, runs []run, at vg.Point) {
	placeRuns(runs, func(r run, x vg.Length) { r.draw(c, vg.Point{X: at.X + x, Y: at.Y + r.rise}) })
}

// placeRuns calls place with where each run begins, and returns how wide all are. What is raised and what is lowered at the same
// letter stand over one another.
func placeRuns(runs []run, place func(r run, x vg.Length)) vg.Length {
	var x, raised, lowered vg.Length
	for _, r := range runs {
		switch {
		case r.rise > 0:
			place(r, x+raised)
			raised += r.width()
		case r.rise < 0:
			place(r, x+lowered)
			lowered += r.width()
		default:
			x += max(raised, lowered)
			raised, lowered = 0, 0
			place(r, x)
			x += r.width()
		}
	}
	return x + max(raised, lowered)
}

func (r run) draw(c vg.Canvas, at vg.Point) {
	switch r.kind {
	case asText:
		c.FillString(r.face, at, r.text)
	case asPath:
		fillPath(c, textPath(nil, r.face, at, r.text))
	case missing:
		if s, ok := innermost(c).(*survey); ok {
			s.miss(r.text)
		}
		fillPath(c, r.numberBox(at))
	}
}

func fillPath(c vg.Canvas, p vg.Path) {
	if len(p) > 0 {
		c.Fill(p)
	}
}

// textPath appends the outlines of a text to a path.
func textPath(path vg.Path, face font.Face, pt vg.Point, txt string) vg.Path {
	var buf sfnt.Buffer
	ppem := fixed.Int26_6(face.Face.UnitsPerEm())
	scale := face.Font.Size / vg.Length(ppem)
	for i, r := range txt {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		x := pt.X + face.Width(txt[:i])
		at := func(p fixed.Point26_6) vg.Point {
			return vg.Point{X: x + vg.Length(p.X)*scale, Y: pt.Y - vg.Length(p.Y)*scale}
		}
		for _, s := range letters.Outline(face.Face, &buf, glyph) {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if len(path) > 0 {
					path.Close()
				}
				path.Move(at(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(at(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(at(s.Args[0]), at(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
			}
		}
	}
	if len(path) > 0 {
		path.Close()
	}
	return path
}

// A letter that no font has is a box with its number in Unicode, four or six
// hexadecimal digits in two rows: what differs looks different, and what it is
// can be looked up. Lengths are in parts of the text size.
const (
	boxDigits = 0.42 // size of the digits
	boxTop    = 0.74 // over the base line
	boxBottom = -0.1
	boxLine   = 0.04 // width of the outline
	boxSpace  = 0.06 // at the sides
)

func (r run) letterNumber() string {
	number := []rune(r.text)[0]
	if number > 0xffff {
		return fmt.Sprintf("%06X", number)
	}
	return fmt.Sprintf("%04X", number)
}

// boxWidth returns the width of the box in place of r, with the space beside it.
func (r run) boxWidth() vg.Length {
	if len(r.letterNumber()) > 4 {
		return r.face.Font.Size * 0.9
	}
	return r.face.Font.Size * 0.68
}

// numberBox returns the box in place of r.
func (r run) numberBox(at vg.Point) vg.Path {
	size := r.face.Font.Size
	left, right := at.X+size*boxSpace, at.X+r.boxWidth()-size*boxSpace
	bottom, top := at.Y+size*boxBottom, at.Y+size*boxTop
	small := r.face
	small.Font.Size *= boxDigits
	var p vg.Path
	digits := r.letterNumber()
	half := len(digits) / 2
	for row, part := range []string{digits[half:], digits[:half]} {
		x := (left + right - small.Width(part)) / 2
		p = textPath(p, small, vg.Point{X: x, Y: bottom + size*(0.08+0.38*vg.Length(row))}, part)
	}
	bar := func(x0, y0, x1, y1 vg.Length) {
		p.Move(vg.Point{X: x0, Y: y0})
		p.Line(vg.Point{X: x1, Y: y0})
		p.Line(vg.Point{X: x1, Y: y1})
		p.Line(vg.Point{X: x0, Y: y1})
		p.Close()
	}
	line := size * boxLine
	bar(left, bottom, right, bottom+line)
	bar(left, top-line, right, top)
	bar(left, bottom+line, left+line, top-line)
	bar(right-line, bottom+line, right, top-line)
	return p
}
