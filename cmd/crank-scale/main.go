// Command crank-scale measures how training scales, and makes the result files
// that the notebook on scaling draws:
//
//	go run github.com/crank-ml/crank/cmd/crank-scale [flags] [part ...]
//
// The parts are, by default both,
//
//	large    label sets of 159 to 983 labels: large.json
//	growth   planted data of growing size: scaling.json
//
// Each training runs in a process of its own, one after the other, which tells
// its processor time and its peak of memory apart from all others. What a result
// file has already is not measured again: remove the file, or lines of it, when
// the library has changed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/crank-ml/crank/internal/command"
	"github.com/crank-ml/crank/internal/jsonrows"
)

func main() {
	command.Main("crank-scale", func(ctx context.Context) error {
		if len(os.Args) == 2 && os.Args[1] == childArgument {
			return runChild(ctx, os.Stdin, os.Stdout)
		}
		return run(ctx, os.Args[1:], os.Stderr)
	})
}

// runner runs jobs and keeps their results in a file.
type runner struct {
	ctx     context.Context
	path    string
	results []result
	log     io.Writer
}

func run(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("crank-scale", flag.ContinueOnError)
	flags.SetOutput(log)
	out := flags.String("out", filepath.Join("notebooks", "results"), "folder of the result files")
	limit := flags.Duration("limit", 20*time.Minute, "the longest time of one training")
	if err := flags.Parse(args); err != nil {
		return err
	}
	parts := map[string]func(*runner, time.Duration) error{"large": large, "growth": growth}
	files := map[string]string{"large": "large.json", "growth": "scaling.json"}
	wanted := flags.Args()
	if len(wanted) == 0 {
		wanted = []string{"large", "growth"}
	}
	for _, name := range wanted {
		if parts[name] == nil {
			return fmt.Errorf("%q is neither large nor growth", name)
		}
	}
	if err := os.MkdirAll(*out, 0o777); err != nil {
		return err
	}
	for _, name := range wanted {
		r := &runner{ctx: ctx, path: filepath.Join(*out, files[name]), log: log}
		if err := r.load(); err != nil {
			return err
		}
		if err := parts[name](r, *limit); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// load reads the results that are there.
func (r *runner) load() error {
	data, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &r.results); err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	return nil
}

// do returns the result of a job, which it runs unless the file has it, under
// whatever limit.
func (r *runner) do(j job) (*result, error) {
	k := slices.IndexFunc(r.results, func(old result) bool {
		old.Limit = j.Limit
		return old.job == j
	})
	if k >= 0 {
		return &r.results[k], nil
	}
	fmt.Fprintf(r.log, "%v ... ", j)
	res, err := r.spawn(j)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", j, err)
	}
	fmt.Fprintf(r.log, "%.2f s of the processor, %.0f MB, gap %.4f, %s\n", res.CPU, res.Memory, res.Gap, res.Status)
	r.results = append(r.results, *res)
	return res, r.save()
}

// spawn runs a job in a process of its own.
func (r *runner) spawn(j job) (*result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	input, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(r.ctx, self, childArgument)
	cmd.Stderr = r.log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	go func() {
		stdin.Write(input) // the child says what it misses
		stdin.Close()
	}()
	output, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	res := &result{}
	if err := json.Unmarshal(output, res); err != nil {
		return nil, err
	}
	res.Memory = peakMegabytes(cmd.ProcessState)
	return res, nil
}

// save writes the results.
func (r *runner) save() error { return jsonrows.Write(r.path, r.results) }
