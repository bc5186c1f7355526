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
	spareInner = 1
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
		slope := scale * (ex.innerOf(to, to) - 2*ex.innerOf(to, from) + ex.innerOf(from, from))
		gamma := weights[from]
		if gain < slope*gamma {
			gamma = gain / slope
		}
		weights[to] += gamma
		weights[from] -= gamma
		a, b := rowOf(to), rowOf(from)
		for l := range values {
			values[l] -= gamma * scale * (ex.inner[a] - ex.inner[b])
			a, b = after(a, to, l), after(b, from, l)
		}
	}
}

// shift brings the change delta of the weight of a into all that depends on it;
// the unary weights wait for commit.
func (s *Solver) shift(ws *workspace, a *atom, delta float64) {
	s.loss += delta * a.loss
	ws.moved = a.labels.addTo(ws.move, delta, ws.moved)
	u, w, isDirty := s.pw.u, s.pw.w, s.isDirty
	w, isDirty = w[:len(u)], isDirty[:len(u)]
	delta *= s.step
	move := func(e uint32, value float64) {
		v := u[e] - delta*value
		u[e], w[e] = v, v/s.pw.lambda
		if !isDirty[e] {
			isDirty[e] = true
			s.dirty = append(s.dirty, int32(e))
		}
	}
	if a.pairs.wide() {
		for k := range a.pairs.count() {
			move(uint32(a.pairs.at(k).index), float64(a.pairs.at(k).value))
		}
		return
	}
	for _, word := range a.pairs {
		move(word>>valueBits, values[word&codeMask])
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
	ex.inner = ex.inner[:rowOf(first)]
	if cap(ex.inner) < rowOf(count) {
		ex.inner = append(make([]float64, 0, rowOf(count+spareInner)), ex.inner...)
	}
	for k := first; k < count; k++ {
		a := &ex.atoms[k]
		a.labels.scatter(ws.labelTerms, s.p.norm[m])
		a.pairs.scatter(ws.pairTerms, 1)
		for l := range ex.atoms[:k+1] {
			b := &ex.atoms[l]
			ex.inner = append(ex.inner, b.labels.dot(0, ws.labelTerms)+b.pairs.dot(0, ws.pairTerms))
		}
		a.labels.scatter(ws.labelTerms, 0)
		a.pairs.scatter(ws.pairTerms, 0)
	}
	ex.known = int32(count)
}

// rowOf returns where the inner products of atom k begin.
func rowOf(k int) int { return k * (k + 1) / 2 }

// innerOf returns the inner product of two atoms.
func (ex *example) innerOf(k, l int) float64 { return ex.inner[rowOf(max(k, l))+min(k, l)] }

// after returns where the inner product of atoms k and l+1 is, given where that of k and l is.
func after(at, k, l int) int {
	if l < k {
		return at + 1
	}
	return at + l + 1
}

// forget keeps the inner products in step with the atoms: the last one has taken
// the place of atom k.
func (ex *example) forget(k int) {
	ex.differs = notListed
	last := len(ex.atoms)
	if int(ex.known) <= last {
		ex.known = min(ex.known, int32(k))
		ex.inner = ex.inner[:rowOf(int(ex.known))]
		return
	}
	if k < last {
		moved := ex.inner[rowOf(last):]
		copy(ex.inner[rowOf(k):], moved[:k])
		ex.inner[rowOf(k)+k] = moved[last]
		for l := k + 1; l < last; l++ {
			ex.inner[rowOf(l)+k] = moved[l]
		}
	}
	ex.inner = ex.inner[:rowOf(last)]
	ex.known = int32(last)
}
