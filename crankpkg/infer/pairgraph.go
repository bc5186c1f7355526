package infer

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Arc is one end of a weighted edge as its other end sees it.
type Arc struct {
	To     int32
	Edge   int32 // position of the edge in PairGraph.Edges
	Weight float64
}

// PairGraph is the label graph that inference sees: just the pairs with
// w_ij != 0, as an edge list and as an adjacency list, both kept up to date by
// Set in constant time. During training the weights change at every step and
// most of them are zero; neither may cost inference a pass over all pairs.
//
// The order of edges and arcs depends on the history of the calls of Set and
// on nothing else. A PairGraph may be read by many goroutines at once, but not
// while it changes.
type PairGraph struct {
	// N is the number n of labels.
	N int
	// Edges lists the pairs with a weight that is not zero. Read only.
	Edges []WeightedEdge
	// Adj lists, for each label, its arcs. Read only.
	Adj [][]Arc
	// Structure counts the changes of the edge set (not of the weights), so
	// that what depends on the edge set alone can be cached.
	Structure uint64

	slot []int32 // by Edge.Index: position in Edges plus 1, or 0
	sums []weightSums
}

// weightSums holds, for one label, the sums of the positive and of the negative
// weights of its arcs. They bound what the label's neighbors can do to it, so
// that inference decides most labels without a look at the edges.
type weightSums struct {
	positive, negative float64
	updates            int // since the sums were last computed afresh
}

// WeightedEdge is an edge I < J of a PairGraph with its weight.
type WeightedEdge struct {
	I, J       int32
	Weight     float64
	posI, posJ int32 // position of the arcs in Adj[I], Adj[J]
}

// NewPairGraph returns the graph over n labels with the given edges and
// weights; weights that are zero are left out.
func NewPairGraph(n int, edges []labelgraph.Edge, weights []float64) *PairGraph {
	if len(edges) != len(weights) {
		panic("infer: unequal numbers of edges and weights")
	}
	g := &PairGraph{N: n, Adj: make([][]Arc, n), slot: make([]int32, labelgraph.NumPairs(n)), sums: make([]weightSums, n)}
	for k, e := range edges {
		g.Set(e, weights[k])
	}
	return g
}

// Weight returns w_ij, zero where the pair is not in the graph.
func (g *PairGraph) Weight(e labelgraph.Edge) float64 {
	if s := g.slot[e.Index()]; s > 0 {
		return g.Edges[s-1].Weight
	}
	return 0
}

// Set gives the pair e the weight w; a zero takes it out of the graph.
func (g *PairGraph) Set(e labelgraph.Edge, w float64) {
	id := e.Index()
	at := g.slot[id] - 1
	var old float64
	switch {
	case at >= 0 && w != 0:
		we := &g.Edges[at]
		old = we.Weight
		we.Weight = w
		g.Adj[we.I][we.posI].Weight = w
		g.Adj[we.J][we.posJ].Weight = w
	case at >= 0:
		old = g.Edges[at].Weight
		g.remove(at, id)
	case w != 0:
		g.add(e, id, w)
	default:
		return
	}
	positive := ((w + math.Abs(w)) - (old + math.Abs(old))) / 2
	negative := ((w - math.Abs(w)) - (old - math.Abs(old))) / 2
	g.updateSums(e.I, positive, negative)
	g.updateSums(e.J, positive, negative)
}

// SetAll gives g just these edges, with these weights, and leaves it as NewPairGraph would: unlike
// after calls of Set, nothing depends on what it was before. It allocates nothing once warm.
func (g *PairGraph) SetAll(edges []labelgraph.Edge, weights []float64) {
	if len(edges) != len(weights) {
		panic("infer: unequal numbers of edges and weights")
	}
	if !g.lists(edges, weights) {
		g.empty()
	}
	for k, e := range edges {
		g.Set(e, weights[k])
	}
	for i := range g.sums {
		g.sumAfresh(i)
	}
}

// lists reports whether the edges of g are those whose weight is not zero, in their order.
func (g *PairGraph) lists(edges []labelgraph.Edge, weights []float64) bool {
	at := 0
	for k, e := range edges {
		if weights[k] == 0 {
			continue
		}
		if at == len(g.Edges) || int(g.Edges[at].I) != e.I || int(g.Edges[at].J) != e.J {
			return false
		}
		at++
	}
	return at == len(g.Edges)
}

// empty takes all edges out.
func (g *PairGraph) empty() {
	for _, we := range g.Edges {
		g.slot[labelgraph.Edge{I: int(we.I), J: int(we.J)}.Index()] = 0
	}
	g.Edges = g.Edges[:0]
	for i := range g.Adj {
		g.Adj[i] = g.Adj[i][:0]
	}
	clear(g.sums)
	g.Structure++
}

// updateSums carries the change of one weight at label i over to its sums.
// Rounding errors pile up, so now and then the sums are computed afresh, which
// costs a fraction of an addition for each change.
func (g *PairGraph) updateSums(i int, positive, negative float64) {
	s := &g.sums[i]
	s.positive += positive
	s.negative += negative
	s.updates++
	if s.updates > 16*len(g.Adj[i]) {
		g.sumAfresh(i)
	}
}

// sumAfresh adds the sums of label i in the order of its arcs.
func (g *PairGraph) sumAfresh(i int) {
	var s weightSums
	for _, a := range g.Adj[i] {
		s.positive += max(0, a.Weight)
		s.negative += min(0, a.Weight)
	}
	g.sums[i] = s
}

func (g *PairGraph) add(e labelgraph.Edge, id int, w float64) {
	at := int32(len(g.Edges))
	g.Edges = append(g.Edges, WeightedEdge{
		I: int32(e.I), J: int32(e.J), Weight: w,
		posI: int32(len(g.Adj[e.I])), posJ: int32(len(g.Adj[e.J])),
	})
	g.Adj[e.I] = append(g.Adj[e.I], Arc{To: int32(e.J), Edge: at, Weight: w})
	g.Adj[e.J] = append(g.Adj[e.J], Arc{To: int32(e.I), Edge: at, Weight: w})
	g.slot[id] = at + 1
	g.Structure++
}

func (g *PairGraph) remove(at int32, id int) {
	we := g.Edges[at]
	g.removeArc(we.I, we.posI)
	g.removeArc(we.J, we.posJ)
	g.slot[id] = 0
	last := int32(len(g.Edges) - 1)
	if at != last {
		moved := g.Edges[last]
		g.Edges[at] = moved
		g.Adj[moved.I][moved.posI].Edge = at
		g.Adj[moved.J][moved.posJ].Edge = at
		g.slot[labelgraph.Edge{I: int(moved.I), J: int(moved.J)}.Index()] = at + 1
	}
	g.Edges = g.Edges[:last]
	g.Structure++
}

// removeArc takes the arc at position pos out of Adj[i]; the last arc takes
// its place.
func (g *PairGraph) removeArc(i, pos int32) {
	arcs := g.Adj[i]
	last := int32(len(arcs) - 1)
	if pos != last {
		arcs[pos] = arcs[last]
		moved := &g.Edges[arcs[pos].Edge]
		if moved.I == i {
			moved.posI = pos
		} else {
			moved.posJ = pos
		}
	}
	g.Adj[i] = arcs[:last]
}
