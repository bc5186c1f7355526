package labelgraph

import "testing"

// TestConnectedGraphs counts them: the numbers are those of Harary and Palmer, Graphical Enumeration, 1973.
func TestConnectedGraphs(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{1: 1, 2: 1, 3: 4, 4: 38, 5: 728} {
		count := 0
		for range ConnectedGraphs(n) {
			count++
		}
		if count != want {
			t.Errorf("%d connected graphs over %d vertices, want %d", count, n, want)
		}
	}
	for range ConnectedGraphs(4) {
		break
	}
	defer func() {
		if recover() == nil {
			t.Error("eight vertices are taken")
		}
	}()
	ConnectedGraphs(8)
}
