package crankpkg

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
)

// family is what a search chooses from: the forests over n labels with size
// edges and at most degree edges at a label. Fewer edges never lower the
// objective, and on the complete graph every forest with fewer edges and no
// larger degree is part of one in the family; so "at most size edges" has the
// same optimum.
type family struct{ n, size, degree int }

// treeFamily returns the family of all trees over n labels.
func treeFamily(n int) family { return newFamily(n, 0, 0) }

// newFamily returns the family of the forests with at most maxEdges edges and
// degrees at most maxDegree; zero means no bound.
func newFamily(n, maxEdges, maxDegree int) family {
	f := family{n: n, size: max(n-1, 0), degree: max(n-1, 0)}
	if maxDegree > 0 {
		f.degree = min(f.degree, maxDegree)
	}
	if f.degree == 1 { // a matching
		f.size = min(f.size, n/2)
	}
	if maxEdges > 0 {
		f.size = min(f.size, maxEdges)
	}
	return f
}

// allTrees reports whether the family is that of all spanning trees.
func (f family) allTrees() bool { return f == treeFamily(f.n) }

// best returns the positions, increasing, of a member with large total weight,
// the one that Kruskal's algorithm comes to: it takes the edges by rank, lowest
// first, and within a rank by weight, where they neither close a cycle nor
// exceed a degree. Without a bound on the degrees no member that takes as many
// edges of the lower ranks weighs more. The edges are all pairs.
func (f family) best(edges []Edge, weights []float64, rank []int) []int {
	order := make([]int, len(edges))
	for e := range order {
		order[e] = e
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if rank != nil && rank[a] != rank[b] {
			return cmp.Compare(rank[a], rank[b])
		}
		return cmp.Compare(weights[b], weights[a])
	})
	var sets unionfind.Set
	sets.Reset(f.n)
	degree := make([]int, f.n)
	chosen := make([]int, 0, f.size)
	for _, e := range order {
		i, j := edges[e].I, edges[e].J
		if len(chosen) == f.size {
			break
		}
		if degree[i] < f.degree && degree[j] < f.degree && sets.Union(i, j) {
			degree[i]++
			degree[j]++
			chosen = append(chosen, e)
		}
	}
	slices.Sort(chosen)
	return chosen
}

// members yields every member of the family, each once and with its edges in
// the order given.
func (f family) members(edges []Edge) iter.Seq[[]Edge] {
	if f.allTrees() {
		return SpanningTrees(f.n, edges)
	}
	return func(yield func([]Edge) bool) { f.extend(nil, edges, yield) }
}

// extend yields the members that hold all of taken and some of rest. It
// returns false when yield wants no more.
func (f family) extend(taken, rest []Edge, yield func([]Edge) bool) bool {
	if CircuitRank(f.n, taken) > 0 || MaxDegree(f.n, taken) > f.degree || len(taken)+len(rest) < f.size {
		return true
	}
	if len(taken) == f.size {
		return yield(slices.Clone(taken))
	}
	return f.extend(append(slices.Clip(taken), rest[0]), rest[1:], yield) && f.extend(taken, rest[1:], yield)
}

// checkLimits returns an error when a bound of a family is negative.
func checkLimits(maxEdges, maxDegree int) error {
	switch {
	case maxEdges < 0:
		return fmt.Errorf("%w: MaxEdges %d is negative", ErrSettings, maxEdges)
	case maxDegree < 0:
		return fmt.Errorf("%w: MaxDegree %d is negative", ErrSettings, maxDegree)
	}
	return nil
}
