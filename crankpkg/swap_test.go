package crankpkg

import (
	"context"
	"testing"
)

// TestSwapSearch starts from poor trees: the result is a tree none of whose
// neighbors is better by more than the gap.
func TestSwapSearch(t *testing.T) {
	const lambda, gap = 0.02, 1e-3
	train, _ := planted(t, 5, 60, 6)
	star := []Edge{{0, 4}, {1, 4}, {2, 4}, {3, 4}}
	m, trace, err := SwapSearch{
		Lambda: lambda, Start: FixedGraph{Edges: star}, Settings: Settings{Gap: gap},
	}.Train(context.Background(), train)
	if err != nil || trace.Status != Converged || trace.Gap() > gap {
		t.Fatalf("%v, gap %v, %v", trace.Status, trace.Gap(), err)
	}
	if first, last := trace.Points[0].Primal, trace.Primal; !(last < first*(1-gap)) {
		t.Errorf("from %v to %v: no swap was found, so there is nothing to test", first, last)
	}
	tree := m.spanningTree()
	for other := range SpanningTrees(5, AllPairs(5)) {
		if shared(tree, other) != 3 {
			continue
		}
		f := FixedGraph{Lambda: lambda, Edges: other, Settings: Settings{Gap: 1e-4}}
		_, neighbor, err := f.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		if neighbor.Primal < trace.Primal*(1-gap) {
			t.Errorf("%v with %v is better than %v with %v", other, neighbor.Primal, tree, trace.Primal)
		}
	}
	if _, best, _ := (BestTree{Lambda: lambda}).Train(context.Background(), train); trace.Primal < best.Dual {
		t.Errorf("%v is below the bound %v on all trees", trace.Primal, best.Dual)
	}
}

// shared counts the edges that two trees have in common.
func shared(a, b []Edge) int {
	has := make(map[Edge]bool)
	for _, e := range a {
		has[e] = true
	}
	count := 0
	for _, e := range b {
		if has[e] {
			count++
		}
	}
	return count
}
