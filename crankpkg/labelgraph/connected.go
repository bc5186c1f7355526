package labelgraph

import (
	"fmt"
	"iter"
)

// mostVertices is how many vertices ConnectedGraphs takes: there are 2^21 graphs over seven.
const mostVertices = 7

// ConnectedGraphs goes through all connected graphs over n labeled vertices: 1, 1, 4, 38, 728, 26704 of them for n = 1, 2, ... It panics
// where n is not in [1, 7].
func ConnectedGraphs(n int) iter.Seq[[]Edge] {
	if n < 1 || n > mostVertices {
		panic(fmt.Sprintf("labelgraph: all connected graphs over %d vertices", n))
	}
	return func(yield func([]Edge) bool) {
		all := AllPairs(n)
		for set := range 1 << len(all) {
			var edges []Edge
			for k, e := range all {
				if set>>k&1 == 1 {
					edges = append(edges, e)
				}
			}
			if _, components := Components(n, edges); components == 1 && !yield(edges) {
				return
			}
		}
	}
}
