package solver

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// svmLevels is the number of steps in which TakeSVMs rounds the alphas: the
// number of labelings that an example gets at the most.
const svmLevels = 8

// TakeSVMs moves s from its first dual point to one with, up to rounding, the
// marginals of the labels' binary SVMs, which need to be at the same lambda:
// the labels of an example flip together, those with the larger alpha before
// the others. From w = 0 the oracle would begin by flipping nearly every label
// of every example.
func (s *Solver) TakeSVMs(svms []*SVM) {
	for _, b := range svms {
		b.pack()
	}
	labeling := make(infer.Labeling, s.n)
	level, unit := make([]uint8, s.m*s.n), s.svmUnits(svms)
	for i, b := range svms {
		for k, m := range b.packed.example {
			level[int(m)*s.n+i] = uint8(math.Round(b.packed.value[k] / unit[m]))
		}
	}
	for m := range s.ex {
		s.flipTogether(m, level[m*s.n:(m+1)*s.n], unit[m], labeling)
	}
	w := make([]float64, s.unary.d+1)
	for i := range s.n {
		clear(w)
		for m := range s.ex {
			if l := level[m*s.n+i]; l > 0 {
				a := (2*float64(s.labelsOf(m)[i]) - 1) * float64(l) * unit[m] * s.step / s.pw.lambda
				s.p.x.Row(m).AddScaledTo(w, a)
				w[s.unary.d] += a
			}
		}
		s.unary.setLabel(i, w)
	}
	s.pw.u = s.residuals()
	s.resetPairs()
}

// flipTogether gives example m one atom for each level that occurs: the labels
// that have at least this level are flipped.
func (s *Solver) flipTogether(m int, level []uint8, unit float64, labeling infer.Labeling) {
	ex, y := &s.ex[m], s.labelsOf(m)
	var occurs [svmLevels + 1]bool
	for _, l := range level {
		occurs[l] = true
	}
	for l, last := uint8(1), uint8(0); l <= svmLevels; l++ {
		if !occurs[l] {
			continue
		}
		for i, v := range y {
			labeling[i] = 2 * v
			if level[i] >= l {
				labeling[i] = 2 - 2*v
			}
		}
		found := &s.ws[0].candidate
		s.ws[0].on = found.setLabeling(labeling, y, s.pairs, s.pw.w, s.ws[0].on)
		a := atom{weight: float64(l-last) * unit, loss: found.loss, labels: slices.Clone(found.labels), pairs: slices.Clone(found.pairs)}
		if !s.p.loss.Squared {
			ex.atoms[0].weight -= a.weight
		}
		s.loss += a.weight * a.loss
		ex.atoms = append(ex.atoms, a)
		last = l
	}
	if s.p.loss.Squared {
		for i, l := range level {
			a := float64(l) * unit
			s.loss -= a * a / (4 * s.p.loss.Cost(i, y[i]))
		}
	}
}

// svmUnits returns, by example, what one level of rounding is worth: 1/8 where alphas are
// in [0, 1], and 1/8 of the largest where they have no bound.
func (s *Solver) svmUnits(svms []*SVM) []float64 {
	largest := make([]float64, s.m)
	if s.p.loss.Squared {
		for _, b := range svms {
			for k, m := range b.packed.example {
				largest[m] = max(largest[m], b.packed.value[k])
			}
		}
	}
	for m, a := range largest {
		if a == 0 {
			a = 1
		}
		largest[m] = a / svmLevels
	}
	return largest
}

// residuals returns u_ij = (1/M) sum_m [y_i^m y_j^m - mu_ij^m] by edge.
func (s *Solver) residuals() []float64 {
	u := make([]float64, len(s.pairs.edges))
	for m := range s.ex {
		for _, a := range s.ex[m].atoms {
			for t := range a.pairs.all() {
				u[t.index] -= s.step * a.weight * float64(t.value)
			}
		}
	}
	return u
}

// allResiduals returns u_ij for all pairs of labels in the order of Edge.Index,
// in time proportional to the pairs of labels that are on together. For pairs
// that the solver does not use, two labels that are one half count as never on
// together. (Where the pairs have vectors, it takes time for each pair.)
func (s *Solver) allResiduals() []float64 {
	u := make([]float64, labelgraph.NumPairs(s.n)*s.pw.k)
	sums := u // by pair, of one example where it has to be multiplied by z(x)
	if s.pw.k > 1 {
		sums = make([]float64, labelgraph.NumPairs(s.n))
	}
	y := make(infer.Labeling, s.n)
	on := make([]int32, 0, s.n)
	for m := range s.ex {
		truth := s.labelsOf(m)
		for k := range s.ex[m].atoms {
			a := &s.ex[m].atoms[k]
			if a.weight == 0 || k == 0 {
				continue // the true labeling adds nothing
			}
			for i, v := range truth {
				y[i] = 2 * v
			}
			on = addProducts(sums, y, on, a.weight*s.step)
			a.labelingTo(y, truth)
			on = addProducts(sums, y, on, -a.weight*s.step)
		}
		if s.pw.k > 1 {
			spread(u, sums, s.p.z.Row(m), s.pw.k)
		}
	}
	for e, edge := range s.pairs.edges {
		copy(s.pw.vector(u, edge.Index()), s.pw.vector(s.pw.u, e))
	}
	return u
}

// spread adds sums_ij z to each vector u_ij of k entries, and clears the sums.
func spread(u, sums []float64, z feature.Row, k int) {
	for e, v := range sums {
		if v != 0 {
			z.AddScaledTo(u[e*k:(e+1)*k], v)
			sums[e] = 0
		}
	}
}

// addProducts adds scale y_i y_j to the pairs of labels that are on together.
func addProducts(u []float64, y infer.Labeling, on []int32, scale float64) []int32 {
	on = on[:0]
	for j, v := range y {
		if v == infer.Off {
			continue
		}
		base := j * (j - 1) / 2
		for _, i := range on {
			if v == infer.On || y[i] == infer.On {
				u[base+int(i)] += scale * float64(v) * float64(y[i]) / 4
			}
		}
		on = append(on, int32(j))
	}
	return on
}
