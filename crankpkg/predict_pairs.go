package crankpkg

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// pairScorer computes w_ij . z(x) of all edges of a model for raw rows: the
// scaling is folded into the weights.
type pairScorer struct {
	scaler  Scaler // its RowFactor; the rest is in the weights
	edges   []Edge
	columns []int
	bias    []float64 // by edge
	weights []float64 // edges x columns
	column  []int32   // by feature: its column plus 1, or 0
	nodes   []int32   // by edge of a forest: the position of its lower node, or -1
}

func newPairScorer(m *Model) *pairScorer {
	s := &pairScorer{
		scaler: Scaler{Kind: m.Scaler.Kind}, edges: slices.Clone(m.Edges),
		columns: slices.Clone(m.EdgeFeatures.Columns), bias: make([]float64, len(m.Edges)),
		column: make([]int32, m.NumFeatures()),
	}
	for c, k := range s.columns {
		s.column[k] = int32(c + 1)
	}
	w := make([]float64, m.NumFeatures()+1)
	for e := range m.Edges {
		clear(w)
		for c, v := range m.pairFeatures(e) {
			w[s.columns[c]] = m.EdgeFeatures.Scale * v
		}
		w[len(w)-1] = m.Pair[e]
		m.Scaler.Fold(w)
		for _, k := range s.columns {
			s.weights = append(s.weights, w[k])
		}
		s.bias[e] = w[len(w)-1]
	}
	return s
}

// place finds the nodes of the edges in a forest of which position p has the
// label order[p].
func (s *pairScorer) place(nodes []forestNode, order []int32) {
	if nodes == nil {
		return
	}
	s.nodes = make([]int32, len(s.edges))
	lower := make(map[Edge]int32)
	for p, node := range nodes {
		if int(node.parent) < len(order) {
			lower[labelgraph.NewEdge(int(node.label), int(order[node.parent]))] = int32(p)
		}
	}
	for e, edge := range s.edges {
		s.nodes[e] = -1 // without any weight, it is not in the forest
		if p, ok := lower[edge]; ok {
			s.nodes[e] = p
		}
	}
}

// prepare gives a workspace nodes, or a graph, and scores of its own.
func (s *pairScorer) prepare(ws *predictWorkspace) {
	ws.pairs = make([]float64, len(s.edges))
	ws.nodes = slices.Clone(ws.nodes)
	if ws.graph != nil {
		ws.graph = infer.NewPairGraph(ws.graph.N, nil, nil)
	}
}

// weigh gives the edges in ws the weights of the row x.
func (s *pairScorer) weigh(ws *predictWorkspace, x Row) {
	s.scoresTo(ws.pairs, x)
	for e, w := range ws.pairs {
		switch {
		case ws.graph != nil:
			ws.graph.Set(s.edges[e], w)
		case s.nodes != nil && s.nodes[e] >= 0:
			ws.nodes[s.nodes[e]].weight = w
		}
	}
}

// scoresTo writes w_ij . z(x) by edge.
func (s *pairScorer) scoresTo(dst []float64, x Row) {
	copy(dst, s.bias)
	factor, k := s.scaler.RowFactor(x), len(s.columns)
	switch {
	case x.Index == nil && len(x.Value) == 0:
	case x.Index == nil && k == len(x.Value):
		for e := range dst {
			dst[e] += factor * floats.Dot(x.Value, s.weights[e*k:(e+1)*k])
		}
	case x.Index == nil:
		for e := range dst {
			var sum float64
			for c, w := range s.weights[e*k : (e+1)*k] {
				sum += w * x.Value[s.columns[c]]
			}
			dst[e] += factor * sum
		}
	default:
		for q, f := range x.Index {
			c := int(s.column[f]) - 1
			if c < 0 {
				continue
			}
			v := factor * x.Value[q]
			for e := range dst {
				dst[e] += v * s.weights[e*k+c]
			}
		}
	}
}
