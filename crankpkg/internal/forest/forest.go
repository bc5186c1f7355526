// Package forest predicts on a forest whose labels stand in an order of parents first: Label
// finds the best labeling, Margins what each label is worth, in one pass up and one pass down.
// crankpkg's Predictor keeps its forest so.
package forest

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/infer"
)

// Node is one label of a forest.
type Node struct {
	Parent int32 // its position, or the number of labels at a root
	Label  int32
	Weight float64 // of the edge to the parent, 0 at a root
}

// New returns the nodes of a forest of n labels in the order of infer.ForestOrder: those with
// neighbors as the tree oracle visits them, then the others.
func New(g *infer.PairGraph, order []infer.Visit) []Node {
	nodes := make([]Node, 0, g.N)
	for _, v := range order {
		node := Node{Parent: int32(g.N), Label: v.Label}
		if v.Parent >= 0 {
			node.Parent, node.Weight = v.Parent, g.Edges[v.Edge].Weight
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// Label finds the best labeling of a forest as infer's oracle for trees does. On entry
// gain holds the unary scores by position; the entry after the last stands for
// the parent of the roots, to which nothing moves, since their weights are 0. It changes
// gain, and on is as long.
func Label(y []uint8, nodes []Node, gain []float64, on []uint8) {
	for k := len(nodes) - 1; k >= 0; k-- {
		a, node := gain[k], &nodes[k]
		with := a + node.Weight
		gain[node.Parent] += positive(with) - positive(a)
		// What the label is, by whether its parent is on: no branch has to wait for that.
		on[k] = isPositive(with)<<1 | isPositive(a)
	}
	for k := range nodes {
		node := &nodes[k]
		v := on[k] >> (on[node.Parent] & 1) & 1
		on[k], y[node.Label] = v, v
	}
}

func isPositive(a float64) (v uint8) {
	if a > 0 {
		v = 1
	}
	return v
}

// message returns max(0, a + w) - max(0, a), what it is worth to a label's parent to be on.
func message(a, w float64) float64 { return positive(a+w) - positive(a) }

// positive returns max(0, a) for a that is a number, without a branch: half of the labels
// of a row surprise the processor.
func positive(a float64) float64 {
	bits := math.Float64bits(a)
	return math.Float64frombits(bits &^ uint64(int64(bits)>>63))
}

// Margins finds the margins on a forest as infer.MaxMarginals does, in the form
// that Label has. No message reaches the parent of the roots, since their weights
// are 0, nor comes from there.
func Margins(dst []float64, nodes []Node, gain, margin []float64) {
	for k := len(nodes) - 1; k >= 0; k-- {
		node := &nodes[k]
		gain[node.Parent] += message(gain[k], node.Weight)
	}
	for k := range nodes {
		node := &nodes[k]
		rest := margin[node.Parent] - message(gain[k], node.Weight)
		margin[k] = gain[k] + message(rest, node.Weight)
		dst[node.Label] = margin[k]
	}
}
