package plotting

import (
	"encoding/binary"
	"image"
	"image/color"
	"iter"
	"math"
	"slices"
)

// quantize returns the pictures with at most the given number of colors, one
// palette for all of them. Figures are made of few colors and of the shades
// between them at the edges of lines and letters; where these are more, each
// palette entry is the color that the entries before it miss most, by squared
// distance and by how often it occurs, until what is missed cannot be seen. What
// moves is a shade or two, and the file is less than a third as large. Large
// areas that change their color slowly get more entries than letters do.
func quantize(most int, pictures ...*image.RGBA) []*image.Paletted {
	colors := countColors(pictures)
	entries := choose(colors, most)
	palette := make(color.Palette, len(entries))
	for k, c := range entries {
		palette[k] = color.RGBA{uint8(c >> 24), uint8(c >> 16), uint8(c >> 8), uint8(c)}
	}
	nearest := make(map[uint32]uint8, len(colors))
	for _, c := range colors {
		nearest[c.color] = c.entry
	}
	converted := make([]*image.Paletted, len(pictures))
	for i, img := range pictures {
		converted[i] = image.NewPaletted(img.Rect, palette)
		pix := converted[i].Pix
		for c, run := range runs(img) {
			entry := nearest[c]
			for k := range run {
				pix[k] = entry
			}
			pix = pix[run:]
		}
	}
	return converted
}

// shade is a color, red in the highest byte and alpha in the lowest, with its
// nearest entry of the palette.
type shade struct {
	color    uint32
	count    int
	entry    uint8
	distance int // squared, to the entry
}

// runs yields the pixels of a picture in their order, each color with how often it comes in a row:
// most pixels have the color of the one before, and need not be looked up.
func runs(img *image.RGBA) iter.Seq2[uint32, int] {
	return func(yield func(c uint32, run int) bool) {
		for k := 0; k < len(img.Pix); {
			first := k
			c := binary.BigEndian.Uint32(img.Pix[k:])
			for k += 4; k < len(img.Pix) && binary.BigEndian.Uint32(img.Pix[k:]) == c; {
				k += 4
			}
			if !yield(c, (k-first)/4) {
				return
			}
		}
	}
}

// countColors returns the colors of the pictures, the most frequent one first.
func countColors(pictures []*image.RGBA) []shade {
	count := map[uint32]int{}
	for _, img := range pictures {
		for c, run := range runs(img) {
			count[c] += run
		}
	}
	colors := make([]shade, 0, len(count))
	for c, n := range count {
		colors = append(colors, shade{color: c, count: n, distance: math.MaxInt})
	}
	slices.SortFunc(colors, func(a, b shade) int {
		if a.count != b.count {
			return b.count - a.count
		}
		return int(int64(a.color) - int64(b.color))
	})
	return colors
}

// A palette is enough where no color is farther from its entry than eight of 255 steps in each part,
// and those of many pixels are closer: at 800, the squared distance times the root of the number of
// pixels, a hundred pixels of a color may be off by five steps, and ten thousand by one or two.
const (
	unseen      = 800
	unseenAlone = 3 * 8 * 8
)

// choose returns a palette of at most most of the colors, and tells each color
// its entry.
func choose(colors []shade, most int) []uint32 {
	var entries []uint32
	next := 0
	for len(entries) < min(most, len(colors)) {
		chosen := colors[next].color
		worst, farthest := -1.0, 0
		for k := range colors {
			c := &colors[k]
			if d := squaredDistance(c.color, chosen); d < c.distance {
				c.entry, c.distance = uint8(len(entries)), d
			}
			if w := math.Sqrt(float64(c.count)) * float64(c.distance); w > worst {
				worst, next = w, k
			}
			farthest = max(farthest, c.distance)
		}
		entries = append(entries, chosen)
		if worst < unseen && farthest <= unseenAlone {
			break
		}
	}
	return entries
}

func squaredDistance(a, b uint32) (sum int) {
	for shift := 0; shift < 32; shift += 8 {
		d := int(uint8(a>>shift)) - int(uint8(b>>shift))
		sum += d * d
	}
	return sum
}
