package plotting

import (
	"image"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outlined is a canvas on which all formats look the same. It draws
//
//   - text as the outlines of its letters: files do not depend on the fonts of a
//     machine; vgpdf's own text has no Greek letters, and vgimg's is blurred where
//     it is turned;
//   - arcs as Bezier curves: vgpdf does not connect arcs to lines;
//   - images pixel by pixel as large as they appear: SVG would keep their aspect,
//     and vgpdf turns them upside down.
type outlined struct {
	vg.Canvas
	upsideDown bool // images have to be turned
}

// FillString implements vg.Canvas.
func (o outlined) FillString(face font.Face, pt vg.Point, txt string) {
	fillPath(o.Canvas, textPath(nil, face, pt, txt))
}

// Stroke implements vg.Canvas.
func (o outlined) Stroke(p vg.Path) { o.Canvas.Stroke(withoutArcs(p)) }

// Fill implements vg.Canvas.
func (o outlined) Fill(p vg.Path) { o.Canvas.Fill(withoutArcs(p)) }

// withoutArcs replaces arcs by Bezier curves. As with the other canvases, a
// line leads to where the arc begins.
func withoutArcs(p vg.Path) vg.Path {
	var out vg.Path
	for _, comp := range p {
		if comp.Type != vg.ArcComp {
			out = append(out, comp)
			continue
		}
		on := func(angle float64, along vg.Length) vg.Point {
			sin, cos := math.Sincos(angle)
			r := comp.Radius
			return vg.Point{
				X: comp.Pos.X + vg.Length(float64(cos*float64(r))) - vg.Length(float64(sin*float64(along))),
				Y: comp.Pos.Y + vg.Length(float64(sin*float64(r))) + vg.Length(float64(cos*float64(along))),
			}
		}
		if len(out) == 0 {
			out.Move(on(comp.Start, 0))
		} else {
			out.Line(on(comp.Start, 0))
		}
		// A quarter of a circle is as much as one curve can follow.
		n := max(1, int(math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9)))
		step := comp.Angle / float64(n)
		handle := comp.Radius * vg.Length(4.0/3*math.Tan(step/4))
		for k := range n {
			from, to := comp.Start+float64(float64(k)*step), comp.Start+float64(float64(k+1)*step)
			out.CubeTo(on(from, handle), on(to, -handle), on(to, 0))
		}
	}
	return out
}

// DrawImage implements vg.Canvas.
func (o outlined) DrawImage(rect vg.Rectangle, img image.Image) {
	const perPoint = 3
	size := rect.Size()
	w, h := max(1, int(float64(size.X)*perPoint+0.5)), max(1, int(float64(size.Y)*perPoint+0.5))
	large := image.NewRGBA(image.Rect(0, 0, w, h))
	b := img.Bounds()
	for y := range h {
		from := b.Min.Y + y*b.Dy()/h
		if o.upsideDown {
			from = b.Max.Y - 1 - y*b.Dy()/h
		}
		for x := range w {
			large.Set(x, y, img.At(b.Min.X+x*b.Dx()/w, from))
		}
	}
	o.Canvas.DrawImage(rect, large)
}
