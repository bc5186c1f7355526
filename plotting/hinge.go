package plotting

import (
	"fmt"
	"math"
	"sort"

	"github.com/crank-ml/crank/crankpkg/infer"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Piece is the value of one labeling along a line in w-space: Value at t = 0,
// and Slope.
type Piece struct {
	Name         string
	Value, Slope float64
}

// PiecesOf returns what all labelings of zeros and ones contribute to a hinge along a line.
func PiecesOf(l infer.HingeLine) (all []Piece) {
	for _, y := range infer.AllLabelings(len(l.Truth)) {
		p := l.Piece(y, 0)
		all = append(all, Piece{Name: y.String(), Value: p.Value, Slope: p.Slope})
	}
	return all
}

// HingePieces draws a structured hinge (eq. 1) along a line in w-space: the
// maximum over the pieces of all labelings, as a strong line in the colors of
// the labelings that own it, over the pieces themselves.
func HingePieces(title string, pieces []Piece, from, to float64) *Figure {
	s := theStyle()
	if !plottable(from, false) || !plottable(to, false) || !hasLength(from, to) {
		return s.say(title, "The line in w-space has no length.")
	}
	var usable []Piece
	for _, p := range pieces {
		if plottable(p.at(from), false) && plottable(p.at(to), false) {
			usable = append(usable, p)
		}
	}
	if len(usable) == 0 {
		return s.say(title, "There are no labelings with finite values.")
	}
	p := s.newPlot("$t$, position on the line in $w$-space", "hinge $h(w)$")
	p.Add(gridLines{style: s.gridStyle()})
	f := s.newFigure(p)
	f.Title = title
	f.addNotes(droppedNote(len(pieces)-len(usable), false))

	spans := upperEnvelope(usable, from, to)
	lowest := math.Inf(1)
	for _, sp := range spans {
		lowest = math.Min(lowest, math.Min(usable[sp.piece].at(sp.from), usable[sp.piece].at(sp.to)))
	}
	for _, q := range usable {
		p.Add(series{XYs: plotter.XYs{{X: from, Y: q.at(from)}, {X: to, Y: q.at(to)}},
			line: draw.LineStyle{Color: fade(s.Faint, s.paper(), 0.45), Width: 0.8}})
	}
	looks := s.rotation()
	for k, sp := range spans {
		q, look := usable[sp.piece], looks[k%len(looks)]
		if len(usable) <= len(looks) { // a piece then looks alike along all lines
			look = looks[sp.piece]
		}
		line := draw.LineStyle{Color: look.Color, Width: 3}
		p.Add(series{XYs: plotter.XYs{{X: sp.from, Y: q.at(sp.from)}, {X: sp.to, Y: q.at(sp.to)}}, line: line})
		if k > 0 {
			p.Add(series{XYs: plotter.XYs{{X: sp.from, Y: q.at(sp.from)}}, marker: draw.GlyphStyle{Color: s.Ink, Radius: 3, Shape: draw.CircleGlyph{}}})
		}
		f.addKey(KeyEntry{Name: q.Name, Line: line})
	}
	// Pieces far below the hinge would flatten it.
	top := p.Y.Max
	finish(p, false, false)
	if span := top - lowest; span > 0 {
		p.Y.Min = math.Max(p.Y.Min, lowest-float64(0.6*span))
	}
	if len(spans) < len(usable) {
		f.addNotes(fmt.Sprintf("%d of %d labelings own a part of the hinge; the others are gray.", len(spans), len(usable)))
	}
	return f
}

func (p Piece) at(t float64) float64 { return p.Value + float64(t*p.Slope) }

// span is where one piece is the maximum.
type span struct {
	piece    int
	from, to float64
}

// upperEnvelope returns the pieces that are the maximum somewhere between from
// and to, from left to right.
func upperEnvelope(pieces []Piece, from, to float64) []span {
	cuts := []float64{from, to}
	for i, p := range pieces {
		for _, q := range pieces[:i] {
			if t := (q.Value - p.Value) / (p.Slope - q.Slope); t > from && t < to {
				cuts = append(cuts, t)
			}
		}
	}
	sort.Float64s(cuts)
	var spans []span
	for k := 1; k < len(cuts); k++ {
		if cuts[k]-cuts[k-1] <= float64(1e-12*(to-from)) {
			continue
		}
		middle, best := (cuts[k-1]+cuts[k])/2, 0
		for i := range pieces {
			if pieces[i].at(middle) > pieces[best].at(middle) {
				best = i
			}
		}
		if last := len(spans) - 1; last >= 0 && spans[last].piece == best {
			spans[last].to = cuts[k]
			continue
		}
		spans = append(spans, span{best, cuts[k-1], cuts[k]})
	}
	return spans
}

// rotation returns looks for things that are no methods, one after another.
func (s *Style) rotation() []MethodStyle {
	var looks []MethodStyle
	for _, name := range []string{"Full", "CRANK", "Greedy", "Project", "MST", "Chow-Liu"} {
		looks = append(looks, s.Methods[name])
	}
	return append(looks, s.Others[1:]...)
}
