package labeling

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Places tells where the weights of edges stand, in the nodes of a forest or in a graph.
type Places struct {
	Edges []labelgraph.Edge
	lower []int32 // by edge of a forest: the position of its lower node, or 0, where a root stands
}

// NewPlaces returns the places of edges in a forest, or in any graph where nodes is nil.
func NewPlaces(edges []labelgraph.Edge, nodes []forest.Node) *Places {
	s := &Places{Edges: slices.Clone(edges)}
	if nodes == nil {
		return s
	}
	lower := make(map[labelgraph.Edge]int32)
	for p, node := range nodes {
		if int(node.Parent) < len(nodes) {
			lower[labelgraph.NewEdge(int(node.Label), int(nodes[node.Parent].Label))] = int32(p)
		}
	}
	s.lower = make([]int32, len(edges))
	for e, edge := range edges {
		s.lower[e] = lower[edge] // without any weight, it is not in the forest
	}
	return s
}

// Weigh gives the edges their weights in the graph, where there is one, or in the nodes.
func (s *Places) Weigh(nodes []forest.Node, g *infer.PairGraph, weights []float64) {
	if g != nil {
		g.SetAll(s.Edges, weights)
		return
	}
	for e, w := range weights {
		if s.lower != nil && s.lower[e] != 0 {
			nodes[s.lower[e]].Weight = w
		}
	}
}
