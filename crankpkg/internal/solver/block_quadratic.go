package solver

// Without an l1 term the dual is quadratic in the weights of one example's
// labelings, and along them it is known once the labelings' values and the
// inner products of their psi are. The inner products stay the same from visit
// to visit, so every labeling keeps its own: a step costs a few additions
// instead of a pass over the terms of all labelings, and w, which changes once
// at the end, sees no more than the sum of all steps.

const (
	// Steps end when this share of the block's gap is left, and most visits need
	// one or two of them. Blocks solved to a tenth cost more than they save.
	quadraticShare = 0.3
	quadraticSteps = 20
	// So many labelings may join before the inner products need more memory.
	spareInner = 3
)

// isQuadratic reports whether w is linear in the dual point, and the same
// multiple of u for all pairs.
func (s *Solver) isQuadratic() bool {
	return s.pw.beta == 0 && s.pw.k == 1 && s.pw.share == nil
}

// improveQuadratic does pairwise steps like improve, for a quadratic dual.
func (s *Solver) improveQuadratic(ws *workspace, m int) {
	s.completeInner(ws, m)
	ex := &s.ex[m]
	ws.copyWeights(ex)
	ws.pairwiseSteps(ex, s.step/s.pw.lambda)
	for k := range ex.atoms {
		a := &ex.atoms[k]
		if delta := ws.weights[k] - a.weight; delta != 0 {
			a.weight = ws.weights[k]
			s.shift(ws, a, delta)
		}
	}
}

// pairwiseSteps moves ws.weights and ws.values, those of the atoms of ex, towards
// the block's optimum. The inner products times scale are the second derivatives.
func (ws *workspace) pairwiseSteps(ex *example, scale float64) {
	weights, values := ws.weights, ws.values[:len(ws.weights)]
	enough := quadraticShare * ex.gap
	for k := range quadraticSteps {
		to, from := extremes(weights, values)
		gain := values[to] - values[from]
		if to == from || gain <= tolerance(values[to]) || (k > 0 && gain <= enough) {
			return
		}
		a, b := ex.atoms[to].inner[:len(values)], ex.atoms[from].inner[:len(values)]
		slope := scale * (a[to] - 2*a[from] + b[from])
		gamma := weights[from]
		if gain < slope*gamma {
			gamma = gain / slope
		}
		weights[to] += gamma
		weights[from] -= gamma
		for l := range values {
			values[l] -= gamma * scale * (a[l] - b[l])
		}
	}
}

// shift brings the change delta of the weight of a into all that depends on it;
// the unary weights wait for commit.
func (s *Solver) shift(ws *workspace, a *atom, delta float64) {
	s.loss += delta * a.loss
	for _, t := range a.labels {
		if ws.move[t.index] == 0 {
			ws.moved = append(ws.moved, t.index)
		}
		ws.move[t.index] += delta * float64(t.value)
	}
	u, w, isDirty := s.pw.u, s.pw.w, s.isDirty
	w, isDirty = w[:len(u)], isDirty[:len(u)]
	delta *= s.step
	for _, t := range a.pairs {
		e := t.index
		v := u[e] - delta*float64(t.value)
		u[e], w[e] = v, v/s.pw.lambda
		if !isDirty[e] {
			isDirty[e] = true
			s.dirty = append(s.dirty, e)
		}
	}
}

// completeInner computes the inner products that atoms of example m lack,
//
//	inner_kl = |x|^2 sum_i psi_i(s_k) psi_i(s_l) + sum_ij psi_ij(s_k) psi_ij(s_l).
func (s *Solver) completeInner(ws *workspace, m int) {
	ex := &s.ex[m]
	first, count := int(ex.known), len(ex.atoms)
	if first == count {
		return
	}
	if len(ws.pairTerms) < len(s.pairs.edges) {
		ws.pairTerms = make([]float64, len(s.pairs.edges))
	}
	for k := range ex.atoms {
		a := &ex.atoms[k]
		if cap(a.inner) < count {
			a.inner = append(make([]float64, 0, count+spareInner), a.inner...)
		}
		a.inner = a.inner[:count]
	}
	for k := first; k < count; k++ {
		a := &ex.atoms[k]
		scatter(ws.labelTerms, a.labels, s.p.norm[m])
		scatter(ws.pairTerms, a.pairs, 1)
		for l := range ex.atoms[:k+1] {
			b := &ex.atoms[l]
			sum := gather(ws.labelTerms, b.labels) + gather(ws.pairTerms, b.pairs)
			a.inner[l], b.inner[k] = sum, sum
		}
		scatter(ws.labelTerms, a.labels, 0)
		scatter(ws.pairTerms, a.pairs, 0)
	}
	ex.known = int32(count)
}

// scatter writes the terms, times scale, to their places in dst.
func scatter(dst []float64, terms []term, scale float64) {
	for _, t := range terms {
		dst[t.index] = scale * float64(t.value)
	}
}

// gather returns the inner product of the terms and dense.
func gather(dense []float64, terms []term) float64 {
	var sum float64
	for _, t := range terms {
		sum += float64(t.value) * dense[t.index]
	}
	return sum
}

// forget keeps the inner products in step with the atoms: the last one has taken
// the place of atom k.
func (ex *example) forget(k int) {
	ex.varying = ex.varying[:0]
	last := len(ex.atoms)
	if int(ex.known) <= last {
		ex.known = min(ex.known, int32(k))
		return
	}
	for l := range ex.atoms {
		inner := ex.atoms[l].inner
		inner[k] = inner[last]
		ex.atoms[l].inner = inner[:last]
	}
	ex.known = int32(last)
}
