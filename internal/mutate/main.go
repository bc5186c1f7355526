// Command mutate tests the tests. It puts small slips into the code, one at a time,
// and tells those that no test notices:
//
//	go run ./internal/mutate -n 40 ./crankpkg/...
//
// The slips reach the compiler through an overlay, so that the checkout stays as it is. Tests with a slip have a temporary folder
// of their own, and neither that nor what they have started is left.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// options are what the flags say.
type options struct {
	dir        string
	n          int
	seed       uint64
	parallel   int
	dependents string
	equivalent string
	report     string
	min        float64
	limits     limits
	bounds     bounds
	short      bool
	memory     int
	only       string
	patterns   []string
}

func parse(args []string, out io.Writer) (options, error) {
	o := options{dir: "."}
	f := flag.NewFlagSet("mutate", flag.ContinueOnError)
	f.SetOutput(out)
	f.IntVar(&o.n, "n", 120, "how many mutations to try; 0 tries all")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the draw")
	f.IntVar(&o.parallel, "parallel", 1, "mutations to try at the same time")
	f.StringVar(&o.dependents, "dependents", "./...", "packages whose tests count too where they import the mutated one; empty for none")
	f.StringVar(&o.equivalent, "equivalent", "", "file of mutations that change nothing")
	f.StringVar(&o.report, "o", "build/mutants.txt", "file for the outcomes")
	f.Float64Var(&o.min, "min", 0, "least share of mutations that the tests must notice, from 0 to 1")
	f.Float64Var(&o.limits.factor, "factor", 4, "a test may take this many times as long as without a mutation")
	f.DurationVar(&o.limits.extra, "extra", 30*time.Second, "and this much longer")
	f.BoolVar(&o.short, "short", false, "run the tests with -short")
	f.IntVar(&o.memory, "memory", 0, "gigabytes that a test may ask for, where the shell has ulimit; 0 for no limit")
	f.IntVar(&o.bounds.processes, "processes", 64+2*runtime.NumCPU(), "processes that a test may have at a time with those that build it, where Linux tells; 0 for no limit")
	f.StringVar(&o.only, "only", "", "try just the mutations at places that have this in them, such as draw.go:9:")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.patterns = f.Args(); len(o.patterns) == 0 {
		o.patterns = []string{"./..."}
	}
	return o, o.check()
}

func (o options) check() error {
	switch {
	case o.n < 0:
		return fmt.Errorf("-n %d: want a number from 0", o.n)
	case o.parallel < 1:
		return fmt.Errorf("-parallel %d: want a number from 1", o.parallel)
	case !(o.min >= 0 && o.min <= 1):
		return fmt.Errorf("-min %g: want a share from 0 to 1", o.min)
	case !(o.limits.factor >= 0) || o.limits.extra <= 0:
		return fmt.Errorf("-factor %g -extra %v: want no negative factor, and some extra time", o.limits.factor, o.limits.extra)
	case o.memory < 0:
		return fmt.Errorf("-memory %d: want a number from 0", o.memory)
	case o.bounds.processes < 0:
		return fmt.Errorf("-processes %d: want a number from 0", o.bounds.processes)
	}
	return nil
}

// run draws mutations, tries them and reports. An interrupt still leaves the report of what was done.
func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args, out)
	if err != nil {
		return err
	}
	return mutate(ctx, o, out)
}

func mutate(ctx context.Context, o options, out io.Writer) error {
	t, all, err := prepare(ctx, o, out)
	if err != nil {
		return err
	}
	results, runErr := tryInOrder(ctx, draw(all, o.seed), o.n, o.parallel, t.try, newProgress(out))
	s := summarize(results)
	if err := s.print(out); err != nil {
		return err
	}
	if err := writeReport(o.report, results); err != nil {
		return err
	}
	if runErr != nil {
		return runErr
	}
	if share := s.total.share(); share < o.min {
		return fmt.Errorf("the tests notice %.1f %% of the mutations, want %.1f %%", 100*share, 100*o.min)
	}
	return nil
}

// prepare lists the mutations that can count. It leaves out the packages that no test reaches, and says so.
func prepare(ctx context.Context, o options, out io.Writer) (*tester, []mutation, error) {
	packages, err := load(ctx, o.dir, o.patterns)
	if err != nil {
		return nil, nil, err
	}
	t, err := newTester(ctx, o, packages)
	if err != nil {
		return nil, nil, err
	}
	var all []mutation
	for _, p := range packages {
		if len(t.suites(p.ImportPath)) == 0 {
			fmt.Fprintf(out, "%s: no tests\n", p.ImportPath)
			continue
		}
		all = append(all, p.mutations()...)
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("nothing to mutate in %q", o.patterns)
	}
	known, err := readEquivalent(o.equivalent)
	if err != nil {
		return nil, nil, err
	}
	left := known.without(all)
	for _, e := range known.stale(o.dir, all) {
		fmt.Fprintf(out, "%s: no such mutation any more:\n%s\n", o.equivalent, e)
	}
	fmt.Fprintf(out, "%d mutations, %d of them known to change nothing\n", len(all), len(all)-len(left))
	left, err = onlyAt(o.only, left)
	return t, left, err
}

// onlyAt returns the mutations whose places have a text in them. That there are none of a text is an error.
func onlyAt(text string, all []mutation) ([]mutation, error) {
	some := slices.DeleteFunc(slices.Clone(all), func(m mutation) bool { return !strings.Contains(m.place(), text) })
	if len(some) == 0 && text != "" {
		return nil, fmt.Errorf("no mutation at %q", text)
	}
	return some, nil
}
