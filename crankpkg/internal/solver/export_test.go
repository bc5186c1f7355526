package solver

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/polytope"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// What the tests that hold solvers to crankpkg's Objective need: they cannot be in
// this package, which crankpkg imports.

func (s *Solver) Dual() float64 { return s.dual() }

func (s *Solver) Crawled() bool { return s.crawled }

// TakeInterior goes over to a point of the interior point method with this gap, if that is
// better, and returns that point's dual as the method sees it.
func (s *Solver) TakeInterior(gap float64) (better bool, dual float64) {
	method := polytope.New(s.interiorProblem(), never)
	for steps := 0; method.Gap() > gap && steps < polytope.MostSteps && method.Advance(); steps++ {
	}
	return s.takeMarginals(method), method.Dual() / float64(s.m)
}

func (s *Solver) Visit(m int, callOracle bool) { s.visit(m, callOracle) }

// FirstOrder leaves the interior point method out.
func (s *Solver) FirstOrder() { s.firstOrder = true }

// FirstOrder leaves the interior point method out.
func (b *SVM) FirstOrder() { b.tried = math.SmallestNonzeroFloat64 }

// TestAtom has the fields of crankpkg's DualAtom.
type TestAtom struct {
	Y         infer.Labeling
	HalfPairs []labelgraph.Edge
	Weight    float64
}

// Atoms returns the part of the dual point that belongs to example m. A labeling with pairs
// that are between 0 and 1/2, of labels that are 1/2, is a mixture of labelings without.
func (s *Solver) Atoms(m int) []TestAtom {
	truth := s.labelsOf(m)
	var atoms []TestAtom
	for _, a := range s.ex[m].atoms {
		y := make(infer.Labeling, s.n)
		a.labelingTo(y, truth)
		levels := []float64{0}
		half := make(map[labelgraph.Edge]float64)
		for p := range a.pairs.all() {
			e := s.pairs.edges[p.index]
			v := float64(p.value) + float64(truth[e.I]*truth[e.J])
			if v > 0 && y[e.I] == infer.Half && y[e.J] == infer.Half {
				half[e] = v
				levels = append(levels, v)
			}
		}
		slices.Sort(levels)
		if levels[len(levels)-1] < 0.5 {
			levels = append(levels, 0.5)
		}
		for k, level := range levels[1:] {
			part := TestAtom{Y: y, Weight: 2 * a.weight * (level - levels[k])}
			for _, e := range s.pairs.edges {
				if half[e] >= level {
					part.HalfPairs = append(part.HalfPairs, e)
				}
			}
			if part.Weight > 0 || k == 0 {
				atoms = append(atoms, part)
			}
		}
	}
	return atoms
}
