package experiment

import (
	"context"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/trainstore"
)

// TestBackAndForth changes a setting of an experiment and changes it back: with a store nothing is trained twice, and the
// table is the same, with or without a folder of cells.
func TestBackAndForth(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	ctx := trainstore.In(context.Background(), store)
	run := func(gap float64, folder string) (table *Table, trained int) {
		_, before := store.Counts()
		table, err := Experiment{
			Sets: smallSets(), Trainers: []crankpkg.Trainer{crankpkg.Full{Settings: crankpkg.Settings{Gap: gap}}}, Seeds: Seeds(2),
			Select: &crossval.Search{Lambdas: []float64{0.1, 0.01}, Folds: 2}, Folder: folder,
		}.Run(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, after := store.Counts()
		return table, after - before
	}
	folder := t.TempDir()
	first, trained := run(0.01, folder)
	_, other := run(0.1, folder)
	again, back := run(0.01, folder)
	_, alone := run(0.1, "")
	if trained != 4*3 || other != 4*3 || back != 0 || alone != 0 {
		t.Errorf("%d trainings, %d at another gap, %d at the first again, %d without a folder", trained, other, back, alone)
	}
	for k := range first.Cells {
		a, b := first.Cells[k], again.Cells[k]
		if a.Scores != b.Scores || a.Lambda != b.Lambda || a.Primal != b.Primal || b.TrainTime <= 0 {
			t.Errorf("cell %d was %+v and is %+v", k, a, b)
		}
	}
}
