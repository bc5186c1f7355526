package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Experiment trains and tests several methods on several data sets: one cell
// for each set, trainer and seed. Its zero fields mean the documented defaults.
//
//	table, err := experiment.Experiment{
//		Sets:     experiment.NamedSets("scene", "yeast"),
//		Trainers: []crankpkg.Trainer{crankpkg.CRANK{}, crankpkg.Full{}, crankpkg.Empty{}},
//		Select:   &crossval.Search{},
//		Folder:   "cells",
//	}.Run(ctx)
//
// The scores of a cell do not depend on the other cells, on the number of
// workers or on whether the work was cut and resumed.
type Experiment struct {
	Sets []Set
	// Trainers have different names; see Named.
	Trainers []crankpkg.Trainer
	// Seeds are given to the sets' Load and, as Settings.Seed, to the trainers.
	// Empty means the seed 1 alone.
	Seeds []uint64
	// Select, where not nil, chooses lambda (and scaling) anew in each cell, on
	// the training examples. Its Trainer, Workers and Progress are not used, and
	// the cell's seed is added to its Seed.
	Select *crossval.Search
	// SelectWith, where not nil, returns what Select trains in place of a trainer:
	// the same method with fewer restarts, or a faster one whose lambda will do.
	SelectWith func(crankpkg.Trainer) crankpkg.Trainer
	// Folder, where not empty, keeps each finished cell in a file, so that a run
	// that was cut goes on where it stopped. A file from other data or settings,
	// or one that is damaged, is not used: the cell is computed again, and the
	// table's Notes say so. A new version of this package may compute other
	// values; give it a new folder.
	Folder string
	// Workers bounds the number of trainings at a time. Zero means all processors.
	Workers int
	// Progress, where not nil, is told of each cell that ends, from one goroutine
	// at a time. Cells found in Folder are not counted.
	Progress func(Progress)
}

// Progress tells how far the cells are.
type Progress = parallel.Progress

// Set is a data set of an Experiment.
type Set struct {
	Name string
	// Load returns the examples of one seed. Nil means LoadSplit(Name), the same
	// for each seed.
	Load func(seed uint64) (train, test *crankpkg.Dataset, err error)
	// Draws says that each seed draws examples anew, independent of those of the other seeds.
	// Otherwise test sets that differ are taken to be parts of the same examples, which is
	// the safe assumption when methods are compared.
	Draws bool
	// Prepare, where not nil, fits a trainer to this set: its lambda, its scaling.
	Prepare func(crankpkg.Trainer) crankpkg.Trainer
}

// NamedSets returns sets of the catalog with their published splits; see
// LoadSplit for the names.
func NamedSets(names ...string) []Set {
	sets := make([]Set, len(names))
	for k, name := range names {
		sets[k].Name = name
	}
	return sets
}

// FittedSet returns a set of the catalog with its published split, on which all methods have
// this lambda and scaling.
func FittedSet(name string, lambda float64, scaling crankpkg.Scaling) Set {
	return Set{Name: name, Prepare: func(t crankpkg.Trainer) crankpkg.Trainer {
		t, _ = crankpkg.Adjust(t.WithLambda(lambda), func(s *crankpkg.Settings) { s.Scaling = scaling })
		return t
	}}
}

// SeededSplits returns a set of the catalog that is split anew for each seed;
// see LoadSeededSplit.
func SeededSplits(name string, trainShare float64) Set {
	return Set{Name: name, Load: func(seed uint64) (train, test *crankpkg.Dataset, err error) {
		return crankpkg.LoadSeededSplit(name, trainShare, seed)
	}}
}

// PlantedSet returns synthetic data with another planted tree for each seed,
// which takes the place of p.Seed.
func PlantedSet(name string, p crankpkg.PlantedTree, numTrain, numTest int) Set {
	return Set{Name: name, Draws: true, Load: func(seed uint64) (train, test *crankpkg.Dataset, err error) {
		p := p
		p.Seed = seed
		train, test, _ = p.Generate(numTrain, numTest)
		return train, test, nil
	}}
}

// Run computes the cells that Folder does not have. When ctx ends the work
// early, or some cells fail, it returns the table of the others and an error
// that wraps ctx.Err() or the errors of the cells, with the names of set and
// method.
func (e Experiment) Run(ctx context.Context) (*Table, error) {
	if err := e.complete(); err != nil {
		return nil, err
	}
	plan, notes, err := e.plan(ctx)
	if err != nil {
		return nil, err
	}
	failures := e.compute(ctx, plan)
	table := &Table{Seeds: e.Seeds, Measures: metrics.PaperMeasures(), Notes: notes}
	for _, set := range e.Sets {
		table.Sets = append(table.Sets, set.Name)
		if set.Draws {
			table.Draws = append(table.Draws, set.Name)
		}
	}
	for _, t := range e.Trainers {
		table.Methods = append(table.Methods, t.Name())
	}
	for _, p := range plan {
		if p.cell != nil {
			table.Cells = append(table.Cells, *p.cell)
		}
	}
	return table, errors.Join(failures...)
}

// complete checks the fields and fills in the defaults.
func (e *Experiment) complete() error {
	if len(e.Sets) == 0 || len(e.Trainers) == 0 {
		return fmt.Errorf("%w: experiment with %d sets and %d trainers", crankpkg.ErrSettings, len(e.Sets), len(e.Trainers))
	}
	if len(e.Seeds) == 0 {
		e.Seeds = []uint64{1}
	}
	if e.Workers <= 0 {
		e.Workers = runtime.GOMAXPROCS(0)
	}
	sets, methods, seeds := map[string]bool{}, map[string]bool{}, map[uint64]bool{}
	for k, set := range e.Sets {
		if sets[set.Name] {
			return inField(itemPath("sets", k), fmt.Errorf("%w: two sets are called %q", crankpkg.ErrSettings, set.Name))
		}
		sets[set.Name] = true
	}
	for k, t := range e.Trainers {
		switch {
		case t == nil:
			return fmt.Errorf("%w: Trainers[%d] is nil", crankpkg.ErrSettings, k)
		case methods[t.Name()]:
			return inField(itemPath("methods", k), fmt.Errorf("%w: two trainers are called %q; see Named", crankpkg.ErrSettings, t.Name()))
		}
		methods[t.Name()] = true
	}
	for k, seed := range e.Seeds {
		if seeds[seed] {
			return inField(itemPath("seeds", k), fmt.Errorf("%w: the seed %d occurs twice", crankpkg.ErrSettings, seed))
		}
		seeds[seed] = true
	}
	return nil
}

// plan loads the data and lists all cells: by set, then trainer, then seed. Those
// that the folder has are filled in.
func (e *Experiment) plan(ctx context.Context) ([]*plannedCell, []string, error) {
	var plan []*plannedCell
	var notes []string
	for _, set := range e.Sets {
		data := make([]*cellData, len(e.Seeds))
		for s, seed := range e.Seeds {
			if ctx.Err() != nil {
				return nil, nil, parallel.Cause(ctx)
			}
			var err error
			if data[s], err = loadCellData(set, seed); err != nil {
				return nil, nil, fmt.Errorf("%s, seed %d: %w", set.Name, seed, err)
			}
		}
		for _, t := range e.Trainers {
			for s, seed := range e.Seeds {
				p := e.newCell(set, t, seed, data[s])
				if e.Folder != "" {
					note, err := p.load(Store{e.Folder})
					if err != nil {
						return nil, nil, err
					}
					if note != "" {
						notes = append(notes, note)
					}
				}
				plan = append(plan, p)
			}
		}
	}
	return plan, notes, nil
}

// compute fills in the cells that are missing, those with most work first:
// the last cells to run then are short ones. It returns what went wrong.
func (e *Experiment) compute(ctx context.Context, plan []*plannedCell) []error {
	var todo []*plannedCell
	for _, p := range plan {
		if p.cell == nil {
			todo = append(todo, p)
		}
	}
	slices.SortStableFunc(todo, func(a, b *plannedCell) int { return cmp.Compare(b.work(), a.work()) })
	workers := max(1, e.Workers/max(1, len(todo))) // inside of a cell
	failed := make([]error, len(todo))
	group := parallel.Group{Workers: e.Workers, Progress: e.Progress, Left: func(done []bool) time.Duration { return timeLeft(plan, todo, done) }}
	err := group.Run(ctx, len(todo), func(k int) string {
		p := todo[k]
		cell, err := p.compute(ctx, workers)
		if err == nil && e.Folder != "" {
			err = Store{e.Folder}.Put(cell, p.key, p.name()...)
		}
		if err != nil {
			failed[k] = fmt.Errorf("%s: %w", p.describe(), err)
			return p.describe() + ": " + err.Error()
		}
		p.cell = cell
		return fmt.Sprintf("%s: %v", p.describe(), cell.Scores)
	})
	failed = slices.DeleteFunc(failed, func(e error) bool { return e == nil })
	if err != nil && len(failed) == 0 {
		failed = append(failed, err)
	}
	return failed
}

// timeLeft estimates the time of the cells not done yet, on one goroutine: that
// of other seeds of the same set and method, else by their work.
func timeLeft(plan, todo []*plannedCell, done []bool) time.Duration {
	type kind struct{ set, method string }
	sum, count := map[kind]time.Duration{}, map[kind]int{}
	var total time.Duration
	var size float64
	add := func(p *plannedCell) {
		if p.cell != nil {
			k := kind{p.cell.Set, p.cell.Method}
			sum[k] += p.cell.Elapsed()
			count[k]++
			total += p.cell.Elapsed()
			size += p.work()
		}
	}
	pending := map[*plannedCell]bool{}
	for k, p := range todo {
		pending[p] = !done[k]
	}
	for _, p := range plan {
		if !pending[p] {
			add(p)
		}
	}
	var left time.Duration
	for p, waiting := range pending {
		k := kind{p.set.Name, p.trainer.Name()}
		switch {
		case !waiting:
		case count[k] > 0:
			left += sum[k] / time.Duration(count[k])
		case size > 0:
			left += time.Duration(float64(total) * p.work() / size)
		}
	}
	return left
}
