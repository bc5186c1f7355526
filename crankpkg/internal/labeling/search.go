package labeling

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/infer"
)

// search maximizes over the labelings of any graph with at least and at most so many
// labels on, by branch and bound. It begins with the labeling that it is given, which it
// brings within the limits by the label that costs least, one at a time.
//
// The bound gives each open label its unary score, the weights to labels that are on, and
// half of the positive weights to open labels.
type search struct {
	least, most int
	steps       int // how many nodes of the search tree to look at
	left        int // how many of them are left

	g           *infer.PairGraph
	slope, half []float64 // by label: score and weights to labels on; half of the positive weights to open ones
	open        []bool
	numOpen, on int
	value       float64 // of the labels that are decided
	y, best     []uint8
	bestValue   float64
}

// Any search among infer.EnumerableLabels labels ends within so many steps; they are fast.
// Among more labels, a step takes longer and there are fewer.
const (
	allSteps  = 2 << infer.EnumerableLabels
	someSteps = 1 << 13
)

func newSearch(n, least, most int) *search {
	s := &search{
		least: least, most: most, steps: someSteps,
		slope: make([]float64, n), half: make([]float64, n), open: make([]bool, n), y: make([]uint8, n), best: make([]uint8, n),
	}
	if n <= infer.EnumerableLabels {
		s.steps = allSteps
	}
	return s
}

// labelTo replaces y and reports whether the search has ended.
func (s *search) labelTo(y []uint8, g *infer.PairGraph, c []float64) (optimal bool) {
	s.g, s.left = g, s.steps
	s.repair(y, c)
	s.numOpen, s.on, s.value = len(y), 0, 0
	copy(s.slope, c)
	for i := range y {
		s.open[i], s.half[i] = true, 0
		for _, a := range g.Adj[i] {
			s.half[i] += max(0, a.Weight) / 2
		}
	}
	s.branch()
	copy(y, s.best)
	s.g = nil
	return s.left > 0
}

// repair finds the labeling to begin with.
func (s *search) repair(y []uint8, c []float64) {
	copy(s.best, y)
	copy(s.slope, c)
	count := 0
	for i, v := range y {
		count += int(v)
		for _, a := range s.g.Adj[i] {
			s.slope[i] += a.Weight * float64(y[a.To])
		}
	}
	for ; count > s.most; count-- {
		s.flip(1, -1)
	}
	for ; count < s.least; count++ {
		s.flip(0, 1)
	}
	s.bestValue = 0
	for i, v := range s.best {
		if v == 1 {
			s.bestValue += c[i]
			for _, a := range s.g.Adj[i] {
				s.bestValue += a.Weight * float64(s.best[a.To]) / 2
			}
		}
	}
}

// flip changes that label of value v to the other which gains most, or loses least; sign
// is 1 for switching on.
func (s *search) flip(v uint8, sign float64) {
	at := -1
	for i, slope := range s.slope {
		if s.best[i] == v && (at < 0 || sign*slope > sign*s.slope[at]) {
			at = i
		}
	}
	s.best[at] = 1 - v
	for _, a := range s.g.Adj[at] {
		s.slope[a.To] += sign * a.Weight
	}
}

// branch looks at the labelings that agree with the labels that are decided.
func (s *search) branch() {
	s.left--
	if s.left <= 0 || s.on > s.most || s.on+s.numOpen < s.least {
		return
	}
	bound, at, widest := s.value, -1, math.Inf(-1)
	for i, open := range s.open {
		if !open {
			continue
		}
		a := s.slope[i] + s.half[i]
		bound += max(0, a)
		if v := math.Abs(a); at < 0 || v > widest {
			at, widest = i, v
		}
	}
	if !(bound > s.bestValue) {
		return
	}
	if at < 0 {
		copy(s.best, s.y)
		s.bestValue = s.value
		return
	}
	first := uint8(0)
	if s.slope[at]+s.half[at] > 0 {
		first = 1
	}
	for _, v := range [2]uint8{first, 1 - first} {
		s.decide(at, v)
		s.branch()
		s.undo(at, v)
	}
}

// decide gives label i the value v.
func (s *search) decide(i int, v uint8) {
	s.open[i], s.y[i] = false, v
	s.numOpen--
	for _, a := range s.g.Adj[i] {
		s.half[a.To] -= max(0, a.Weight) / 2
	}
	if v == 1 {
		s.on++
		s.value += s.slope[i]
		for _, a := range s.g.Adj[i] {
			s.slope[a.To] += a.Weight
		}
	}
}

// undo takes decide back.
func (s *search) undo(i int, v uint8) {
	s.open[i] = true
	s.numOpen++
	for _, a := range s.g.Adj[i] {
		s.half[a.To] += max(0, a.Weight) / 2
	}
	if v == 1 {
		s.on--
		for _, a := range s.g.Adj[i] {
			s.slope[a.To] -= a.Weight
		}
		s.value -= s.slope[i]
	}
}
