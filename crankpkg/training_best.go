package crankpkg

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
)

// knownModels is the best model, by l(w), that a training has come by so far. Where
// it is cut short or stalls, that is what it returns.
type knownModels struct {
	mu     sync.Mutex
	best   *Model
	bounds solver.Bounds // of the problem that best is of
	place  int           // of the solve that best is of, among those side by side
	// admits, where not nil, says which graphs the method may return.
	admits func(edges []Edge) bool
}

// keep takes a model with these bounds on l(w), made when it is the best so far. Among
// equals of solves side by side, the first in their order counts, not in that of the clock.
func (k *knownModels) keep(b solver.Bounds, place int, make func() *Model) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !(b.Primal >= 0) || k.best != nil && !(b.Primal < k.bounds.Primal || b.Primal == k.bounds.Primal && place < k.place) {
		return
	}
	if m := make(); k.admits == nil || k.admits(m.Edges) {
		k.best, k.bounds, k.place = m, b, place
	}
}

// deliver closes the trace with m, or with a better model that is known where the
// final solve has not come to its end. The capped objective is not convex, so that a
// better one may be known at its end, too.
func (t *training) deliver(m *Model, b solver.Bounds, status Status) (*Model, *Trace, error) {
	last, done := b, t.enough(b, status)
	if !done || t.set.HingeCap > 0 {
		t.keepSimple(status, done)
	}
	switch {
	case t.known.best == nil:
	case t.set.HingeCap > 0:
		m = t.known.best
	case !done && !(b.Primal <= t.known.bounds.Primal):
		m, b = t.known.best, t.known.bounds
		if t.overTrees {
			b.Dual = last.Dual
		}
		solve := 0
		if k := len(t.trace.Points); k > 0 {
			solve = t.trace.Points[k-1].Solve + 1
		}
		t.trace.Points = append(t.trace.Points, TracePoint{
			Solve: solve, Pass: t.trace.Passes, OracleCalls: t.trace.OracleCalls, Elapsed: time.Since(t.begin),
			Primal: b.Primal, Dual: b.Dual, Support: len(m.Edges),
		})
	}
	err := t.outcome(last, status)
	if status == PassLimit && err == nil {
		status = Converged // CRANK and SwapSearch solve closer than the gap
	}
	t.trace.Primal, t.trace.Dual, t.trace.Status = b.Primal, b.Dual, status
	t.trace.Elapsed = time.Since(t.begin)
	return m, t.trace, err
}

// keepSimple makes models known that take little: w = 0 and, where the work and not
// the time has come to its bound, Empty's.
func (t *training) keepSimple(status Status, done bool) {
	if t.problem.InGroups() {
		return
	}
	zero := &Model{FeatureNames: t.ds.FeatureNames, LabelNames: t.ds.LabelNames, Unary: make([]float64, t.ds.NumLabels()*(t.ds.NumFeatures()+1))}
	t.known.keep(solver.Bounds{Primal: t.valueOf(zero)}, 0, t.newModel)
	if !done && status != Cancelled && status != TimeLimit && t.set.MaxPasses == 0 && t.problem.IsSumOfLabels() && !t.stopped() {
		passes := t.trace.Passes
		t.solveSVMs(t.set.Gap)
		t.trace.Passes += passes
	}
}

// valueOf returns what models of the training are compared by.
func (t *training) valueOf(m *Model) float64 {
	o := NewObjective(t.ds, m.Scaler, t.lambda)
	o.LabelLoss, o.HingeCap = t.set.Loss, t.set.HingeCap
	return o.Loss(m)
}

// modelOf returns the model that a solver stands at.
func (t *training) modelOf(s *solver.Solver) *Model {
	m := t.newModel()
	m.EdgeFeatures = t.edges
	for i := range m.NumLabels() {
		s.UnaryTo(m.UnaryWeights(i), i)
		t.kernel.Fold(m.UnaryWeights(i))
	}
	m.Edges, m.Pair, m.PairFeatures = s.PairsOfModel()
	return m
}

// enough reports whether a training that stands at these bounds is done: it has the
// gap, or as much of it as rounding leaves.
func (t *training) enough(b solver.Bounds, status Status) bool {
	return b.Gap() <= t.set.Gap || b.Gap() <= roundingGap && (status == NoProgress || status == NotConverged)
}

// roundingGap is what rounding may leave of a gap where it leaves nothing to gain.
const roundingGap = 1e-6

// outcome returns the error of a training whose final solve ended at these bounds: one
// that wraps ErrNotConverged where the gap is not reached, and that of the context where
// it ended the work.
func (t *training) outcome(b solver.Bounds, status Status) error {
	method := t.trace.Method
	switch {
	case math.IsNaN(b.Primal) || math.IsInf(b.Primal, 0):
		return fmt.Errorf("%w: %s: the objective is %v: the features or 1/lambda are too large", ErrData, method, b.Primal)
	case status == Cancelled:
		return fmt.Errorf("%s: stopped at relative gap %.3g: %w", method, b.Gap(), parallel.Cause(t.ctx))
	case t.enough(b, status):
		return nil
	}
	return fmt.Errorf("%s: %w: relative gap %.3g, not %.3g (%s after %d passes); %s", method, ErrNotConverged, b.Gap(), t.set.Gap, status, t.trace.Passes, t.remedy(status))
}

// remedy says what helps a training that has not converged.
func (t *training) remedy(status Status) string {
	switch orders := t.orders(); {
	case orders >= wideOrders:
		return fmt.Sprintf("features, the constant 1 among them, differ by %.0f orders of magnitude: set Scaling, to ZScore for example", orders)
	case status == TimeLimit:
		return "MaxTime is over: allow more, or take a larger lambda or Gap"
	case status == PassLimit && t.set.MaxPasses > 0:
		return "MaxPasses are used up: allow more, or take a larger lambda or Gap"
	case status == NoProgress:
		return "rounding errors leave nothing to gain: take a larger Gap"
	}
	return "take a larger lambda or Gap, or set MaxPasses"
}

// wideOrders is how far features have to differ for a scaling to be the first thing to try.
const wideOrders = 1.5

// orders tells how far the sizes of features differ that steps are made on as they are; see Matrix.Spread.
func (t *training) orders() float64 {
	if t.set.Scaling != NoScaling || t.fourier.Count != 0 {
		return 0
	}
	return t.ds.X.Spread()
}

// mostPasses returns how many passes one solve to the relative gap makes at most. Where
// MaxPasses does not say, that is four times what z-scored features take, which was
// 4 (d+1) / (lambda M) at a gap of 1 % on the sets of the catalog.
func (t *training) mostPasses(gap float64) int {
	if t.set.MaxPasses > 0 {
		return t.set.MaxPasses
	}
	const patience, least, mostDefault = 4, 100, 2_000_000
	x := t.problem.Rows()
	cells := float64(len(x.Value))/float64(x.NumRows) + 1
	if t.set.Scaling == ZScore {
		cells = float64(x.NumCols) + 1 // which is |x|^2 on the average, on sparse rows, too
	}
	passes := least + 4*cells/(t.lambda*float64(x.NumRows))
	return int(min(patience*passes*max(1, 0.01/max(gap, 1e-12)), mostDefault))
}

// stalled reports whether a solve has come to the default bound on its passes: what
// builds on it would stall as well.
func (t *training) stalled(status Status) bool {
	return status == PassLimit && t.set.MaxPasses == 0
}

// abandon ends a training that has stalled at s: with its tree, as it is, or a better
// model that is known.
func (t *training) abandon(s *solver.Solver) (*Model, *Trace, error) {
	s = s.Clone()
	s.SetEdges(s.SpanningTree(t.set.Seed))
	return t.finish(s, s.Certify(t.set.Workers), PassLimit)
}
