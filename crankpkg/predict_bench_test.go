package crankpkg

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// The benchmarks below compare prediction with the work that it cannot do
// without, on 1024 dense rows of the sizes of Yeast and Scene. They time both
// in turn and report medians, so that a busy machine disturbs both alike:
// ns/example is the time of a prediction, the ratios are times what is named.

// rival is what a prediction is compared with.
type rival struct {
	name string
	run  func()
}

func benchmarkPrediction(b *testing.B, setUp func(m *Model, x *Matrix) (predict func(), rivals []rival)) {
	for _, size := range []struct{ n, d int }{{14, 103}, {6, 294}} {
		b.Run(fmt.Sprintf("n=%d/d=%d", size.n, size.d), func(b *testing.B) {
			// gonum shares a large product out among all processors.
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			rng := rand.New(rand.NewPCG(40, 1))
			x := &Matrix{NumRows: 1024, NumCols: size.d}
			for range x.NumRows * size.d {
				x.Value = append(x.Value, rng.NormFloat64())
			}
			predict, rivals := setUp(randomModel(size.n, size.d, labelgraph.RandomTree(size.n, rng), rng), x)
			predict()
			var times []float64
			ratios := make([][]float64, len(rivals))
			for b.Loop() {
				own := timeOf(predict)
				times = append(times, own/float64(x.NumRows))
				for k, r := range rivals {
					ratios[k] = append(ratios[k], own/timeOf(r.run))
				}
			}
			b.ReportMetric(testkit.Median(times), "ns/example")
			for k, r := range rivals {
				b.ReportMetric(testkit.Median(ratios[k]), "x-"+r.name)
			}
		})
	}
}

// timeOf returns the nanoseconds that f takes.
func timeOf(f func()) float64 {
	begin := time.Now()
	f()
	return float64(time.Since(begin))
}

// plainWeights returns the unary weights without bias, label after label.
func plainWeights(m *Model) (w []float64) {
	for i := range m.NumLabels() {
		w = append(w, m.UnaryWeights(i)[:m.NumFeatures()]...)
	}
	return w
}

// BenchmarkPredictTree predicts one row at a time, against the n dot products
// of a row with the weights.
func BenchmarkPredictTree(b *testing.B) {
	benchmarkPrediction(b, func(m *Model, x *Matrix) (func(), []rival) {
		p, w := m.Predictor(), plainWeights(m)
		y, c, d := make([]uint8, p.NumLabels()), make([]float64, p.NumLabels()), p.NumFeatures()
		predict := func() {
			for m := range x.NumRows {
				p.PredictTo(y, x.Row(m))
			}
		}
		return predict, []rival{{"dots", func() {
			for m := range x.NumRows {
				row := x.Row(m).Value
				for i := range c {
					c[i] = vec.Dot(row, w[i*d:(i+1)*d])
				}
			}
		}}}
	})
}

// BenchmarkPredictBatch predicts all rows in one call on one goroutine, against
// gonum's product of the rows and the weights: in one call, and in the tiles in
// which the prediction computes it.
func BenchmarkPredictBatch(b *testing.B) {
	benchmarkPrediction(b, func(m *Model, x *Matrix) (func(), []rival) {
		p := m.Predictor()
		n, d := p.NumLabels(), p.NumFeatures()
		y := make([]uint8, x.NumRows*n)
		w := blas64.General{Rows: n, Cols: d, Stride: d, Data: plainWeights(m)}
		product := func(c []float64, first, last int) {
			rows := blas64.General{Rows: last - first, Cols: d, Stride: d, Data: x.Value[first*d : last*d]}
			blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows, w, 0, blas64.General{Rows: last - first, Cols: n, Stride: n, Data: c})
		}
		all, tile := make([]float64, x.NumRows*n), make([]float64, batchRows*n)
		return func() { p.PredictAllTo(y, x, 1) }, []rival{
			{"product", func() { product(all, 0, x.NumRows) }},
			{"tiles", func() {
				for m := 0; m < x.NumRows; m += batchRows {
					product(tile, m, m+batchRows)
				}
			}},
		}
	})
}

// BenchmarkPredictRule predicts all rows in one call by rules, against the plain prediction.
// The cut leaves no label in more than half of the rows, so that at least one is a frequent
// case; the last two rules have to count labels.
func BenchmarkPredictRule(b *testing.B) {
	for _, rule := range []decision.Rule{
		{Cut: 20, PairFactor: 0.8}, {Cut: 20, Least: 1}, {Cut: 20, Least: 2}, {Most: 3},
	} {
		b.Run(strings.ReplaceAll(rule.String(), " ", "-"), func(b *testing.B) {
			benchmarkPrediction(b, func(m *Model, x *Matrix) (func(), []rival) {
				plain, y := m.Predictor(), make([]uint8, x.NumRows*m.NumLabels())
				m.Rule = rule
				p := m.Predictor()
				free, broken := m.Predictor(), 0
				free.limits = nil
				for row := range slices.Chunk(free.PredictAll(x), m.NumLabels()) {
					if !rule.Allows(row) {
						broken++
					}
				}
				b.ReportMetric(float64(broken)/float64(x.NumRows), "share-limited")
				return func() { p.PredictAllTo(y, x, 1) }, []rival{{"plain", func() { plain.PredictAllTo(y, x, 1) }}}
			})
		})
	}
}

// BenchmarkMappedRow scores one row at a time of the size of Scene, on 2000 Fourier features
// and on a kernel with 1000 landmarks: by the model, which freezes a Predictor for each row,
// and by a Predictor that is kept.
func BenchmarkMappedRow(b *testing.B) {
	rng := rand.New(rand.NewPCG(40, 2))
	const n, d = 6, 294
	x := Row{Value: testkit.RandomNumbers(d, rng)}
	fourier := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
	fourier.Fourier = FourierFeatures{Count: 2000}.Resolve(d)
	fourier.Unary = testkit.RandomNumbers(n*2001, rng)
	kernel := randomModel(n, d, labelgraph.RandomTree(n, rng), rng)
	kernel.Kernel = &feature.Kernel{Kind: feature.Gaussian, Gamma: 0.01, Landmarks: &Matrix{NumRows: 1000, NumCols: d, Value: testkit.RandomNumbers(1000*d, rng)}}
	kernel.Unary = testkit.RandomNumbers(n*1001, rng)
	for name, m := range map[string]*Model{"Fourier": fourier, "kernel": kernel} {
		b.Run(name+"/model", func(b *testing.B) {
			m.Scores(x) // draws the frequencies
			for b.Loop() {
				m.Scores(x)
			}
		})
		b.Run(name+"/predictor", func(b *testing.B) {
			p, c := m.Predictor(), make([]float64, n)
			for b.Loop() {
				p.ScoresTo(c, x)
			}
		})
	}
}
