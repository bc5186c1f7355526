// Package labelgraph has what is combinatorial about graphs over labels: edges and
// their order, components, forests, the circuit rank and the graphic rank (eq. 11),
// maximum spanning forests, all spanning trees, degrees.
//
//	Edge, NewEdge, AllPairs, NumPairs   a pair i < j; Edge.Index is its place among all
//	CircuitRank, GraphicRank            F and F2 of eq. (11); F1 is the number of edges
//	MaximumSpanningForest, Spanner      T(pi), by Boruvka's algorithm
//	SpanningTrees, RandomTree           all of them, and one at random
//	ConnectedGraphs                     all of them, over few vertices
//	Common                              how many edges two graphs share
//
// It knows of no weights' meaning and of no data. Packages envelope and infer build
// on it.
package labelgraph
