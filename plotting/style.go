package plotting

import (
	"image/color"
	"sync/atomic"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Style is how figures look. Light and Dark are ready to use; a figure keeps
// the style that was in use when it was made.
type Style struct {
	Background color.Color
	Ink        color.Color // text and axes
	Faint      color.Color // grid lines, notes, what stands back
	Positive   color.Color // w_ij > 0
	Negative   color.Color // w_ij < 0
	// Methods gives a method its color, dash and marker. Others follows for
	// names that are not in it, in the order of their appearance; where these
	// are more than Others, its colors come again with other dashes and markers.
	Methods map[string]MethodStyle
	Others  []MethodStyle
	// TextSize is the size of names and tick labels; titles and axis labels are
	// a little larger.
	TextSize vg.Length
}

// MethodStyle tells the lines of a method from those of the others, three
// times over: by color, by dash and by marker.
type MethodStyle struct {
	Color  color.Color
	Dashes []vg.Length
	Marker draw.GlyphDrawer
}

var current atomic.Pointer[Style]

// Use makes s the style of the figures that are made from now on and returns a
// function that brings the former style back.
func Use(s Style) (restore func()) {
	former := current.Swap(&s)
	return func() { current.Store(former) }
}

// theStyle returns the style in use: Light, unless Use was called.
func theStyle() *Style {
	if s := current.Load(); s != nil {
		return s
	}
	return &lightStyle
}

var (
	lightStyle = Light()
	solid      []vg.Length
	dashed     = []vg.Length{6, 3}
	dotted     = []vg.Length{1.5, 2.5}
	dashDot    = []vg.Length{7, 2.5, 1.5, 2.5}
	longDash   = []vg.Length{11, 3.5}
	dashDotDot = []vg.Length{7, 2, 1.5, 2, 1.5, 2}
	shortDash  = []vg.Length{3.5, 2}
)

// Light is the style for a white page.
func Light() Style {
	return Style{
		Background: color.White,
		Ink:        rgb(0x22, 0x22, 0x22),
		Faint:      rgb(0x70, 0x70, 0x70),
		Positive:   rgb(0x00, 0x5f, 0xa8),
		Negative:   rgb(0xc4, 0x4a, 0x00),
		Methods:    methods([7]color.Color{rgb(0xf9, 0x47, 0x00), rgb(0x22, 0x4e, 0xd0), rgb(0x00, 0xa2, 0x67), rgb(0x69, 0x29, 0x73), rgb(0x81, 0x30, 0x00), rgb(0xa7, 0x83, 0xac), rgb(0x55, 0x55, 0x55)}),
		Others:     others(rgb(0x22, 0x22, 0x22), rgb(0x7a, 0x4f, 0xc0), rgb(0x00, 0x80, 0x90), rgb(0xa0, 0x50, 0x20), rgb(0xc8, 0x3c, 0x8c)),
		TextSize:   10,
	}
}

// Dark is the style for a dark page.
func Dark() Style {
	return Style{
		Background: rgb(0x14, 0x16, 0x1a),
		Ink:        rgb(0xe8, 0xe8, 0xe8),
		Faint:      rgb(0x9a, 0x9e, 0xa4),
		Positive:   rgb(0x6c, 0xb8, 0xff),
		Negative:   rgb(0xff, 0x9a, 0x4d),
		Methods:    methods([7]color.Color{rgb(0xfe, 0x36, 0x55), rgb(0x4b, 0x75, 0xff), rgb(0x8d, 0xff, 0xab), rgb(0xf4, 0x88, 0xef), rgb(0xeb, 0x82, 0x11), rgb(0xff, 0xff, 0xff), rgb(0xb0, 0xb0, 0xb0)}),
		Others:     others(rgb(0xff, 0xff, 0xff), rgb(0xb5, 0x9a, 0xf0), rgb(0x60, 0xd5, 0xdd), rgb(0xe8, 0xb0, 0x88), rgb(0xff, 0x7a, 0xc0)),
		TextSize:   10,
	}
}

// methods gives the methods colors, in the order of the list. The colors of Light
// and Dark differ from one another, and from the page, also to an eye that
// lacks one kind of cone.
func methods(c [7]color.Color) map[string]MethodStyle {
	return map[string]MethodStyle{
		"CRANK":    {c[0], solid, draw.CircleGlyph{}},
		"Full":     {c[1], dashed, heavy{draw.SquareGlyph{}}},
		"Greedy":   {c[2], dashDot, draw.PyramidGlyph{}},
		"Project":  {c[3], longDash, heavy{draw.TriangleGlyph{}}},
		"MST":      {c[4], dashDotDot, heavy{draw.CrossGlyph{}}},
		"Chow-Liu": {c[5], shortDash, diamond{}},
		"Empty":    {c[6], dotted, heavy{draw.RingGlyph{}}},
	}
}

func others(c ...color.Color) []MethodStyle {
	looks := []MethodStyle{{nil, solid, draw.BoxGlyph{}}, {nil, dashed, heavy{draw.RingGlyph{}}}, {nil, dashDot, heavy{draw.CrossGlyph{}}}, {nil, dotted, draw.PyramidGlyph{}}, {nil, longDash, heavy{draw.TriangleGlyph{}}}}
	for i := range c {
		looks[i].Color = c[i]
	}
	return looks
}

// methodStyles returns the looks of the named methods.
func (s *Style) methodStyles(names []string) []MethodStyle {
	looks := make([]MethodStyle, len(names))
	unknown := map[string]MethodStyle{}
	for i, name := range names {
		look, ok := s.Methods[name]
		if !ok {
			if look, ok = unknown[name]; !ok {
				look = s.other(len(unknown))
				unknown[name] = look
			}
		}
		looks[i] = look
	}
	return looks
}

// other returns the k-th look for names that are not known.
func (s *Style) other(k int) MethodStyle {
	n := len(s.Others)
	look := s.Others[(k+k/n)%n]
	look.Color = s.Others[k%n].Color
	return look
}

func (m MethodStyle) line() draw.LineStyle {
	return draw.LineStyle{Color: m.Color, Width: vg.Points(1.6), Dashes: m.Dashes}
}

func (m MethodStyle) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: m.Color, Radius: vg.Points(2.6), Shape: m.Marker}
}

func rgb(r, g, b uint8) color.Color { return color.NRGBA{R: r, G: g, B: b, A: 255} }

// fade moves c towards background: nothing is left of it at t = 1.
func fade(c, background color.Color, t float64) color.Color {
	a, b := color.NRGBAModel.Convert(c).(color.NRGBA), color.NRGBAModel.Convert(background).(color.NRGBA)
	mix := func(x, y uint8) uint8 { return uint8(float64(float64(x)*(1-t)) + float64(float64(y)*t) + 0.5) }
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

// textStyle returns upright text of a size relative to TextSize.
func (s *Style) textStyle(scale float64, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.From(sans, s.TextSize*vg.Length(scale)),
		Handler: mathText{},
	}
}

func (s *Style) bold(scale float64) text.Style {
	t := s.textStyle(scale, s.Ink)
	t.Font.Weight = xfont.WeightBold
	return t
}

// newPlot returns a plot in the style s with the given axis labels.
func (s *Style) newPlot(xlabel, ylabel string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the figure paints it
	p.TextHandler = mathText{}
	p.Title.TextStyle = s.bold(1.1)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = vg.Points(6)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle = s.textStyle(1.1, s.Ink)
		a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign = draw.XCenter, draw.YBottom
		a.Label.Padding = vg.Points(3)
		xalign, yalign := a.Tick.Label.XAlign, a.Tick.Label.YAlign
		a.Tick.Label = s.textStyle(1, s.Ink)
		a.Tick.Label.XAlign, a.Tick.Label.YAlign = xalign, yalign
		a.Tick.Length = vg.Points(4)
		a.Tick.Marker = linearTicks{}
		a.Color, a.Tick.Color = s.Ink, s.Ink
		a.Width, a.Tick.Width = vg.Points(0.7), vg.Points(0.7)
		a.Padding = vg.Points(4)
	}
	p.X.Label.Text, p.Y.Label.Text = xlabel, ylabel
	p.Legend.TextStyle = s.textStyle(1, s.Ink)
	return p
}

// nameStyle sets names from data, which are not mathematics.
func (s *Style) nameStyle(scale float64) text.Style {
	t := s.textStyle(scale, s.Ink)
	t.Handler = plainText{}
	t.XAlign = draw.XCenter
	return t
}

// diamond is a full square on one of its corners: unlike a plus, it is seen on an error bar.
type diamond struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (diamond) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	r := 1.25 * sty.Radius
	c.FillPolygon(sty.Color, []vg.Point{{X: pt.X - r, Y: pt.Y}, {X: pt.X, Y: pt.Y + r}, {X: pt.X + r, Y: pt.Y}, {X: pt.X, Y: pt.Y - r}})
}

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
