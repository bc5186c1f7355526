package crankpkg

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
)

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
func (t *training) capHinges(s *solver.Solver, b solver.Bounds, status Status) (*solver.Solver, solver.Bounds, Status) {
	if t.set.HingeCap == 0 {
		return s, b, status
	}
	s = s.Clone()
	for round := range capRounds {
		if t.stopped() || !s.LeaveOut(t.set.HingeCap) {
			break
		}
		passes, calls := s.Counts()
		b, status = t.solveInto(&t.trace.Points, s, t.crewOf(1, true), t.set.Seed, t.set.Gap, fmt.Sprintf("cap, round %d", round+1))
		passesNow, callsNow := s.Counts()
		t.trace.Passes += passesNow - passes
		t.trace.OracleCalls += callsNow - calls
	}
	return s, b, status
}
