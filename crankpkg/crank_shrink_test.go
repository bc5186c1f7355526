package crankpkg

import (
	"context"
	"testing"
)

// TestShrinkEndsWhereItShould looks at the steps of a single start: beta falls by
// the factor asked for as long as the support is a forest that does not span all
// labels, and no further.
func TestShrinkEndsWhereItShould(t *testing.T) {
	t.Parallel()
	spanning := 0
	for seed := range uint64(8) {
		const n = 5
		train, _ := planted(t, n, 60, seed)
		_, trace, err := CRANK{Lambda: 0.02, Restarts: 1, Path: ShrinkBeta, Growth: 1.3, Settings: Settings{Gap: 0.1}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		for k, step := range trace.Steps {
			last := k == len(trace.Steps)-1
			if !last && trace.Steps[k+1].Beta == step.Beta {
				continue // more rounds at this beta
			}
			done := step.CircuitRank > 0 || len(step.Edges) == n-1
			if done && !last {
				t.Errorf("seed %d: beta falls to %v, although at %v the support was %v of circuit rank %d", seed, trace.Steps[k+1].Beta, step.Beta, step.Edges, step.CircuitRank)
			}
			if last && !done {
				t.Errorf("seed %d: beta stays at %v, although the support is %v", seed, step.Beta, step.Edges)
			}
			if done && step.CircuitRank == 0 {
				spanning++
			}
		}
	}
	if spanning < 3 {
		t.Errorf("%d of 8 supports came to span all labels: too few", spanning)
	}
}
