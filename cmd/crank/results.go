package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crank-ml/crank/cmd/crank/internal/results"
	"github.com/crank-ml/crank/crankpkg/trainstore"
	"github.com/crank-ml/crank/internal/origin"
)

var resultsCommand = subcommand{
	name: "results", args: "[flags] [PART...|all]",
	summary: "make the results of the reproduction, or list its parts",
	help: `Makes the files with the results that the notebooks draw. Without arguments it
lists the parts: what they are in the paper's terms, about what they cost, and
the files that they make. Finished pieces of the work are kept as cells: what was
cut goes on where it stopped. Remove the folder of the cells when the library has
changed. Each file names the commit that it was made at. Sets that are not built in
have to be there: fetch all.

The results that the notebooks read are made with -out notebooks/results.`,
	example: "results -quick table1 figure1",
	setup: func(p *program, flags *flag.FlagSet) action {
		o := results.Options{Sets: p.sets, Log: p.stderr, Run: func(ctx context.Context, j results.Job) (results.JobResult, error) {
			return results.Spawn(ctx, j, jobCommand.name)
		}}
		flags.StringVar(&o.Out, "out", filepath.Join("build", "results"), "`folder` of the result files")
		flags.StringVar(&o.Cells, "cells", filepath.Join("build", "cells"), "`folder` of the finished cells")
		flags.BoolVar(&o.Quick, "quick", false, "a trial on smaller grids: minutes where the whole takes hours")
		flags.IntVar(&o.Workers, "workers", 0, "`number` of trainings at a time; 0 stands for that of the processors")
		return func(ctx context.Context, args []string) error { return p.results(ctx, o, args) }
	},
}

// results makes the parts called names, or lists all.
func (p *program) results(ctx context.Context, o results.Options, names []string) error {
	var all []string
	for _, part := range results.Parts() {
		all = append(all, part.Name)
		if len(names) == 0 {
			fmt.Fprintf(p.stdout, "%-10s  %s\n%12sabout %s: %s\n", part.Name, part.Terms, "", part.Cost, strings.Join(part.Files, ", "))
		}
	}
	if o.Workers < 0 {
		return usageError(fmt.Sprintf("%d workers cannot be", o.Workers))
	}
	if slices.Equal(names, []string{"all"}) {
		names = all
	}
	if err := known("part", all, names...); err != nil {
		return err
	}
	o.Made = origin.Here("")
	if err := results.Make(ctx, o, names...); err != nil {
		return keptError{err, "the finished cells are kept in " + o.Cells + goesOn}
	}
	return nil
}

// jobCommand is for results.Spawn.
var jobCommand = subcommand{
	name: "job", args: "JOB",
	help:    "Does one training, which the argument describes in JSON, and prints what came out.",
	example: `job '{"m": 1000, "d": 20, "n": 20, "dependencies": 19, "method": "CRANK", "lambda": 0.01, "target": 0.01}'`,
	setup: func(p *program, _ *flag.FlagSet) action {
		return func(ctx context.Context, args []string) error {
			var j results.Job
			if err := json.Unmarshal([]byte(strings.Join(args, " ")), &j); err != nil {
				return usageError("the job: " + err.Error())
			}
			r, err := j.Do(trainstore.In(ctx, nil), p.sets)
			if err != nil {
				return err
			}
			return json.NewEncoder(p.stdout).Encode(r)
		}
	},
}
