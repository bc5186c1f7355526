package results

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/internal/cputime"
)

// maker makes the files of one part.
type maker struct {
	Options
	part Part
	// compute is experiment.Experiment.Run, and skip is nil, except in tests of what a
	// full run would do.
	compute func(experiment.Experiment, context.Context) (*experiment.Table, error)
	skip    func(name []string)

	cpu float64 // seconds of the work so far, that which was found done too
}

// pick returns what a full run has, or a trial.
func pick[T any](mk *maker, full, quick T) T {
	if mk.Quick {
		return quick
	}
	return full
}

// cellFolder returns a folder for cells. A trial has its own, so that it never
// takes the place of a cell that took long.
func (mk *maker) cellFolder(name string) string {
	return filepath.Join(mk.Cells, pick(mk, "", "quick"), name)
}

// experiment runs e with cells of its own and tells how it goes.
func (mk *maker) experiment(ctx context.Context, name string, e experiment.Experiment) (*experiment.Table, error) {
	e.Folder, e.Workers = mk.cellFolder(name), mk.Workers
	e.Progress = func(p experiment.Progress) {
		fmt.Fprintf(mk.Log, "%s [%d/%d, %v left] %s\n", name, p.Done, p.Total, p.Left.Round(time.Second), p.Job)
	}
	table, err := mk.compute(e, ctx)
	if table == nil {
		return nil, err
	}
	for _, note := range table.Notes {
		fmt.Fprintf(mk.Log, "%s: %s\n", name, note)
	}
	for _, c := range table.Cells {
		mk.cpu += c.Elapsed().Seconds()
	}
	return table, err
}

// named returns sets for an experiment.
func (mk *maker) named(names ...string) []experiment.Set {
	sets := make([]experiment.Set, len(names))
	for k, name := range names {
		sets[k] = experiment.Set{Name: name, Load: func(uint64) (train, test *crankpkg.Dataset, err error) { return mk.Sets.Split(name) }}
	}
	return sets
}

// train trains t with all workers and returns the processor seconds of it too. What stops
// short of its gap is an outcome as well: the trace has it.
func (mk *maker) train(ctx context.Context, t crankpkg.Trainer, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, float64, error) {
	m, trace, cpu, err := mk.trainTelling(ctx, t, ds)
	if errors.Is(err, crankpkg.ErrNotConverged) {
		err = nil
	}
	return m, trace, cpu, err
}

// trainTelling is train that returns ErrNotConverged, too.
func (mk *maker) trainTelling(ctx context.Context, t crankpkg.Trainer, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, float64, error) {
	begin := cputime.Seconds()
	m, trace, err := adjust(t, func(s *crankpkg.Settings) { s.Workers = mk.Workers }).Train(ctx, ds)
	return m, trace, cputime.Seconds() - begin, err
}

func adjust(t crankpkg.Trainer, change func(*crankpkg.Settings)) crankpkg.Trainer {
	return t.(crankpkg.Adjustable).Adjust(change)
}

// done is what is kept of a piece of work.
type done[T any] struct {
	CPU   float64 // seconds
	Value T
}

// kept returns what work makes of the inputs, from the store where that has it
// under the name. The inputs are all that determines the value; see
// experiment.StoreKey.
func kept[T any](ctx context.Context, mk *maker, name []string, inputs []any, work func() (T, error)) (T, error) {
	var d done[T]
	if mk.skip != nil {
		mk.skip(name)
		return d.Value, nil
	}
	what := mk.part.Name + ": " + strings.Join(name, ", ")
	store, key := experiment.Store{Folder: mk.cellFolder(mk.part.Name)}, experiment.StoreKey(inputs...)
	found, note, err := store.Get(&d, key, name...)
	if note != "" {
		fmt.Fprintf(mk.Log, "%s: computed again: %s\n", what, note)
		d = done[T]{}
	}
	if err == nil && !found {
		err = ctx.Err()
		if err == nil {
			begin := cputime.Seconds()
			d.Value, err = work()
			d.CPU = cputime.Seconds() - begin
			if job, ok := any(d.Value).(JobResult); ok {
				d.CPU = max(d.CPU, job.CPU) // in a process of its own
			}
			if err == nil {
				err = ctx.Err() // a training that is cut when its gap is small enough tells no error, but has another model
			}
		}
		if err == nil {
			fmt.Fprintf(mk.Log, "%s: %.1f s of the processors\n", what, d.CPU)
			err = store.Put(d, key, name...)
		}
	}
	if err != nil {
		return d.Value, fmt.Errorf("%s: %w", strings.Join(name, ", "), err)
	}
	mk.cpu += d.CPU
	return d.Value, nil
}
