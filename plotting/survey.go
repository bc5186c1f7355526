package plotting

import (
	"fmt"
	"image"
	"image/color"
	"sort"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// survey is a canvas on which nothing is drawn: it gathers the letters that no
// font has, of all text that a figure holds, wherever that comes from.
type survey struct{ lacking map[rune]bool }

func (s *survey) miss(txt string) {
	if s.lacking == nil {
		s.lacking = map[rune]bool{}
	}
	for _, r := range txt {
		s.lacking[r] = true
	}
}

// FillString implements vg.Canvas.
func (s *survey) FillString(face font.Face, _ vg.Point, txt string) {
	for _, r := range appendRuns(nil, txt, face, 0) {
		if r.kind == missing {
			s.miss(r.text)
		}
	}
}

func (*survey) SetLineWidth(vg.Length)              {}
func (*survey) SetLineDash([]vg.Length, vg.Length)  {}
func (*survey) SetColor(color.Color)                {}
func (*survey) Rotate(float64)                      {}
func (*survey) Translate(vg.Point)                  {}
func (*survey) Scale(float64, float64)              {}
func (*survey) Push()                               {}
func (*survey) Pop()                                {}
func (*survey) Stroke(vg.Path)                      {}
func (*survey) Fill(vg.Path)                        {}
func (*survey) DrawImage(vg.Rectangle, image.Image) {}

// note tells of the letters that no font has, nothing if there are none.
func (s *survey) note() string {
	if len(s.lacking) == 0 {
		return ""
	}
	var numbers []int
	for r := range s.lacking {
		numbers = append(numbers, int(r))
	}
	sort.Ints(numbers)
	codes := make([]string, len(numbers))
	for k, r := range numbers {
		codes[k] = fmt.Sprintf("U+%04X", r)
	}
	if k := len(codes); k > 5 {
		codes = append(codes[:4:4], "…", codes[k-1])
	}
	return fmt.Sprintf("%s: boxes with the numbers of letters that the fonts lack; plotting.UseFont adds a font.", strings.Join(codes, ", "))
}

// within is the canvas of what stands in a figure that has the note for all of
// its parts.
type within struct{ vg.Canvas }

// FillString implements vg.Canvas. Text that a caller's own plotters set comes
// here as it is; what this package sets has its letters already.
func (w within) FillString(face font.Face, pt vg.Point, txt string) {
	drawRuns(w.Canvas, appendRuns(nil, txt, face, 0), pt)
}

// isWithin reports whether what is drawn on c is a part of a figure.
func isWithin(c vg.Canvas) bool {
	switch c := c.(type) {
	case draw.Canvas:
		return isWithin(c.Canvas)
	case *draw.Canvas:
		return isWithin(c.Canvas)
	case within, *survey:
		return true
	}
	return false
}

// innermost returns the canvas that others wrap.
func innermost(c vg.Canvas) vg.Canvas {
	for {
		switch outer := c.(type) {
		case draw.Canvas:
			c = outer.Canvas
		case *draw.Canvas:
			c = outer.Canvas
		case within:
			c = outer.Canvas
		default:
			return c
		}
	}
}
