package plotting

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Tangent is a function of one variable with the line that touches it, such as
// an envelope along a segment, or the concave part of an objective.
type Tangent struct {
	Title, XLabel, YLabel string
	// Name says in the key what F is.
	Name string
	// F is the function, and Slope a slope of it, or a subgradient, at a point.
	F, Slope func(x float64) float64
	// XMin to XMax is what is shown; a range without a length, or without finite
	// ends, means [0, 1].
	XMin, XMax float64
}

// Figure draws the function, and the line that touches it at x.
func (ta Tangent) Figure(at float64) *Figure {
	s := theStyle()
	if ta.F == nil || ta.Slope == nil {
		return s.say(ta.Title, "There is no function, or no slope.")
	}
	ta.XMin, ta.XMax = orUnit(ta.XMin, ta.XMax)
	value, slope := ta.F(at), ta.Slope(at)
	const n = 200
	function, line := make(plotter.XYs, n+1), make(plotter.XYs, n+1)
	lo, hi := math.Inf(1), math.Inf(-1)
	for k := range function {
		x := ta.XMin + float64(float64(k)/n*(ta.XMax-ta.XMin))
		function[k] = plotter.XY{X: x, Y: ta.F(x)}
		line[k] = plotter.XY{X: x, Y: value + float64(slope*(x-at))}
		if plottable(function[k].Y, false) {
			lo, hi = math.Min(lo, function[k].Y), math.Max(hi, function[k].Y)
		}
	}
	f := Curves{Title: ta.Title, XLabel: ta.XLabel, YLabel: ta.YLabel, Lines: []Line{
		{Name: ta.name(), XYs: function}, {Name: fmt.Sprintf("touches it at %s", shortNumber(at)), XYs: line}}}.Figure()
	touching := draw.GlyphStyle{Color: s.Negative, Radius: 5, Shape: draw.CircleGlyph{}}
	for _, p := range f.Plots() {
		if plottable(at, false) && plottable(value, false) {
			p.Add(series{XYs: plotter.XYs{{X: at, Y: value}}, marker: touching})
		}
		if hasLength(lo, hi) { // wherever it touches, the picture shows as much
			p.Y.Min, p.Y.Max = lo-float64(0.25*(hi-lo)), hi+float64(0.25*(hi-lo))
		}
	}
	return f
}

func (ta Tangent) name() string {
	if ta.Name != "" {
		return ta.Name
	}
	return "the function"
}

// Scrubber returns the given number of positions, evenly spread over the range,
// at which the line touches.
func (ta Tangent) Scrubber(positions int) *Positions {
	var frames []Drawing
	var labels []string
	lo, hi := orUnit(ta.XMin, ta.XMax)
	variable, _, _ := strings.Cut(ta.XLabel, ",")
	for k := range positions {
		at := (lo + hi) / 2
		if positions > 1 {
			at = lo + float64(float64(k)/float64(positions-1)*(hi-lo))
		}
		frames = append(frames, ta.Figure(at))
		labels = append(labels, fmt.Sprintf("touches at %s = %s", variable, shortNumber(at)))
	}
	return Scrubber(frames, labels)
}
