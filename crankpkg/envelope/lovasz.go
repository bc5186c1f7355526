package envelope

import (
	"cmp"
	"slices"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// SetFunction is a function on the subsets of at most 64 elements: element k is
// in the set if bit k is. For sets of edges see EdgeSubset.
type SetFunction func(set uint64) float64

// EdgeSubset returns those of edges whose bit is in set.
func EdgeSubset(edges []labelgraph.Edge, set uint64) []labelgraph.Edge {
	var chosen []labelgraph.Edge
	for k, e := range edges {
		if set>>k&1 == 1 {
			chosen = append(chosen, e)
		}
	}
	return chosen
}

// LovaszStep is one step of a Lovasz extension: the element that joins the set.
type LovaszStep struct {
	Element int
	Set     uint64  // with the element
	Level   float64 // x at the element
	Gain    float64 // F(Set) - F(Set without the element)
	Sum     float64 // of Level Gain over the steps so far
}

// LovaszExtension returns the Lovasz extension of F at x >= 0 and the steps of
// its making. With the elements sorted by decreasing x, (1), (2), ..., it is
//
//	f(x) = sum_k x_(k) [F({(1),...,(k)}) - F({(1),...,(k-1)})]
//
// (the proof of Corollary 4.2). The gains are a subgradient of f at x when F is
// submodular. With F the rank of a graph's edge set the steps are those of
// Kruskal's algorithm: the gain is 1 where an edge joins the forest and 0 where
// it would close a cycle. Among equal x the smaller element goes first. It
// panics when x has more than 64 entries. F of the empty set has to be 0.
func LovaszExtension(f SetFunction, x []float64) (float64, []LovaszStep) {
	if len(x) > 64 {
		panic("envelope: a set function has at most 64 elements")
	}
	steps := make([]LovaszStep, len(x))
	for k, level := range x {
		steps[k] = LovaszStep{Element: k, Level: level}
	}
	slices.SortStableFunc(steps, func(a, b LovaszStep) int { return cmp.Compare(b.Level, a.Level) })
	var set uint64
	var before, sum float64
	for k := range steps {
		s := &steps[k]
		set |= 1 << s.Element
		value := f(set)
		s.Set, s.Gain = set, value-before
		sum += s.Level * s.Gain
		s.Sum, before = sum, value
	}
	return sum, steps
}
