// Command crank-questions makes the result files of the experiments in the
// notebook on open questions, notebooks/results/question_*.json:
//
//	go run github.com/crank-ml/crank/cmd/crank-questions [-out FOLDER] [part ...]
//
// The parts are, in this order and by default all of them:
//
//	loss        a tree trained for Hamming loss, zero-one loss, and sums of both
//	swaps       what edge swaps gain on the trees of CRANK, Greedy, MST, Chow-Liu
//	circuit     graphs between CRANK's tree and all pairs, by circuit rank
//	recovery    planted trees: how many examples and how much signal it takes
//	restricted  the best forests with few edges or bounded degrees
//
// Each file tells the command and the processor time that it took.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/command"
	"github.com/crank-ml/crank/internal/cputime"
)

// part is an experiment that makes the file question_<name>.json.
type part struct {
	name string
	run  func(ctx context.Context, log io.Writer) (rows any, err error)
}

var parts = []part{
	{"loss", losses},
	{"swaps", swaps},
	{"circuit", circuits},
	{"recovery", recovery},
	{"restricted", restricted},
}

// setting is a data set with the scaling and the lambda that suit it.
type setting struct {
	set     string
	scaling crankpkg.Scaling
	lambda  float64
}

func main() {
	out := flag.String("out", filepath.Join("notebooks", "results"), "`folder` of the result files")
	flag.Parse()
	command.Main("crank-questions", func(ctx context.Context) error { return run(ctx, *out, flag.Args()) })
}

func run(ctx context.Context, out string, wanted []string) error {
	for _, name := range wanted {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
			return fmt.Errorf("there is no part %q", name)
		}
	}
	for _, p := range parts {
		if len(wanted) > 0 && !slices.Contains(wanted, p.name) {
			continue
		}
		begin := cputime.Seconds()
		rows, err := p.run(ctx, os.Stderr)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		cpu := cputime.Seconds() - begin
		fmt.Fprintf(os.Stderr, "%s took %.0f s of the processors\n", p.name, cpu)
		if err := write(filepath.Join(out, "question_"+p.name+".json"), p.name, cpu, rows); err != nil {
			return err
		}
	}
	return nil
}

func write(path, name string, cpu float64, rows any) error {
	return crankpkg.WriteFileAtomic(path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(struct {
			Command    string
			CPUSeconds float64
			Rows       any
		}{"go run ./cmd/crank-questions " + name, cpu, rows})
	})
}
