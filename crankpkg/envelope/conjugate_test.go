package envelope_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Corollaries 4.1 and 4.2, from the definition of the convex hull: the
// biconjugate of F1(Supp) and F2(Supp) on the unit ball is f1 and f2. That of
// the circuit rank of a triangle is zero unless all three weights are large,
// max(0, |x|_1 - 2): it penalizes no small cycle, which is why F is split.
func TestBiconjugateIsTheEnvelope(t *testing.T) {
	const n = 3
	edges := labelgraph.AllPairs(n)
	points := envelope.GridPoints(3, 5, -1, 1)
	slopes := envelope.GridPoints(3, 9, -2, 2) // holds the subgradients, which are -1, 0 and 1
	functions := make([][]float64, 3)
	for _, x := range points {
		p := envelope.EvaluatePenalty(n, edges, x)
		for k, v := range []int{p.Support, p.Rank, p.CircuitRank} {
			functions[k] = append(functions[k], float64(v))
		}
	}
	rng := rand.New(rand.NewPCG(1, 4))
	queries := make([][]float64, 50)
	for q := range queries {
		queries[q] = []float64{2*rng.Float64() - 1, 2*rng.Float64() - 1, 2*rng.Float64() - 1}
	}
	for k, values := range functions {
		hull := envelope.Conjugate(slopes, envelope.Conjugate(points, values, slopes), queries)
		for q, x := range queries {
			p := envelope.EvaluatePenalty(n, edges, x)
			want := []float64{p.Envelope1, p.Envelope2, math.Max(0, p.Envelope1-2)}[k]
			if !(math.Abs(hull[q]-want) <= 1e-12) {
				t.Errorf("function %d: biconjugate %v at %v, want %v", k, hull[q], x, want)
			}
		}
	}
}

// A convex function sampled finely enough is its own biconjugate.
func TestConjugateOfConvexFunction(t *testing.T) {
	points := envelope.GridPoints(1, 201, -2, 2)
	values := make([]float64, len(points))
	for k, x := range points {
		values[k] = x[0] * x[0] / 2
	}
	// s^2/2 is the conjugate of x^2/2.
	slopes := envelope.GridPoints(1, 41, -1, 1)
	for j, got := range envelope.Conjugate(points, values, slopes) {
		s := slopes[j][0]
		if !(math.Abs(got-s*s/2) <= 1e-3) {
			t.Errorf("conjugate %v at slope %v, want %v", got, s, s*s/2)
		}
	}
}

func ExampleConjugate() {
	// A well with two bottoms; its hull is flat between them.
	points := envelope.GridPoints(1, 5, -2, 2)
	values := []float64{1, 0, 1, 0, 1}
	slopes := envelope.GridPoints(1, 9, -2, 2)
	fmt.Println(envelope.Conjugate(slopes, envelope.Conjugate(points, values, slopes), points))
	// Output: [1 0 0 0 1]
}
