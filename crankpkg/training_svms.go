package crankpkg

import (
	"context"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
)

// svmRounds are the gaps, in multiples of the final one, at which all labels
// meet to report their bounds. As a rule they end below what they were asked
// for, so that the sum is good enough after the first round.
var svmRounds = []float64{1.5, 1}

// solveSVMs trains every label by itself to the relative gap target, in
// parallel; labels share nothing, so the number of workers changes nothing.
func (t *training) solveSVMs(target float64) ([]*solver.SVM, solver.Bounds, Status) {
	svms := t.startSVMs()
	passes := t.mostPasses(target)
	var total solver.Bounds
	for round, late := 0, false; round < len(svmRounds); round++ {
		gap := min(svmRounds[round]*target, 0.9)
		t.parallel(len(svms), func(i int) {
			if _, done := svms[i].State(); late {
				svms[i].TakeOverPacked(gap, t.stopped)
			} else {
				svms[i].SolvePacked(gap, passes-done, t.stopped)
			}
		})
		most := 0
		total = solver.Bounds{}
		for _, svm := range svms {
			b, done := svm.State()
			total.Primal += b.Primal
			total.Dual += b.Dual
			most = max(most, done)
		}
		t.trace.Passes = most
		t.trace.Points = append(t.trace.Points, TracePoint{
			Pass: most, Elapsed: time.Since(t.begin), Primal: total.Primal, Dual: total.Dual,
		})
		t.tell("labels one by one", most, total)
		value := total
		if t.set.HingeCap > 0 {
			value.Primal = t.valueOf(t.modelOfSVMs(svms))
		}
		t.known.keep(value, 0, func() *Model { return t.modelOfSVMs(svms) })
		if status := t.statusOf(total, most, target); status != NotConverged {
			return svms, total, status
		}
		if most >= passes && (late || t.set.MaxPasses > 0) {
			return svms, total, PassLimit
		} else if most >= passes {
			round, late = len(svmRounds)-2, true // once more
		}
	}
	return svms, total, NoProgress
}

// modelOfSVMs returns the model without pairs that these are.
func (t *training) modelOfSVMs(svms []*solver.SVM) *Model {
	m := t.newModel()
	for i, svm := range svms {
		svm.WeightsTo(m.UnaryWeights(i))
		t.kernel.Fold(m.UnaryWeights(i))
	}
	return m
}

// startSVMs returns the machines at the training's lambda, where they last
// stood.
func (t *training) startSVMs() []*solver.SVM {
	if t.svms == nil {
		t.svms = solver.NewSVMs(t.problem, t.lambda, t.set.Seed)
		return t.svms
	}
	for _, b := range t.svms {
		b.SetLambda(t.lambda)
	}
	return t.svms
}

// stopped reports whether time is up.
func (t *training) stopped() bool {
	return t.ctx.Err() != nil || (!t.deadline.IsZero() && time.Now().After(t.deadline))
}

// statusOf says why, if at all, the training has to stop at these bounds.
func (t *training) statusOf(b solver.Bounds, passes int, target float64) Status {
	switch {
	case b.Gap() <= target:
		return Converged
	case t.ctx.Err() != nil:
		return Cancelled
	case t.stopped():
		return TimeLimit
	case t.set.MaxPasses > 0 && passes >= t.set.MaxPasses:
		return PassLimit
	}
	return NotConverged
}

// parallel calls do(0), ..., do(n-1) on the settings' workers. What do computes
// must not depend on the order.
func (t *training) parallel(n int, do func(i int)) {
	parallel.ForEach(context.WithoutCancel(t.ctx), t.set.Workers, n, func(_, i int) { do(i) })
}
