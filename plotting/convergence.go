package plotting

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/crank-ml/crank/crankpkg"
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
// between them, against passes over the data or another effort. A line breaks
// where a new solve begins, for each solve has an optimum of its own.
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
	dropped, droppedGaps := 0, 0
	for _, points := range solves(trace.Points) {
		x := make([]float64, len(points))
		yp, yd, yg := make([]float64, len(points)), make([]float64, len(points)), make([]float64, len(points))
		for i, p := range points {
			x[i], yp[i], yd[i] = effort.of(p), p.Primal, p.Dual
			yg[i] = relativeGap(p)
		}
		for _, l := range []struct {
			y     []float64
			style draw.LineStyle
		}{{yp, primal}, {yd, dual}} {
			line, d := newSeries(x, l.y, false, false)
			line.line, line.marker = l.style, pointMarker(l.style, len(points))
			dropped += d
			bounds.Add(line)
		}
		line, d := newSeries(x, yg, false, true)
		line.line, line.marker = gap, pointMarker(gap, len(points))
		droppedGaps += d
		gaps.Add(line)
	}
	finish(bounds, false, false)
	finish(gaps, false, true)

	f := s.newFigure(bounds, gaps)
	f.Title = joinTitle("Convergence", trace.Method)
	f.ShareX = true
	f.Height = 5.2 * vg.Inch
	f.addKey(KeyEntry{Name: "primal", Line: primal}, KeyEntry{Name: "dual", Line: dual}, KeyEntry{Name: "(primal − dual) / primal", Line: gap})
	f.addNotes(droppedNote(dropped, false), droppedNote(droppedGaps-dropped/2, true))
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
// data or another effort.
func Gaps(by Effort, traces ...*crankpkg.Trace) *Figure {
	lines := make([]Line, 0, len(traces))
	for _, t := range traces {
		if t == nil {
			continue
		}
		var x, y []float64
		for _, p := range t.Points {
			x, y = append(x, by.of(p)), append(y, relativeGap(p))
		}
		lines = append(lines, Line{Name: t.Method, XYs: pairs{x, y}})
	}
	return Curves{Title: "Gaps", XLabel: string(by), YLabel: "relative gap", Lines: lines, LogY: true}.Figure()
}

func relativeGap(p crankpkg.TracePoint) float64 { return (p.Primal - p.Dual) / math.Abs(p.Primal) }
