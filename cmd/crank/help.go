package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crank-ml/crank/internal/nearest"
)

// usage prints what the program can do.
func usage(w io.Writer) {
	fmt.Fprintf(w, `crank learns to predict several labels of a row at once, from files and without a line of
Go: train, predict, evaluate, cv. It also starts notebooks, gets and converts data sets, and
makes the numbers of the README and of the notebooks again: those of "Learning Max-Margin
Tree Predictors" (UAI 2013), and more.

%s
Subcommands:

`, howToCall(called()))
	for _, s := range subcommands {
		if s.summary != "" {
			fmt.Fprintf(w, "    %-8s  %s\n", s.name, s.summary)
		}
	}
	fmt.Fprint(w, "    help      tell more about a subcommand: help fetch\n")
}

// howToCall tells what to write before a subcommand.
func howToCall(called string) string {
	if called != goRun {
		return fmt.Sprintf("Usage:\n\n    %s SUBCOMMAND [flags] [arguments]\n", called)
	}
	return "Usage, in the folder of the checkout:\n\n    " + goRun + ` SUBCOMMAND [flags] [arguments]

A program that go build ./cmd/crank makes runs in any folder, as crank SUBCOMMAND, and needs
no Go.
`
}

// help tells about the program or the subcommand that args name.
func (p *program) help(args []string) error {
	if len(args) == 0 {
		usage(p.stdout)
		return nil
	}
	s, err := find(args[0])
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet(s.name, flag.ContinueOnError)
	s.setup(p, flags)
	fmt.Fprintf(p.stdout, "Usage: %s %s\n\n%s\n\nExample:\n\n    %[1]s %s\n",
		called(), strings.TrimSpace(s.name+" "+s.args), s.help, s.example)
	if strings.Contains(s.args, "[flags]") {
		fmt.Fprint(p.stdout, "\nFlags:\n\n")
		flags.SetOutput(p.stdout)
		flags.PrintDefaults()
	}
	return nil
}

// known returns nil if all words are among the names, else an error with those that are near,
// or with all where none is.
func known(kind string, names []string, words ...string) error {
	for _, word := range words {
		if !slices.Contains(names, word) {
			return usageError(fmt.Sprintf("there is no %s %q%s", kind, word, meant(word, names)))
		}
	}
	return nil
}

// meant returns what an error about a word says of the names that it may be one of.
func meant(word string, names []string) string {
	if near := nearest.Names(word, names); near != nil {
		return "; the nearest: " + strings.Join(near, ", ")
	}
	return "; there are " + strings.Join(names, ", ")
}
