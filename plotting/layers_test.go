package plotting

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestLayersAreThePictures lays the parts of random pictures over their ground: these are the pictures again, and no pixel near one that
// differs is left to the ground.
func TestLayersAreThePictures(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		palette := color.Palette{color.White, color.Black, color.RGBA{200, 0, 0, 255}}
		pictures := make([]*image.Paletted, 1+rng.IntN(4))
		bounds := image.Rect(0, 0, 1+rng.IntN(60), 1+rng.IntN(60))
		for k := range pictures {
			pictures[k] = image.NewPaletted(bounds, palette)
			for range rng.IntN(4) {
				pictures[k].Pix[rng.IntN(len(pictures[k].Pix))] = uint8(rng.IntN(3))
			}
		}
		ground, over := layers(pictures)
		for k, p := range pictures {
			whole := image.NewRGBA(bounds)
			draw.Draw(whole, bounds, ground, image.Point{}, draw.Over)
			draw.Draw(whole, bounds, over[k], image.Point{}, draw.Over)
			for at, entry := range p.Pix {
				x, y := at%bounds.Dx(), at/bounds.Dx()
				if palette.Index(whole.At(x, y)) != int(entry) {
					t.Fatalf("picture %d of %d: %v at %d, %d, want %v", k, len(pictures), whole.At(x, y), x, y, palette[entry])
				}
				if entry == ground.Pix[at] {
					continue
				}
				for _, near := range []image.Point{{x - layerReach, y}, {x, y + layerReach}, {x + layerReach, y - layerReach}} {
					if near.In(bounds) && int(over[k].ColorIndexAt(near.X, near.Y)) == len(palette) {
						t.Fatalf("%v is the ground's, %d, %d is not", near, x, y)
					}
				}
			}
		}
	}
}

// TestMostIsShared checks that each picture of a scrubber is far smaller than it is as a whole, and the ground not empty.
func TestMostIsShared(t *testing.T) {
	t.Parallel()
	square := Curves{Title: "square", XLabel: "x", YLabel: "y", Lines: []Line{{Name: "a", XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 4}, {X: 3, Y: 9}}}}}.Scrubber()
	for _, d := range square.Frames {
		f := d.(*Figure)
		f.Width, f.Height = 180, 120 // small for speed
	}
	pictures, err := square.layered(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	for k, part := range pictures.over {
		if len(part) > len(pictures.still)/2 {
			t.Errorf("picture %d takes %d bytes, the whole one %d", k, len(part), len(pictures.still))
		}
	}
	ground, err := png.Decode(bytes.NewReader(pictures.ground))
	if err != nil || len(countColors([]*image.RGBA{rgba(ground)})) < 3 {
		t.Errorf("nothing on the ground (%v)", err)
	}
}

func rgba(img image.Image) *image.RGBA {
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
	return out
}

// TestFramesSayWhereTheyAre has the label of each picture in its title, once, and the caller's figures as they were.
func TestFramesSayWhereTheyAre(t *testing.T) {
	t.Parallel()
	for label, titles := range map[string]map[string]bool{
		"x = 1": {"x = 1": true, "at x = 1, b": true, "x = 1.": true, "x = 10": false, "x = 1.5": false, "max = 1": false, "x = 10, x = 1": true, "": false},
		"ab":    {"aab ab": true, "aab": false, "ab ": true},
		"":      {"a": true, "": true},
	} {
		for title, want := range titles {
			if contains(title, label) != want {
				t.Errorf("%q has %q: %v", title, label, !want)
			}
		}
	}
	mine := []*Figure{{Title: "at $λ$ = 3"}, {Title: "a"}, {}, {Title: "$λ$ = 30"}}
	for k, want := range []string{"at $λ$ = 3", "$λ$ = 3, a", "$λ$ = 3", "$λ$ = 3, $λ$ = 30"} {
		before := mine[k].Title
		if got := Scrubber([]Drawing{mine[k]}, []string{"$λ$ = 3"}).Frames[0].(*Figure).Title; got != want || mine[k].Title != before {
			t.Errorf("%q became %q", before, got)
		}
		if said := describe(Scrubber([]Drawing{mine[k]}, []string{"$λ$ = 3"})); strings.Count(strings.ReplaceAll(said, "λ = 30", ""), "λ = 3") != 1 {
			t.Errorf("%q does not say once where it is", said)
		}
	}
}
