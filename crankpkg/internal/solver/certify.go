package solver

import (
	"context"

	"github.com/crank-ml/crank/crankpkg/internal/interior"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// Bounds are certified bounds on the optimum of one solve.
type Bounds = interior.Bounds

// Certify returns the bounds at the present point.
func (s *Solver) Certify(workers int) Bounds { return s.certify(workers) }

// certify computes primal and dual at the current weights with one oracle
// call for each example, and keeps the labelings found for the steps to come.
func (s *Solver) certify(workers int) Bounds {
	s.passes++
	s.calls += s.m
	b := s.bounds(workers, true)
	s.gapSeen = b.Gap()
	return b
}

// bounds computes primal and dual at the current weights. The weights stand
// still meanwhile, so the examples are shared out among the workers; sums are
// formed in the order of the examples. Unless keep is set, nothing of the
// solver's state changes.
func (s *Solver) bounds(workers int, keep bool) Bounds {
	s.syncGraph()
	for len(s.ws) < workers {
		s.addWorkspace()
	}
	if workers <= 1 {
		s.certifyRange(s.ws[0], 0, s.m, keep)
	} else {
		const chunk = 64
		parallel.ForEach(context.Background(), workers, (s.m+chunk-1)/chunk, func(worker, k int) {
			s.certifyRange(s.ws[worker], k*chunk, min((k+1)*chunk, s.m), keep)
		})
	}
	var hinge float64
	for _, h := range s.hinges {
		hinge += h
	}
	return Bounds{Primal: s.regularization() + hinge*s.step, Dual: s.dual()}
}

func (s *Solver) certifyRange(ws *workspace, lo, hi int, keep bool) {
	for m := lo; m < hi; m++ {
		ex := &s.ex[m]
		if s.left != nil && s.left[m] {
			s.hinges[m], ex.gap = ex.atoms[0].loss, 0
			continue
		}
		s.unary.scoreAll(ws.c, s.p.x.Row(m))
		if s.pw.k > 1 {
			s.scorePairs(ws, s.p.z.Row(m))
		}
		if s.p.loss.Squared {
			s.certifySquared(ws, m, keep)
			continue
		}
		best := s.evaluate(ws, ex)
		value := s.askOracle(ws, m)
		s.hinges[m] = max(value+ws.slack, best)
		if !keep {
			continue
		}
		if value > best+tolerance(value) {
			ws.insert(ex, &ws.candidate)
			ws.values = append(ws.values, value)
			best = value
		}
		ex.gap = max(best-ws.average(ex), 0)
	}
}
