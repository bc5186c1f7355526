package envelope_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// The extensions of F1, F2 and F agree with f1, f2 and f of the regularizer,
// which knows nothing of set functions, and with F at the corners of the cube.
func TestLovaszExtensionOfGraphFunctions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		n := 2 + rng.IntN(5)
		edges := labelgraph.AllPairs(n)
		functions := []envelope.SetFunction{
			func(set uint64) float64 { return float64(len(envelope.EdgeSubset(edges, set))) },
			func(set uint64) float64 { return float64(labelgraph.GraphicRank(n, envelope.EdgeSubset(edges, set))) },
			func(set uint64) float64 { return float64(labelgraph.CircuitRank(n, envelope.EdgeSubset(edges, set))) },
		}
		x := make([]float64, len(edges))
		for k := range x {
			if x[k] = rng.Float64(); trial%2 == 0 {
				x[k] = float64(rng.IntN(4)) / 2 // ties and zeros
			}
		}
		p := envelope.EvaluatePenalty(n, edges, x)
		for k, want := range []float64{p.Envelope1, p.Envelope2, p.Excess} {
			if got, _ := envelope.LovaszExtension(functions[k], x); !(math.Abs(got-want) <= 1e-12) {
				t.Fatalf("trial %d: extension %d is %v, the regularizer says %v", trial, k, got, want)
			}
		}
		set := rng.Uint64() & (1<<len(edges) - 1)
		for k := range x {
			x[k] = float64(set >> k & 1)
		}
		for k, f := range functions {
			if got, _ := envelope.LovaszExtension(f, x); got != f(set) {
				t.Fatalf("trial %d: function %d extends to %v at a corner, its value is %v", trial, k, got, f(set))
			}
		}
	}
}

// The steps of the rank are those of Kruskal's algorithm.
func TestLovaszStepsOfTheRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 100 {
		n := 2 + rng.IntN(5)
		edges := labelgraph.AllPairs(n)
		x := make([]float64, len(edges))
		for k := range x {
			x[k] = float64(rng.IntN(3))
		}
		_, steps := envelope.LovaszExtension(func(set uint64) float64 { return float64(labelgraph.GraphicRank(n, envelope.EdgeSubset(edges, set))) }, x)
		taken := make([]bool, len(edges))
		var set uint64
		sum := 0.0
		for k, s := range steps {
			if k > 0 && s.Level > steps[k-1].Level {
				t.Fatal("levels increase")
			}
			set |= 1 << s.Element
			sum += s.Level * s.Gain
			if s.Set != set || s.Level != x[s.Element] || s.Sum != sum {
				t.Fatalf("step %d: %+v", k, s)
			}
			taken[s.Element] = s.Gain == 1
		}
		inForest := make([]bool, len(edges))
		for _, k := range labelgraph.MaximumSpanningForest(n, edges, x, 0) {
			inForest[k] = true
		}
		for k := range edges {
			if taken[k] != inForest[k] {
				t.Fatalf("edge %v: gain 1 is %v, in the maximum spanning forest is %v", edges[k], taken[k], inForest[k])
			}
		}
	}
}

// Sets have up to 64 elements, the last one among them; more would be lost without a word.
func TestLovaszExtensionOfManyElements(t *testing.T) {
	t.Parallel()
	size := func(set uint64) float64 { return float64(bits.OnesCount64(set)) }
	x := make([]float64, 65)
	for k := range x {
		x[k] = float64(k)
	}
	sum, steps := envelope.LovaszExtension(size, x[:64])
	if sum != 63*64/2 || steps[0].Set != 1<<63 || steps[63].Set != math.MaxUint64 {
		t.Errorf("64 elements: %v by %+v to %+v", sum, steps[0], steps[63])
	}
	defer func() {
		if recover() == nil {
			t.Error("65 elements are taken")
		}
	}()
	envelope.LovaszExtension(size, x)
}

func ExampleLovaszExtension() {
	edges := labelgraph.AllPairs(3) // a triangle
	rank := func(set uint64) float64 { return float64(labelgraph.GraphicRank(3, envelope.EdgeSubset(edges, set))) }
	f2, steps := envelope.LovaszExtension(rank, []float64{0.5, 0.9, 0.2})
	for _, s := range steps {
		fmt.Printf("edge %v: %g x %g\n", edges[s.Element], s.Level, s.Gain)
	}
	fmt.Println("f2 =", f2)
	// Output:
	// edge {0 2}: 0.9 x 1
	// edge {0 1}: 0.5 x 1
	// edge {1 2}: 0.2 x 0
	// f2 = 1.4
}
