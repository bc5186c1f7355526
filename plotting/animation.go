package plotting

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"sort"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Animation is a sequence of pictures. Show plays it in a notebook, Save writes
// a GIF; in other formats it is its last picture.
type Animation struct {
	Frames []Drawing
	// Delay is how long each picture is shown; the last one stays three times as
	// long. Zero means 0.7 seconds.
	Delay time.Duration
}

// Animate returns an Animation of the frames, each shown for delay.
func Animate(delay time.Duration, frames ...Drawing) *Animation {
	return &Animation{Frames: frames, Delay: delay}
}

// Size implements sizer: the largest frame.
func (a *Animation) Size() (width, height vg.Length) {
	for _, f := range a.drawings() {
		w, h := sizeOf(f)
		width, height = max(width, w), max(height, h)
	}
	return width, height
}

// drawings returns the frames; a message if there are none.
func (a *Animation) drawings() []Drawing {
	if len(a.Frames) == 0 {
		return []Drawing{theStyle().say("", "The animation has no pictures.")}
	}
	return a.Frames
}

// Draw draws the last frame.
func (a *Animation) Draw(c draw.Canvas) {
	frames := a.drawings()
	framed(frames[len(frames)-1]).Draw(c)
}

// gifDPI is the resolution of animations: they are larger than pictures by the
// number of their frames.
const gifDPI = 144

// frameOf draws a frame at the size of the whole animation.
type frameOf struct {
	frame Drawing
	a     *Animation
}

func (f frameOf) Size() (width, height vg.Length) { return f.a.Size() }
func (f frameOf) Draw(c draw.Canvas)              { framed(f.frame).Draw(c) }

// encodeGIF returns the animation as a GIF that repeats forever.
func (a *Animation) encodeGIF() ([]byte, error) {
	var pictures []*image.RGBA
	for _, f := range a.drawings() {
		img, ok := rasterize(frameOf{f, a}, gifDPI).(*image.RGBA)
		if !ok {
			return nil, fmt.Errorf("plotting: a canvas of another kind of pixels")
		}
		pictures = append(pictures, img)
	}
	delay := a.Delay
	if delay <= 0 {
		delay = 700 * time.Millisecond
	}
	colors := newQuantizer(pictures)
	var g gif.GIF
	var before *image.Paletted
	for k, img := range pictures {
		whole := colors.convert(img)
		g.Image = append(g.Image, whole.SubImage(changed(before, whole)).(*image.Paletted))
		hundredths := int(delay / (10 * time.Millisecond))
		if k == len(pictures)-1 {
			hundredths *= 3
		}
		g.Delay = append(g.Delay, max(2, hundredths))
		g.Disposal = append(g.Disposal, gif.DisposalNone)
		before = whole
	}
	g.Config = image.Config{ColorModel: colors.palette, Width: before.Rect.Dx(), Height: before.Rect.Dy()}
	var buf bytes.Buffer
	if err := gif.EncodeAll(&buf, &g); err != nil {
		return nil, fmt.Errorf("plotting: gif: %w", err)
	}
	return buf.Bytes(), nil
}

// changed returns the rectangle in which b differs from a: all of b when there
// is no a, and never an empty one.
func changed(a, b *image.Paletted) image.Rectangle {
	if a == nil {
		return b.Rect
	}
	var r image.Rectangle
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		row, old := b.Pix[b.PixOffset(b.Rect.Min.X, y):][:b.Rect.Dx()], a.Pix[a.PixOffset(b.Rect.Min.X, y):][:b.Rect.Dx()]
		if bytes.Equal(row, old) {
			continue
		}
		first, last := 0, len(row)-1
		for row[first] == old[first] {
			first++
		}
		for row[last] == old[last] {
			last--
		}
		r = r.Union(image.Rect(b.Rect.Min.X+first, y, b.Rect.Min.X+last+1, y+1))
	}
	if r.Empty() {
		return image.Rect(b.Rect.Min.X, b.Rect.Min.Y, b.Rect.Min.X+1, b.Rect.Min.Y+1)
	}
	return r
}

// quantizer maps colors to the 256 most frequent ones. Figures are made of few
// colors and the shades between them and the page.
type quantizer struct {
	palette color.Palette
	index   map[uint32]uint8 // by coarse color
}

// coarse drops the two lowest bits of each channel.
func coarse(pix []byte) uint32 {
	return uint32(pix[0]>>2)<<16 | uint32(pix[1]>>2)<<8 | uint32(pix[2]>>2)
}

func newQuantizer(pictures []*image.RGBA) *quantizer {
	count := map[uint32]int{}
	exact := map[uint32]color.RGBA{}
	for _, img := range pictures {
		for k := 0; k < len(img.Pix); k += 4 {
			c := coarse(img.Pix[k:])
			if count[c]++; count[c] == 1 {
				exact[c] = color.RGBA{img.Pix[k], img.Pix[k+1], img.Pix[k+2], 255}
			}
		}
	}
	keys := make([]uint32, 0, len(count))
	for c := range count {
		keys = append(keys, c)
	}
	sort.Slice(keys, func(a, b int) bool {
		if count[keys[a]] != count[keys[b]] {
			return count[keys[a]] > count[keys[b]]
		}
		return keys[a] < keys[b]
	})
	q := &quantizer{index: make(map[uint32]uint8, len(keys))}
	for k, c := range keys {
		if k < 256 {
			q.palette = append(q.palette, exact[c])
		}
		q.index[c] = uint8(q.palette.Index(exact[c]))
	}
	return q
}

func (q *quantizer) convert(img *image.RGBA) *image.Paletted {
	p := image.NewPaletted(img.Rect, q.palette)
	for k := range p.Pix {
		p.Pix[k] = q.index[coarse(img.Pix[4*k:])]
	}
	return p
}
