package among

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestScorerAgainstDefinition scores each labeling by the sums of the model, with labels in
// any order and weights of the pairs that are given with the row or before it.
func TestScorerAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(101, 1))
	for range 200 {
		n, count := 1+rng.IntN(6), 1+rng.IntN(8)
		y, scores := testkit.RandomLabels(rng, n*count), testkit.RandomNumbers(count, rng)
		edges := testkit.RandomEdges(n, 0.5, rng)
		pair, own := testkit.RandomNumbers(len(edges), rng), testkit.RandomNumbers(len(edges), rng)
		order := make([]int32, n)
		unary := testkit.RandomNumbers(n, rng)
		for pos, i := range rng.Perm(n) {
			order[pos] = int32(i)
		}
		s := New(y, scores, order, edges, own)
		for _, given := range [][]float64{nil, pair} {
			weights := own
			if given != nil {
				weights = given
			}
			check(t, s, scoresByDefinition(y, scores, order, edges, weights, unary), y, unary, given, 1e-12*testkit.SumAbs(scores, unary, weights))
		}
	}
}

func scoresByDefinition(y []uint8, scores []float64, order []int32, edges []labelgraph.Edge, weights, unary []float64) []float64 {
	values := slices.Clone(scores)
	n := len(order)
	for k := range values {
		labeling := y[k*n : (k+1)*n]
		for pos, i := range order {
			values[k] += unary[pos] * float64(labeling[i])
		}
		for e, edge := range edges {
			values[k] += weights[e] * float64(labeling[edge.I]*labeling[edge.J])
		}
	}
	return values
}

// TestLabelToTakesTheFirst among equals, of which even -Inf, of scores that overflow, are some.
func TestLabelToTakesTheFirst(t *testing.T) {
	for _, score := range []float64{0, math.Inf(-1)} {
		y := []uint8{0, 1, 1, 0, 1, 1}
		s := New(y, []float64{score, score, score}, []int32{0, 1}, nil, nil)
		got := make([]uint8, 2)
		s.LabelTo(got, make([]float64, 2), nil)
		if !slices.Equal(got, y[:2]) {
			t.Errorf("%v of the three with score %v, want the first", got, score)
		}
	}
}

func check(t *testing.T, s *Scorer, values []float64, y []uint8, unary, given []float64, tol float64) {
	t.Helper()
	n := len(unary)
	got := make([]uint8, n)
	s.LabelTo(got, unary, given)
	best := slices.Max(values)
	right := false
	for k, v := range values {
		right = right || v >= best-tol && slices.Equal(got, y[k*n:(k+1)*n])
	}
	if !right {
		t.Fatalf("%v is not the best of %v with the values %v", got, y, values)
	}
	off, on := make([]float64, n), make([]float64, n)
	s.MaximaTo(off, on, unary, given)
	for i := range n {
		want := [2]float64{math.Inf(-1), math.Inf(-1)}
		for k, v := range values {
			want[y[k*n+i]] = max(want[y[k*n+i]], v)
		}
		for v, got := range [2]float64{off[i], on[i]} {
			if got != want[v] && !(math.Abs(got-want[v]) <= tol) { // equal infinities have no difference
				t.Fatalf("label %d at %d: %v, want %v", i, v, got, want[v])
			}
		}
	}
}

// TestTiesGoToTheFirst has two labelings of the same score.
func TestTiesGoToTheFirst(t *testing.T) {
	y := make([]uint8, 2)
	New([]uint8{0, 1, 1, 0}, []float64{0, 0}, []int32{0, 1}, nil, nil).LabelTo(y, []float64{3, 3}, nil)
	if y[0] != 0 || y[1] != 1 {
		t.Errorf("labeling %v", y)
	}
}
