package solver

// LeaveOut leaves the examples out whose hinge is above the cap, and takes the
// others back. It reports whether that has changed anything.
func (s *Solver) LeaveOut(most float64) (changed bool) {
	if s.left == nil {
		s.left = make([]bool, s.m)
	}
	s.syncGraph()
	hinges := make([]float64, s.m)
	for m := range hinges {
		hinges[m] = s.hingeOf(m)
	}
	for m, h := range hinges {
		above := h > most
		if above == s.left[m] {
			continue
		}
		changed = true
		s.left[m] = above
		if above {
			s.moveToTruth(m)
		}
		loss := 0.0
		if above {
			loss = most
		}
		s.loss += loss - s.ex[m].atoms[0].loss
		s.ex[m].atoms[0].loss = loss
	}
	s.resetPairs()
	return changed
}

// Capped returns b, the bounds of the last certificate, with the objective there in which each
// hinge is no more than the cap, whether the example is left out or not. Zero means no cap.
func (s *Solver) Capped(b Bounds, most float64) Bounds {
	if most == 0 {
		return b
	}
	var sum float64
	for m, h := range s.hinges {
		if s.left != nil && s.left[m] {
			h = s.hingeOf(m)
		}
		sum += min(h, most)
	}
	return Bounds{Primal: s.regularization() + sum*s.step, Dual: b.Dual}
}

// hingeOf returns the hinge of example m at the present weights.
func (s *Solver) hingeOf(m int) float64 {
	ws := s.ws[0]
	s.unary.scoreAll(ws.c, s.p.x.Row(m))
	if s.pw.k > 1 {
		s.scorePairs(ws, s.p.z.Row(m))
	}
	return max(s.askOracle(ws, m), 0)
}

// moveToTruth moves all the weight of example m to its true labeling.
func (s *Solver) moveToTruth(m int) {
	ex, x := &s.ex[m], s.p.x.Row(m)
	for k := range ex.atoms {
		a := &ex.atoms[k]
		s.loss -= a.weight * a.loss
		for t := range a.labels.all() {
			s.unary.add(t.index, a.weight*float64(t.value)*s.step/s.pw.lambda, x)
		}
		for t := range a.pairs.all() {
			if s.pw.k > 1 {
				s.pw.addVector(t.index, a.weight*float64(t.value)*s.step, s.p.z.Row(m))
			} else {
				s.pw.u[t.index] += a.weight * float64(t.value) * s.step
			}
		}
	}
	ex.atoms = append(ex.atoms[:0], atom{weight: 1})
	ex.differs, ex.known = notListed, 0
}
