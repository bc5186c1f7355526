package crankpkg

import (
	"context"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// overshoot is how many passes a solve may do beyond its limit: one that follows
// the cached passes, and the certificate.
const overshoot = 2

// TestMaxPassesHoldsForEachSolve counts the passes of every solve of the methods
// that do several, each from where the last one ended.
func TestMaxPassesHoldsForEachSolve(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 6, 60, 6)
	for _, limit := range []int{1, 2, 4} {
		set := Settings{Gap: 1e-9, MaxPasses: limit, Workers: 1}
		for _, tr := range []Trainer{
			Full{Settings: set}, Project{Settings: set}, ChowLiu{Settings: set}, FixedGraph{Settings: set, Edges: labelgraph.AllPairs(6)[:7]},
			CRANK{Settings: set, Restarts: 1, Path: GrowBeta}, CRANK{Settings: set, Restarts: 1, Path: ShrinkBeta}, Empty{Settings: set},
		} {
			_, trace, err := tr.WithLambda(1e-6).Train(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			before, solves := 0, 0
			for k, p := range trace.Points {
				if k+1 < len(trace.Points) && trace.Points[k+1].Solve == p.Solve {
					continue
				}
				solves++
				spent := p.Pass - before
				if solves == 1 && trace.Steps != nil {
					spent -= limit + overshoot // CRANK's first point includes what all starts share
				}
				if spent > limit+overshoot {
					t.Errorf("%s, MaxPasses %d: %d in solve %d", tr.Name(), limit, spent, p.Solve)
				}
				before = p.Pass
			}
		}
	}
}
