// Command crank-general makes notebooks/results/general.json, the paper's Table 1
// extended by the general models: label losses, Fourier features, predictions
// among the labelings seen in training, capped hinges, features on the edges.
//
//	go run github.com/crank-ml/crank/cmd/crank-general [flags] [set ...]
//
// The sets are scene, emotions, medical10 and yeast, by default all of them. All
// choices are made by cross-validation on the training examples (search.go): once
// for each measure, with that measure as the criterion, and once for the mean of
// the three. What is chosen then is trained on all training examples, with
// CRANK's tree, and, in the same settings, with all pairs and without pairs; the
// test examples are looked at just then, once (test.go).
//
// Cross-validations that are done are kept in a folder: a run that was cut goes
// on where it stopped. Remove the folder when the library has changed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/command"
	"github.com/crank-ml/crank/internal/jsonrows"
)

func main() {
	command.Main("crank-general", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stderr) })
}

// maker makes the results.
type maker struct {
	ctx     context.Context
	cells   string // folder of the cross-validations
	workers int
	log     io.Writer
}

func run(ctx context.Context, args []string, log io.Writer) error {
	mk := &maker{ctx: ctx, log: log}
	flags := flag.NewFlagSet("crank-general", flag.ContinueOnError)
	flags.SetOutput(log)
	out := flags.String("o", filepath.Join("notebooks", "results", "general.json"), "`file` to write")
	table := flags.String("table1", filepath.Join("notebooks", "results", "table1.json"), "`file` that has the lambdas and scalings of the scalar CRANK")
	flags.StringVar(&mk.cells, "cells", filepath.Join("build", "general"), "folder of the cross-validations")
	flags.IntVar(&mk.workers, "workers", runtime.GOMAXPROCS(0), "trainings at a time")
	search := flags.Bool("search", false, "search alone: tell what is chosen, without the test examples")
	if err := flags.Parse(args); err != nil {
		return err
	}
	scalars, err := readScalars(*table)
	if err != nil {
		return err
	}
	sets := flags.Args()
	if len(sets) == 0 {
		sets = []string{"scene", "emotions", "medical10", "yeast"}
	}
	var results []result
	for _, set := range sets {
		train, test, err := crankpkg.LoadSplit(set)
		if err != nil {
			return err
		}
		begin := time.Now()
		choices, err := mk.search(set, train)
		if err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
		fmt.Fprintf(log, "%s: searched for %v\n", set, time.Since(begin).Round(time.Second))
		if *search {
			continue
		}
		found, err := mk.test(set, train, test, choices, scalars[set])
		if err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
		results = append(results, found...)
	}
	if *search {
		return nil
	}
	return jsonrows.Write(*out, results)
}
