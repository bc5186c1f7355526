package experiment

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// smallExperiment has two sets, two trainers and two seeds: 8 cells.
func smallExperiment() Experiment {
	p := crankpkg.PlantedTree{N: 4, D: 2, Noise: 0.05}
	return Experiment{
		Sets:     []Set{PlantedSet("small", p, 20, 30), PlantedSet("larger", p, 40, 30)},
		Trainers: []crankpkg.Trainer{crankpkg.Empty{Lambda: 0.05}, crankpkg.ChowLiu{Lambda: 0.05}},
		Seeds:    []uint64{1, 2},
	}
}

// timeless returns the cells without what differs from run to run.
func timeless(t *Table) []Cell {
	cells := append([]Cell(nil), t.Cells...)
	for k := range cells {
		cells[k].SelectTime, cells[k].TrainTime, cells[k].TestTime = 0, 0, 0
	}
	return cells
}

func run(t *testing.T, e Experiment) *Table {
	t.Helper()
	table, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestExperimentCells(t *testing.T) {
	e := smallExperiment()
	e.Workers = 1
	table := run(t, e)
	if len(table.Cells) != 8 || !reflect.DeepEqual(table.Sets, []string{"small", "larger"}) || !reflect.DeepEqual(table.Methods, []string{"Empty", "Chow-Liu"}) {
		t.Fatalf("%d cells of %v x %v", len(table.Cells), table.Sets, table.Methods)
	}
	// One cell by hand.
	train, test, _ := crankpkg.PlantedTree{N: 4, D: 2, Noise: 0.05, Seed: 2}.Generate(40, 30)
	m, trace, err := crankpkg.ChowLiu{Lambda: 0.05, Settings: crankpkg.Settings{Seed: 2}}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	predicted := make([]uint8, len(test.Y))
	m.Predictor().PredictAllTo(predicted, test.X, 1)
	c := table.Runs("larger", "Chow-Liu")[1]
	if c.Seed != 2 || c.Scores != metrics.Evaluate(test.Y, predicted, 4) || c.Primal != trace.Primal || c.Dual != trace.Dual ||
		c.Lambda != 0.05 || c.Train != 40 || c.Test != 30 || !reflect.DeepEqual(c.Edges, m.Edges) || c.TrainTime <= 0 {
		t.Errorf("cell %+v, by hand %v", c, trace)
	}
	e.Workers = 5
	if again := run(t, e); !reflect.DeepEqual(timeless(again), timeless(table)) {
		t.Error("the number of workers changes the cells")
	}
}

func TestExperimentSelect(t *testing.T) {
	e := smallExperiment()
	e.Select = &crossval.Search{Lambdas: []float64{1, 0.01}, Folds: 3, Scalings: []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore}, Seed: 4}
	c := run(t, e).Runs("small", "Empty")[1]
	train, _, _ := crankpkg.PlantedTree{N: 4, D: 2, Noise: 0.05, Seed: 2}.Generate(20, 0)
	cv := *e.Select
	cv.Trainer, cv.Seed = crankpkg.Empty{Settings: crankpkg.Settings{Seed: 2}}, 6
	s, err := cv.Run(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c.Selection, s) || c.Lambda != s.Lambda() || c.Scaling != s.Scaling() || c.SelectTime <= 0 {
		t.Errorf("%v, by hand %v", c.Selection, s)
	}
	// Chow-Liu with the lambda that Empty would choose.
	e.SelectWith = func(t crankpkg.Trainer) crankpkg.Trainer {
		return crankpkg.Empty{Settings: t.(crankpkg.ChowLiu).Settings}
	}
	e.Trainers = e.Trainers[1:]
	c = run(t, e).Runs("small", "Chow-Liu")[1]
	if !reflect.DeepEqual(c.Selection, s) || c.Lambda != s.Lambda() || c.Method != "Chow-Liu" || len(c.Edges) == 0 {
		t.Errorf("%v, by hand %v", c.Selection, s)
	}
}

func TestExperimentPrepare(t *testing.T) {
	e := smallExperiment()
	e.Sets[1].Prepare = func(t crankpkg.Trainer) crankpkg.Trainer {
		t, _ = crankpkg.Adjust(t, func(s *crankpkg.Settings) { s.Scaling = crankpkg.ZScore })
		return t.WithLambda(0.5)
	}
	table := run(t, e)
	if c := table.Runs("small", "Empty")[0]; c.Lambda != 0.05 || c.Scaling != crankpkg.NoScaling {
		t.Errorf("%v %q", c.Lambda, c.Scaling)
	}
	if c := table.Runs("larger", "Empty")[0]; c.Lambda != 0.5 || c.Scaling != crankpkg.ZScore {
		t.Errorf("%v %q", c.Lambda, c.Scaling)
	}
}

// counted counts trainings.
type counted struct {
	crankpkg.Trainer
	count *atomic.Int64
}

func (c counted) Train(ctx context.Context, train *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	c.count.Add(1)
	return c.Trainer.Train(ctx, train)
}

// countedExperiment is smallExperiment where count tells the trainings. A
// counted trainer is keyed by the address of its counter, so one experiment has
// to keep the same one.
func countedExperiment(count *atomic.Int64) Experiment {
	e := smallExperiment()
	for k, t := range e.Trainers {
		e.Trainers[k] = counted{t, count}
	}
	return e
}

// silent is interrupted by the end of its training, and tells no error: its gap is small enough.
type silent struct {
	crankpkg.Trainer
	interrupt func()
}

func (s silent) Train(_ context.Context, train *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	m, trace, err := s.Trainer.Train(context.Background(), train)
	s.interrupt()
	return m, trace, err
}

// TestInterruptedCellIsNotKept: a model of a training that was interrupted may be another one, and is neither in the table nor in the folder.
func TestInterruptedCellIsNotKept(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e := smallExperiment()
	e.Trainers, e.Workers, e.Folder = []crankpkg.Trainer{silent{crankpkg.Empty{Lambda: 0.05}, cancel}}, 1, t.TempDir()
	table, err := e.Run(ctx)
	files, readErr := os.ReadDir(e.Folder)
	if !errors.Is(err, context.Canceled) || len(table.Cells) != 0 || readErr != nil || len(files) != 0 {
		t.Errorf("%+v, error %v, left %v, error %v", table, err, files, readErr)
	}
}

func TestExperimentResume(t *testing.T) {
	var count atomic.Int64
	e := countedExperiment(&count)
	whole := run(t, e)
	e.Folder, e.Workers = filepath.Join(t.TempDir(), "cells"), 1
	count.Store(0)
	// Cut after three cells.
	ctx, cancel := context.WithCancel(context.Background())
	e.Progress = func(p Progress) {
		if p.Total != 8 || p.Left < 0 {
			t.Errorf("progress %+v", p)
		}
		if p.Done == 3 {
			cancel()
		}
	}
	part, err := e.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(part.Cells) != 3 || count.Load() != 3 {
		t.Fatalf("%d cells, %d trainings: %v", len(part.Cells), count.Load(), err)
	}
	// Resume: only the other five are trained.
	e.Progress = nil
	again := run(t, e)
	if count.Load() != 8 {
		t.Errorf("%d trainings and not 8", count.Load())
	}
	if !reflect.DeepEqual(timeless(again), timeless(whole)) {
		t.Error("a run that was cut and resumed differs from one that was not")
	}
	// Once more: nothing is trained, and even the times are those kept.
	if third := run(t, e); count.Load() != 8 || !reflect.DeepEqual(third, again) {
		t.Errorf("%d trainings, or another table", count.Load())
	}
}

func TestExperimentFolderFaults(t *testing.T) {
	var count atomic.Int64
	e := countedExperiment(&count)
	e.Folder = t.TempDir()
	whole := run(t, e)
	path := filepath.Join(e.Folder, "small,Empty,1.json")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string]string{
		"cut":      string(good[:len(good)/2]),
		"empty":    "",
		"no JSON":  "x",
		"no cell":  "{}",
		"one word": strings.Replace(string(good), `"Train":20`, `"Train":21`, 1),
	}
	for name, text := range damage {
		if text == string(good) {
			t.Fatalf("%s: nothing damaged", name)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		count.Store(0)
		table := run(t, e)
		if count.Load() != 1 || len(table.Notes) != 1 || !strings.Contains(table.Notes[0], "damaged") || !strings.Contains(table.Notes[0], path) {
			t.Errorf("%s: %d trainings, notes %q", name, count.Load(), table.Notes)
		}
		if !reflect.DeepEqual(timeless(table), timeless(whole)) {
			t.Errorf("%s: another table", name)
		}
	}
	// Other data, another lambda: the files of that set are stale.
	for name, change := range map[string]func(*Experiment){
		"data": func(e *Experiment) {
			e.Sets[0] = PlantedSet("small", crankpkg.PlantedTree{N: 4, D: 2, Noise: 0.06}, 20, 30)
		},
		"lambda": func(e *Experiment) {
			e.Sets[0].Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return t.WithLambda(0.1) }
		},
	} {
		other := countedExperiment(&count)
		other.Folder = t.TempDir()
		copyFiles(t, e.Folder, other.Folder)
		change(&other)
		table := run(t, other)
		if len(table.Notes) != 4 || !strings.Contains(table.Notes[0], "other data or settings") {
			t.Errorf("%s: notes %q", name, table.Notes)
		}
	}
}

func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// failing fails on training sets of 20 examples.
type failing struct{ crankpkg.Trainer }

func (f failing) Train(ctx context.Context, train *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	if train.Len() == 20 {
		return nil, nil, errors.New("too small")
	}
	return f.Trainer.Train(ctx, train)
}

func TestExperimentFailingCells(t *testing.T) {
	e := smallExperiment()
	e.Trainers[1] = failing{e.Trainers[1]}
	table, err := e.Run(context.Background())
	if err == nil || strings.Count(err.Error(), "too small") != 2 || !strings.Contains(err.Error(), "small, Chow-Liu, seed 2") {
		t.Errorf("error %v", err)
	}
	if len(table.Cells) != 6 {
		t.Errorf("%d cells: the others do not depend on those that fail", len(table.Cells))
	}
	if text := table.Markdown(); strings.Count(text, missing) != 4 {
		t.Errorf("missing values are not marked:\n%s", text)
	}
}

func TestExperimentErrors(t *testing.T) {
	bad := errors.New("no data today")
	for name, test := range map[string]struct {
		change func(*Experiment)
		want   error
	}{
		"no sets":     {func(e *Experiment) { e.Sets = nil }, crankpkg.ErrSettings},
		"no trainers": {func(e *Experiment) { e.Trainers = nil }, crankpkg.ErrSettings},
		"nil trainer": {func(e *Experiment) { e.Trainers[0] = nil }, crankpkg.ErrSettings},
		"same names":  {func(e *Experiment) { e.Trainers[0] = crankpkg.ChowLiu{} }, crankpkg.ErrSettings},
		"same sets":   {func(e *Experiment) { e.Sets[0].Name = "larger" }, crankpkg.ErrSettings},
		"same seeds":  {func(e *Experiment) { e.Seeds = []uint64{3, 3} }, crankpkg.ErrSettings},
		"unknown set": {func(e *Experiment) { e.Sets = NamedSets("yeest") }, crankpkg.ErrNotFound},
		"failing load": {func(e *Experiment) {
			e.Sets[0].Load = func(uint64) (a, b *crankpkg.Dataset, err error) { return nil, nil, bad }
		}, bad},
		"empty test":  {func(e *Experiment) { e.Sets[0] = PlantedSet("none", crankpkg.PlantedTree{}, 5, 0) }, crankpkg.ErrData},
		"bad setting": {func(e *Experiment) { e.Trainers[0] = crankpkg.Empty{Settings: crankpkg.Settings{Gap: -1}} }, crankpkg.ErrSettings},
	} {
		e := smallExperiment()
		test.change(&e)
		if _, err := e.Run(context.Background()); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamed(t *testing.T) {
	ctx := context.Background()
	train, _, _ := crankpkg.PlantedTree{N: 3, D: 2}.Generate(20, 0)
	n := crankpkg.Named("raw", crankpkg.Empty{Lambda: 1}).WithLambda(0.5)
	n, ok := crankpkg.Adjust(n, func(s *crankpkg.Settings) { s.Scaling = crankpkg.ZScore })
	m, trace, err := n.Train(ctx, train)
	if err != nil || !ok || n.Name() != "raw" || m.Method != "raw" || trace.Method != "raw" || m.Lambda != 0.5 || m.Scaler.Kind != crankpkg.ZScore {
		t.Errorf("%+v %+v %v", m, trace, err)
	}
	// Cells of different methods under one name have different keys.
	data, err := loadCellData(PlantedSet("p", crankpkg.PlantedTree{N: 3, D: 2}, 5, 5), 1)
	if err != nil {
		t.Fatal(err)
	}
	var e Experiment
	keys := map[string]bool{}
	for _, trainer := range []crankpkg.Trainer{crankpkg.Named("x", crankpkg.Empty{}), crankpkg.Named("x", crankpkg.Full{}), crankpkg.Named("y", crankpkg.Full{}), crankpkg.Named("x", crankpkg.Full{Lambda: 1})} {
		keys[e.newCell(Set{Name: "p"}, trainer, 1, data).key] = true
	}
	if len(keys) != 4 {
		t.Errorf("%d keys for 4 cells", len(keys))
	}
}
