package crankpkg

import (
	"context"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestPlantedTrees learns from 100 examples of the paper's synthetic data, over
// 2 draws: CRANK finds a forest, and its zero-one score beats Empty's by more
// than 30 points on average, as the dependencies carry most of the signal.
func TestPlantedTrees(t *testing.T) {
	t.Parallel()
	var crank, empty float64
	draws := 2
	for seed := range uint64(draws) {
		train, test, _ := PlantedTree{Seed: seed}.Generate(100, 1000)
		m, trace, err := CRANK{Lambda: 1e-4, Restarts: 1}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		if !labelgraph.IsForest(10, m.Edges) {
			t.Errorf("seed %d: %v is not a forest", seed, m.Edges)
		}
		if trace.Gap() > 0.01 {
			t.Errorf("seed %d: gap %v", seed, trace.Gap())
		}
		e, _, err := Empty{Lambda: 1e-4}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		crank += Evaluate(m, test).SubsetAccuracy / float64(draws)
		empty += Evaluate(e, test).SubsetAccuracy / float64(draws)
	}
	t.Logf("zero-one: CRANK %.1f, Empty %.1f", crank, empty)
	if crank-empty <= 30 {
		t.Errorf("zero-one: CRANK %.1f, Empty %.1f: not 30 points apart", crank, empty)
	}
}
