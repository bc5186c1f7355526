package plotting

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// HeatMap is a picture of a quantity over two others, such as a phase diagram: a
// cell for each pair of their values, colored by the quantity, with the number
// in it.
type HeatMap struct {
	Title, XLabel, YLabel string
	ZLabel                string   // of the scale of colors, such as "points"; the title may say it
	XNames, YNames        []string // of the columns from the left, of the rows from below
	// Values[i][j] belongs to YNames[i] and XNames[j]. What is not a finite number
	// is left blank.
	Values [][]float64
	// Min and Max are the ends of the scale of colors, in either order; equal, they
	// mean those of the values, and so does one that is not a finite number. Values
	// outside have the color of the nearer end.
	Min, Max float64
	// Decimals of the numbers in the cells; -1 leaves them out.
	Decimals int
}

// Figure draws the map. It panics when Values is not rows by columns.
func (h HeatMap) Figure() *Figure {
	s := theStyle()
	checkTable("Values", h.Values, len(h.YNames), len(h.XNames))
	least, most := h.valueRange()
	if least > most {
		return s.say(h.Title, "There are no values to draw.")
	}
	h.Min, h.Max = h.ends(least, most)
	p := s.newPlot(h.XLabel, h.YLabel)
	p.Add(heatCells{s: s, h: h}, colorScale{s: s, colors: sequential, min: h.Min, max: h.Max, name: h.ZLabel})
	p.X.Min, p.X.Max = -0.5, float64(len(h.XNames))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(h.YNames))-0.5
	s.nameTicks(&p.X, h.XNames, false)
	s.nameTicks(&p.Y, h.YNames, false)
	p.X.Padding, p.Y.Padding = 0, 0
	f := s.newFigure(p)
	f.Title = h.Title
	f.setValue(0, h.extremes())
	f.Width, f.Height = 6*vg.Inch, 4*vg.Inch
	return f
}

// ends returns the ends of the scale of colors for values from least to most.
func (h HeatMap) ends(least, most float64) (low, high float64) {
	low, high = h.Min, h.Max
	both := low == high
	ownLow, ownHigh := !both && plottable(low, false), !both && plottable(high, false)
	if !ownLow {
		low = least
	}
	if !ownHigh {
		high = most
	}
	pad := math.Max(0.5, float64(0.05*math.Max(math.Abs(low), math.Abs(high))))
	switch {
	case hasLength(low, high):
	case ownLow && ownHigh && hasLength(high, low):
		low, high = high, low
	case ownLow: // all values are below
		high = low + pad
	case ownHigh: // or above
		low = high - pad
	default:
		low, high = low-pad, high+pad
	}
	return low, high
}

// valueRange returns the least and the largest value, or +Inf and -Inf.
func (h HeatMap) valueRange() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range h.Values {
		for _, v := range row {
			if plottable(v, false) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	return low, high
}

// heatCells draws the cells of a heat map.
type heatCells struct {
	s *Style
	h HeatMap
}

// Plot implements plot.Plotter.
func (c heatCells) Plot(canvas draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&canvas)
	size := c.textScale(trX(1)-trX(0), trY(1)-trY(0))
	for i, row := range c.h.Values {
		for j, v := range row {
			if !plottable(v, false) {
				continue
			}
			fill := sequential.at((v - c.h.Min) / (c.h.Max - c.h.Min))
			x, y := float64(j), float64(i)
			const gap = vg.Length(0.7)
			fillRect(canvas, fill, trX(x-0.5)+gap, trY(y-0.5)+gap, trX(x+0.5)-gap, trY(y+0.5)-gap)
			if c.h.Decimals < 0 {
				continue
			}
			label := c.s.textStyle(size, inkOn(fill))
			label.XAlign = text.XCenter
			drawText(canvas, label, vg.Point{X: trX(x), Y: trY(y) - label.Font.Size*0.35}, c.h.number(v))
		}
	}
}

// number writes the value of a cell.
func (h HeatMap) number(v float64) string { return strconv.FormatFloat(v, 'f', h.Decimals, 64) }

// textScale returns the size of the numbers beside TextSize: as large as cells of that width and height leave room for, within reason.
func (c heatCells) textScale(width, height vg.Length) float64 {
	const least, most = 0.9, 1.2
	widest := vg.Length(1)
	for _, row := range c.h.Values {
		for _, v := range row {
			if plottable(v, false) {
				widest = max(widest, c.s.textStyle(1, nil).Width(c.h.number(v)))
			}
		}
	}
	room := math.Min(float64(0.75*width/widest), float64(0.6*height/c.s.TextSize))
	return math.Max(least, math.Min(most, room))
}

// inkOn returns black or white, whichever has the greater contrast with the color, by the formula of the guidelines
// for accessible web pages.
func inkOn(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 { return math.Pow(float64(v)/0xffff, 2.2) }
	if luminance := float64(0.2126*linear(r)) + float64(0.7152*linear(g)) + float64(0.0722*linear(b)); luminance > 0.18 {
		return color.Black
	}
	return color.White
}
