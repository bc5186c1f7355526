package plotting

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labeledPoints are points with names beside some of them.
type labeledPoints struct {
	series
	s      *Style
	labels []string
}

// Plot implements plot.Plotter. A name stands at the right of its point, or at the left where
// it would leave the picture.
func (l labeledPoints) Plot(c draw.Canvas, p *plot.Plot) {
	l.series.Plot(c, p)
	trX, trY := p.Transforms(&c)
	for k, v := range l.XYs {
		if l.labels[k] == "" {
			continue
		}
		sty := l.s.nameStyle(0.85)
		sty.XAlign = text.XLeft
		at := vg.Point{X: trX(v.X) + 6, Y: trY(v.Y) - l.s.TextSize*0.28}
		if at.X+sty.Width(l.labels[k]) > c.Max.X {
			sty.XAlign = text.XRight
			at.X -= 12
		}
		drawText(c, sty, at, l.labels[k])
	}
}
