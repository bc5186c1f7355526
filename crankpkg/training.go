package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// training is what every method needs while it trains: the checked settings,
// the scaled data and the trace under way.
type training struct {
	ctx      context.Context
	set      Settings
	lambda   float64
	ds       *Dataset
	scaler   Scaler
	problem  *problem
	trace    *Trace
	begin    time.Time
	deadline time.Time
	telling  sync.Mutex
	told     time.Time // when Progress was last told
}

// newTraining checks settings and data, fills in the defaults, and scales.
func newTraining(ctx context.Context, method string, lambda float64, set Settings, ds *Dataset) (*training, error) {
	if err := ds.Validate(); err != nil {
		return nil, err
	}
	if lambda == 0 {
		lambda = 1 / float64(ds.Len())
	}
	if !(lambda > 0) || lambda > 1e12 {
		return nil, fmt.Errorf("%w: %s: Lambda %v is not positive", ErrSettings, method, lambda)
	}
	if err := set.complete(); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	scaler, err := FitScaler(set.Scaling, ds.X)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	t := &training{
		ctx: ctx, set: set, lambda: lambda, ds: ds, scaler: scaler,
		problem: newProblem(scaler.Apply(ds.X), ds.Y, ds.NumLabels()),
		trace:   &Trace{Method: method, Lambda: lambda, Seed: set.Seed},
		begin:   time.Now(),
	}
	if set.MaxTime > 0 {
		t.deadline = t.begin.Add(set.MaxTime)
	}
	return t, nil
}

// complete checks the settings and fills in the defaults.
func (s *Settings) complete() error {
	switch {
	case s.MaxPasses < 0:
		return fmt.Errorf("%w: MaxPasses %d is negative", ErrSettings, s.MaxPasses)
	case s.MaxTime < 0:
		return fmt.Errorf("%w: MaxTime %v is negative", ErrSettings, s.MaxTime)
	case s.Workers < 0:
		return fmt.Errorf("%w: Workers %d is negative", ErrSettings, s.Workers)
	}
	if err := checkGap("Gap", s.Gap); err != nil {
		return err
	}
	s.Gap = orDefault(s.Gap, 0.01)
	if s.Workers == 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	return nil
}

// checkGap returns an error unless gap is in [0, 1).
func checkGap(field string, gap float64) error {
	if !(gap >= 0 && gap < 1) {
		return fmt.Errorf("%w: %s %v is not in [0, 1)", ErrSettings, field, gap)
	}
	return nil
}

// orDefault returns value, or the default where it is zero.
func orDefault[T int | float64](value, def T) T {
	if value == 0 {
		return def
	}
	return value
}

// solve runs s to the relative gap and keeps its bounds in the trace.
func (t *training) solve(s *solver, gap float64, phase string) (bounds, Status) {
	b, status := t.solveInto(&t.trace.Points, s, t.set.Workers, t.set.Seed, gap, phase)
	t.trace.Passes, t.trace.OracleCalls = s.passes, s.calls
	return b, status
}

// solveInto runs s to the relative gap and adds its bounds to points.
func (t *training) solveInto(points *[]TracePoint, s *solver, workers int, seed uint64, gap float64, phase string) (bounds, Status) {
	solve := 0
	if k := len(*points); k > 0 {
		solve = (*points)[k-1].Solve + 1
	}
	return s.solve(t.ctx, stopRule{
		gap: gap, passes: t.set.MaxPasses, deadline: t.deadline, workers: workers, seed: seed,
		record: func(b bounds) {
			*points = append(*points, TracePoint{
				Solve: solve, Pass: s.passes, OracleCalls: s.calls, Elapsed: time.Since(t.begin),
				Primal: b.primal, Dual: b.dual, Support: len(s.graph.Edges),
			})
			t.tell(phase, s.passes, b)
		},
	})
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
	m := t.newModel()
	for i := range s.n {
		s.unary.copyTo(m.UnaryWeights(i), i)
	}
	m.Edges, m.Pair = s.support()
	return m, t.trace, t.close(b, status)
}

// newModel returns a model without any weight.
func (t *training) newModel() *Model {
	return &Model{
		Method: t.trace.Method, Lambda: t.lambda,
		FeatureNames: t.ds.FeatureNames, LabelNames: t.ds.LabelNames,
		Scaler: t.scaler, Unary: make([]float64, t.ds.NumLabels()*(t.ds.NumFeatures()+1)),
	}
}

// close ends the trace with the final certificate.
func (t *training) close(b bounds, status Status) error {
	t.trace.Primal, t.trace.Dual, t.trace.Status = b.primal, b.dual, status
	t.trace.Elapsed = time.Since(t.begin)
	if status == Cancelled {
		return fmt.Errorf("%s: stopped at relative gap %.3g: %w", t.trace.Method, b.gap(), cause(t.ctx))
	}
	return nil
}

// cause returns the context's error, with the cause where one was given.
func cause(ctx context.Context) error {
	if c := context.Cause(ctx); c != nil && !errors.Is(c, ctx.Err()) {
		return fmt.Errorf("%w: %w", ctx.Err(), c)
	}
	return ctx.Err()
}
