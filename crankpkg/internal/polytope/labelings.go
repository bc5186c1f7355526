package polytope

import (
	"cmp"
	"math"
	"slices"
)

// Labelings are mixtures of labelings with the marginals of the method's point.
type Labelings struct {
	p     *Method
	order []int     // labels, by size
	size  []float64 // min(mu_i, 1 - mu_i)
	y     []float64
	half  []float64
}

// Labelings returns the mixtures of the present point.
func (p *Method) Labelings() *Labelings {
	t := &Labelings{p: p, order: make([]int, p.n), size: make([]float64, p.n), y: make([]float64, p.n), half: make([]float64, len(p.pairs))}
	for i := range t.order {
		t.order[i] = i
	}
	return t
}

// Of calls do for each labeling of the k-th example that counts, with weights that sum to
// one. There are n+1 of them at the most. Of a number theta that is uniform in (0, 1/2), the
// labeling has
//
//	y_i = 0 where mu_i <= theta,   1 where mu_i >= 1 - theta,   and else 1/2,
//
// so that its mean is mu_i. A y_ij is y_i y_j, but where both ends are 1/2 it may be anything
// from 0 to 1/2, and half has, by pair, what makes its mean mu_ij. The slices are for use
// within the call.
func (t *Labelings) Of(k int, do func(weight float64, y, half []float64)) {
	p := t.p
	for i, mu := range p.mu[:p.n] {
		t.size[i], t.y[i] = max(min(mu[k], 1-mu[k]), 0), 0.5
	}
	slices.SortFunc(t.order, func(i, j int) int { return cmp.Or(cmp.Compare(t.size[i], t.size[j]), i-j) })
	for e, v := range p.pairs {
		s, both := p.ofPair(p.s, e), 2*min(t.size[v.i], t.size[v.j])
		t.half[e] = 0
		if both > 0 { // the other labelings have max(0, mu_i + mu_j - 1)
			t.half[e] = min(max(min(s[0][k], s[3][k])/both, 0), 0.5)
		}
	}
	last := 0.0
	for _, i := range t.order {
		if next := t.size[i]; next > last {
			do(2*(next-last), t.y, t.half)
			last = next
		}
		t.y[i] = math.Round(p.mu[i][k])
	}
	if last < 0.5 {
		do(2*(0.5-last), t.y, t.half)
	}
}
