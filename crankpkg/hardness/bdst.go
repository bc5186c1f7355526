package hardness

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// BDST is the bounded-degree spanning tree problem: has the graph a spanning
// tree whose vertices have at most D neighbors each? For D = 2 this asks for a
// Hamiltonian path, so the problem is NP-hard.
type BDST struct {
	N     int               // vertices 0..N-1
	Edges []labelgraph.Edge // of a connected simple graph
	D     int               // at least 1
}

// Validate returns an error that wraps ErrData or ErrSettings and names the
// fault when p is not such a problem.
func (p BDST) Validate() error {
	if p.N < 1 {
		return fmt.Errorf("%w: a graph with %d vertices", errs.ErrData, p.N)
	}
	if p.D < 1 {
		return fmt.Errorf("%w: degree bound D = %d is less than 1", errs.ErrSettings, p.D)
	}
	seen := make(map[labelgraph.Edge]bool)
	for _, e := range p.Edges {
		if e.I < 0 || e.I >= e.J || e.J >= p.N {
			return fmt.Errorf("%w: edge %v in a graph with the vertices 0..%d", errs.ErrData, e, p.N-1)
		}
		if seen[e] {
			return fmt.Errorf("%w: edge %v twice", errs.ErrData, e)
		}
		seen[e] = true
	}
	if _, count := labelgraph.Components(p.N, p.Edges); count != 1 {
		return fmt.Errorf("%w: the graph falls into %d components", errs.ErrData, count)
	}
	return nil
}

// Solve returns a spanning tree of maximum degree at most D, or false when
// there is none. It goes through all spanning trees.
func (p BDST) Solve() (tree []labelgraph.Edge, ok bool) {
	for t := range labelgraph.SpanningTrees(p.N, p.Edges) {
		if labelgraph.MaxDegree(p.N, t) <= p.D {
			return t, true
		}
	}
	return nil, false
}
