package plotting

import (
	"encoding/binary"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// painted returns a picture whose pixels are the given function of their place.
func painted(w, h int, at func(x, y int) color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, at(x, y))
		}
	}
	return img
}

func TestQuantizeKeepsFewColors(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var colors []color.RGBA
	for range 40 {
		colors = append(colors, color.RGBA{uint8(rng.Uint32()), uint8(rng.Uint32()), uint8(rng.Uint32()), 255})
	}
	first := painted(30, 20, func(_, _ int) color.RGBA { return colors[rng.IntN(20)] })
	second := painted(10, 20, func(_, _ int) color.RGBA { return colors[20+rng.IntN(20)] })
	for k, p := range quantize(40, first, second) {
		want := []*image.RGBA{first, second}[k]
		for y := range want.Rect.Dy() {
			for x := range want.Rect.Dx() {
				if got := color.RGBAModel.Convert(p.At(x, y)); got != want.RGBAAt(x, y) {
					t.Fatalf("picture %d at %d, %d: %v, want %v", k, x, y, got, want.RGBAAt(x, y))
				}
			}
		}
	}
}

// TestQuantizeStaysClose paints what is hard: all shades of two colors, one of
// them in a single pixel each. Those of many pixels stay closer.
func TestQuantizeStaysClose(t *testing.T) {
	t.Parallel()
	img := painted(256, 100, func(x, y int) color.RGBA {
		if y == 0 {
			return color.RGBA{uint8(x), 0, 0, 255}
		}
		return color.RGBA{0, uint8(x), uint8(255 - x), 255}
	})
	p := quantize(256, img)[0]
	for x := range 256 {
		for _, y := range []int{0, 50} {
			most := unseenAlone
			if y > 0 { // 99 pixels of each
				most = 3 * 6 * 6
			}
			if d := squaredDistance(rgbaAt(p, x, y), rgbaAt(img, x, y)); d > most {
				t.Errorf("at %d, %d: %v, want about %v", x, y, p.At(x, y), img.At(x, y))
			}
		}
	}
}

func rgbaAt(img image.Image, x, y int) uint32 {
	c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}

// TestPicturesLookAsDrawn compares the pixels of an encoded figure with those
// that were drawn.
func TestPicturesLookAsDrawn(t *testing.T) {
	t.Parallel()
	bowl := Slice{F: func(x, y float64) float64 { return x*x + y*y }, XMin: -1, XMax: 1, YMin: -1, YMax: 1}
	for name, d := range map[string]Drawing{"surface": bowl.Surface(), "graph": Network(cliqueModel(14)), "curves": Convergence(crankTrace())} {
		img := rasterize(d, dpi)
		p := quantize(256, img)[0]
		entries := make([]uint32, len(p.Palette))
		for k, c := range p.Palette {
			entries[k] = rgbaAt(image.NewUniform(c), 0, 0)
		}
		colors := map[uint32]bool{}
		sum, far := 0, 0
		for k, entry := range p.Pix {
			drawn := binary.BigEndian.Uint32(img.Pix[4*k:])
			colors[drawn] = true
			e := squaredDistance(entries[entry], drawn)
			sum, far = sum+e, max(far, e)
		}
		if len(colors) <= 256 {
			t.Errorf("%s: has %d colors and checks nothing", name, len(colors))
		}
		pixels := img.Rect.Dx() * img.Rect.Dy()
		if sum > 3*pixels || far > 3*24*24 {
			t.Errorf("%s: a mean squared error of %.2f of 3 × 255², at most %d", name, float64(sum)/float64(pixels), far)
		}
	}
}
