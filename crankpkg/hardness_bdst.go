package crankpkg

import (
	"fmt"
	"iter"
	"slices"
)

// BDST is the bounded-degree spanning tree problem: has the graph a spanning
// tree whose vertices have at most D neighbors each? For D = 2 this asks for a
// Hamiltonian path, so the problem is NP-hard.
type BDST struct {
	N     int    // vertices 0..N-1
	Edges []Edge // of a connected simple graph
	D     int    // at least 1
}

// Validate returns an error that wraps ErrData or ErrSettings and names the
// fault when p is not such a problem.
func (p BDST) Validate() error {
	if p.N < 1 {
		return fmt.Errorf("%w: a graph with %d vertices", ErrData, p.N)
	}
	if p.D < 1 {
		return fmt.Errorf("%w: degree bound D = %d is less than 1", ErrSettings, p.D)
	}
	seen := make(map[Edge]bool)
	for _, e := range p.Edges {
		if e.I < 0 || e.I >= e.J || e.J >= p.N {
			return fmt.Errorf("%w: edge %v in a graph with the vertices 0..%d", ErrData, e, p.N-1)
		}
		if seen[e] {
			return fmt.Errorf("%w: edge %v twice", ErrData, e)
		}
		seen[e] = true
	}
	if _, count := Components(p.N, p.Edges); count != 1 {
		return fmt.Errorf("%w: the graph falls into %d components", ErrData, count)
	}
	return nil
}

// Solve returns a spanning tree of maximum degree at most D, or false when
// there is none. It goes through all spanning trees.
func (p BDST) Solve() (tree []Edge, ok bool) {
	for t := range SpanningTrees(p.N, p.Edges) {
		if MaxDegree(p.N, t) <= p.D {
			return t, true
		}
	}
	return nil, false
}

// MaxDegree returns the largest number of edges at one of n vertices.
func MaxDegree(n int, edges []Edge) int {
	degree := make([]int, n)
	most := 0
	for _, e := range edges {
		degree[e.I]++
		degree[e.J]++
		most = max(most, degree[e.I], degree[e.J])
	}
	return most
}

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
