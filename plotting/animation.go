package plotting

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"slices"
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
		pictures = append(pictures, rasterize(frameOf{f, a}, gifDPI))
	}
	delay := a.Delay
	if delay <= 0 {
		delay = 700 * time.Millisecond
	}
	var g gif.GIF
	whole := quantize(255, pictures...) // and one entry for what stays
	for k, img := range whole {
		if k == 0 {
			g.Image = append(g.Image, img)
		} else {
			g.Image = append(g.Image, difference(whole[k-1], img))
		}
		hundredths := int(delay / (10 * time.Millisecond))
		if k == len(pictures)-1 {
			hundredths *= 3
		}
		g.Delay = append(g.Delay, max(2, hundredths))
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	g.Config = image.Config{ColorModel: whole[0].Palette, Width: whole[0].Rect.Dx(), Height: whole[0].Rect.Dy()}
	var buf bytes.Buffer
	if err := gif.EncodeAll(&buf, &g); err != nil {
		return nil, fmt.Errorf("plotting: gif: %w", err)
	}
	return buf.Bytes(), nil
}

// difference returns the part of b that has to be drawn over a, transparent
// where a stays.
func difference(a, b *image.Paletted) *image.Paletted {
	stays := uint8(len(b.Palette))
	part := image.NewPaletted(changed(a, b), append(slices.Clip(b.Palette), color.Transparent))
	for y := part.Rect.Min.Y; y < part.Rect.Max.Y; y++ {
		for x := part.Rect.Min.X; x < part.Rect.Max.X; x++ {
			index := b.ColorIndexAt(x, y)
			if index == a.ColorIndexAt(x, y) {
				index = stays
			}
			part.SetColorIndex(x, y, index)
		}
	}
	return part
}

// changed returns the rectangle in which b differs from a, never an empty one.
func changed(a, b *image.Paletted) image.Rectangle {
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
