package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Validation is the outcome of choosing lambda on held-out data.
type Validation struct {
	Title, YLabel string
	// Lambda are the values tried; Mean and StdErr the measure over the folds.
	Lambda, Mean, StdErr []float64
	// SmallerIsBetter says which way the measure is good.
	SmallerIsBetter bool
	// Chosen is the lambda that was chosen; zero for none.
	Chosen float64
}

// ValidationCurve draws a measure against lambda, with standard errors, the
// best mean, the band of one standard error below it, and the chosen lambda. It
// panics when the slices differ in length.
func ValidationCurve(v Validation) *Figure {
	s := theStyle()
	if len(v.Mean) != len(v.Lambda) || v.StdErr != nil && len(v.StdErr) != len(v.Lambda) {
		panic(fmt.Sprintf("plotting: %d lambdas, %d means, %d standard errors", len(v.Lambda), len(v.Mean), len(v.StdErr)))
	}
	f := Curves{
		Title: v.Title, XLabel: "$λ$", YLabel: v.YLabel, LogX: true,
		Lines: []Line{{XYs: pairs{v.Lambda, v.Mean}, Err: v.StdErr}},
	}.Figure()
	plots := f.Plots()
	if len(plots) == 0 {
		return f
	}
	p := plots[0]
	best := -1
	for i := range v.Lambda {
		if !plottable(v.Mean[i], false) || !plottable(v.Lambda[i], true) {
			continue
		}
		if best < 0 || v.Mean[i] > v.Mean[best] != v.SmallerIsBetter && v.Mean[i] != v.Mean[best] {
			best = i
		}
	}
	if best >= 0 && v.StdErr != nil && plottable(v.StdErr[best], false) {
		edge, name := v.Mean[best]-v.StdErr[best], "best mean − one standard error"
		if v.SmallerIsBetter {
			edge, name = v.Mean[best]+v.StdErr[best], "best mean + one standard error"
		}
		line := draw.LineStyle{Color: s.Faint, Width: 1, Dashes: dashed}
		p.Add(level{y: edge, line: line})
		f.addKey(KeyEntry{Name: name, Line: line})
	}
	if plottable(v.Chosen, true) {
		mark := draw.LineStyle{Color: s.Methods["CRANK"].Color, Width: 1.6, Dashes: dotted}
		p.Add(upright{x: v.Chosen, line: mark})
		f.addKey(KeyEntry{Name: "chosen: $λ$ = " + shortNumber(v.Chosen), Line: mark})
	}
	return f
}

// pairs is a plotter.XYer over two slices.
type pairs struct{ x, y []float64 }

func (p pairs) Len() int                { return min(len(p.x), len(p.y)) }
func (p pairs) XY(i int) (x, y float64) { return p.x[i], p.y[i] }

// level is a line across the plot.
type level struct {
	y    float64
	line draw.LineStyle
}

func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	_, trY := p.Transforms(&c)
	if y := trY(l.y); c.ContainsY(y) {
		c.StrokeLine2(l.line, c.Min.X, y, c.Max.X, y)
	}
}

// upright is a line from bottom to top.
type upright struct {
	x    float64
	line draw.LineStyle
}

func (u upright) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	if x := trX(u.x); c.ContainsX(x) && !math.IsNaN(float64(x)) {
		c.StrokeLine2(u.line, x, c.Min.Y, x, c.Max.Y)
	}
}
