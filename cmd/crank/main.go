// Command crank trains, runs and measures max-margin tree predictors on files, starts notebooks,
// gets and converts data sets, and makes the numbers of the README and of the notebooks again.
// This tells how:
//
//	go run github.com/crank-ml/crank/cmd/crank help
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/crank-ml/crank/cmd/crank/internal/results"
	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/nearest"
)

// subcommand is what the program does under one name.
type subcommand struct {
	name    string
	args    string // as the usage has them
	summary string // in a line; empty where it is not for users
	help    string
	example string // arguments of the program
	// setup defines the flags and returns what runs after they are parsed.
	setup func(*program, *flag.FlagSet) action
}

// action does the work, given the arguments that are no flags.
type action func(ctx context.Context, args []string) error

// subcommands are in the order of the usage.
var subcommands = []subcommand{trainCommand, predictCommand, evaluateCommand, showCommand, pruneCommand, cvCommand, sweepCommand, storeCommand, newCommand, fetchCommand, convertCommand, scoresCommand, resultsCommand, benchCommand, versionCommand, jobCommand}

// program is what the subcommands share.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	sets           results.Sets
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the program and returns its exit status: 0, 1 for a failure, 2 for a
// wrong call, 3 for a model whose gap is not certified, 130 for an interrupt.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdin, stdout, stderr, results.Catalog()}
	return p.run(ctx, args)
}

func (p *program) run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		usage(p.stderr)
		return 2
	}
	err := p.dispatch(ctx, args[0], args[1:])
	var wrong usageError
	var kept keptError
	var short shortError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong), errors.Is(err, crankpkg.ErrSettings):
		fmt.Fprintf(p.stderr, "crank: %s\n", inFlags(err))
		return 2
	case errors.As(err, &short):
		fmt.Fprintf(p.stderr, "crank: warning: %s\n", inFlags(err))
		return 3
	case ctx.Err() == nil:
		fmt.Fprintf(p.stderr, "crank: %s\n", inFlags(err))
		return 1
	case errors.As(err, &kept):
		fmt.Fprintf(p.stderr, "crank: interrupted; %s\n", kept.what)
	default:
		fmt.Fprintln(p.stderr, "crank: interrupted; nothing is kept")
	}
	return 130
}

// usageError says what is wrong with the call.
type usageError string

func (e usageError) Error() string { return string(e) }

// shortError says that a training has ended with a model whose gap is not certified.
type shortError struct{ error }

// keptError ends work of which something is kept, and says what.
type keptError struct {
	error
	what string
}

// goesOn ends what a keptError says where the work can go on later.
const goesOn = ", and the same command goes on from there"

// dispatch runs the subcommand called name.
func (p *program) dispatch(ctx context.Context, name string, args []string) error {
	if name == "help" || slices.Contains([]string{"-h", "-help", "--help"}, name) {
		return p.help(args)
	}
	if name == "-version" || name == "--version" {
		name = versionCommand.name
	}
	s, err := find(name)
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	act := s.setup(p, flags)
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return p.help([]string{name})
	}
	if err != nil {
		return err
	}
	return act(ctx, rest)
}

// parse parses flags before, between and after the other arguments, which it
// returns.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for err = flags.Parse(args); err == nil && flags.NArg() > 0; err = flags.Parse(flags.Args()[1:]) {
		rest = append(rest, flags.Arg(0))
	}
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return rest, err
	}
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		var names []string
		flags.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
		if near := nearest.Names("-"+name, names); near != nil {
			return nil, known("flag", near, "-"+name)
		}
		return nil, usageError(fmt.Sprintf("there is no flag %q; crank help %s lists them", "-"+name, flags.Name()))
	}
	return nil, usageError(err.Error())
}

// find returns the subcommand called name.
func find(name string) (subcommand, error) {
	var names []string
	for _, s := range subcommands {
		if s.name == name {
			return s, nil
		}
		if s.summary != "" {
			names = append(names, s.name)
		}
	}
	return subcommand{}, known("subcommand", append(names, "help"), name)
}
