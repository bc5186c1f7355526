package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colorMap maps 0 to 1 onto colors.
type colorMap []color.Color

// sequential runs from dark to bright at an even pace (after viridis), so that
// it also works in gray.
var sequential = colorMap{
	rgb(0x44, 0x01, 0x54), rgb(0x47, 0x2d, 0x7b), rgb(0x3b, 0x52, 0x8b), rgb(0x2c, 0x72, 0x8e), rgb(0x21, 0x91, 0x8c),
	rgb(0x28, 0xae, 0x80), rgb(0x5e, 0xc9, 0x62), rgb(0xad, 0xdc, 0x30), rgb(0xfd, 0xe7, 0x25),
}

// intensity runs from the page to the color of a positive weight.
func (s *Style) intensity() colorMap { return colorMap{s.paper(), s.Positive} }

func (m colorMap) at(t float64) color.Color {
	if math.IsNaN(t) { // a place on a scale without a length
		t = 0
	}
	t = math.Min(1, math.Max(0, t)) * float64(len(m)-1)
	k := min(int(t), len(m)-2)
	return fade(m[k], m[k+1], t-float64(k))
}

// Colors implements palette.Palette.
func (m colorMap) Colors() []color.Color {
	colors := make([]color.Color, 256)
	for k := range colors {
		colors[k] = m.at(float64(k) / 255)
	}
	return colors
}

// colorScale explains the colors of a plot at its right: a band from min to max
// with numbers.
type colorScale struct {
	s        *Style
	colors   colorMap
	min, max float64
	name     string // beside the numbers
}

const (
	scaleWidth = vg.Length(10)
	scaleSpace = vg.Length(62) // with its numbers and its distance to the data
)

// GlyphBoxes implements plot.GlyphBoxer: it keeps the space free.
func (b colorScale) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	space := scaleSpace
	if b.name != "" {
		space += b.label().Height(b.name) - 6
	}
	return []plot.GlyphBox{{X: 1, Rectangle: vg.Rectangle{Max: vg.Point{X: space}}}}
}

func (b colorScale) label() text.Style {
	sty := b.s.textStyle(1.1, b.s.Ink)
	sty.Rotation, sty.XAlign = math.Pi/2, text.XCenter
	return sty
}

func (b colorScale) Plot(c draw.Canvas, _ *plot.Plot) {
	x, height := c.Max.X+12, c.Max.Y-c.Min.Y
	const steps = 64
	for k := range steps {
		// Each color is painted up to the top, so that there are no seams.
		fillRect(c, b.colors.at((float64(k)+0.5)/steps), x, c.Min.Y+height*vg.Length(k)/steps, x+scaleWidth, c.Max.Y)
	}
	lo, hi := b.min, b.max
	if !(hi > lo) {
		lo, hi = lo-1, hi+1
	}
	for _, t := range (linearTicks{}).Ticks(lo, hi) {
		y := c.Min.Y + height*vg.Length((t.Value-lo)/(hi-lo))
		c.StrokeLine2(draw.LineStyle{Color: b.s.Ink, Width: 0.6}, x+scaleWidth, y, x+scaleWidth+3, y)
		drawText(c, b.s.textStyle(0.9, b.s.Ink), vg.Point{X: x + scaleWidth + 5, Y: y - b.s.TextSize*0.32}, t.Label)
	}
	if b.name != "" {
		c.FillText(b.label(), vg.Point{X: c.Max.X + scaleSpace, Y: c.Min.Y + height/2}, b.name)
	}
}

func fillRect(c draw.Canvas, col color.Color, x0, y0, x1, y1 vg.Length) {
	c.FillPolygon(col, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}
