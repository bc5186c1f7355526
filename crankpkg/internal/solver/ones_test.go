package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// evenTraining has sparse rows of one value each, 1 or by as much as spread another, an empty one among them.
func evenTraining(rng *rand.Rand, m, d, n int, spread float64) *Problem {
	x, y := feature.NewSparse(d), make([]uint8, m*n)
	for k := range m {
		var index []int32
		for q := range d {
			if k > 0 && rng.IntN(3) == 0 {
				index = append(index, int32(q))
			}
		}
		x.AppendSparse(index, slices.Repeat([]float64{1 + spread*rng.NormFloat64()}, len(index)))
		for i := range n {
			if rng.IntN(4) == 0 || slices.Contains(index, int32(i%d)) {
				y[k*n+i] = 1
			}
		}
	}
	return NewProblem(x, y, n, infer.Loss{}, nil, nil)
}

// TestOnesSameBits trains on rows of ones, or of one value each, as such, and as rows of any values.
func TestOnesSameBits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 2))
	for _, loss := range []infer.Loss{{}, {Squared: true}} {
		for k := range 20 {
			p := evenTraining(rng, 80, 12+20*(k%2), 2, float64(k%3/2)*0.3) // rows of up to some eight, or many more
			p.loss = loss
			if p.even == nil || p.even.IsOnes() != (k%3 < 2) {
				t.Fatal("rows of ones, or of one value, are not found")
			}
			q := *p
			q.even = nil
			for i := range p.n {
				a, b := newSVM(p, nil, i, 0.01, 7), newSVM(&q, nil, i, 0.01, 7)
				a.Solve(1e-4, 5000, never)
				b.Solve(1e-4, 5000, never)
				if a.bounds != b.bounds || a.bias != b.bias || a.passes != b.passes || !slices.Equal(a.w, b.w) || !slices.Equal(a.alpha, b.alpha) {
					t.Fatalf("%v in %d passes, not %v in %d", a.bounds, a.passes, b.bounds, b.passes)
				}
			}
		}
	}
	if p := randomTraining(rng, 10, 5, 1, true); p.even != nil {
		t.Error("any values are taken for ones")
	}
}

// TestPackedAlphas goes on from alphas that were put away, to other gaps and another lambda.
func TestPackedAlphas(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	for _, sparse := range []bool{false, true} {
		p := randomTraining(rng, 120, 10, 1, sparse)
		a, b := newSVM(p, newSingleRows(p), 0, 0.01, 1), newSVM(p, newSingleRows(p), 0, 0.01, 1)
		for _, gap := range []float64{0.1, 1e-3} {
			for _, lambda := range []float64{0.01, 0.02} {
				for _, svm := range []*SVM{a, b} {
					svm.SetLambda(lambda)
					svm.Solve(gap, 5000, never)
				}
				before := slices.Clone(a.alpha)
				a.pack()
				a.pack()
				if a.alpha != nil || a.bounds != b.bounds {
					t.Fatalf("bounds %v, not %v", a.bounds, b.bounds)
				}
				a.unpack()
				a.unpack()
				if !slices.Equal(a.alpha, before) || !slices.Equal(a.alpha, b.alpha) {
					t.Fatal("other alphas")
				}
				a.pack()
			}
		}
	}
}

// TestForkSameBits goes on from a clone, and from what was not kept.
func TestForkSameBits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	edges := []labelgraph.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 0, J: 3}}
	for _, shards := range []int{0, 2} {
		p := randomTraining(rng, 60, 6, 4, true)
		var bounds []Bounds
		for _, keep := range []bool{true, false} {
			svms := NewSVMs(p, 0.01, 1)
			for _, b := range svms {
				b.Solve(0.1, 1000, never)
			}
			s := New(p, nil, 0.01)
			s.TakeSVMs(svms)
			c := s.Fork(keep)
			if (s.ex == nil) == keep {
				t.Error("what was to be kept is not, or the other way about")
			}
			c.SetEdges(edges)
			checkState(t, c)
			b, _ := c.Solve(context.Background(), StopRule{Gap: 1e-4, Workers: 1, Shards: shards})
			checkState(t, c)
			bounds = append(bounds, b)
			if again := c.Fork(false); again == c || c.ex == nil {
				t.Error("a solver that has made passes is not cloned")
			}
		}
		if bounds[0] != bounds[1] {
			t.Errorf("bounds %v and %v", bounds[0], bounds[1])
		}
	}
}

// TestScoresOfSome holds the scores of a few labels and of many to the definition.
func TestScoresOfSome(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	const n, d = 64, 9
	for _, sparse := range []bool{false, true} {
		p := randomTraining(rng, 20, d, n, sparse)
		u := newUnaryWeights(n, d, sparse)
		for k := range u.w {
			u.w[k] = rng.NormFloat64()
		}
		for i := range u.bias {
			u.bias[i] = rng.NormFloat64()
		}
		for m := range 20 {
			for _, some := range []int{0, 1, n / 16, n/16 + 1, n} {
				which := make([]int32, some)
				for k, i := range rng.Perm(n)[:some] {
					which[k] = int32(i)
				}
				dst := make([]float64, n)
				u.scoreSome(dst, p.x.Row(m), which)
				for _, i := range which {
					if want := u.score(i, p.x.Row(m)); dst[i] != want && (sparse || math.Abs(dst[i]-want) > 1e-12) {
						t.Fatalf("%d labels: %v, not %v", some, dst[i], want)
					}
				}
			}
		}
	}
}
