package crankpkg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestPredictionsHaveNoHistory predicts rows of models in which many labelings are equally good, in batches, one by one and
// each by a fresh predictor: what came before a row does not matter, neither to its labels nor to its margins.
func TestPredictionsHaveNoHistory(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	halves := func(to []float64) {
		for k := range to {
			to[k] = float64(rng.IntN(5)-2) / 2
		}
	}
	for range 150 {
		n, d, rows := 2+rng.IntN(5), 1+rng.IntN(5), 1+rng.IntN(70)
		edges := labelgraph.AllPairs(n)
		if rng.IntN(3) == 0 {
			edges = labelgraph.RandomTree(n, rng)
		}
		m := randomModel(n, d, edges, rng)
		halves(m.Unary)
		for k := range m.Pair {
			m.Pair[k] = []float64{-1, -0.5, 0.5, 1}[rng.IntN(4)]
		}
		if rng.IntN(4) > 0 {
			m.EdgeFeatures, m.PairFeatures = EdgeFeatures{Columns: []int{0}, Scale: 0.5}, make([]float64, len(edges))
			halves(m.PairFeatures)
			if rng.IntN(2) == 0 {
				m.PairFeatures = testkit.RandomNumbers(len(edges), rng)
			}
		}
		if rng.IntN(4) == 0 {
			m.Rule.Least, m.Rule.Most = 1, 1+rng.IntN(n)
		}
		values := make([][]float64, rows)
		for r := range values {
			values[r] = make([]float64, d)
			for k := range values[r] {
				values[r][k] = float64(rng.IntN(3) - 1)
			}
		}
		x := feature.NewDense(d, values)
		p := m.Predictor()
		batch := p.PredictAll(x)
		fresh, used := make([]float64, n), make([]float64, n)
		for r := range rows {
			want := m.Predictor().Predict(x.Row(r))
			if got := p.Predict(x.Row(r)); !slices.Equal(got, want) || !slices.Equal(batch[r*n:(r+1)*n], want) {
				t.Fatalf("row %d of %d, rule %v: %v alone, %v after others, %v in a batch", r, rows, m.Rule, want, got, batch[r*n:(r+1)*n])
			}
			m.Predictor().MarginsTo(fresh, x.Row(r))
			p.MarginsTo(used, x.Row(r))
			if !slices.Equal(fresh, used) {
				t.Fatalf("row %d of %d, rule %v: margins %v alone, %v after others", r, rows, m.Rule, fresh, used)
			}
		}
	}
}
