package plotting

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// dpi is the resolution of bitmaps: two pixels for each of a notebook's, so
// that pictures are crisp on every screen.
const dpi = 192

// sizeOf returns the size of d, in points.
func sizeOf(d Drawing) (width, height vg.Length) {
	if s, ok := d.(sizer); ok {
		return s.Size()
	}
	return panelWidth + 2*margin, panelHeight + 2*margin
}

// framed returns d as a Figure, so that a bare plot gets a background and
// margins.
func framed(d Drawing) Drawing {
	if _, ok := d.(sizer); ok {
		return d
	}
	return theStyle().newFigure(d)
}

// rasterize draws d with the given pixels to an inch.
func rasterize(d Drawing, dpi int) image.Image {
	w, h := sizeOf(d)
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
	framed(d).Draw(draw.NewCanvas(outlined{Canvas: c}, w, h))
	return c.Image()
}

// encode returns d as a file of the given format: png, svg, pdf or gif.
func encode(d Drawing, format string) ([]byte, error) {
	var buf bytes.Buffer
	var err error
	w, h := sizeOf(d)
	switch format {
	case "png":
		err = png.Encode(&buf, rasterize(d, dpi))
	case "svg":
		c := vgsvg.NewWith(vgsvg.UseWH(w, h))
		framed(d).Draw(draw.NewCanvas(outlined{Canvas: c}, w, h))
		_, err = c.WriteTo(&buf)
	case "pdf":
		c := vgpdf.New(w, h)
		framed(d).Draw(draw.NewCanvas(outlined{Canvas: c}, w, h))
		_, err = c.WriteTo(&buf)
	case "gif":
		a, ok := d.(*Animation)
		if !ok {
			a = &Animation{Frames: []Drawing{d}}
		}
		return a.encodeGIF()
	default:
		return nil, fmt.Errorf("plotting: no format %q; there are png, svg, pdf and gif", format)
	}
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", format, err)
	}
	return buf.Bytes(), nil
}

// outlined is a canvas that draws text as the outlines of its letters. Files
// then look the same on every machine, whatever fonts it has; vgpdf's own text
// has no Greek letters, and vgimg's is blurred where it is turned.
type outlined struct{ vg.Canvas }

func (o outlined) FillString(face font.Face, pt vg.Point, txt string) {
	var path vg.Path
	var buf sfnt.Buffer
	ppem := fixed.Int26_6(face.Face.UnitsPerEm())
	scale := face.Font.Size / vg.Length(ppem)
	for i, r := range txt {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		segments, err := face.Face.LoadGlyph(&buf, glyph, ppem, nil)
		if err != nil {
			continue
		}
		x := pt.X + face.Width(txt[:i])
		at := func(p fixed.Point26_6) vg.Point {
			return vg.Point{X: x + vg.Length(p.X)*scale, Y: pt.Y - vg.Length(p.Y)*scale}
		}
		for _, s := range segments {
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
		o.Fill(path)
	}
}
