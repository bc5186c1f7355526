package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/experiment"
)

// TestSweepCellsApart has another process do the cells: the results are the same.
func TestSweepCellsApart(t *testing.T) {
	t.Parallel()
	file, store := sweepFolder(t, smallSpec)
	cells := good(t, "", "sweep", "cells", file)
	here := good(t, cells, "sweep", "cell", "-store", store)
	// What is kept comes back with its times, so that the lines are equal.
	if there := good(t, cells, "sweep", "cell", "-store", store, "-apart"); there != here {
		t.Errorf("apart:\n%s, and here:\n%s", there, here)
	}
	if status, _, log := callWith(`{"cell": 1, "spec": {}}`, "sweep", "cell", "-apart", "-store", "off"); status != 2 || !strings.Contains(log, "line 1: methods: ") {
		t.Errorf("a cell that makes no sense: status %d, %s", status, log)
	}
}

// smallCells returns the spec of smallSpec and its cells.
func smallCells(t *testing.T) (*experiment.Spec, []experiment.SpecCell) {
	t.Helper()
	file, _ := sweepFolder(t, smallSpec)
	spec, err := readSpec(file)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := spec.Cells()
	if err != nil {
		t.Fatal(err)
	}
	return spec, cells
}

// TestSweepCellEndsItsProcess has processes that end without a result: each is a row with an
// error, and the next line gets a new process.
func TestSweepCellEndsItsProcess(t *testing.T) {
	t.Parallel()
	spec, cells := smallCells(t)
	var out strings.Builder
	p := &program{stdout: &out}
	// Without a subcommand of that name, the process reads nothing and says so.
	child := apart{args: []string{"no such subcommand"}}
	for k := range cells {
		if err := p.cellApart(context.Background(), &child, &cells[k], nil); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.NewReader(out.String())
	rows, err := (&program{stdin: lines}).readRows("-")
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.Sweep()
	if err != nil {
		t.Fatal(err)
	}
	table, err := s.Collect(rows)
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range table.Rows {
		if !strings.HasPrefix(r.Error, "its process ended without a result: exit status 2: crank: ") || r.Cell != k {
			t.Errorf("row %d is cell %d with %q", k, r.Cell, r.Error)
		}
	}
	if len(table.Rows) != len(cells) {
		t.Errorf("%d rows of %d cells", len(table.Rows), len(cells))
	}
	// Where a good one follows, it counts.
	rows = append(rows, experiment.Row{})
	rows[len(cells)] = rows[0]
	good := &rows[len(cells)]
	good.Error, good.Train, good.Test, good.NumLabels = "", 1, 1, 1
	if table, err = s.Collect(rows); err != nil {
		t.Fatal(err)
	}
	if table.Rows[0].Error != "" {
		t.Errorf("%q", table.Rows[0].Error)
	}
}

// An interrupt is no outcome of a cell: it is told with its cause, and no row is written.
func TestSweepCellInterrupted(t *testing.T) {
	t.Parallel()
	_, cells := smallCells(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("why")
	cancel(why)
	var out strings.Builder
	p := &program{stdout: &out}
	if err := p.cellApart(ctx, &apart{args: []string{"sweep", "cell"}}, &cells[0], []byte("{}")); !errors.Is(err, why) || out.Len() > 0 {
		t.Errorf("error %v, wrote %q", err, out.String())
	}
}
