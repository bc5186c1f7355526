package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sample is a named sample of values.
type Sample struct {
	Name   string
	Values []float64
}

// Margins draws the distribution of the margins of a predictor on one or more
// samples (training and test examples, say, or methods): the score of the true
// labeling less that of the best other one. What is left of zero is predicted
// wrong. Each sample is drawn as the outline of its histogram in shares of the
// sample, so that samples of different size compare.
func Margins(samples ...Sample) *Figure {
	s := theStyle()
	lo, hi := math.Inf(1), math.Inf(-1)
	dropped, most := 0, 0
	clean := make([][]float64, len(samples))
	for k, sm := range samples {
		for _, v := range sm.Values {
			if !plottable(v, false) {
				dropped++
				continue
			}
			clean[k] = append(clean[k], v)
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
		most = max(most, len(clean[k]))
	}
	if most == 0 {
		f := s.say("Margins", "There are no margins.")
		f.addNotes(droppedNote(dropped, false))
		return f
	}
	p := s.newPlot("margin", "share of examples, %")
	p.Add(gridLines{style: s.gridStyle()})
	f := s.newFigure(p)
	f.Title = "Margins"
	width, first, bins := binning(lo, hi, most)
	names := make([]string, len(samples))
	for k, sm := range samples {
		names[k] = sm.Name
	}
	looks := s.methodStyles(names)
	for k, sm := range samples {
		if len(clean[k]) == 0 {
			continue
		}
		h := stairs{left: first, width: width, share: make([]float64, bins), line: looks[k].line()}
		h.line.Width = 1.6
		h.fill = fade(looks[k].Color, s.paper(), 0.75)
		h.filled = len(samples) == 1
		wrong := 0
		for _, v := range clean[k] {
			b := min(bins-1, max(0, int((v-first)/width)))
			h.share[b] += 100 / float64(len(clean[k]))
			if v < 0 {
				wrong++
			}
		}
		p.Add(h)
		f.addKey(KeyEntry{Name: fmt.Sprintf("%s: %.3g %% below zero", orUnnamed(sm.Name), 100*float64(wrong)/float64(len(clean[k]))), Line: h.line})
	}
	p.Y.Min = 0
	p.X.Min, p.X.Max = first, first+float64(float64(bins)*width)
	p.Add(upright{x: 0, line: draw.LineStyle{Color: s.Ink, Width: 1, Dashes: dotted}})
	f.addNotes(droppedNote(dropped, false))
	return f
}

func orUnnamed(name string) string {
	if name == "" {
		return "margins"
	}
	return name
}

// binning chooses bins of a round width, one edge at zero, about as many as the
// square root of the number of values.
func binning(lo, hi float64, values int) (width, first float64, bins int) {
	if !hasLength(lo, hi) {
		width = math.Max(math.Abs(hi)/10, 1e-3)
	} else {
		width = roundStep((hi - lo) / math.Min(40, math.Max(8, math.Sqrt(float64(values)))))
	}
	first = float64(width * math.Floor(lo/width))
	bins = max(1, int(math.Floor((hi-first)/width))+1)
	return width, first, bins
}

// stairs is the outline of a histogram.
type stairs struct {
	left, width float64
	share       []float64
	line        draw.LineStyle
	fill        color.Color
	filled      bool
}

// DataRange implements plot.DataRanger.
func (h stairs) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, v := range h.share {
		ymax = math.Max(ymax, v)
	}
	return h.left, h.left + float64(h.width*float64(len(h.share))), 0, float64(ymax * 1.05)
}

// Plot implements plot.Plotter.
func (h stairs) Plot(c draw.Canvas, p *plot.Plot) {
	outline := plotter.XYs{{X: h.left, Y: 0}}
	for k, v := range h.share {
		x := h.left + float64(h.width*float64(k))
		outline = append(outline, plotter.XY{X: x, Y: v}, plotter.XY{X: x + h.width, Y: v})
	}
	outline = append(outline, plotter.XY{X: h.left + float64(h.width*float64(len(h.share))), Y: 0})
	l := series{XYs: outline, line: h.line}
	if h.filled {
		trX, trY := p.Transforms(&c)
		var pts []vg.Point
		for _, v := range outline {
			pts = append(pts, vg.Point{X: trX(v.X), Y: trY(v.Y)})
		}
		c.FillPolygon(h.fill, pts)
	}
	l.Plot(c, p)
}
