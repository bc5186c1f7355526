package infer

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// DualPoint is a point of the dual of the minimization of crankpkg.Objective: for each of the
// M examples a point mu_m of the local polytope, as a convex combination of
// labelings in halves.
type DualPoint [][]DualAtom

// DualAtom is a labeling with its part in a convex combination. A pair of
// labels that are both one half may have y_ij = 0 or y_ij = 1/2; HalfPairs
// lists those with 1/2. Every other pair has y_ij = y_i y_j.
type DualAtom struct {
	Y         Labeling
	HalfPairs []labelgraph.Edge
	Weight    float64
}

// Validate returns an error that wraps ErrData, and names the example, unless
// mu has a point of the local polytope over n labels for each of numExamples
// examples: labels in {0, 1/2, 1}, each of HalfPairs once and between two
// labels at one half, weights that are not negative and sum to 1.
func (mu DualPoint) Validate(numExamples, n int) error { return mu.validate(numExamples, n, false) }

// ValidateUnbounded is Validate with weights of any sum, as a label loss that is not plain
// has them.
func (mu DualPoint) ValidateUnbounded(numExamples, n int) error {
	return mu.validate(numExamples, n, true)
}

func (mu DualPoint) validate(numExamples, n int, anySum bool) error {
	if len(mu) != numExamples {
		return fmt.Errorf("%w: dual point of %d examples, want %d", errs.ErrData, len(mu), numExamples)
	}
	for m, atoms := range mu {
		var total float64
		for _, a := range atoms {
			if err := a.validate(n); err != nil {
				return fmt.Errorf("%w: dual point: example %d: %w", errs.ErrData, m, err)
			}
			total += a.Weight
		}
		if !anySum && !(math.Abs(total-1) <= 1e-9) {
			return fmt.Errorf("%w: dual point: example %d: weights sum to %v", errs.ErrData, m, total)
		}
	}
	return nil
}

func (a *DualAtom) validate(n int) error {
	if len(a.Y) != n {
		return fmt.Errorf("labeling of %d labels, want %d", len(a.Y), n)
	}
	if !(a.Weight >= 0) {
		return fmt.Errorf("weight %v", a.Weight)
	}
	for i, v := range a.Y {
		if v > On {
			return fmt.Errorf("label %d: %d halves", i, v)
		}
	}
	seen := make(map[labelgraph.Edge]bool, len(a.HalfPairs))
	for _, e := range a.HalfPairs {
		if e.I < 0 || e.I >= e.J || e.J >= n {
			return fmt.Errorf("pair (%d, %d) among %d labels", e.I, e.J, n)
		}
		if a.Y[e.I] != Half || a.Y[e.J] != Half {
			return fmt.Errorf("pair (%d, %d): one half between labels of %d and %d halves", e.I, e.J, a.Y[e.I], a.Y[e.J])
		}
		if seen[e] {
			return fmt.Errorf("pair (%d, %d) is listed twice", e.I, e.J)
		}
		seen[e] = true
	}
	return nil
}

// DualSlacks returns the weight that the true labeling of an example has in the dual beside
// the atoms, and what these cost: 1 and nothing where the loss is plain, else the sum
// of their weights and, with a_i = sum_s weight_s |s_i - y_i|, the sum of a_i^2 / (4 cost_i)
// with Squared, and infinitely much where an a_i is above its cost without. The costs have
// to be resolved.
func (l Loss) DualSlacks(atoms []DualAtom, truth []uint8) (total, penalty float64) {
	if l.IsPlain() {
		return 1, 0
	}
	flip := make([]float64, len(truth))
	for _, a := range atoms {
		total += a.Weight
		for i, v := range a.Y {
			flip[i] += a.Weight * math.Abs(float64(v)/2-float64(truth[i]))
		}
	}
	for i, a := range flip {
		switch c := l.Cost(i, truth[i]); {
		case l.Squared:
			penalty += a * a / (4 * c)
		case a > c*(1+1e-9):
			return total, math.Inf(1)
		}
	}
	return total, penalty
}
