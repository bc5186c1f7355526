package simplex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

func TestValue(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		n := 3 + rng.IntN(4)
		edges := labelgraph.AllPairs(n)
		rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		edges = edges[:rng.IntN(len(edges)+1)] // some labels have no pair
		w, c := testkit.Normals(len(edges), rng), testkit.Normals(n, rng)
		g := infer.NewPairGraph(n, edges, w)
		got, err := Value(g, c)
		if err != nil {
			t.Fatal(err)
		}
		if want := infer.NewLPOracle(g).Maximize(make(infer.Labeling, n), c); !(math.Abs(got-want) <= 1e-8) {
			t.Errorf("%d labels: %v, roof duality %v", n, got, want)
		}
	}
}

// ExampleValue shows a relaxation that is not tight: two of three labels want to differ, and halves satisfy all pairs.
func ExampleValue() {
	g := infer.NewPairGraph(3, labelgraph.AllPairs(3), []float64{-2, -2, -2})
	value, err := Value(g, []float64{1, 1, 1})
	fmt.Printf("%.1f %v\n", value, err)
	// Output: 1.5 <nil>
}
