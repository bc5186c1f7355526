package plotting

import (
	"image"
	"image/color"
	"slices"
)

// layers splits pictures of one palette and size: ground has at each pixel what most of them have there, and over, for each picture, has
// what differs and is transparent elsewhere. Much of pictures that a reader moves through is the same, and is kept once.
func layers(pictures []*image.Paletted) (ground *image.Paletted, over []*image.Paletted) {
	ground = image.NewPaletted(pictures[0].Rect, pictures[0].Palette)
	for at := range ground.Pix {
		ground.Pix[at] = mostOften(pictures, at)
	}
	for _, p := range pictures {
		over = append(over, above(ground, p))
	}
	return ground, over
}

// mostOften returns the entry that most of the pictures have at a pixel, the first of several.
func mostOften(pictures []*image.Paletted, at int) (entry uint8) {
	var count [256]int
	for _, p := range pictures {
		count[p.Pix[at]]++
	}
	for _, p := range pictures {
		if e := p.Pix[at]; count[e] > count[entry] {
			entry = e
		}
	}
	return entry
}

// Pictures that are made smaller mix pixels with those beside them: what differs goes with all within so many pixels, in blocks.
const (
	layerBlock = 4
	layerReach = 3
)

// above returns what has to be laid over ground for it to become the picture.
func above(ground, picture *image.Paletted) *image.Paletted {
	width, height := picture.Rect.Dx(), picture.Rect.Dy()
	across := width/layerBlock + 2 // with one for what reaches beyond each edge
	differs := make([]bool, across*(height/layerBlock+2))
	block := func(x, y int) int { return y/layerBlock*across + x/layerBlock }
	for at, entry := range picture.Pix {
		if entry == ground.Pix[at] {
			continue
		}
		x, y := at%width, at/width
		for _, dx := range []int{-layerReach, 0, layerReach} {
			for _, dy := range []int{-layerReach, 0, layerReach} {
				differs[block(max(0, x+dx), max(0, y+dy))] = true
			}
		}
	}
	clear := uint8(len(picture.Palette))
	part := image.NewPaletted(picture.Rect, append(slices.Clip(picture.Palette), color.Transparent))
	for at, entry := range picture.Pix {
		part.Pix[at] = clear
		if differs[block(at%width, at/width)] {
			part.Pix[at] = entry
		}
	}
	return part
}
