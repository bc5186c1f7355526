// Command numpy compares predictions of a tree with numpy's X @ W > 0, which is what labels
// without pairs would take in Python, on the same rows and weights and in turn on one thread,
// and writes what it finds to a file:
//
//	make bench-numpy
//
// Ours has the bias and the tree besides.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/crank-ml/crank/bench/internal/rival"
	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/atomicfile"
	"github.com/crank-ml/crank/internal/cputime"
	"github.com/crank-ml/crank/internal/origin"
)

// rounds is how often each is timed.
const rounds = 15

const lambda = 0.001

// results is the result file. Times are medians of processor times in seconds, by test example.
type results struct {
	Made   origin.Origin `json:"made"`
	Rounds int           `json:"rounds"`
	Numpy  string        `json:"numpy"`
	BLAS   string        `json:"blas"`
	Rows   []row         `json:"rows"`
}

// row is one set, with CRANK's tree.
type row struct {
	Set      string  `json:"set"`
	Labels   int     `json:"labels"`
	Features int     `json:"features"`
	Product  float64 `json:"product"` // numpy's
	Batch    float64 `json:"batch"`   // ours, all test examples in one call
	Single   float64 `json:"single"`  // ours, one at a time
	// The medians of ours / numpy's in the same round.
	BatchRatio  float64 `json:"batch_ratio"`
	SingleRatio float64 `json:"single_ratio"`
}

func main() {
	out := flag.String("out", "", "the result file; empty means none")
	python := flag.String("python", "../build/numpy/venv/bin/python", "a Python with numpy")
	script := flag.String("script", "numpy/product.py", "the script that it runs")
	flag.Parse()
	if err := run(*out, *python, *script); err != nil {
		fmt.Fprintln(os.Stderr, "numpy:", err)
		os.Exit(1)
	}
}

func run(out, python, script string) error {
	runtime.GOMAXPROCS(1)
	r := results{Made: origin.Here("make bench-numpy"), Rounds: rounds}
	for _, set := range []string{"yeast", "scene"} {
		if err := r.add(set, python, script); err != nil {
			return fmt.Errorf("%s: %w", set, err)
		}
		one := r.Rows[len(r.Rows)-1]
		fmt.Printf("%-6s numpy %s, %s: %.0f ns an example; ours in a batch %.0f, %.2f of it, one at a time %.0f, %.2f of it\n",
			set, r.Numpy, r.BLAS, 1e9*one.Product, 1e9*one.Batch, one.BatchRatio, 1e9*one.Single, one.SingleRatio)
	}
	if out == "" {
		return nil
	}
	return atomicfile.WriteJSON(out, r)
}

// add times both on one set.
func (r *results) add(set, python, script string) error {
	train, test, err := crankpkg.LoadSplit(set)
	if err != nil {
		return err
	}
	m, _, err := crankpkg.CRANK{Lambda: lambda, Restarts: 1}.Train(context.Background(), train)
	if err != nil {
		return err
	}
	n, d := m.NumLabels(), m.NumFeatures()
	var w []float64
	for i := range n {
		w = append(w, m.UnaryWeights(i)[:d]...)
	}
	dir, err := os.MkdirTemp("", "numpy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := rival.WriteAll(dir, map[string][]float64{"x": test.X.Value, "w": w}); err != nil {
		return err
	}
	var version string
	var positives int
	args := []string{filepath.Join(dir, "x"), filepath.Join(dir, "w"), fmt.Sprint(n)}
	other, err := rival.Start(python, script, args, &r.Numpy, &r.BLAS, &version, &positives)
	if err != nil {
		return err
	}
	r.BLAS += " " + version
	if err := sameProducts(m, test.X, positives); err != nil {
		return err
	}
	one := row{Set: set, Labels: n, Features: d}
	p, y := m.Predictor(), make([]uint8, n*test.Len())
	batch := func() { p.PredictAllTo(y, test.X, 1) }
	single := func() {
		for k := range test.Len() {
			p.PredictTo(y[:n], test.Row(k))
		}
	}
	var products, batches, singles, batchRatios, singleRatios []float64
	for range rounds {
		var product float64
		if err := other.Round(&product); err != nil {
			return err
		}
		products = append(products, product)
		batches = append(batches, secondsOf(batch)/float64(test.Len()))
		singles = append(singles, secondsOf(single)/float64(test.Len()))
		batchRatios = append(batchRatios, batches[len(batches)-1]/product)
		singleRatios = append(singleRatios, singles[len(singles)-1]/product)
	}
	one.Product, one.Batch, one.Single = rival.Median(products), rival.Median(batches), rival.Median(singles)
	one.BatchRatio, one.SingleRatio = rival.Median(batchRatios), rival.Median(singleRatios)
	r.Rows = append(r.Rows, one)
	return other.Stop()
}

// sameProducts returns an error unless as many scores without bias are above zero as numpy
// has counted.
func sameProducts(m *crankpkg.Model, x *crankpkg.Matrix, want int) error {
	p, scores, got := m.Predictor(), make([]float64, m.NumLabels()), 0
	for k := range x.NumRows {
		p.ScoresTo(scores, x.Row(k))
		for i, s := range scores {
			if s-m.UnaryWeights(i)[m.NumFeatures()] > 0 {
				got++
			}
		}
	}
	if got != want {
		return fmt.Errorf("%d scores are above zero, numpy has %d", got, want)
	}
	return nil
}

// secondsOf returns the processor seconds of a call, a mean over as many as take a tenth of a
// second.
func secondsOf(f func()) float64 {
	f()
	calls, begin := 0, cputime.Seconds()
	for {
		f()
		calls++
		if total := cputime.Seconds() - begin; total > 0.1 {
			return total / float64(calls)
		}
	}
}
