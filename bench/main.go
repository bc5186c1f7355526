// Command bench compares inference with GLPK's simplex method, the solver that
// the paper used, on the same problems in the same run, and writes what it finds
// to a file that the notebooks read:
//
//	make bench-glpk
//
// It is a module of its own, since it needs cgo and GLPK's header.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/crank-ml/crank/bench/glpk"
	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/internal/origin"
)

// results is the result file. Times are processor times in seconds.
type results struct {
	Made origin.Origin `json:"made"`
	// Random are random problems, by their size.
	Random []randomRow `json:"random"`
	// Prediction are the test examples of a data set, by who predicts them.
	Prediction []predictionRow `json:"prediction"`
}

func main() {
	out := flag.String("out", "", "the result file; empty means none")
	problems := flag.Int("problems", 5, "problems of 100 labels for each kind; there are five times as many of 14 labels")
	flag.Parse()
	if err := run(*out, *problems, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(out string, problems int, log io.Writer) error {
	if problems < 1 {
		return fmt.Errorf("%d problems", problems)
	}
	r := results{Made: origin.Here("make bench-glpk")}
	if err := r.addRandom(problems, log); err != nil {
		return err
	}
	if err := r.addPrediction(log); err != nil {
		return err
	}
	if out == "" {
		return nil
	}
	return atomicfile.WriteJSON(out, r)
}

// starts are GLPK's starts with their names. Warm comes first: it starts from
// the optimum of the problem before.
var starts = []struct {
	name  string
	start glpk.Start
}{
	{"warm", glpk.Warm}, {"cold", glpk.Cold}, {"presolve", glpk.Presolve},
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
