package crankpkg

import (
	"context"
	"runtime"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/internal/cputime"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// The benchmarks below train on real sets, on one processor, and report
//
//	cpu-ms        median processor time of a training
//	x-scoring     the same as a multiple of one scoring pass over the training
//	              set, gonum's X W^T for all labels, timed in turn with it
//	gap           relative gap reached: the primal from Objective, and the
//	              training's dual
//	passes        passes over the examples, cached ones included
//	oracle-calls

// benchmarkTrain runs a method at one lambda (0 is 1/M) to a relative gap.
func benchmarkTrain(b *testing.B, set string, method func(s Settings) Trainer, lambda, gap float64) {
	train := benchmarkData(b, set)
	tr := method(Settings{Gap: gap, Workers: 1}).WithLambda(lambda)
	scoring := newScoringPass(train)
	var m *Model
	var trace *Trace
	var times, multiples []float64
	b.ReportAllocs()
	for b.Loop() {
		own := cpuTimeOf(func() {
			var err error
			if m, trace, err = tr.Train(context.Background(), train); err != nil {
				b.Fatal(err)
			}
		})
		b.StopTimer()
		times = append(times, 1e3*own)
		multiples = append(multiples, own/scoring.seconds())
		b.StartTimer()
	}
	b.ReportMetric(testkit.Median(times), "cpu-ms")
	b.ReportMetric(testkit.Median(multiples), "x-scoring")
	b.ReportMetric(solver.Bounds{Primal: Primal(train, m, trace.Lambda), Dual: trace.Dual}.Gap(), "gap")
	b.ReportMetric(float64(trace.Passes), "passes")
	b.ReportMetric(float64(trace.OracleCalls), "oracle-calls")
}

// benchmarkData returns the training examples of a set, and keeps the benchmark
// on one processor.
func benchmarkData(b *testing.B, set string) *Dataset {
	train, _, err := LoadSplit(set)
	if err != nil {
		b.Fatal(err)
	}
	procs := runtime.GOMAXPROCS(1)
	b.Cleanup(func() { runtime.GOMAXPROCS(procs) })
	return train
}

// cpuTimeOf returns the processor time that f takes, in seconds.
func cpuTimeOf(f func()) float64 {
	begin := cputime.Seconds()
	f()
	return cputime.Seconds() - begin
}

// scoringPass computes the unary scores of all labels for all examples of a
// dense set, by one matrix product.
type scoringPass struct{ x, w, c blas64.General }

func newScoringPass(ds *Dataset) *scoringPass {
	m, n, d := ds.Len(), ds.NumLabels(), ds.NumFeatures()
	s := &scoringPass{
		x: blas64.General{Rows: m, Cols: d, Stride: d, Data: ds.X.Value},
		w: blas64.General{Rows: n, Cols: d, Stride: d, Data: make([]float64, n*d)},
		c: blas64.General{Rows: m, Cols: n, Stride: n, Data: make([]float64, m*n)},
	}
	for k := range s.w.Data {
		s.w.Data[k] = float64(k%7) - 3
	}
	return s
}

// seconds returns the processor time of a pass: a mean over a few milliseconds.
func (s *scoringPass) seconds() float64 {
	const passes = 10
	return cpuTimeOf(func() {
		for range passes {
			blas64.Gemm(blas.NoTrans, blas.Trans, 1, s.x, s.w, 0, s.c)
		}
	}) / passes
}

func full(s Settings) Trainer     { return Full{Settings: s} }
func empty(s Settings) Trainer    { return Empty{Settings: s} }
func chowLiu(s Settings) Trainer  { return ChowLiu{Settings: s} }
func oneStart(s Settings) Trainer { return CRANK{Settings: s, Restarts: 1} }

func BenchmarkTrainYeastFull(b *testing.B)         { benchmarkTrain(b, "yeast", full, 0, 0.01) }
func BenchmarkTrainYeastFullTight(b *testing.B)    { benchmarkTrain(b, "yeast", full, 0, 0.001) }
func BenchmarkTrainYeastFull001(b *testing.B)      { benchmarkTrain(b, "yeast", full, 0.001, 0.01) }
func BenchmarkTrainYeastFull001Tight(b *testing.B) { benchmarkTrain(b, "yeast", full, 0.001, 0.001) }
func BenchmarkTrainYeastFull0067(b *testing.B)     { benchmarkTrain(b, "yeast", full, 0.0067, 0.01) }
func BenchmarkTrainYeastFull0067Tight(b *testing.B) {
	benchmarkTrain(b, "yeast", full, 0.0067, 0.001)
}
func BenchmarkTrainYeastEmpty(b *testing.B)     { benchmarkTrain(b, "yeast", empty, 0, 0.01) }
func BenchmarkTrainYeastChowLiu(b *testing.B)   { benchmarkTrain(b, "yeast", chowLiu, 0, 0.01) }
func BenchmarkTrainYeastCRANK(b *testing.B)     { benchmarkTrain(b, "yeast", oneStart, 0.001, 0.01) }
func BenchmarkTrainSceneFull(b *testing.B)      { benchmarkTrain(b, "scene", full, 0, 0.01) }
func BenchmarkTrainSceneFullTight(b *testing.B) { benchmarkTrain(b, "scene", full, 0, 0.001) }
func BenchmarkTrainSceneEmpty(b *testing.B)     { benchmarkTrain(b, "scene", empty, 0, 0.01) }
func BenchmarkTrainSceneChowLiu(b *testing.B)   { benchmarkTrain(b, "scene", chowLiu, 0, 0.01) }
func BenchmarkTrainSceneCRANK(b *testing.B)     { benchmarkTrain(b, "scene", oneStart, 0.003, 0.01) }

// BenchmarkTextbook times the textbook in turn with Full, at lambda = 1/M to
// 1 %. Beside the above it reports x-ours, the median of how many times longer
// the textbook takes. The textbook's own time is cpu-ms.
func BenchmarkTextbook(b *testing.B) {
	for _, set := range []string{"yeast", "scene"} {
		b.Run(set, func(b *testing.B) { benchmarkTextbook(b, set) })
	}
}

func benchmarkTextbook(b *testing.B, set string) {
	const gap = 0.01
	train := benchmarkData(b, set)
	lambda := 1 / float64(train.Len())
	scoring := newScoringPass(train)
	var reached solver.Bounds
	var passes int
	var times, multiples, ratios []float64
	for b.Loop() {
		other := cpuTimeOf(func() {
			t := newTextbook(train.X, train.Y, train.NumLabels(), labelgraph.AllPairs(train.NumLabels()), lambda)
			reached, passes = t.solve(gap, 1), t.passes
		})
		b.StopTimer()
		own := cpuTimeOf(func() {
			if _, _, err := (Full{Lambda: lambda, Settings: Settings{Gap: gap, Workers: 1}}).Train(context.Background(), train); err != nil {
				b.Fatal(err)
			}
		})
		times = append(times, 1e3*other)
		multiples = append(multiples, other/scoring.seconds())
		ratios = append(ratios, other/own)
		b.StartTimer()
	}
	b.ReportMetric(testkit.Median(times), "cpu-ms")
	b.ReportMetric(testkit.Median(multiples), "x-scoring")
	b.ReportMetric(testkit.Median(ratios), "x-ours")
	b.ReportMetric(reached.Gap(), "gap")
	b.ReportMetric(float64(passes), "passes")
	b.ReportMetric(float64(passes*train.Len()), "oracle-calls")
}

// BenchmarkYeastCRANKAgainstFull trains one start of CRANK, its whole path of
// penalties, in turn with Full at the same lambda and gap. It reports x-full,
// the median of CRANK's time relative to Full's: the paper has 1.82.
func BenchmarkYeastCRANKAgainstFull(b *testing.B) {
	train := benchmarkData(b, "yeast")
	set := Settings{Gap: 0.01, Workers: 1}
	seconds := func(t Trainer) float64 {
		return cpuTimeOf(func() {
			if _, _, err := t.WithLambda(0.001).Train(context.Background(), train); err != nil {
				b.Fatal(err)
			}
		})
	}
	var ratios []float64
	for b.Loop() {
		ratios = append(ratios, seconds(oneStart(set))/seconds(full(set)))
	}
	b.ReportMetric(testkit.Median(ratios), "x-full")
}

// BenchmarkTrainSeeds trains with ten seeds, each of which visits the examples in an order of
// its own, and reports the mean of their processor times and of their passes: one path to a
// gap can be shorter than another by chance, a change that is faster is so on the whole.
func BenchmarkTrainSeeds(b *testing.B) {
	const seeds = 10
	for _, set := range []string{"yeast", "scene"} {
		for _, c := range []struct {
			name        string
			method      func(s Settings) Trainer
			lambda, gap float64
		}{{"full", full, 0, 0.01}, {"full-tight", full, 0, 0.001}, {"empty", empty, 0, 0.01}, {"crank", oneStart, 0.001, 0.01}} {
			b.Run(set+"/"+c.name, func(b *testing.B) {
				train := benchmarkData(b, set)
				var seconds, passes float64
				for b.Loop() {
					for seed := range uint64(seeds) {
						t := c.method(Settings{Gap: c.gap, Workers: 1, Seed: seed}).WithLambda(c.lambda)
						seconds += cpuTimeOf(func() {
							_, trace, err := t.Train(context.Background(), train)
							if err != nil {
								b.Fatal(err)
							}
							passes += float64(trace.Passes)
						})
					}
				}
				b.ReportMetric(1e3*seconds/seeds/float64(b.N), "cpu-ms")
				b.ReportMetric(passes/seeds/float64(b.N), "passes")
			})
		}
	}
}
