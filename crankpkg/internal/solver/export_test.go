package solver

import (
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// What the tests that hold solvers to crankpkg's Objective need: they cannot be in
// this package, which crankpkg imports.

func (s *Solver) Dual() float64 { return s.dual() }

func (s *Solver) Visit(m int, callOracle bool) { s.visit(m, callOracle) }

// TestAtom has the fields of crankpkg's DualAtom.
type TestAtom struct {
	Y         infer.Labeling
	HalfPairs []labelgraph.Edge
	Weight    float64
}

// Atoms returns the part of the dual point that belongs to example m.
func (s *Solver) Atoms(m int) []TestAtom {
	truth := s.labelsOf(m)
	var atoms []TestAtom
	for _, a := range s.ex[m].atoms {
		neutral := TestAtom{Y: make(infer.Labeling, s.n), Weight: a.weight}
		a.labelingTo(neutral.Y, truth)
		for _, p := range a.pairs {
			e := s.pairs.edges[p.index]
			if y := float64(p.value) + float64(truth[e.I]*truth[e.J]); y == 0.5 && neutral.Y[e.I] == infer.Half && neutral.Y[e.J] == infer.Half {
				neutral.HalfPairs = append(neutral.HalfPairs, e)
			}
		}
		atoms = append(atoms, neutral)
	}
	return atoms
}
