// Command liblinear compares the training of labels without pairs with
// liblinear, in turn in the same run, and writes what it finds to a file:
//
//	make bench-liblinear
//
// Liblinear trains each label by itself: its L1-loss machine in the dual, with
// C = 1/(lambda M) and the constant 1 as a feature, is exactly our objective
// divided by lambda. It runs to one of its tolerances; the relative gap that its
// weights then have is what ours is asked for. Liblinear's own form of the data
// is made before the clock runs; all that Train does is in ours.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/internal/origin"
)

// rounds is how often each of the two is timed.
const rounds = 5

// results is the result file. Times are medians of processor times in seconds.
type results struct {
	Made   origin.Origin `json:"made"`
	Rounds int           `json:"rounds"`
	Rows   []row         `json:"rows"`
}

// row is one set, lambda and tolerance.
type row struct {
	Set       string  `json:"set"`
	Lambda    float64 `json:"lambda"`
	Tolerance float64 `json:"tolerance"` // liblinear's
	Gap       float64 `json:"gap"`       // relative, that liblinear reaches and ours is asked for
	OurGap    float64 `json:"our_gap"`   // that ours reaches
	Passes    int     `json:"passes"`    // of liblinear, the most of a label
	OurPasses int     `json:"our_passes"`
	Liblinear float64 `json:"liblinear"`
	Ours      float64 `json:"ours"`
	Ratio     float64 `json:"ratio"` // median of ours / liblinear
}

func main() {
	out := flag.String("out", "", "the result file; empty means none")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "liblinear:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	runtime.GOMAXPROCS(1)
	r := results{Made: origin.Here("make bench-liblinear"), Rounds: rounds}
	for _, set := range []string{"yeast", "scene"} {
		train, _, err := crankpkg.LoadSplit(set)
		if err != nil {
			return err
		}
		a := newMachine(train.X)
		for _, lambda := range []float64{1 / float64(train.Len()), 1e-3, 1e-4} {
			for _, tolerance := range []float64{0.1, 1e-4} {
				one, err := compare(set, train, a, lambda, tolerance)
				if err != nil {
					return err
				}
				fmt.Printf("%-6s lambda %.3g, tolerance %.0e: gap %.2g (ours %.2g), passes %d (ours %d), %.1f ms (ours %.1f ms), ours / liblinear %.2f\n",
					set, lambda, tolerance, one.Gap, one.OurGap, one.Passes, one.OurPasses, 1e3*one.Liblinear, 1e3*one.Ours, one.Ratio)
				r.Rows = append(r.Rows, one)
			}
		}
	}
	if out == "" {
		return nil
	}
	return atomicfile.WriteJSON(out, r)
}

// compare times the two in turn.
func compare(set string, train *crankpkg.Dataset, a *machine, lambda, tolerance float64) (row, error) {
	r := row{Set: set, Lambda: lambda, Tolerance: tolerance}
	w := make([]float64, train.NumLabels()*a.size)
	var dual float64
	dual, r.Passes = a.fitAll(w, train, lambda, tolerance)
	primal := crankpkg.Primal(train, &crankpkg.Model{Unary: w, LabelNames: train.LabelNames, FeatureNames: train.FeatureNames}, lambda)
	r.Gap = (primal - dual) / primal
	var theirs, ours, ratios []float64
	for range rounds {
		other := cpuSeconds(func() { a.fitAll(w, train, lambda, tolerance) })
		var trace *crankpkg.Trace
		var err error
		own := cpuSeconds(func() {
			_, trace, err = crankpkg.Empty{Lambda: lambda, Settings: crankpkg.Settings{Gap: r.Gap, Workers: 1}}.Train(context.Background(), train)
		})
		if err != nil {
			return r, err
		}
		r.OurGap, r.OurPasses = trace.Gap(), trace.Passes
		theirs, ours, ratios = append(theirs, other), append(ours, own), append(ratios, own/other)
	}
	r.Liblinear, r.Ours, r.Ratio = median(theirs), median(ours), median(ratios)
	return r, nil
}

// fitAll trains all labels and returns the dual of our objective and the most
// passes.
func (a *machine) fitAll(w []float64, train *crankpkg.Dataset, lambda, tolerance float64) (dual float64, most int) {
	for i := range train.NumLabels() {
		objective, passes := a.fit(w[i*a.size:(i+1)*a.size], train, i, 1/(lambda*float64(train.Len())), tolerance)
		dual -= lambda * objective
		most = max(most, passes)
	}
	return dual, most
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }
