package plotting

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Effort is what the work of a training is counted in.
type Effort string

// The efforts that a Trace records.
const (
	ByPass       Effort = "passes over the data"
	BySecond     Effort = "seconds"
	ByOracleCall Effort = "oracle calls"
)

// of returns the effort spent when the bounds of p were taken.
func (e Effort) of(p crankpkg.TracePoint) float64 {
	switch e {
	case BySecond:
		return p.Elapsed.Seconds()
	case ByOracleCall:
		return float64(p.OracleCalls)
	}
	return float64(p.Pass)
}

// Convergence draws the certified bounds of a training: above the primal and
// the dual objective, between which the optimum lies, below the relative gap
// between them, against passes over the data or another effort. Lines get thin
// from where a solve ends to where the next begins, for each solve has an optimum
// of its own.
func Convergence(trace *crankpkg.Trace, by ...Effort) *Figure {
	s := theStyle()
	effort := ByPass
	if len(by) > 0 {
		effort = by[0]
	}
	if trace == nil || len(trace.Points) == 0 {
		return s.say("Convergence", "The trace holds no bounds: nothing was trained.")
	}
	bounds := s.newPlot("", "objective")
	gaps := s.newPlot(string(effort), "relative gap")
	bounds.Add(gridLines{style: s.gridStyle()})
	gaps.Add(gridLines{style: s.gridStyle()})

	primal := draw.LineStyle{Color: s.Negative, Width: vg.Points(1.6)}
	dual := draw.LineStyle{Color: s.Positive, Width: vg.Points(1.6), Dashes: dashed}
	gap := draw.LineStyle{Color: s.Ink, Width: vg.Points(1.6)}
	var drawn []named
	add := func(p *plot.Plot, name string, look draw.LineStyle, log bool, y func(crankpkg.TracePoint) float64) (d int) {
		var before *plotter.XY
		for _, points := range solves(trace.Points) {
			xs, ys := make([]float64, len(points)), make([]float64, len(points))
			for i, pt := range points {
				xs[i], ys[i] = effort.of(pt), y(pt)
			}
			line, left := newSeries(xs, ys, false, log)
			d += left
			line.line, line.marker = look, pointMarker(look, len(trace.Points))
			if n := len(line.XYs); n > 0 {
				if before != nil { // a thread from solve to solve, to guide the eye
					thread := draw.LineStyle{Color: fade(look.Color, s.paper(), 0.6), Width: 0.6}
					p.Add(series{XYs: plotter.XYs{*before, line.XYs[0]}, line: thread})
				}
				before = &line.XYs[n-1]
			}
			p.Add(line)
			drawn = append(drawn, named{name, line})
		}
		return d
	}
	dropped := add(bounds, "primal", primal, false, func(p crankpkg.TracePoint) float64 { return p.Primal })
	dropped += add(bounds, "dual", dual, false, func(p crankpkg.TracePoint) float64 { return p.Dual })
	droppedGaps := add(gaps, "gap", gap, true, crankpkg.TracePoint.Gap)
	finish(bounds, false, false)
	finish(gaps, false, true)
	third := len(drawn) / 3
	roomForMarks(bounds, drawn[:2*third])
	roomForMarks(gaps, drawn[2*third:])

	f := s.newFigure(bounds, gaps)
	f.Title = joinTitle("Convergence", trace.Method)
	f.ShareX = true
	f.Height = 5.2 * vg.Inch
	f.addKey(KeyEntry{Name: "primal", Line: primal}, KeyEntry{Name: "dual", Line: dual}, KeyEntry{Name: "(primal − dual) / primal", Line: gap})
	f.addNotes(droppedNote(dropped, false))
	if droppedGaps > 0 {
		f.addNotes(fmt.Sprintf("%d gaps are zero or not finite and left out.", droppedGaps))
	}
	if n := len(solves(trace.Points)); n == 1 {
		f.setValue(0, courses(false, drawn[:2]...))
		f.setValue(1, courses(true, drawn[2]))
	} else {
		f.addNotes(fmt.Sprintf("%d solves, each with its own optimum: thin lines lead from one to the next.", n))
	}
	return f
}

// solves splits points where a new solve begins.
func solves(points []crankpkg.TracePoint) [][]crankpkg.TracePoint {
	var split [][]crankpkg.TracePoint
	start := 0
	for i := range points {
		if i+1 == len(points) || points[i+1].Solve != points[i].Solve {
			split = append(split, points[start:i+1])
			start = i + 1
		}
	}
	return split
}

// pointMarker returns a marker for lines of few points, on which a line alone
// would hide where the points are.
func pointMarker(l draw.LineStyle, points int) draw.GlyphStyle {
	if points > 30 {
		return draw.GlyphStyle{}
	}
	return draw.GlyphStyle{Color: l.Color, Radius: vg.Points(2), Shape: draw.CircleGlyph{}}
}

// joinTitle returns "what: who", or what alone.
func joinTitle(what, who string) string {
	if who == "" {
		return what
	}
	return what + ": " + who
}

// Gaps compares methods: the relative gap of each trace against passes over the
// data or another effort. A line breaks where a new solve begins.
func Gaps(by Effort, traces ...*crankpkg.Trace) *Figure {
	lines := make([]Line, 0, len(traces))
	for _, t := range traces {
		if t == nil {
			continue
		}
		for _, points := range solves(t.Points) {
			var x, y []float64
			for _, p := range points {
				x, y = append(x, by.of(p)), append(y, p.Gap())
			}
			lines = append(lines, Line{Name: t.Method, XYs: pairs{x, y}})
		}
	}
	return Curves{Title: "Gaps", XLabel: string(by), YLabel: "relative gap", Lines: lines, LogY: true}.Figure()
}
