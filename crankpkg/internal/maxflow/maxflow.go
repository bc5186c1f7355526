// Package maxflow computes maximum flows and minimum cuts in the networks of
// roof duality.
//
// The problem is to choose spins s_i in {-1, +1} that maximize
//
//	sum_i h_i s_i + sum_ij J_ij s_i s_j
//
// over the local polytope. As a flow, every node i is doubled into the literals
// i+ and i-; the source feeds h_i into i+ (or -h_i into i-) and the mirror
// literal drains as much into the sink; a positive J_ij joins i+ with j+ and i-
// with j-, a negative one joins i+ with j- and i- with j+, with the capacity
// |J_ij| either way (Boros, Hammer 2002; Kolmogorov, Rother 2007).
//
// The doubled network is its own mirror image, so that half of it is enough.
// A flow that is pushed together with its mirror image leaves the same residual
// capacity on an arc and on its mirror: two numbers an edge, as in a network
// without doubling. The search tree of the sink is the mirror image of the
// source's, so one forest over the n nodes serves for both: a node that the
// source reaches as a literal carries that literal as its label, and a path to
// the sink is found where an edge leads from one labeled node to another one
// that carries the other label than the edge asks for. Where the signs can be
// balanced by flipping nodes, this is precisely the search from both terminals
// in the n-node network of a submodular problem; nothing needs to find out
// about that first.
//
// The forest grows breadth first, level by level, and after each augmentation
// only the nodes that it cut off look for new parents (Boykov, Kolmogorov 2004;
// with levels that only rise, Goldberg et al. 2011). So the number of steps is
// bounded by the size of the network alone, whatever the capacities, and rounding
// cannot keep the search from ending. The simpler way, a new breadth-first
// forest whenever the old one has no more paths (Dinitz), took 2.5 to 4 times
// as long on 14 nodes with all pairs and on 1000 nodes with 3000 pairs.
package maxflow

import "math"

// The labels of a node.
const (
	Plus  uint8 = 0 // s_i = +1
	Minus uint8 = 1 // s_i = -1
	Free  uint8 = 2 // not yet decided
	Half  uint8 = 3 // both or none: the optimum of the relaxation is fractional here
)

// Solver is a network and the memory to solve it. The zero value is ready for
// Reset; a Solver that is used again allocates nothing.
type Solver struct {
	excess []float64 // by node: h_i minus what has been pushed away from i
	edges  []edge
	first  []int32 // by node: its first arc
	arcs   []arc
	// residual holds two capacities for each edge: pushing over one of them
	// gives as much to the other, so that the capacity behind position q comes
	// back at q^1.
	residual []float64

	label []uint8
	tree  []treeNode // by node: its place in the search forest
	roots int        // number of nodes that still have an excess

	depth   int32 // level of the nodes that the search is looking from
	active  []int32
	next    []int32 // nodes of the next level
	orphans []int32

	queue []int32
	mark  []uint32 // by node: last walk that came by
	walk  uint32
	seen  []uint32 // by literal: last closure that it was in
}

// treeNode is a node's place in the search forest, with the list of its
// children.
type treeNode struct {
	parent         int32 // or none
	via            int32 // position in residual of the arc from the parent
	level          int32 // steps from the root
	tried          int32 // the arcs before this one lead to no parent one level below
	child          int32 // first of the children, or none
	sibling, elder int32 // next and previous child of the parent, or none
	listed         int32 // last level at which the node was in active
}

const none = -1

type edge struct {
	i, j     int32
	negative int32 // 1 if the coupling is negative, else 0
}

// arc leads from a node to a neighbor, for either label s of the node that it
// leaves: to the literal literal^s (twice the neighbor, plus its label), with
// the capacity residual[position^s].
type arc struct{ literal, position int32 }

// Reset empties the network and gives it the given number of nodes, with
// fields of zero.
func (s *Solver) Reset(nodes int) {
	if cap(s.first) < nodes+2 {
		s.excess = make([]float64, nodes)
		s.first = make([]int32, nodes+2)
		s.label = make([]uint8, nodes)
		s.tree = make([]treeNode, nodes)
		s.active = make([]int32, 0, nodes)
		s.next = make([]int32, 0, nodes)
		s.orphans = make([]int32, 0, nodes)
		s.queue = make([]int32, 0, 2*nodes)
		s.mark = make([]uint32, nodes)
		s.seen = make([]uint32, 2*nodes)
	}
	s.excess, s.label, s.first = s.excess[:nodes], s.label[:nodes], s.first[:nodes+2]
	clear(s.excess)
	clear(s.first)
	s.edges, s.residual = s.edges[:0], s.residual[:0]
	if s.walk > 1<<31 { // start over long before the counter of walks does
		s.walk = 0
		clear(s.mark)
		clear(s.seen)
	}
}

// SetField gives node i its h_i.
func (s *Solver) SetField(i int, h float64) { s.excess[i] = h }

// AddEdge joins the nodes i and j with the coupling J_ij.
func (s *Solver) AddEdge(i, j int32, coupling float64) {
	s.first[i+2]++
	s.first[j+2]++
	s.edges = append(s.edges, edge{i, j, int32(math.Float64bits(coupling) >> 63)})
	capacity := math.Abs(coupling)
	s.residual = append(s.residual, capacity, capacity)
}

// link lists the arcs of each node, in the order of the edges.
func (s *Solver) link() {
	if n := 2 * len(s.edges); cap(s.arcs) < n {
		s.arcs = make([]arc, n, n+n/4)
	}
	s.arcs = s.arcs[:2*len(s.edges)]
	next := s.first[1:] // where the next arc of each node goes
	for i := 1; i < len(next); i++ {
		next[i] += next[i-1]
	}
	for k, e := range s.edges {
		// From j's side a positive coupling turns the capacities around.
		s.arcs[next[e.i]] = arc{2*e.j + e.negative, 2 * int32(k)}
		s.arcs[next[e.j]] = arc{2*e.i + e.negative, 2*int32(k) + 1 - e.negative}
		next[e.i]++
		next[e.j]++
	}
}

// Labels returns the label of each node, Plus, Minus or Half, after Solve.
func (s *Solver) Labels() []uint8 { return s.label }

// Solve finds a maximum flow and from it an optimum of the relaxation with as
// few nodes at Half as there can be. Among equals it prefers Minus.
func (s *Solver) Solve() {
	s.link()
	s.cancel()
	s.plant()
	for len(s.active) > 0 && s.roots > 0 {
		for _, u := range s.active {
			s.scan(u)
		}
		s.active, s.next = s.next, s.active[:0]
		s.depth++
	}
	if s.roots == 0 { // the search ended early: nothing is reached
		for i := range s.label {
			s.label[i] = Free
		}
	}
	s.settle()
}
