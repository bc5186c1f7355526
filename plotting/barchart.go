package plotting

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars is a chart with a bar for each name, from zero, and level lines across.
type Bars struct {
	Title, XLabel, YLabel string
	Names                 []string
	Values                []float64
	Levels                []Level
}

// Level is a value to compare bars with.
type Level struct {
	Name  string
	Value float64
}

// Figure draws the chart. It panics where there are not as many values as names.
func (b Bars) Figure() *Figure {
	s := theStyle()
	if len(b.Names) != len(b.Values) {
		panic(fmt.Sprintf("plotting: %d names and %d values", len(b.Names), len(b.Values)))
	}
	p := s.newPlot(b.XLabel, b.YLabel)
	chart := &barChart{s: s, b: b}
	dropped := 0
	for _, v := range b.Values {
		if !plottable(v, false) {
			dropped++
		}
	}
	if dropped == len(b.Values) {
		f := s.say(b.Title, "There are no values to draw.")
		f.addNotes(droppedNote(dropped, false))
		return f
	}
	p.Add(gridLines{style: s.gridStyle()}, chart)
	if chart.counts() {
		p.Y.Max += float64(0.08 * (p.Y.Max - p.Y.Min)) // for the numbers
	}
	p.X.Min, p.X.Max = -0.6, float64(len(b.Names))-0.4
	finish(p, false, false)
	if chart.counts() {
		p.Y.Tick.Marker = integerTicks{}
	}
	s.nameTicks(&p.X, b.Names, len(b.Names) > 16)
	p.X.Width = 0
	f := s.newFigure(p)
	f.Title = b.Title
	f.setValue(0, b.values())
	for k, l := range b.Levels {
		if l.Name != "" {
			f.addKey(KeyEntry{Name: l.Name, Line: chart.level(k)})
		}
	}
	f.addNotes(droppedNote(dropped, false))
	return f
}

// barChart draws Bars.
type barChart struct {
	s *Style
	b Bars
}

// counts tells whether the values are a few whole numbers, which are then written above their bars.
func (ch *barChart) counts() bool {
	for _, v := range ch.b.Values {
		if !plottable(v, false) || v < 0 || v != math.Round(v) || v >= 1e6 {
			return false
		}
	}
	return len(ch.b.Values) <= 12
}

// level is the look of the kth level line.
func (ch *barChart) level(k int) draw.LineStyle {
	return draw.LineStyle{Color: ch.s.Ink, Width: 1.3, Dashes: [][]vg.Length{dashed, dotted}[k%2]}
}

// DataRange implements plot.DataRanger.
func (ch *barChart) DataRange() (xmin, xmax, ymin, ymax float64) {
	grow := func(v float64) {
		if plottable(v, false) {
			ymin, ymax = math.Min(ymin, v), math.Max(ymax, v)
		}
	}
	for _, v := range ch.b.Values {
		grow(v)
	}
	for _, l := range ch.b.Levels {
		grow(l.Value)
	}
	return 0, float64(len(ch.b.Names) - 1), ymin, ymax
}

// Plot implements plot.Plotter.
func (ch *barChart) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for i, v := range ch.b.Values {
		if plottable(v, false) {
			x := float64(i)
			fillRect(c, ch.s.Positive, trX(x-0.3), trY(math.Min(0, v)), trX(x+0.3), trY(math.Max(0, v)))
		}
	}
	for k, l := range ch.b.Levels {
		if plottable(l.Value, false) {
			c.StrokeLine2(ch.level(k), c.Min.X, trY(l.Value), c.Max.X, trY(l.Value))
		}
	}
	if ch.counts() {
		sty := ch.s.textStyle(1, ch.s.Ink)
		sty.XAlign = draw.XCenter
		for i, v := range ch.b.Values {
			drawText(c, sty, vg.Point{X: trX(float64(i)), Y: trY(v) + 3}, strconv.FormatFloat(v, 'f', 0, 64))
		}
	}
}
