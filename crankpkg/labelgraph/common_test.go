package labelgraph

import "testing"

// TestCommon counts by the definition, on all pairs of edge sets over four labels.
func TestCommon(t *testing.T) {
	t.Parallel()
	all := AllPairs(4)
	subset := func(set int) (edges []Edge) {
		for k, e := range all {
			if set>>k&1 == 1 {
				edges = append(edges, e)
			}
		}
		return edges
	}
	for a := range 64 {
		for b := range 64 {
			if got, want := Common(subset(a), subset(b)), len(subset(a&b)); got != want {
				t.Fatalf("%06b and %06b share %d edges, want %d", a, b, got, want)
			}
		}
	}
}
