package crankpkg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// training is what every method needs while it trains: the checked settings,
// the scaled data and the trace under way.
type training struct {
	ctx       context.Context
	set       Settings
	lambda    float64
	ds        *Dataset
	scaler    Scaler
	problem   *solver.Problem
	numInputs int // columns of the rows that the weights are of
	trace     *Trace
	begin     time.Time
	deadline  time.Time
	fourier   FourierFeatures // resolved
	kernel    *feature.KernelBasis
	edges     EdgeFeatures   // resolved
	full      *solver.Solver // see allPairs
	svms      []*solver.SVM  // see solveSVMs
	telling   sync.Mutex
	told      time.Time // when Progress was last told
	known     knownModels
	// overTrees says that the final dual is a bound for every graph that known admits.
	overTrees bool
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

// What a method says of itself unless it says otherwise: it embeds its Settings.

func (Settings) check() error         { return nil }
func (Settings) meetsCycles(int) bool { return true }
func (Settings) takesGroups() error   { return nil }

// freeLabelsOnly is the error of takesGroups.
func freeLabelsOnly(what string) error {
	return fmt.Errorf("%w: %s takes labels without groups only", ErrSettings, what)
}

// train checks everything and lets the method learn, unless the store has what it would.
func train(ctx context.Context, method learner, ds *Dataset) (*Model, *Trace, error) {
	return storedOne(ctx, method, ds, func() (*Model, *Trace, error) {
		t, err := newTraining(ctx, method, ds)
		if err != nil {
			return nil, nil, err
		}
		return learn(method, t)
	})
}

// learn lets the method learn. A panic in a worker becomes an error; one in the
// goroutine of the caller stays what it is.
func learn(method learner, t *training) (m *Model, trace *Trace, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *parallel.Panic:
			m, trace, err = nil, nil, fmt.Errorf("%s: %w: %w", method.Name(), ErrInternal, v)
		default:
			panic(v)
		}
	}()
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
	if err := set.resolveLoss(method, ds); err != nil {
		return nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	scaler, err := feature.FitScalerTo(set.Scaling, ds.X, ds.Y)
	if span := (*feature.SpanError)(nil); errors.As(err, &span) {
		span.Name = ds.FeatureNames[span.Feature]
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	fourier := set.Fourier.Resolve(ds.NumFeatures())
	x, kernel, err := feature.MapTraining(scaler, fourier, set.Kernel, ds.X)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	edges, err := set.EdgeFeatures.Resolve(x.NumCols)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method.Name(), err)
	}
	t := &training{
		ctx: ctx, set: set, ds: ds, scaler: scaler, fourier: fourier, kernel: kernel, edges: edges, numInputs: x.NumCols,
		problem: solver.NewProblem(x, ds.Y, ds.NumLabels(), set.Loss, edges.Matrix(x), ds.Groups),
	}
	if t.problem.InGroups() {
		if err := method.takesGroups(); err != nil {
			return nil, err
		}
	}
	if err := t.problem.CheckLoss(method.meetsCycles(t.problem.NumVertices())); err != nil {
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
	t.known, t.overTrees = knownModels{}, false
	t.begin = time.Now()
	if t.set.MaxTime > 0 {
		t.deadline = t.begin.Add(t.set.MaxTime)
	}
}

// allPairs returns the solver of the full problem at the training's lambda,
// solved to the relative gap. It is kept: change a clone of it. Last says that it is the
// model to learn.
func (t *training) allPairs(gap float64, last bool) (*solver.Solver, solver.Bounds, Status) {
	if t.full == nil {
		t.full = solver.New(t.problem, labelgraph.AllPairs(t.problem.NumVertices()), t.lambda)
	} else {
		t.full.SetLambda(t.lambda)
		t.full.ResetCounts()
	}
	b, status := t.solveBy(t.full, t.crewOf(1, last), gap, "all pairs")
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
	if err := errors.Join(s.Loss.Validate(), feature.ValidateSettings(s.Fourier, s.Kernel, s.EdgeFeatures), s.Powerset.Validate()); err != nil {
		return err
	}
	if !(s.HingeCap >= 0) || math.IsInf(s.HingeCap, 0) {
		return fmt.Errorf("%w: HingeCap %v", ErrSettings, s.HingeCap)
	}
	s.Gap = cmp.Or(s.Gap, 0.01)
	s.Workers = parallel.Workers(s.Workers)
	return nil
}

// resolveLoss writes out the costs of the label loss, and refuses them where they cannot be
// trained.
func (s *Settings) resolveLoss(method learner, ds *Dataset) (err error) {
	_, alone := method.(Empty)
	switch {
	case !s.Loss.IsPlain() && s.HingeCap > 0:
		return fmt.Errorf("%w: HingeCap takes a Loss without Squared and Costs", ErrSettings)
	case s.Loss.Costs != nil && !s.Loss.Squared && !alone:
		return fmt.Errorf("%w: Loss: Costs with pairs need Squared", ErrSettings)
	}
	s.Loss, err = s.Loss.Resolve(ds.Y, ds.NumLabels())
	return err
}

// checkGap returns an error unless gap is in [0, 1).
func checkGap(field string, gap float64) error {
	if !(gap >= 0 && gap < 1) {
		return fmt.Errorf("%w: %s %v is not in [0, 1)", ErrSettings, field, gap)
	}
	return nil
}

// solve runs s to the relative gap and keeps its bounds in the trace.
func (t *training) solve(s *solver.Solver, gap float64, phase string) (solver.Bounds, Status) {
	return t.solveBy(s, t.crewOf(1, false), gap, phase)
}

// solveLast is solve for the weights of the model.
func (t *training) solveLast(s *solver.Solver, gap float64, phase string) (solver.Bounds, Status) {
	return t.solveBy(s, t.crewOf(1, true), gap, phase)
}

func (t *training) solveBy(s *solver.Solver, by crew, gap float64, phase string) (solver.Bounds, Status) {
	b, status := t.solveInto(&t.trace.Points, s, by, t.set.Seed, gap, phase)
	t.trace.Passes, t.trace.OracleCalls = s.Counts()
	return b, status
}

// count adds the work of a solver since it was cloned to the trace.
func (t *training) count(from, to *solver.Solver) {
	passes, calls := to.Counts()
	before, callsBefore := from.Counts()
	t.trace.Passes += passes - before
	t.trace.OracleCalls += calls - callsBefore
}

// crew tells who works on a solve, and whether it is for the weights of a model, so
// that the best ones on the way are worth keeping.
type crew struct {
	workers, shards int
	last            bool
	place           int     // among the solves side by side
	next            float64 // see solver.StopRule
}

// crewOf returns the crew of each of so many solves side by side.
func (t *training) crewOf(solves int, last bool) crew {
	return crew{workers: max(1, t.set.Workers/solves), shards: t.set.Shards, last: last}
}

// solveInto runs s to the relative gap and adds its bounds to points.
func (t *training) solveInto(points *[]TracePoint, s *solver.Solver, by crew, seed uint64, gap float64, phase string) (solver.Bounds, Status) {
	solve := 0
	if k := len(*points); k > 0 {
		solve = (*points)[k-1].Solve + 1
	}
	record := func(b solver.Bounds) {
		passes, calls := s.Counts()
		*points = append(*points, TracePoint{
			Solve: solve, Pass: passes, OracleCalls: calls, Elapsed: time.Since(t.begin) - s.OffTheClock(),
			Primal: b.Primal, Dual: b.Dual, Support: s.SupportSize(),
		})
		t.tell(phase, passes, b)
	}
	certified := func(b solver.Bounds) {
		record(b)
		if by.last && (b.Gap() > gap || t.set.HingeCap > 0) {
			t.known.keep(s.Capped(b, t.set.HingeCap), by.place, func() *Model { return t.modelOf(s) })
		}
	}
	rule := solver.StopRule{
		Gap: gap, Passes: t.mostPasses(gap), Early: t.set.MaxPasses == 0, Deadline: t.deadline, Workers: by.workers, Shards: by.shards, Seed: seed, Record: certified, Next: by.next,
	}
	if t.set.EveryPass {
		rule.EveryPass = record
	}
	return s.Solve(t.ctx, rule)
}

// tell reports progress, at most a few times a second and from one goroutine
// at a time.
func (t *training) tell(phase string, pass int, b solver.Bounds) {
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
		Primal: b.Primal, Dual: b.Dual, Elapsed: time.Since(t.begin),
	})
}

// finish turns the state of s, or a better model where it has not converged, into the
// outcome, and closes the trace.
func (t *training) finish(s *solver.Solver, b solver.Bounds, status Status) (*Model, *Trace, error) {
	s, b, status = t.capHinges(s, b, status)
	m := t.modelOf(s)
	if t.set.HingeCap > 0 {
		t.known.keep(s.Capped(s.Certify(t.set.Workers), t.set.HingeCap), 0, func() *Model { return m })
	}
	return t.deliver(m, b, status)
}

// newModel returns a model without any weight.
func (t *training) newModel() *Model {
	m := &Model{
		Method: t.trace.Method, Lambda: t.lambda,
		FeatureNames: slices.Clone(t.ds.FeatureNames), LabelNames: slices.Clone(t.ds.LabelNames),
		Coding: t.ds.Coding.Clone(),
		Scaler: t.scaler, Fourier: t.fourier, Unary: make([]float64, t.ds.NumLabels()*(t.numInputs+1)),
		Groups: slices.Clone(t.ds.Groups), Kernel: t.kernel.Kept(), Rule: decision.Rule{Least: t.set.Loss.Least, Most: t.set.Loss.Most},
	}
	t.set.Powerset.Restrict(m, t.ds)
	return m
}
