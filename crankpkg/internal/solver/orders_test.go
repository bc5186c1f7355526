package solver_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/internal/cputime"
)

// mostSeconds of the processor are what a solve gets in BenchmarkOrders.
const mostSeconds = 1.5

// BenchmarkOrders sets the solver beside itself without the interior point method, with all pairs and with labels one by
// one: ms of the processor, and the gap that is reached, which is above the one asked for where mostSeconds did not do.
func BenchmarkOrders(b *testing.B) {
	for _, set := range []string{"flags", "emotions"} {
		train, _, err := crankpkg.LoadSplit(set)
		if err != nil {
			b.Fatal(err)
		}
		for _, scaling := range []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore} {
			scaler, err := feature.FitScaler(scaling, train.X)
			if err != nil {
				b.Fatal(err)
			}
			p := solver.NewProblem(scaler.Apply(train.X), train.Y, train.NumLabels(), infer.Loss{}, nil, nil)
			for _, lambda := range []float64{0.01, 1e-4} {
				for _, gap := range []float64{1e-2, 1e-4, 1e-6} {
					for _, first := range []bool{false, true} {
						order := "as it is"
						if first {
							order = "first order"
						}
						name := fmt.Sprintf("%s %s/lambda %g/gap %g/%s", set, scaling, lambda, gap, order)
						b.Run("pairs/"+name, func(b *testing.B) { benchmarkPairs(b, p, train.NumLabels(), lambda, gap, first) })
						b.Run("labels/"+name, func(b *testing.B) { benchmarkLabels(b, p, lambda, gap, first) })
					}
				}
			}
		}
	}
}

func benchmarkPairs(b *testing.B, p *solver.Problem, n int, lambda, gap float64, first bool) {
	begin, reached := cputime.Seconds(), 0.0
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		from := cputime.Seconds()
		s := solver.New(p, labelgraph.AllPairs(n), lambda)
		if first {
			s.FirstOrder()
		}
		bounds, _ := s.Solve(ctx, solver.StopRule{Gap: gap, Workers: 1, Record: func(solver.Bounds) {
			if cputime.Seconds()-from > mostSeconds {
				cancel()
			}
		}})
		cancel()
		reached = bounds.Gap()
	}
	report(b, begin, reached)
}

func benchmarkLabels(b *testing.B, p *solver.Problem, lambda, gap float64, first bool) {
	begin, reached := cputime.Seconds(), 0.0
	for b.Loop() {
		from := cputime.Seconds()
		var total solver.Bounds
		for _, svm := range solver.NewSVMs(p, lambda, 0) {
			if first {
				svm.FirstOrder()
			}
			svm.SolvePacked(gap, 1e9, func() bool { return cputime.Seconds()-from > mostSeconds })
			bounds, _ := svm.State()
			total.Primal, total.Dual = total.Primal+bounds.Primal, total.Dual+bounds.Dual
		}
		reached = total.Gap()
	}
	report(b, begin, reached)
}

func report(b *testing.B, begin, gap float64) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1000*(cputime.Seconds()-begin)/float64(b.N), "cpu-ms")
	b.ReportMetric(gap, "gap")
}
