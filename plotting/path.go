package plotting

import (
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Path draws how CRANK comes to a tree while beta grows (Algorithm 1): the loss
// l(w) and the objective l(w) + beta f(w), and the circuit rank of the support,
// each at the outer steps of the trace. Steps at the same beta stand above one
// another.
func Path(trace *crankpkg.Trace) *Figure {
	s := theStyle()
	if trace == nil || len(trace.Steps) == 0 {
		return s.say("Path", "The trace holds no steps in β.")
	}
	steps := trace.Steps
	beta, note := betaAxis(steps)
	objective := s.newPlot("", "objective")
	rank := s.newPlot("$β$", "circuit rank")
	rank.Y.Tick.Marker = integerTicks{}

	f := s.newFigure(objective, rank)
	f.Title = joinTitle("Path", trace.Method)
	f.ShareX = true
	f.Height = 5 * vg.Inch
	dropped := 0
	var drawn []named
	add := func(p *plot.Plot, name string, look draw.LineStyle, y func(crankpkg.Step) float64) {
		values := make([]float64, len(steps))
		for i, st := range steps {
			values[i] = y(st)
		}
		line, d := newSeries(beta.values, values, beta.log, false)
		line.line, line.marker = look, pointMarker(look, len(steps))
		p.Add(line)
		drawn = append(drawn, named{name, line})
		f.addKey(KeyEntry{Name: name, Line: look})
		dropped += d
	}
	for _, p := range f.Plots() {
		p.Add(gridLines{style: s.gridStyle()})
	}
	strong := vg.Points(1.6)
	add(objective, "$ℓ(w)$", draw.LineStyle{Color: s.Positive, Width: strong}, func(st crankpkg.Step) float64 { return st.Loss })
	add(objective, "$ℓ(w) + βf(w)$", draw.LineStyle{Color: s.Negative, Width: strong, Dashes: dashed}, func(st crankpkg.Step) float64 { return st.Objective })
	add(rank, "$F$, circuit rank", draw.LineStyle{Color: s.Ink, Width: strong}, func(st crankpkg.Step) float64 { return float64(st.CircuitRank) })
	for k, p := range f.Plots() {
		if k > 0 {
			p.Y.Min, p.Y.Max = math.Min(p.Y.Min, 0), math.Max(p.Y.Max, 1) // counts are seen against zero
		}
		finish(p, beta.log, false)
		roomForMarks(p, drawn[2*k:min(2*k+2, len(drawn))])
		if beta.log {
			p.X.Tick.Marker = logTicks{zeroAt: beta.zeroAt}
		}
	}
	f.setValue(0, courses(false, drawn[:2]...))
	f.setValue(1, courses(false, drawn[2]))
	f.addNotes(note, droppedNote(dropped, false))
	return f
}

// betas are the positions of the steps on the axis of beta.
type betas struct {
	values []float64
	log    bool
	zeroAt float64 // where beta = 0 stands on a logarithmic axis; 0 if nowhere
}

// betaAxis makes the axis logarithmic where the betas span more than a factor
// of three; steps at beta = 0 then stand left of all others.
func betaAxis(steps []crankpkg.Step) (b betas, note string) {
	lo, hi, zero := math.Inf(1), 0.0, false
	b.values = make([]float64, len(steps))
	for i, st := range steps {
		b.values[i] = st.Beta
		if st.Beta == 0 {
			zero = true
		} else if plottable(st.Beta, true) {
			lo, hi = math.Min(lo, st.Beta), math.Max(hi, st.Beta)
		}
	}
	if b.log = hi > float64(3*lo); !b.log || !zero {
		return b, ""
	}
	b.zeroAt = lo / 3
	for i, v := range b.values {
		if v == 0 {
			b.values[i] = b.zeroAt
		}
	}
	return b, "The steps at β = 0 stand at the left end of the logarithmic axis."
}
