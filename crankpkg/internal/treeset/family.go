package treeset

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Family is what a search chooses from: the forests over n labels with size
// edges and at most degree edges at a label. Fewer edges never lower the
// objective, and on the complete graph every forest with fewer edges and no
// larger degree is part of one in the family; so "at most size edges" has the
// same optimum.
type Family struct{ N, Size, degree int }

// Trees returns the family of all trees over n labels.
func Trees(n int) Family { return NewFamily(n, 0, 0) }

// NewFamily returns the family of the forests with at most maxEdges edges and
// degrees at most maxDegree; zero means no bound.
func NewFamily(n, maxEdges, maxDegree int) Family {
	f := Family{N: n, Size: max(n-1, 0), degree: max(n-1, 0)}
	if maxDegree > 0 {
		f.degree = min(f.degree, maxDegree)
	}
	if f.degree == 1 { // a matching
		f.Size = min(f.Size, n/2)
	}
	if maxEdges > 0 {
		f.Size = min(f.Size, maxEdges)
	}
	return f
}

// allTrees reports whether the family is that of all spanning trees.
func (f Family) allTrees() bool { return f == Trees(f.N) }

// Best returns the positions, increasing, of a member with large total weight,
// the one that Kruskal's algorithm comes to: it takes the edges by rank, lowest
// first, and within a rank by weight, where they neither close a cycle nor
// exceed a degree. Without a bound on the degrees no member that takes as many
// edges of the lower ranks weighs more. The edges are all pairs.
func (f Family) Best(edges []labelgraph.Edge, weights []float64, rank []int) []int {
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
	sets.Reset(f.N)
	degree := make([]int, f.N)
	chosen := make([]int, 0, f.Size)
	for _, e := range order {
		i, j := edges[e].I, edges[e].J
		if len(chosen) == f.Size {
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

// Members yields every member of the family, each once and with its edges in
// the order given.
func (f Family) Members(edges []labelgraph.Edge) iter.Seq[[]labelgraph.Edge] {
	if f.allTrees() {
		return labelgraph.SpanningTrees(f.N, edges)
	}
	return func(yield func([]labelgraph.Edge) bool) { f.extend(nil, edges, yield) }
}

// extend yields the members that hold all of taken and some of rest. It
// returns false when yield wants no more.
func (f Family) extend(taken, rest []labelgraph.Edge, yield func([]labelgraph.Edge) bool) bool {
	if labelgraph.CircuitRank(f.N, taken) > 0 || labelgraph.MaxDegree(f.N, taken) > f.degree || len(taken)+len(rest) < f.Size {
		return true
	}
	if len(taken) == f.Size {
		return yield(slices.Clone(taken))
	}
	return f.extend(append(slices.Clip(taken), rest[0]), rest[1:], yield) && f.extend(taken, rest[1:], yield)
}

// CheckLimits returns an error when a bound of a family is negative.
func CheckLimits(maxEdges, maxDegree int) error {
	switch {
	case maxEdges < 0:
		return fmt.Errorf("%w: MaxEdges %d is negative", errs.ErrSettings, maxEdges)
	case maxDegree < 0:
		return fmt.Errorf("%w: MaxDegree %d is negative", errs.ErrSettings, maxDegree)
	}
	return nil
}
