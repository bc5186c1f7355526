package crankpkg

// Edge is an unordered pair of labels, with I < J.
type Edge struct{ I, J int }

// NewEdge returns the edge between i and j, whichever is smaller. It panics
// when they are equal.
func NewEdge(i, j int) Edge {
	switch {
	case i < j:
		return Edge{i, j}
	case j < i:
		return Edge{j, i}
	}
	panic("crankpkg: an edge needs two different labels")
}

// Index returns the position of e in the fixed order of all pairs: (0,1),
// (0,2), (1,2), (0,3), ... It does not depend on the number of labels.
func (e Edge) Index() int { return e.J*(e.J-1)/2 + e.I }

// NumPairs returns the number n(n-1)/2 of pairs of n labels.
func NumPairs(n int) int { return n * (n - 1) / 2 }

// AllPairs returns the edges of the complete graph over n labels in the order
// of Edge.Index.
func AllPairs(n int) []Edge {
	edges := make([]Edge, 0, NumPairs(n))
	for j := 1; j < n; j++ {
		for i := range j {
			edges = append(edges, Edge{i, j})
		}
	}
	return edges
}
