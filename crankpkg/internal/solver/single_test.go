package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
)

// unequalRows multiplies one row of p by the factor, whatever its place.
func unequalRows(p *Problem, m int, factor float64) *Problem {
	for k, v := range p.x.Row(m).Value {
		p.x.Row(m).Value[k] = factor * v
	}
	return NewProblem(p.x, p.y, p.n, infer.Loss{}, nil, nil)
}

// TestSingleRowsOfUnequalSize has one row that single precision cannot hold, or
// whose scores it cannot, among rows that it can: the largest row decides.
func TestSingleRowsOfUnequalSize(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(15, 1))
	for _, factor := range []float64{1e-39, 1e10, 1e16, 1e20, 1e39, 1e60} {
		for _, m := range []int{0, 17, 39} {
			p := unequalRows(randomTraining(rng, 40, 5, 1, false), m, factor)
			b := newSVM(p, newSingleRows(p), 0, 0.1, 1)
			b.Solve(0.5, 200, never)
			checkSVM(t, b, math.Inf(1))
			for _, bound := range []float64{b.bounds.Primal, b.bounds.Dual} {
				if math.IsNaN(bound) || math.IsInf(bound, 0) {
					t.Errorf("row %d by %v: bounds %v", m, factor, b.bounds)
				}
			}
		}
	}
}

// TestSingleSameBits trains the same labels again and again, of every small number
// of features: where in memory the weights lie must not matter.
func TestSingleSameBits(t *testing.T) {
	t.Parallel()
	for d := range 9 {
		p := randomTraining(rand.New(rand.NewPCG(uint64(d), 31)), 40, d+1, 1, false)
		var want []float64
		for k := range 20 {
			svm := NewSVMs(p, 0.01, 1)[0]
			svm.Solve(1e-3, 1000, func() bool { return false })
			got := make([]float64, d+2)
			svm.WeightsTo(got)
			if k == 0 {
				want = got
			} else if !slices.Equal(got, want) {
				t.Fatalf("%d features: %v, then %v", d+1, want, got)
			}
		}
	}
}
