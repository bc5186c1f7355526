package crankpkg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

// training is what every method needs while it trains: the checked settings,
// the scaled data and the trace under way.
type training struct {
	ctx       context.Context
	set       Settings
	lambda    float64
	ds        *Dataset
	scaler    Scaler
	problem   *problem
	numInputs int // columns of the rows that the weights are of
	trace     *Trace
	begin     time.Time
	deadline  time.Time
	fourier   FourierFeatures // resolved
	edges     EdgeFeatures    // resolved
	full      *solver         // see allPairs
	svms      []*binarySVM    // see solveSVMs
	telling   sync.Mutex
	told      time.Time // when Progress was last told
}

// learner is a Trainer of this package: what it learns with and how.
type learner interface {
	Trainer
	common() (lambda float64, set Settings)
	check() error // of the settings of its own
	// meetsCycles reports whether it can come to graphs over n vertices with cycles,
	// where only label losses that are sums over labels can be relaxed.
	meetsCycles(n int) bool
	// takesGroups returns an error unless it learns labels in groups, too.
	takesGroups() error
	learn(t *training) (*Model, *Trace, error)
}

// freeLabelsOnly is the error of takesGroups.
func freeLabelsOnly(what string) error {
	return fmt.Errorf("%w: %s takes labels without groups only", ErrSettings, what)
}

// train checks everything and lets the method learn.
func train(ctx context.Context, method learner, ds *Dataset) (*Model, *Trace, error) {
	t, err := newTraining(ctx, method, ds)
	if err != nil {
		return nil, nil, err
	}
	return method.learn(t)
}

// newTraining checks settings and data, fills in the defaults, and scales.
func newTraining(ctx context.Context, method learner, ds *Dataset) (*training, error) {
	if err := ds.Validate(); err != nil {
		return nil, err
	}
	lambda, set := method.common()
	if err := errors.Join(checkLambda(lambda), set.complete(), method.check()); err != nil {
		return nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	scaler, err := FitScaler(set.Scaling, ds.X)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	var x *Matrix
	fourier := set.Fourier.resolve(ds.NumFeatures())
	if fourier.Count > 0 {
		x = newFourierMap(fourier, scaler, ds.NumFeatures()).rows(ds.X, 0, ds.Len())
	} else {
		x = scaler.Apply(ds.X)
	}
	edges, err := set.EdgeFeatures.resolve(x.NumCols)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	t := &training{
		ctx: ctx, set: set, ds: ds, scaler: scaler, fourier: fourier, edges: edges, numInputs: x.NumCols,
		problem: newProblem(x, ds.Y, ds.NumLabels(), set.Loss, edges.matrix(x), ds.Groups),
	}
	if t.problem.inGroups() {
		if err := method.takesGroups(); err != nil {
			return nil, err
		}
	}
	if err := t.problem.checkLoss(method.meetsCycles(t.problem.numVertices())); err != nil {
		return nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	t.restart(method.Name(), lambda)
	return t, nil
}

// restart opens a new trace at another lambda (zero means 1/M). What has been
// solved before is where the next solves start from.
func (t *training) restart(method string, lambda float64) {
	t.lambda = cmp.Or(lambda, 1/float64(t.ds.Len()))
	t.trace = &Trace{Method: method, Lambda: t.lambda, Seed: t.set.Seed}
	t.begin = time.Now()
	if t.set.MaxTime > 0 {
		t.deadline = t.begin.Add(t.set.MaxTime)
	}
}

// allPairs returns the solver of the full problem at the training's lambda,
// solved to the relative gap. It is kept: change a clone of it.
func (t *training) allPairs(gap float64) (*solver, bounds, Status) {
	if t.full == nil {
		t.full = newSolver(t.problem, AllPairs(t.problem.numVertices()), t.lambda)
	} else {
		t.full.setLambda(t.lambda)
		t.full.resetCounts()
	}
	b, status := t.solve(t.full, gap, "all pairs")
	return t.full, b, status
}

func checkLambda(lambda float64) error {
	if !(lambda >= 0 && lambda < 1e12) {
		return fmt.Errorf("%w: Lambda %v is not positive", ErrSettings, lambda)
	}
	return nil
}

// complete checks the settings and fills in the defaults.
func (s *Settings) complete() error {
	switch {
	case s.MaxPasses < 0:
		return fmt.Errorf("%w: MaxPasses %d is negative", ErrSettings, s.MaxPasses)
	case s.MaxTime < 0:
		return fmt.Errorf("%w: MaxTime %v is negative", ErrSettings, s.MaxTime)
	case s.Shards < 0:
		return fmt.Errorf("%w: Shards %d is negative", ErrSettings, s.Shards)
	case s.Workers < 0:
		return fmt.Errorf("%w: Workers %d is negative", ErrSettings, s.Workers)
	}
	if err := checkGap("Gap", s.Gap); err != nil {
		return err
	}
	if err := errors.Join(s.Loss.check(), s.Fourier.check(), s.Seen.Validate()); err != nil {
		return err
	}
	if !(s.HingeCap >= 0) || math.IsInf(s.HingeCap, 0) {
		return fmt.Errorf("%w: HingeCap %v", ErrSettings, s.HingeCap)
	}
	s.Gap = cmp.Or(s.Gap, 0.01)
	s.Workers = workerCount(s.Workers)
	return nil
}

// checkGap returns an error unless gap is in [0, 1).
func checkGap(field string, gap float64) error {
	if !(gap >= 0 && gap < 1) {
		return fmt.Errorf("%w: %s %v is not in [0, 1)", ErrSettings, field, gap)
	}
	return nil
}

// solve runs s to the relative gap and keeps its bounds in the trace.
func (t *training) solve(s *solver, gap float64, phase string) (bounds, Status) {
	b, status := t.solveInto(&t.trace.Points, s, t.crewOf(1), t.set.Seed, gap, phase)
	t.trace.Passes, t.trace.OracleCalls = s.counts()
	return b, status
}

// count adds the work of a solver since it was cloned to the trace.
func (t *training) count(from, to *solver) {
	passes, calls := to.counts()
	before, callsBefore := from.counts()
	t.trace.Passes += passes - before
	t.trace.OracleCalls += calls - callsBefore
}

// crew tells who works on a solve.
type crew struct{ workers, shards int }

// crewOf returns the crew of each of so many solves side by side.
func (t *training) crewOf(solves int) crew {
	return crew{max(1, t.set.Workers/solves), t.set.Shards}
}

// solveInto runs s to the relative gap and adds its bounds to points.
func (t *training) solveInto(points *[]TracePoint, s *solver, by crew, seed uint64, gap float64, phase string) (bounds, Status) {
	solve := 0
	if k := len(*points); k > 0 {
		solve = (*points)[k-1].Solve + 1
	}
	record := func(b bounds) {
		passes, calls := s.counts()
		*points = append(*points, TracePoint{
			Solve: solve, Pass: passes, OracleCalls: calls, Elapsed: time.Since(t.begin) - s.offTheClock(),
			Primal: b.primal, Dual: b.dual, Support: s.supportSize(),
		})
		t.tell(phase, passes, b)
	}
	rule := stopRule{
		gap: gap, passes: t.set.MaxPasses, deadline: t.deadline, workers: by.workers, shards: by.shards, seed: seed, record: record,
	}
	if t.set.EveryPass {
		rule.everyPass = record
	}
	return s.solve(t.ctx, rule)
}

// tell reports progress, at most a few times a second and from one goroutine
// at a time.
func (t *training) tell(phase string, pass int, b bounds) {
	if t.set.Progress == nil {
		return
	}
	t.telling.Lock()
	defer t.telling.Unlock()
	if time.Since(t.told) < 200*time.Millisecond {
		return
	}
	t.told = time.Now()
	t.set.Progress(Progress{
		Method: t.trace.Method, Phase: phase, Pass: pass,
		Primal: b.primal, Dual: b.dual, Elapsed: time.Since(t.begin),
	})
}

// finish turns the state of s into the model and closes the trace. Its error
// wraps that of the context when it ended the work.
func (t *training) finish(s *solver, b bounds, status Status) (*Model, *Trace, error) {
	s, b, status = t.capHinges(s, b, status)
	m := t.newModel()
	m.EdgeFeatures = t.edges
	for i := range m.NumLabels() {
		s.unaryTo(m.UnaryWeights(i), i)
	}
	m.Edges, m.Pair, m.PairFeatures = s.pairsOfModel()
	return m, t.trace, t.close(b, status)
}

// newModel returns a model without any weight.
func (t *training) newModel() *Model {
	m := &Model{
		Method: t.trace.Method, Lambda: t.lambda,
		FeatureNames: t.ds.FeatureNames, LabelNames: t.ds.LabelNames,
		Scaler: t.scaler, Fourier: t.fourier, Unary: make([]float64, t.ds.NumLabels()*(t.numInputs+1)),
		Groups: t.ds.Groups,
	}
	t.set.Seen.Restrict(m, t.ds)
	return m
}

// close ends the trace with the final certificate.
func (t *training) close(b bounds, status Status) error {
	t.trace.Primal, t.trace.Dual, t.trace.Status = b.primal, b.dual, status
	t.trace.Elapsed = time.Since(t.begin)
	if math.IsNaN(b.primal) || math.IsInf(b.primal, 0) {
		return fmt.Errorf("%w: %s: the objective is %v: the features or 1/lambda are too large", ErrData, t.trace.Method, b.primal)
	}
	if status == Cancelled {
		return fmt.Errorf("%s: stopped at relative gap %.3g: %w", t.trace.Method, b.gap(), cause(t.ctx))
	}
	return nil
}
