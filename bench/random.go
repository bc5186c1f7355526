package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/crank-ml/crank/bench/glpk"
	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// randomRow tells of problems over all pairs of some labels, with normal weights
// of standard deviation 1 and normal unary terms of standard deviation Unary:
// from where most labels are fractional to where many are decided by their
// bounds. The median of the ratios is over the problems.
type randomRow struct {
	Labels   int     `json:"labels"`
	Pairs    int     `json:"pairs"`
	Unary    float64 `json:"unary"`
	Problems int     `json:"problems"`
	Halves   float64 `json:"halves"` // share of labels at one half
	// Crank and GLPK (by start) are median times.
	Crank float64            `json:"crank"`
	GLPK  map[string]float64 `json:"glpk"`
	// Ratio is the median of GLPK's time relative to ours, by start.
	Ratio map[string]float64 `json:"ratio"`
	// Difference is the largest relative difference of two optimal values.
	Difference float64 `json:"difference"`
}

// addRandom compares on random problems: more of the small ones, which take GLPK
// a millisecond instead of seconds.
func (r *results) addRandom(problems int, log io.Writer) error {
	for _, size := range []struct {
		labels, problems int
		unary            []float64
	}{
		{14, 5 * problems, []float64{1, 3, 6}},
		{100, problems, []float64{1, 10, 30}},
	} {
		for _, unary := range size.unary {
			row, err := compareRandom(size.labels, size.problems, unary)
			if err != nil {
				return err
			}
			fmt.Fprintf(log, "%3d labels, %4d pairs, unary terms %2v: roof duality %.4g us, GLPK %.4g ms, ratio %.0f (warm %.0f, presolve %.0f), values within %.1g\n",
				row.Labels, row.Pairs, row.Unary, 1e6*row.Crank, 1e3*row.GLPK["cold"], row.Ratio["cold"], row.Ratio["warm"], row.Ratio["presolve"], row.Difference)
			r.Random = append(r.Random, *row)
		}
	}
	return nil
}

// compareRandom draws one graph and solves as many problems with it.
func compareRandom(n, problems int, unary float64) (*randomRow, error) {
	rng := rand.New(rand.NewPCG(uint64(n), math.Float64bits(unary)))
	g := infer.NewPairGraph(n, nil, nil)
	for _, e := range labelgraph.AllPairs(n) {
		g.Set(e, rng.NormFloat64())
	}
	c := newContest(g)
	defer c.simplex.Close()
	row := &randomRow{
		Labels: n, Pairs: len(g.Edges), Unary: unary, Problems: problems,
		GLPK: map[string]float64{}, Ratio: map[string]float64{},
	}
	terms := make([]float64, n)
	own, other, ratios := []float64(nil), map[string][]float64{}, map[string][]float64{}
	for k := -1; k < problems; k++ { // the first one is for the warm start of the next
		for i := range terms {
			terms[i] = unary * rng.NormFloat64()
		}
		t, err := c.solve(terms)
		if err != nil {
			return nil, err
		}
		if k < 0 {
			continue
		}
		own = append(own, t.crank)
		for name, seconds := range t.glpk {
			other[name] = append(other[name], seconds)
			ratios[name] = append(ratios[name], seconds/t.crank)
		}
		row.Difference = max(row.Difference, t.difference)
		row.Halves += t.halves / float64(problems)
	}
	row.Crank = median(own)
	for name := range other {
		row.GLPK[name], row.Ratio[name] = median(other[name]), median(ratios[name])
	}
	return row, nil
}

// contest solves the problems of one graph by both solvers.
type contest struct {
	simplex  *glpk.Problem
	oracle   infer.Oracle
	labeling crankpkg.Labeling
	y        []float64
}

func newContest(g *infer.PairGraph) *contest {
	return &contest{
		simplex: glpk.New(g), oracle: infer.NewLPOracle(g),
		labeling: make(crankpkg.Labeling, g.N), y: make([]float64, g.N),
	}
}

// outcome is what came out of one problem.
type outcome struct {
	crank              float64
	glpk               map[string]float64
	difference, halves float64
}

// solve times both solvers and compares their values.
func (c *contest) solve(terms []float64) (outcome, error) {
	var o outcome
	var want float64
	o.crank = cpuSecondsOf(func() { want = c.oracle.Maximize(c.labeling, terms) })
	for _, v := range c.labeling {
		if v == infer.Half {
			o.halves += 1 / float64(len(c.labeling))
		}
	}
	o.glpk = map[string]float64{}
	for _, s := range starts {
		var value float64
		var err error
		o.glpk[s.name] = cpuSeconds(func() { value, err = c.simplex.Maximize(c.y, terms, s.start) })
		if err != nil {
			return o, err
		}
		o.difference = max(o.difference, math.Abs(value-want)/(1+math.Abs(want)))
	}
	if o.difference > 1e-7 {
		return o, fmt.Errorf("the optimal values of the two solvers differ by %v, relatively", o.difference)
	}
	return o, nil
}
