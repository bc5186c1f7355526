// Command crank-besttree makes notebooks/results/besttree.json, the certified
// best trees of real data sets, which the notebook on open questions draws:
//
//	go run github.com/crank-ml/crank/cmd/crank-besttree [-o FILE] [-time 1m]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// problem is a set at one lambda, with the gap to certify.
type problem struct {
	set     string
	scaling crankpkg.Scaling
	lambda  float64
	gap     float64
}

// point is the state of a search: [Dual, Primal] holds the least objective.
type point struct {
	Seconds, Primal, Dual float64
}

// result is the outcome of one problem.
type result struct {
	Set          string
	Lambda       float64
	Primal, Dual float64 // of the best of all trees
	CRANK, Swap  bounds  // of CRANK's tree and of that after edge swaps
	Edges        []crankpkg.Edge
	Solves       int
	Seconds      float64
	Points       []point
}

type bounds struct{ Primal, Dual float64 }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := flag.String("o", filepath.Join("notebooks", "results", "besttree.json"), "`file` to write")
	limit := flag.Duration("time", time.Minute, "time limit of each search")
	flag.Parse()
	if err := run(ctx, *out, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "crank-besttree:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, limit time.Duration) error {
	var results []result
	for _, p := range problems() {
		r, err := p.solve(ctx, limit)
		if err != nil {
			return fmt.Errorf("%s at lambda %g: %w", p.set, p.lambda, err)
		}
		fmt.Fprintf(os.Stderr, "%-10s %-6g best [%.5f, %.5f] CRANK %.5f swaps %.5f, %d solves in %.1f s\n",
			r.Set, r.Lambda, r.Dual, r.Primal, r.CRANK.Primal, r.Swap.Primal, r.Solves, r.Seconds)
		results = append(results, r)
	}
	return crankpkg.WriteFileAtomic(out, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(results)
	})
}

// problems lists five lambdas of the sets with 6 labels, and one or two of the
// larger ones.
func problems() []problem {
	list := []problem{{"medical10", crankpkg.NoScaling, 0.01, 1e-4}, {"yeast", crankpkg.NoScaling, 0.01, 5e-4}}
	for _, lambda := range []float64{0.1, 0.03, 0.01, 0.003, 0.001} {
		list = append(list, problem{"emotions", crankpkg.ZScore, lambda, 1e-4}, problem{"scene", crankpkg.NoScaling, lambda, 1e-4})
	}
	return list
}

// solve trains CRANK, improves its tree by swaps, and searches for the best one.
func (p problem) solve(ctx context.Context, limit time.Duration) (result, error) {
	train, _, err := crankpkg.LoadSplit(p.set)
	if err != nil {
		return result{}, err
	}
	r := result{Set: p.set, Lambda: p.lambda}
	set := crankpkg.Settings{Gap: p.gap, Scaling: p.scaling, MaxTime: limit}
	_, trace, err := crankpkg.CRANK{Lambda: p.lambda, Settings: set}.Train(ctx, train)
	if err != nil {
		return r, err
	}
	r.CRANK = bounds{trace.Primal, trace.Dual}
	if _, trace, err = (crankpkg.SwapSearch{Lambda: p.lambda, Settings: set}).Train(ctx, train); err != nil {
		return r, err
	}
	r.Swap = bounds{trace.Primal, trace.Dual}
	m, trace, err := crankpkg.BestTree{Lambda: p.lambda, Settings: set}.Train(ctx, train)
	if err != nil {
		return r, err
	}
	r.Primal, r.Dual, r.Edges, r.Solves, r.Seconds = trace.Primal, trace.Dual, m.Edges, trace.Solves, trace.Elapsed.Seconds()
	for _, q := range trace.Points {
		r.Points = append(r.Points, point{q.Elapsed.Seconds(), q.Primal, q.Dual})
	}
	return r, nil
}
