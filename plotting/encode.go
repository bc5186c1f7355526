package plotting

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"path/filepath"
	"strings"

	"github.com/crank-ml/crank/internal/atomicfile"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
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
func rasterize(d Drawing, dpi int) *image.RGBA {
	w, h := sizeOf(d)
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
	framed(d).Draw(draw.NewCanvas(outlined{Canvas: c}, w, h))
	return c.Image().(*image.RGBA) // the kind that vgimg makes
}

// encodePNG returns d as a PNG of at most 256 colors. The best compression takes nine times as long for files 5 to 8 % smaller: it is
// for notebooks, which are kept in every version.
func encodePNG(d Drawing, level png.CompressionLevel) ([]byte, error) {
	var buf bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: level}).Encode(&buf, quantize(256, rasterize(d, dpi))[0]); err != nil {
		return nil, fmt.Errorf("plotting: png: %w", err)
	}
	return buf.Bytes(), nil
}

// encode returns d as a file of the given format: png, svg, pdf, gif or html.
func encode(d Drawing, format string) ([]byte, error) {
	var buf bytes.Buffer
	var err error
	w, h := sizeOf(d)
	switch format {
	case "png":
		return encodePNG(d, png.DefaultCompression)
	case "svg":
		c := vgsvg.NewWith(vgsvg.UseWH(w, h))
		framed(d).Draw(draw.NewCanvas(outlined{Canvas: c}, w, h))
		if _, err = c.WriteTo(&buf); err == nil {
			return withDescription(buf.Bytes(), d), nil
		}
	case "pdf":
		c := vgpdf.New(w, h)
		framed(d).Draw(draw.NewCanvas(outlined{Canvas: c, upsideDown: true}, w, h))
		_, err = c.WriteTo(&buf)
	case "gif":
		switch d := d.(type) {
		case *Animation:
			return d.encodeGIF()
		case *Positions:
			return d.moving().encodeGIF()
		}
		return Animate(0, d).encodeGIF()
	case "html":
		p, ok := d.(*Positions)
		if !ok {
			p = Scrubber([]Drawing{d}, []string{""})
		}
		return p.encodePage()
	default:
		return nil, fmt.Errorf("plotting: no format %q; there are png, svg, pdf, gif and html", format)
	}
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", format, err)
	}
	return buf.Bytes(), nil
}

// Save writes d to a file in the format that the extension of path names: PNG
// (192 dots to the inch, at most 256 colors), SVG, PDF, GIF (144 dots to the
// inch, the one that moves) or HTML (for Positions). The file is replaced as a whole or not at all.
func Save(path string, d Drawing) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	data, err := encode(d, format)
	if err != nil {
		return err
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("plotting: %w", err)
	}
	return nil
}
