package crankpkg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// trained returns the trace of a training and its processor time in seconds.
func trained(b *testing.B, t Trainer, train *Dataset) (trace *Trace, seconds float64) {
	seconds = cpuTimeOf(func() {
		var err error
		if _, trace, err = t.Train(context.Background(), train); err != nil {
			b.Fatal(err)
		}
	})
	return trace, seconds
}

// BenchmarkRestarts trains CRANK on the paper's sets in turn with Full, at the same lambda
// and gap, and once from ten plain starts. It reports
//
//	cpu-ms    median processor time of the default
//	x-full    median of that relative to Full's
//	one-x     the same for one plain start
//	tree-x    the same for the tree alone, its weights trained from zero
//	ten-x     the same for ten plain starts (taken once)
//	over-ten  by how many percent the default's objective is above that of ten starts
//	          (negative: below)
//	races     trees that swaps have led to
func BenchmarkRestarts(b *testing.B) {
	for _, set := range []struct {
		name    string
		scaling Scaling
	}{{"emotions", ZScore}, {"medical10", NoScaling}, {"scene", NoScaling}, {"yeast", NoScaling}} {
		for _, lambda := range []float64{0.01, 0.001, 0.0003} {
			b.Run(fmt.Sprintf("%s/%g", set.name, lambda), func(b *testing.B) {
				benchmarkRestarts(b, set.name, lambda, Settings{Gap: 0.01, Workers: 1, Scaling: set.scaling})
			})
		}
	}
}

func benchmarkRestarts(b *testing.B, set string, lambda float64, s Settings) {
	train := benchmarkData(b, set)
	var trace *Trace
	var times, ratios, ones, trees []float64
	for b.Loop() {
		_, all := trained(b, Full{Lambda: lambda, Settings: s}, train)
		var own float64
		trace, own = trained(b, CRANK{Lambda: lambda, Settings: s}, train)
		_, one := trained(b, CRANK{Lambda: lambda, Restarts: 1, Settings: s}, train)
		_, tree := trained(b, FixedGraph{Lambda: lambda, Edges: trace.Restarts[0].Edges, Settings: s}, train)
		times, ratios = append(times, 1e3*own), append(ratios, own/all)
		ones, trees = append(ones, one/all), append(trees, tree/all)
	}
	ten, seconds := trained(b, CRANK{Lambda: lambda, Restarts: 10, Settings: s}, train)
	b.ReportMetric(testkit.Median(times), "cpu-ms")
	b.ReportMetric(testkit.Median(ratios), "x-full")
	b.ReportMetric(testkit.Median(ones), "one-x")
	b.ReportMetric(testkit.Median(trees), "tree-x")
	b.ReportMetric(1e3*seconds/testkit.Median(times)*testkit.Median(ratios), "ten-x")
	b.ReportMetric(100*(trace.Primal/ten.Primal-1), "over-ten")
	b.ReportMetric(float64(trace.Solves), "races")
}

// BenchmarkSpread trains CRANK under 20 seeds, each with another order of the labels, as
// it is by default and from one and ten plain starts. It reports
//
//	low-ms, cpu-ms, high-ms   least, median and largest processor time
//	low, objective, high      the same of the objective
//
// of all 20 of them, whatever the number of rounds.
func BenchmarkSpread(b *testing.B) {
	for _, set := range []string{"yeast", "scene"} {
		for _, restarts := range []int{0, 1, 10} {
			b.Run(fmt.Sprintf("%s/restarts=%d", set, restarts), func(b *testing.B) {
				train := benchmarkData(b, set)
				for b.Loop() {
					var times, objectives []float64
					for seed := range uint64(20) {
						c := CRANK{Lambda: 0.001, Restarts: restarts, Settings: Settings{Seed: seed, Workers: 1}}
						trace, seconds := trained(b, c, shuffledLabels(train, seed))
						times, objectives = append(times, 1e3*seconds), append(objectives, trace.Primal)
					}
					for _, m := range []struct {
						values         []float64
						low, mid, high string
					}{{times, "low-ms", "cpu-ms", "high-ms"}, {objectives, "low", "objective", "high"}} {
						b.ReportMetric(slices.Min(m.values), m.low)
						b.ReportMetric(testkit.Median(m.values), m.mid)
						b.ReportMetric(slices.Max(m.values), m.high)
					}
				}
			})
		}
	}
}

// shuffledLabels returns ds with its labels in another order, which the seed tells.
func shuffledLabels(ds *Dataset, seed uint64) *Dataset {
	n := ds.NumLabels()
	order := rand.New(rand.NewPCG(seed, 1)).Perm(n)
	c := *ds
	c.Y, c.LabelNames = make([]uint8, len(ds.Y)), make([]string, n)
	for to, from := range order {
		c.LabelNames[to] = ds.LabelNames[from]
		for m := range ds.Len() {
			c.Y[m*n+to] = ds.Y[m*n+from]
		}
	}
	return &c
}
