package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
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
