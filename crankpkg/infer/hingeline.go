package infer

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// HingeLine is the structured hinge of one example (eq. 1) along the line
// w + t d in w-space:
//
//	h(t) = max_y [score(x, y; w + t d) + Delta(y, y^m)] - score(x, y^m; w + t d)
//
// The score is linear in w, so that every labeling contributes a linear
// function of t and h is their maximum: convex and piecewise linear.
type HingeLine struct {
	Truth []uint8 // y^m, n zeros and ones
	Edges []labelgraph.Edge
	// Unary holds the n scores w_i . x, Pair the weights w_ij in the order of
	// Edges, both at t = 0.
	Unary, Pair []float64
	// UnaryStep and PairStep are what they grow by when t grows by one:
	// d_i . x and d_ij.
	UnaryStep, PairStep []float64
}

// HingePiece is the linear function Value + t Slope that a labeling
// contributes to a HingeLine. Pieces also says where it is the maximum.
type HingePiece struct {
	Owner        Labeling
	Value, Slope float64
	From, To     float64
}

// At returns the piece's linear function at t, wherever t is.
func (p HingePiece) At(t float64) float64 { return p.Value + t*p.Slope }

// Piece returns what y contributes; From and To are left zero. Where y has two
// halves at a pair, y_ij depends on the sign of the pair's weight (see
// PairHalves), which is taken at t. It panics when the parts of l and y differ
// in length.
func (l *HingeLine) Piece(y Labeling, t float64) HingePiece {
	l.check()
	p := HingePiece{Owner: y, Value: y.Loss(l.Truth)}
	for i, v := range y {
		delta := float64(v)/2 - float64(l.Truth[i])
		p.Value += delta * l.Unary[i]
		p.Slope += delta * l.UnaryStep[i]
	}
	for k, e := range l.Edges {
		weight := l.Pair[k] + t*l.PairStep[k]
		delta := float64(PairHalves(y[e.I], y[e.J], weight))/2 - float64(l.Truth[e.I]*l.Truth[e.J])
		p.Value += delta * l.Pair[k]
		p.Slope += delta * l.PairStep[k]
	}
	return p
}

// Pieces returns the linear pieces of h between from and to, from left to
// right, with the labelings that own them. Each piece ends where the next one
// begins and slopes increase.
//
// The oracle made by newOracle says which labelings take part: NewTreeOracle
// on a forest, NewLPOracle for the hinge of the LP relaxation on any graph. It
// is called at both ends, then where the two lines found there cross; if it
// finds a higher line at the crossing, both sides are searched likewise
// (Eisner and Severn 1976). That takes about two calls for each piece, however
// many labelings there are.
func (l *HingeLine) Pieces(from, to float64, newOracle func(*PairGraph) Oracle) []HingePiece {
	l.check()
	if !(from < to) {
		panic("infer: a line needs from < to")
	}
	s := hingeSearch{line: l, g: NewPairGraph(len(l.Truth), l.Edges, l.Pair), c: make([]float64, len(l.Truth))}
	s.oracle = newOracle(s.g)
	s.least = 1e-12 * (to - from)
	left, right := s.ask(from), s.ask(to)
	s.split(left, right, from, to)
	return s.pieces
}

func (l *HingeLine) check() {
	n, e := len(l.Truth), len(l.Edges)
	if len(l.Unary) != n || len(l.UnaryStep) != n || len(l.Pair) != e || len(l.PairStep) != e {
		panic("infer: the parts of a HingeLine differ in length")
	}
}

// hingeSearch is the state of Pieces.
type hingeSearch struct {
	line   *HingeLine
	g      *PairGraph
	oracle Oracle
	c      []float64
	least  float64 // shorter pieces are rounding errors
	pieces []HingePiece
}

// ask returns the piece of a labeling that is the maximum at t.
func (s *hingeSearch) ask(t float64) HingePiece {
	l := s.line
	for i := range s.c {
		s.c[i] = l.Unary[i] + t*l.UnaryStep[i]
	}
	for k, e := range l.Edges {
		s.g.Set(e, l.Pair[k]+t*l.PairStep[k])
	}
	AugmentTo(s.c, s.c, l.Truth)
	y := make(Labeling, len(l.Truth))
	s.oracle.Maximize(y, s.c)
	return l.Piece(y, t)
}

// split appends the pieces between from and to, where left and right are
// maximal at the ends.
func (s *hingeSearch) split(left, right HingePiece, from, to float64) {
	cross := to
	if left.Slope != right.Slope {
		cross = (left.Value - right.Value) / (right.Slope - left.Slope)
	}
	switch {
	case left.Slope == right.Slope, cross >= to-s.least: // left is maximal at both ends
		s.append(left, from, to)
		return
	case cross <= from+s.least:
		s.append(right, from, to)
		return
	}
	middle := s.ask(cross)
	if here := left.At(cross); middle.At(cross) <= here+1e-12*(1+math.Abs(here)) {
		s.append(left, from, cross)
		s.append(right, cross, to)
		return
	}
	s.split(left, middle, from, cross)
	s.split(middle, right, cross, to)
}

// append adds a piece, or makes the last one longer if it is the same line.
func (s *hingeSearch) append(p HingePiece, from, to float64) {
	if last := len(s.pieces) - 1; last >= 0 && s.pieces[last].Slope == p.Slope {
		s.pieces[last].To = to
		return
	}
	p.From, p.To = from, to
	s.pieces = append(s.pieces, p)
}
