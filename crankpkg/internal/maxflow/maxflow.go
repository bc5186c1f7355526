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
	if s.roots == 0 {
		for i := range s.label {
			s.label[i] = Free
		}
	}
	s.settle()
}

// cancel pushes along all paths of a single edge.
func (s *Solver) cancel() {
	for u := range s.excess {
		e := s.excess[u]
		for _, a := range s.arcs[s.first[u]:s.first[u+1]] {
			if e == 0 {
				break
			}
			q, v, lv := a.position, a.literal>>1, a.literal&1
			if e < 0 {
				q ^= 1
				lv ^= 1
			}
			ev := s.excess[v]
			if int(v) < u || ev == 0 || (ev < 0) == (lv == 1) {
				continue
			}
			d := min(math.Abs(e), math.Abs(ev), s.residual[q])
			s.residual[q] -= d
			s.residual[q^1] += d
			e = toward0(e, d)
			s.excess[v] = toward0(ev, d)
		}
		s.excess[u] = e
	}
}

// toward0 returns x moved by d towards zero.
func toward0(x, d float64) float64 { return math.Copysign(max(0, math.Abs(x)-d), x) }

// plant starts the search forest at the nodes with an excess.
func (s *Solver) plant() {
	s.depth = 0
	s.active, s.next, s.orphans = s.active[:0], s.next[:0], s.orphans[:0]
	for i, e := range s.excess {
		s.label[i] = Free
		s.tree[i] = treeNode{parent: none, child: none}
		if e != 0 {
			s.label[i] = Plus
			if e < 0 {
				s.label[i] = Minus
			}
			s.active = append(s.active, int32(i))
		}
	}
	s.roots = len(s.active)
}

// scan looks over the arcs of a node u at the current depth: a free neighbor
// is labeled, and where labels disagree there is a path to augment.
func (s *Solver) scan(u int32) {
	lu := s.label[u]
	if lu == Free || s.tree[u].level != s.depth {
		return
	}
	arcs := s.arcs[s.first[u]:s.first[u+1]]
	for k := 0; k < len(arcs); {
		q, literal := arcs[k].position^int32(lu), arcs[k].literal^int32(lu)
		v, lv := literal>>1, uint8(literal&1)
		if s.residual[q] <= 0 || s.label[v] == lv {
			k++
			continue
		}
		if s.label[v] == Free {
			s.label[v] = lv
			s.attach(v, u, q)
			s.setLevel(v, s.depth+1)
			k++
			continue
		}
		if !s.augment(u, v, q) {
			k++
			continue
		}
		if s.roots == 0 {
			return
		}
		s.adopt()
		if s.label[u] != lu || s.tree[u].level != s.depth {
			return
		}
	}
}

// attach makes v a child of u, which reaches it over the capacity q.
func (s *Solver) attach(v, u, q int32) {
	t, p := &s.tree[v], &s.tree[u]
	t.parent, t.via, t.sibling, t.elder = u, q, p.child, none
	if p.child != none {
		s.tree[p.child].elder = v
	}
	p.child = v
}

// setLevel sets the level of a node that is new to it.
func (s *Solver) setLevel(v, level int32) {
	t := &s.tree[v]
	t.level, t.tried = level, 0
	if level == s.depth+1 && t.listed != level {
		t.listed = level
		s.next = append(s.next, v)
	}
}

// detach takes v from its parent, if it has one.
func (s *Solver) detach(v int32) {
	t := &s.tree[v]
	if t.parent == none {
		return
	}
	if t.elder != none {
		s.tree[t.elder].sibling = t.sibling
	} else {
		s.tree[t.parent].child = t.sibling
	}
	if t.sibling != none {
		s.tree[t.sibling].elder = t.elder
	}
	t.parent = none
}

// augment pushes all it can from the root of u to u, over the capacity q to the
// mirror literal of v and along the mirror image of v's path to the sink. It
// reports whether anything could be pushed. Where the two paths share arcs,
// each of them carries the flow twice.
func (s *Solver) augment(u, v, q int32) bool {
	s.walk++
	d := s.residual[q]
	x := u
	for ; s.tree[x].parent != none; x = s.tree[x].parent {
		s.mark[x] = s.walk
		d = min(d, s.residual[s.tree[x].via])
	}
	s.mark[x] = s.walk
	d = min(d, math.Abs(s.excess[x]))
	x = v
	for ; s.mark[x] != s.walk && s.tree[x].parent != none; x = s.tree[x].parent {
		d = min(d, s.residual[s.tree[x].via])
	}
	if s.mark[x] != s.walk {
		d = min(d, math.Abs(s.excess[x]))
	} else {
		for ; s.tree[x].parent != none; x = s.tree[x].parent {
			d = min(d, s.residual[s.tree[x].via]/2)
		}
		d = min(d, math.Abs(s.excess[x])/2)
	}
	if !(d > 0) {
		return false
	}
	s.residual[q] -= d
	s.residual[q^1] += d
	s.pushDown(u, d)
	s.pushDown(v, d)
	return true
}

// pushDown pushes d from the root of x to x. Nodes that lose their connection
// to the root by that are left as orphans.
func (s *Solver) pushDown(x int32, d float64) {
	for s.tree[x].parent != none {
		q := s.tree[x].via
		s.residual[q] -= d
		s.residual[q^1] += d
		if s.residual[q] <= 0 {
			s.orphans = append(s.orphans, x)
		}
		x = s.tree[x].parent
	}
	s.excess[x] = toward0(s.excess[x], d)
	if s.excess[x] == 0 {
		s.roots--
		s.orphans = append(s.orphans, x)
	}
}

// adopt finds a new parent for each orphan: one level below it if it can, else
// as low as it can up to the current depth; its level then grows and its
// children become orphans. An orphan without a parent becomes free.
func (s *Solver) adopt() {
	for len(s.orphans) > 0 {
		v := s.orphans[len(s.orphans)-1]
		s.orphans = s.orphans[:len(s.orphans)-1]
		if s.label[v] == Free || s.connected(v) {
			continue
		}
		s.detach(v)
		if s.keepLevel(v) {
			continue
		}
		for s.tree[v].child != none {
			child := s.tree[v].child
			s.detach(child)
			s.orphans = append(s.orphans, child)
		}
		s.raise(v)
	}
}

// connected reports whether flow can still come to v from its parent or, at a
// root, from the source.
func (s *Solver) connected(v int32) bool {
	if s.tree[v].parent == none {
		return s.excess[v] != 0
	}
	return s.residual[s.tree[v].via] > 0
}

// keepLevel looks for a parent of v one level below v.
func (s *Solver) keepLevel(v int32) bool {
	t := &s.tree[v]
	if t.level == 0 {
		return false
	}
	lv := int32(s.label[v])
	arcs := s.arcs[s.first[v]:s.first[v+1]]
	for ; int(t.tried) < len(arcs); t.tried++ {
		a := arcs[t.tried]
		q, u := a.position^lv^1, a.literal>>1
		if int32(s.label[u]) == (a.literal^lv)&1 && s.tree[u].level == t.level-1 && s.residual[q] > 0 {
			s.attach(v, u, q)
			return true
		}
	}
	return false
}

// raise gives v, which has no parent, the lowest one it can have at its level
// or above, or frees it.
func (s *Solver) raise(v int32) {
	lv := int32(s.label[v])
	best, parent, via := s.depth+1, int32(none), int32(none)
	for _, a := range s.arcs[s.first[v]:s.first[v+1]] {
		q, u := a.position^lv^1, a.literal>>1
		if int32(s.label[u]) == (a.literal^lv)&1 && s.tree[u].level < best && s.residual[q] > 0 {
			best, parent, via = s.tree[u].level, u, q
			if best == s.tree[v].level {
				break
			}
		}
	}
	if parent == none {
		s.label[v] = Free
		return
	}
	s.attach(v, parent, via)
	s.setLevel(v, best+1)
}

// settle decides the nodes that the flow left free. A literal can be chosen
// when the literals that it can reach in the residual network do not contain a
// node twice; choosing it chooses them all. If neither literal of a node can be
// chosen, both can reach each other and no optimum decides the node; nor does
// one decide any other node both of whose literals they reach.
func (s *Solver) settle() {
	free := 0
	for _, l := range s.label {
		if l == Free {
			free++
		}
	}
	for i := 0; free > 0; i++ {
		if s.label[i] != Free {
			continue
		}
		minus, plus := int32(2*i+1), int32(2*i)
		if s.choose(minus) || s.choose(plus) {
			free -= len(s.queue)
			continue
		}
		s.reach(minus, plus, 2*free)
		for _, l := range s.queue {
			if l&1 == 0 && s.seen[l^1] == s.walk {
				s.label[l>>1] = Half
				free--
			}
		}
	}
}

// choose labels all nodes with the literals that can be reached from l and
// reports whether that was possible. s.queue holds these literals then.
func (s *Solver) choose(l int32) bool {
	s.walk++
	s.queue = append(s.queue[:0], l)
	s.seen[l] = s.walk
	for head := 0; head < len(s.queue); head++ {
		l := s.queue[head]
		for _, a := range s.arcs[s.first[l>>1]:s.first[l>>1+1]] {
			m := a.literal ^ l&1
			if s.residual[a.position^l&1] <= 0 || s.seen[m] == s.walk {
				continue
			}
			label := s.label[m>>1]
			if label == Half || s.seen[m^1] == s.walk {
				return false
			}
			if label == Free {
				s.seen[m] = s.walk
				s.queue = append(s.queue, m)
			}
		}
	}
	for _, l := range s.queue {
		s.label[l>>1] = uint8(l & 1)
	}
	return true
}

// reach fills s.queue with the literals of free nodes that can be reached from
// a or b. There are at most most of them.
func (s *Solver) reach(a, b int32, most int) {
	s.walk++
	s.queue = append(s.queue[:0], a, b)
	s.seen[a], s.seen[b] = s.walk, s.walk
	for head := 0; head < len(s.queue) && len(s.queue) < most; head++ {
		l := s.queue[head]
		for _, a := range s.arcs[s.first[l>>1]:s.first[l>>1+1]] {
			m := a.literal ^ l&1
			if s.residual[a.position^l&1] > 0 && s.seen[m] != s.walk && s.label[m>>1] == Free {
				s.seen[m] = s.walk
				s.queue = append(s.queue, m)
			}
		}
	}
}
