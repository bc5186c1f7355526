package results

import (
	"context"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// on a forest, and with those of another exact oracle on all pairs.
func TestExactScores(t *testing.T) {
	train, test, _ := crankpkg.PlantedTree{N: 5, Noise: 0.1, Seed: 2}.Generate(80, 300)
	full, _, err := crankpkg.Full{Lambda: 0.01}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	tree, _, err := crankpkg.CRANK{Lambda: 0.01}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := exactScores(tree, test), crankpkg.Evaluate(tree, test); got != want {
		t.Errorf("tree: %v, want %v", got, want)
	}
	oracle, p := infer.NewExactOracle(full.Graph()), full.Predictor()
	y, c := make(crankpkg.Labeling, 5), make([]float64, 5)
	predicted := make([]uint8, len(test.Y))
	for k := range test.Len() {
		p.ScoresTo(c, test.Row(k))
		oracle.Maximize(y, c)
		y.RoundTo(predicted[5*k:5*k+5], c)
	}
	if got, want := exactScores(full, test), metrics.Evaluate(test.Y, predicted, 5); got != want {
		t.Errorf("all pairs: %v, want %v", got, want)
	}
	more := heaviestOff(full, tree.Edges)
	if len(more)+len(tree.Edges) != len(full.Edges) {
		t.Errorf("%d edges beside the tree's %d, of %d", len(more), len(tree.Edges), len(full.Edges))
	}
	last := -1.0
	for _, e := range slices.Backward(more) {
		w := full.Pair[slices.Index(full.Edges, e)]
		if slices.Contains(tree.Edges, e) || max(w, -w) < last {
			t.Errorf("%v of weight %v is in the tree or out of order", e, w)
		}
		last = max(w, -w)
	}
}
