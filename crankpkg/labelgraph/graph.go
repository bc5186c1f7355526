package labelgraph

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
)

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
	panic("labelgraph: an edge needs two different labels")
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

// Components returns, for each of n labels, the number of its connected
// component in the graph with the given edges, and how many there are.
// Components are numbered by their smallest label.
func Components(n int, edges []Edge) (component []int, count int) {
	s := joined(n, edges)
	component = make([]int, n)
	number := make([]int, n) // by representative: number of the component plus 1
	for i := range component {
		r := s.Find(i)
		if number[r] == 0 {
			count++
			number[r] = count
		}
		component[i] = number[r] - 1
	}
	return component, count
}

// CircuitRank returns |A| + c(A) - n for the edge set A = edges over n labels,
// where c counts connected components: how many edges must go until A is a
// forest (section 4 of the paper).
func CircuitRank(n int, edges []Edge) int {
	return len(edges) + joined(n, edges).Count() - n
}

// GraphicRank returns F2 = n - c(A) for the edge set A = edges over n labels,
// where c counts connected components: the size of a largest forest within A
// (eq. 11). F1 is just len(edges), and F = F1 - F2 is CircuitRank.
func GraphicRank(n int, edges []Edge) int { return n - joined(n, edges).Count() }

// IsForest reports whether the edges over n labels close no cycle.
func IsForest(n int, edges []Edge) bool { return CircuitRank(n, edges) == 0 }

func joined(n int, edges []Edge) *unionfind.Set {
	var s unionfind.Set
	s.Reset(n)
	for _, e := range edges {
		s.Union(e.I, e.J)
	}
	return &s
}

// RandomConnected returns a connected graph of n labels with the given circuit
// rank: a random tree and as many further pairs, drawn from all others. It panics
// where there are not so many pairs.
func RandomConnected(n, rank int, rng *rand.Rand) []Edge {
	edges := RandomTree(n, rng)
	if rank < 0 || len(edges)+rank > NumPairs(n) {
		panic("labelgraph: no such circuit rank")
	}
	have := make(map[Edge]bool, len(edges)+rank)
	for _, e := range edges {
		have[e] = true
	}
	for pairs := AllPairs(n); rank > 0; {
		if e := pairs[rng.IntN(len(pairs))]; !have[e] {
			have[e] = true
			edges = append(edges, e)
			rank--
		}
	}
	return edges
}

// RandomTree returns a spanning tree of n labels, each of the n^(n-2) trees
// with the same probability, as n-1 edges in the order of Edge.Index. It draws
// a Pruefer sequence and decodes it in linear time.
func RandomTree(n int, rng *rand.Rand) []Edge {
	if n < 2 {
		return nil
	}
	sequence := make([]int, n-2)
	degree := make([]int, n)
	for k := range sequence {
		sequence[k] = rng.IntN(n)
		degree[sequence[k]]++ // one less than the degree in the tree
	}
	edges := make([]Edge, 0, n-1)
	next := 0 // every leaf below next has been used
	for degree[next] != 0 {
		next++
	}
	leaf := next
	for _, i := range sequence {
		edges = append(edges, NewEdge(leaf, i))
		degree[i]--
		if degree[i] == 0 && i < next {
			leaf = i
			continue
		}
		next++
		for degree[next] != 0 {
			next++
		}
		leaf = next
	}
	edges = append(edges, NewEdge(leaf, n-1))
	slices.SortFunc(edges, func(a, b Edge) int { return cmp.Compare(a.Index(), b.Index()) })
	return edges
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
