package plotting

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Restarts draws where the starts of CRANK ended: the objective l(w) of each on
// its own tree, in their order, as the interval between the dual and the primal
// bound. The winner is the one that the model comes from.
func Restarts(trace *crankpkg.Trace) *Figure {
	s := theStyle()
	if trace == nil || len(trace.Restarts) == 0 {
		return s.say("Restarts", "The trace holds no restarts.")
	}
	p := s.newPlot("start", "final objective $ℓ(w)$")
	p.X.Tick.Marker = integerTicks{}
	p.Add(gridLines{style: s.gridStyle()})
	f := s.newFigure(p)
	f.Title = joinTitle("Restarts", trace.Method)
	crank := s.Methods["CRANK"]
	usual := draw.GlyphStyle{Color: s.Faint, Radius: 3, Shape: draw.CircleGlyph{}}
	winner := draw.GlyphStyle{Color: crank.Color, Radius: 4.5, Shape: draw.CircleGlyph{}}
	dropped := 0
	var ends plotter.XYs
	for k, r := range trace.Restarts {
		if !plottable(r.Primal, false) || !plottable(r.Dual, false) {
			dropped++
			continue
		}
		look := usual
		if k == trace.Winner {
			look = winner
		}
		x := float64(k + 1)
		ends = append(ends, plotter.XY{X: x, Y: r.Primal})
		p.Add(series{XYs: plotter.XYs{{X: x, Y: r.Dual}, {X: x, Y: r.Primal}}, line: draw.LineStyle{Color: look.Color, Width: 1.4}})
		p.Add(series{XYs: plotter.XYs{{X: x, Y: r.Primal}}, marker: look})
	}
	finish(p, false, false)
	makeRoom(p, 0, nil, 1.5*markRoom, ends)
	p.X.Min, p.X.Max = 0.5, float64(len(trace.Restarts))+0.5
	f.setValue(0, restartValues(trace))
	f.addKey(KeyEntry{Name: "primal, with the gap below it", Marker: usual}, KeyEntry{Name: fmt.Sprintf("winner: start %d", trace.Winner+1), Marker: winner})
	f.addNotes(droppedNote(dropped, false))
	return f
}
