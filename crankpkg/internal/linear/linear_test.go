package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
)

// TestScores holds dense rows, sparse ones and batches to the definition.
func TestScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, d, rows := 1+rng.IntN(20), 1+rng.IntN(40), 1+rng.IntN(9)
		weights, bias, x := testkit.Normals(n*d, rng), testkit.Normals(n, rng), testkit.Normals(rows*d, rng)
		for k := range x {
			if rng.IntN(3) == 0 {
				x[k] = 0
			}
		}
		s := New(weights, bias, d, feature.Scaler{Kind: feature.UnitRows})
		tile, products := make([]float64, rows*s.Width()), make([]float64, s.Width())
		s.MultiplyTo(tile, x, rows)
		for m := range rows {
			dense := feature.Row{Value: x[m*d : (m+1)*d]}
			sparse := feature.Row{Index: []int32{}}
			norm := 0.0
			for j, v := range dense.Value {
				norm += v * v
				if v != 0 {
					sparse.Index, sparse.Value = append(sparse.Index, int32(j)), append(sparse.Value, v)
				}
			}
			got, batch, few := make([]float64, n), make([]float64, n), make([]float64, n)
			s.ScoreTo(got, products, dense)
			s.FinishTo(batch, tile[m*s.Width():], dense)
			s.ScoreTo(few, products, sparse)
			for i := range n {
				want := bias[i]
				for j, v := range dense.Value {
					if norm > 0 {
						want += weights[i*d+j] * v / math.Sqrt(norm)
					}
				}
				if math.Abs(got[i]-want) > 1e-12 || math.Abs(few[i]-want) > 1e-12 || got[i] != batch[i] {
					t.Fatalf("label %d: %v, in a batch %v, sparse %v, want %v", i, got[i], batch[i], few[i], want)
				}
			}
		}
	}
}

// TestFewWeights holds the scorer that keeps few weights to the one that keeps all, to the bit,
// whatever rows come first, and the kept weights to those that it was made of.
func TestFewWeights(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n, d := 1+rng.IntN(20), 1+rng.IntN(40)
		weights, bias := make([]float64, n*d), testkit.Normals(n, rng)
		for range n * d / 10 {
			weights[rng.IntN(n*d)] = rng.NormFloat64()
		}
		few := New(weights, bias, d, feature.Scaler{Kind: feature.UnitRows})
		if few.few == nil || !slices.Equal(few.few.dense(n), weights) {
			t.Fatalf("%d labels, %d features: the weights are not kept as few", n, d)
		}
		panels := vec.NewPanels(weights, n, d)
		all := &Scorer{panels: func() *vec.Panels { return panels }, bias: bias, scaler: few.scaler}
		got, want := make([]float64, n), make([]float64, n)
		products := make([]float64, few.Width())
		for range 5 {
			row := feature.Row{Value: testkit.Normals(d, rng)}
			if rng.IntN(2) == 0 {
				sparse := feature.Row{Index: []int32{}}
				for k, v := range row.Value {
					if rng.IntN(3) == 0 {
						sparse.Index, sparse.Value = append(sparse.Index, int32(k)), append(sparse.Value, v)
					}
				}
				row = sparse
			}
			few.ScoreTo(got, products, row)
			all.ScoreTo(want, products, row)
			if !slices.Equal(got, want) {
				t.Fatalf("%v, with all weights %v", got, want)
			}
		}
	}
}

// Weights that are many are kept as they are.
func TestManyWeights(t *testing.T) {
	t.Parallel()
	if New([]float64{1, 0, 0, 0, 0, 0, 0, 0}, []float64{0}, 8, feature.Scaler{}).few != nil {
		t.Error("one weight of eight is few")
	}
	if New([]float64{1, 0, 0, 0, 0, 0, 0, 0, 0}, []float64{0}, 9, feature.Scaler{}).few == nil {
		t.Error("one weight of nine is not few")
	}
}

// BenchmarkFewWeights compares sparse rows with all weights and with one of ten that is not zero.
func BenchmarkFewWeights(b *testing.B) {
	const n, d = 983, 500
	rng := rand.New(rand.NewPCG(5, 6))
	row := feature.Row{}
	for k := rng.IntN(50); k < d; k += 1 + rng.IntN(50) {
		row.Index, row.Value = append(row.Index, int32(k)), append(row.Value, 1)
	}
	for _, c := range []struct {
		name  string
		share float64
	}{{"all", 1}, {"tenth", 0.1}, {"hundredth", 0.01}} {
		weights := make([]float64, n*d)
		for k := range weights {
			if rng.Float64() < c.share {
				weights[k] = rng.NormFloat64()
			}
		}
		s := New(weights, make([]float64, n), d, feature.Scaler{})
		dst, products := make([]float64, n), make([]float64, s.Width())
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				s.ScoreTo(dst, products, row)
			}
		})
	}
}
