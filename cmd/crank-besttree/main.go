// Command crank-besttree makes notebooks/results/besttree.json, the certified
// best trees of real data sets, which the notebook on open questions draws:
//
//	go run github.com/crank-ml/crank/cmd/crank-besttree [-o FILE] [-time 2m] [-long 5m] [-enumerate] [set ...]
//
// For the sets with 6 labels, Scene and Emotions, five lambdas share the time of
// -time, and with -enumerate all 1296 trees are trained too, one by one. The
// others, Medical with its 10 most frequent labels and Yeast with 14, have -long
// for each search.
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
	"strings"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/internal/command"
	"github.com/crank-ml/crank/internal/cputime"
)

// problem is a set at one lambda, with the gap to certify.
type problem struct {
	set     string
	scaling crankpkg.Scaling
	lambda  float64
	gap     float64
	large   bool
}

// file is what is written: the command and what came out.
type file struct {
	Command string
	Results []result
}

// result is the outcome of one problem. Seconds count the wall's time and CPU
// that of the processors.
type result struct {
	Set                 string
	Scaling             crankpkg.Scaling
	Lambda, Gap         float64
	Status              crankpkg.Status
	Primal, Dual        float64  // of the best of all trees
	CRANK, Greedy, Swap outcome  // of their trees; Swap starts from CRANK's
	Enumerated          *outcome `json:",omitempty"`
	Edges               []crankpkg.Edge
	Solves              int
	Seconds, CPU        float64
	Points              []point
}

// outcome is what a method came to.
type outcome struct {
	Primal, Dual float64
	CPU          float64
}

// point is a state of a search: [Dual, Primal] holds the least objective.
type point struct{ Seconds, Primal, Dual float64 }

// run is what the flags ask for.
type run struct {
	ctx         context.Context
	out         string
	short, long time.Duration
	enumerate   bool
	sets        []string // empty: all
}

func main() {
	var r run
	flag.StringVar(&r.out, "o", filepath.Join("notebooks", "results", "besttree.json"), "`file` to write")
	flag.DurationVar(&r.short, "time", 2*time.Minute, "time of a set with 6 labels, for its searches at all lambdas")
	flag.DurationVar(&r.long, "long", 5*time.Minute, "time limit of each search on the other sets")
	flag.BoolVar(&r.enumerate, "enumerate", false, "train all trees of the sets with 6 labels too")
	flag.Parse()
	r.sets = flag.Args()
	command.Main("crank-besttree", func(ctx context.Context) error {
		r.ctx = ctx
		return r.all()
	})
}

// all solves the problems and writes the file.
func (r *run) all() error {
	f := file{Command: strings.Join(append([]string{"go run ./cmd/crank-besttree"}, os.Args[1:]...), " ")}
	left := map[string]time.Duration{}
	for _, p := range problems() {
		if len(r.sets) > 0 && !slices.Contains(r.sets, p.set) {
			continue
		}
		limit, ok := left[p.set]
		if !ok {
			limit = r.short
		}
		if p.large {
			limit = r.long
		}
		res, err := p.solve(r.ctx, limit)
		left[p.set] = max(limit-time.Duration(res.Seconds*float64(time.Second)), time.Second)
		if err == nil && r.enumerate && !p.large {
			err = p.enumerate(r.ctx, &res)
		}
		if err != nil {
			return fmt.Errorf("%s at lambda %g: %w", p.set, p.lambda, err)
		}
		fmt.Fprintln(os.Stderr, res)
		f.Results = append(f.Results, res)
	}
	return crankpkg.WriteFileAtomic(r.out, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(f)
	})
}

// problems lists five lambdas of the sets with 6 labels, and a few of the larger
// ones, the hardest last.
func problems() []problem {
	var list []problem
	for _, lambda := range []float64{0.1, 0.03, 0.01, 0.003, 0.001} {
		list = append(list, problem{"emotions", crankpkg.ZScore, lambda, 1e-4, false}, problem{"scene", crankpkg.NoScaling, lambda, 1e-4, false})
	}
	for _, lambda := range []float64{0.01, 0.001} {
		list = append(list, problem{"medical10", crankpkg.NoScaling, lambda, 1e-5, true}, problem{"yeast", crankpkg.NoScaling, lambda, 1e-4, true})
	}
	return append(list, problem{"yeast", crankpkg.NoScaling, 0.0003, 1e-4, true})
}

// solve trains CRANK and Greedy, improves CRANK's tree by swaps, and searches for
// the best one.
func (p problem) solve(ctx context.Context, limit time.Duration) (r result, err error) {
	train, _, err := crankpkg.LoadSplit(p.set)
	if err != nil {
		return result{}, err
	}
	r = result{Set: p.set, Scaling: p.scaling, Lambda: p.lambda, Gap: p.gap}
	set := crankpkg.Settings{Gap: p.gap, Scaling: p.scaling, MaxTime: limit}
	for _, m := range []struct {
		crankpkg.Trainer
		to *outcome
	}{
		{crankpkg.CRANK{Lambda: p.lambda, Settings: set}, &r.CRANK},
		{crankpkg.Greedy{Lambda: p.lambda, Settings: set}, &r.Greedy},
		{crankpkg.SwapSearch{Lambda: p.lambda, Settings: set}, &r.Swap},
	} {
		begin := cputime.Seconds()
		_, trace, err := m.Train(ctx, train)
		if err != nil {
			return r, err
		}
		*m.to = outcome{trace.Primal, trace.Dual, cputime.Seconds() - begin}
	}
	begin := cputime.Seconds()
	m, trace, err := crankpkg.BestTree{Lambda: p.lambda, Settings: set}.Train(ctx, train)
	if err != nil {
		return r, err
	}
	r.Status, r.Primal, r.Dual, r.Edges, r.Solves = trace.Status, trace.Primal, trace.Dual, m.Edges, trace.Solves
	r.Seconds, r.CPU = trace.Elapsed.Seconds(), cputime.Seconds()-begin
	for _, q := range trace.Points {
		r.Points = append(r.Points, point{q.Elapsed.Seconds(), q.Primal, q.Dual})
	}
	return r, nil
}

// enumerate trains all trees, and returns an error when that contradicts what was
// certified.
func (p problem) enumerate(ctx context.Context, r *result) error {
	train, _, err := crankpkg.LoadSplit(p.set)
	if err != nil {
		return err
	}
	begin := cputime.Seconds()
	b := crankpkg.BestTree{Lambda: p.lambda, Enumerate: true, Settings: crankpkg.Settings{Gap: p.gap, Scaling: p.scaling}}
	_, trace, err := b.Train(ctx, train)
	if err != nil {
		return err
	}
	r.Enumerated = &outcome{trace.Primal, trace.Dual, cputime.Seconds() - begin}
	if trace.Dual > r.Primal || r.Dual > trace.Primal {
		return fmt.Errorf("the search certifies [%v, %v], the enumeration [%v, %v]", r.Dual, r.Primal, trace.Dual, trace.Primal)
	}
	return nil
}

// String tells the outcome on a line.
func (r result) String() string {
	s := fmt.Sprintf("%-10s %-6g best [%.5f, %.5f] CRANK %.5f greedy %.5f swaps %.5f, %d solves in %.1f s, CPU %.1f s",
		r.Set, r.Lambda, r.Dual, r.Primal, r.CRANK.Primal, r.Greedy.Primal, r.Swap.Primal, r.Solves, r.Seconds, r.CPU)
	if r.Enumerated != nil {
		s += fmt.Sprintf("; all trees [%.5f, %.5f], CPU %.0f s", r.Enumerated.Dual, r.Enumerated.Primal, r.Enumerated.CPU)
	}
	return s
}
