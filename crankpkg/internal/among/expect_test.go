package among

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// expectation is the expected measure of a prediction by its definition.
func expectation(m metrics.Measure, predicted, labelings []uint8, scores []float64, temperature float64) float64 {
	n := len(predicted)
	best := slices.Max(scores)
	var sum, total float64
	for k, v := range scores {
		p := math.Exp((v - best) / temperature)
		total += p
		sum += p * metrics.Evaluate(labelings[k*n:(k+1)*n], predicted, n).Of(m)
	}
	return sum / total
}

// TestExpecterIsBest compares with all labelings, by the expectation's definition, and of
// subset accuracy with the largest score.
func TestExpecterIsBest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(102, 1))
	for range 400 {
		n, count := 1+rng.IntN(6), 1+rng.IntN(12)
		labelings, own := testkit.RandomLabels(rng, n*count), testkit.RandomNumbers(count, rng)
		if rng.IntN(3) == 0 {
			clear(labelings[:n]) // no label
		}
		edges := testkit.RandomEdges(n, 0.5, rng)
		pair, unary := testkit.RandomNumbers(len(edges), rng), testkit.RandomNumbers(n, rng)
		order := make([]int32, n)
		for pos, i := range rng.Perm(n) {
			order[pos] = int32(i)
		}
		s := New(labelings, own, order, edges, pair)
		scores := scoresByDefinition(labelings, own, order, edges, pair, unary)
		e, got := NewExpecter(s, metrics.SubsetAccuracy, 1), make([]uint8, n)
		e.LabelTo(got, unary, nil)
		most := math.Inf(-1)
		for k, v := range scores {
			if slices.Equal(labelings[k*n:(k+1)*n], got) {
				most = max(most, v)
			}
		}
		if most < slices.Max(scores)-1e-9 {
			t.Fatalf("%v has %v of the scores %v", got, most, scores)
		}
		for _, m := range []metrics.Measure{metrics.HammingAccuracy, metrics.ExampleF1} {
			temperature := math.Exp(rng.NormFloat64())
			e.Set(m, temperature)
			e.LabelTo(got, unary, nil)
			value := expectation(m, got, labelings, scores, temperature)
			for code := range 1 << n {
				y := make([]uint8, n)
				for i := range y {
					y[i] = uint8(code >> i & 1)
				}
				if other := expectation(m, y, labelings, scores, temperature); other > value+1e-6 {
					t.Fatalf("%s of %v is %v, of %v %v, by labelings %v with scores %v at %v", m, got, value, y, other, labelings, scores, temperature)
				}
			}
		}
	}
}

// TestExpecterOfInfiniteScores takes the first of the largest.
func TestExpecterOfInfiniteScores(t *testing.T) {
	t.Parallel()
	for _, score := range []float64{math.Inf(1), math.Inf(-1)} {
		s := New([]uint8{0, 1, 1, 0}, []float64{score, score}, []int32{0, 1}, nil, nil)
		for _, m := range metrics.PaperMeasures() {
			got := make([]uint8, 2)
			NewExpecter(s, m, 1).LabelTo(got, make([]float64, 2), nil)
			if !slices.Equal(got, []uint8{0, 1}) {
				t.Errorf("%s: %v", m, got)
			}
		}
	}
}

// TestSortByWorth has ties: positions come by worth, and among equals by their number, wherever they stood before.
func TestSortByWorth(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(103, 1))
	for range 200 {
		n := 1 + rng.IntN(8)
		e := &Expecter{}
		for _, pos := range rng.Perm(n) {
			e.rank, e.worth = append(e.rank, int32(pos)), append(e.worth, float64(rng.IntN(3)))
		}
		e.sortByWorth()
		for k, pos := range e.rank[1:] {
			if before := e.rank[k]; e.worth[before] < e.worth[pos] || e.worth[before] == e.worth[pos] && before > pos {
				t.Fatalf("worths %v are ranked %v", e.worth, e.rank)
			}
		}
	}
}
