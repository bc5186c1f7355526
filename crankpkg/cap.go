package crankpkg

import "fmt"

// capRounds bounds the rounds of capHinges. Mostly a handful settles it.
const capRounds = 10

// capHinges goes from the minimum of the hinges to a local minimum of
//
//	lambda/2 |w|^2 + (1/M) sum_m min(h^m(w), HingeCap)
//
// over the weights on the edges of s. With a switch z_m for each example the
// sum is that of z_m h^m + (1 - z_m) HingeCap at the best z, so minimizing over z
// and over w in turn lowers it: each round leaves the examples out whose hinge is
// above the cap, takes back those whose hinge has come below, and solves the
// convex rest to the relative gap.
func (t *training) capHinges(s *solver, b bounds, status Status) (*solver, bounds, Status) {
	if t.set.HingeCap == 0 {
		return s, b, status
	}
	s = s.clone()
	for round := range capRounds {
		if t.stopped() || !s.leaveOut(t.set.HingeCap) {
			break
		}
		passes, calls := s.passes, s.calls
		b, status = t.solveInto(&t.trace.Points, s, t.crewOf(1), t.set.Seed, t.set.Gap, fmt.Sprintf("cap, round %d", round+1))
		t.trace.Passes += s.passes - passes
		t.trace.OracleCalls += s.calls - calls
	}
	return s, b, status
}

// leaveOut leaves the examples out whose hinge is above the cap, and takes the
// others back. It reports whether that has changed anything.
func (s *solver) leaveOut(most float64) (changed bool) {
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

// hingeOf returns the hinge of example m at the present weights.
func (s *solver) hingeOf(m int) float64 {
	ws := s.ws[0]
	s.unary.scoreAll(ws.c, s.p.x.Row(m))
	if s.pw.k > 1 {
		s.scorePairs(ws, s.p.z.Row(m))
	}
	return max(s.askOracle(ws, m), 0)
}

// moveToTruth moves all the weight of example m to its true labeling.
func (s *solver) moveToTruth(m int) {
	ex, x := &s.ex[m], s.p.x.Row(m)
	for k := range ex.atoms {
		a := &ex.atoms[k]
		s.loss -= a.weight * a.loss
		for _, t := range a.labels {
			s.unary.add(t.index, a.weight*float64(t.value)*s.step/s.pw.lambda, x)
		}
		for _, t := range a.pairs {
			if s.pw.k > 1 {
				s.pw.addVector(t.index, a.weight*float64(t.value)*s.step, s.p.z.Row(m))
			} else {
				s.pw.u[t.index] += a.weight * float64(t.value) * s.step
			}
		}
	}
	ex.atoms = append(ex.atoms[:0], atom{weight: 1})
	ex.varying, ex.known = ex.varying[:0], 0
}
