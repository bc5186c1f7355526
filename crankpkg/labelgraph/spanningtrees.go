package labelgraph

import (
	"iter"
	"slices"
)

// SpanningTrees yields every spanning tree of the graph over n vertices, each
// once and with its edges in the order given. It takes the edges one after the
// other into the tree or not, and stops where they cannot become one: no more
// than O(edges) steps lead to each tree, but there can be n^(n-2) of them.
func SpanningTrees(n int, edges []Edge) iter.Seq[[]Edge] {
	return func(yield func([]Edge) bool) {
		spanFrom(n, nil, edges, yield)
	}
}

// spanFrom yields the trees that hold all of taken and some of rest. It
// returns false when yield wants no more.
func spanFrom(n int, taken, rest []Edge, yield func([]Edge) bool) bool {
	if CircuitRank(n, taken) > 0 {
		return true
	}
	if _, count := Components(n, slices.Concat(taken, rest)); count != 1 {
		return true
	}
	if len(rest) == 0 {
		return yield(slices.Clone(taken))
	}
	return spanFrom(n, append(slices.Clip(taken), rest[0]), rest[1:], yield) &&
		spanFrom(n, taken, rest[1:], yield)
}
