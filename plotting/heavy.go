package plotting

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heavy is a marker of lines that are thick enough to be told from the others
// at the size of a point.
type heavy struct{ draw.GlyphDrawer }

// DrawGlyph implements draw.GlyphDrawer.
func (h heavy) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	with := *c
	with.Canvas = thickLines{c.Canvas}
	h.GlyphDrawer.DrawGlyph(&with, sty, pt)
}

// thickLines is a canvas whose lines are twice as wide.
type thickLines struct{ vg.Canvas }

// SetLineWidth implements vg.Canvas.
func (t thickLines) SetLineWidth(w vg.Length) { t.Canvas.SetLineWidth(2 * w) }
