// Command crank-tables makes the result files that the evaluation notebook
// draws, notebooks/results/*.json:
//
//	go run github.com/crank-ml/crank/cmd/crank-tables [flags] [part ...]
//
// The parts are, in this order and by default all of them:
//
//	table1   the paper's Table 1: four sets, six methods, three measures; the
//	         scaling of each set and lambda chosen by cross-validation on the
//	         training examples; with the validation curves, the tests of CRANK
//	         against the others, and the objectives at a common lambda
//	figure1  the paper's Figure 1: planted trees, training sets of 10 to 1000
//	table2   the paper's Table 2: times on Yeast, relative to Full
//	loose    Project and MST when what they choose the tree by is solved loosely
//	early    Empty, Full and Project when plain Frank-Wolfe is stopped early
//	path     the scores on the test examples along lambda, raw and z-scored
//	extra    Table 1 for birds, flags, enron, genbase and cal500
//
// Finished cells are kept in a folder: a run that was cut goes on where it
// stopped. Remove the folder when the library has changed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/command"
	"github.com/crank-ml/crank/internal/jsonrows"
)

func main() {
	command.Main("crank-tables", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stderr) })
}

// maker makes the files of the parts.
type maker struct {
	ctx     context.Context
	out     string // folder of the results
	cells   string // folder of the cells
	quick   bool
	fixed   bool
	workers int
	log     io.Writer
}

// part is something that can be made.
type part struct {
	name string
	make func(*maker) error
}

var parts = []part{
	{"table1", (*maker).table1},
	{"figure1", (*maker).figure1},
	{"table2", (*maker).table2},
	{"loose", (*maker).loose},
	{"early", (*maker).early},
	{"path", (*maker).path},
	{"extra", (*maker).extra},
}

func run(ctx context.Context, args []string, log io.Writer) error {
	mk := &maker{ctx: ctx, log: log}
	flags := flag.NewFlagSet("crank-tables", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&mk.out, "out", filepath.Join("notebooks", "results"), "folder of the result files")
	flags.StringVar(&mk.cells, "cells", filepath.Join("build", "cells"), "folder of the finished cells")
	flags.BoolVar(&mk.quick, "quick", false, "a coarse grid of lambda, 3 folds, fewer repetitions: minutes instead of an hour")
	flags.BoolVar(&mk.fixed, "fixed", false, "table1 at fixed lambdas and scalings, without cross-validation")
	flags.IntVar(&mk.workers, "workers", runtime.GOMAXPROCS(0), "cells at a time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted := flags.Args()
	for _, name := range wanted {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
			return fmt.Errorf("%q is none of %s", name, strings.Join(partNames(), ", "))
		}
	}
	for _, p := range parts {
		if len(wanted) > 0 && !slices.Contains(wanted, p.name) {
			continue
		}
		begin := time.Now()
		if err := p.make(mk); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(log, "%s took %v\n", p.name, time.Since(begin).Round(time.Second))
	}
	return nil
}

func partNames() []string {
	names := make([]string, len(parts))
	for k, p := range parts {
		names[k] = p.name
	}
	return names
}

// experiment runs e with cells of its own and tells how it goes.
func (mk *maker) experiment(name string, e crankpkg.Experiment) (*crankpkg.Table, error) {
	e.Folder = filepath.Join(mk.cells, name)
	e.Workers = mk.workers
	e.Progress = func(p crankpkg.JobProgress) {
		fmt.Fprintf(mk.log, "%s [%d/%d, %v left] %s\n", name, p.Done, p.Total, p.Left.Round(time.Second), p.Job)
	}
	table, err := e.Run(mk.ctx)
	if table != nil {
		for _, note := range table.Notes {
			fmt.Fprintln(mk.log, name, note)
		}
	}
	return table, err
}

// write writes value, an array, as a file with one element to a line.
func write[T any](mk *maker, name string, values []T) error {
	if err := os.MkdirAll(mk.out, 0o777); err != nil {
		return err
	}
	path := filepath.Join(mk.out, name)
	err := jsonrows.Write(path, values)
	if err == nil {
		fmt.Fprintf(mk.log, "%s: %d values\n", path, len(values))
	}
	return err
}
