package crankpkg

import (
	"math"
	"slices"
)

// takeSVMs moves s from its first dual point to one with the marginals of the
// labels' binary SVMs, which need to be at the same lambda: the labels of an
// example flip together, those with the larger alpha before the others. From
// w = 0 the oracle would begin by flipping nearly every label of every
// example, and of many labels that is a great many pairs.
func (s *solver) takeSVMs(svms []*binarySVM) {
	order := make([]int32, 0, s.n)
	for m := range s.ex {
		order = order[:0]
		for i, b := range svms {
			if b.alpha[m] > 0 {
				order = append(order, int32(i))
			}
		}
		slices.SortFunc(order, func(i, j int32) int { return compare(svms[j].alpha[m], svms[i].alpha[m]) })
		s.flipTogether(m, order, svms)
	}
	w := make([]float64, s.unary.d+1)
	for i, b := range svms {
		copy(w, b.w)
		w[s.unary.d] = b.bias
		s.unary.setLabel(i, w)
	}
	s.recomputePairs()
}

// flipTogether gives example m one atom for each set of labels that flip first.
func (s *solver) flipTogether(m int, order []int32, svms []*binarySVM) {
	ex, y := &s.ex[m], s.labelsOf(m)
	labeling := make(Labeling, s.n)
	for i, v := range y {
		labeling[i] = 2 * v
	}
	rest := 1.0
	for k, i := range order {
		labeling[i] = 2 - labeling[i]
		alpha, next := svms[i].alpha[m], 0.0
		if k+1 < len(order) {
			next = svms[order[k+1]].alpha[m]
		}
		if alpha == next {
			continue
		}
		var a atom
		s.ws[0].on = a.setLabeling(labeling, y, s.pairs, s.pw.w, s.ws[0].on)
		a.weight = alpha - next
		rest -= a.weight
		s.loss += a.weight * a.loss
		ex.atoms = append(ex.atoms, a)
	}
	ex.atoms[0].weight = math.Max(rest, 0)
}

// recomputePairs sets u and the pair weights from the atoms.
func (s *solver) recomputePairs() {
	clear(s.pw.u)
	for m := range s.ex {
		for _, a := range s.ex[m].atoms {
			for _, t := range a.pairs {
				s.pw.u[t.index] -= s.step * a.weight * float64(t.value)
			}
		}
	}
	s.resetPairs()
}
