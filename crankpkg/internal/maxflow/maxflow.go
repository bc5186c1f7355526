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
	first  []int32   // by node: its first arc; one more at the end
	arcs   []arc
	// residual holds two capacities for each edge: pushing over one of them
	// gives as much to the other, so that the capacity behind position q comes
	// back at q^1.
	residual []float64

	label  []uint8
	parent []int32 // by node: its parent in the search forest, -1 at a root
	via    []int32 // by node: position in residual of the arc from the parent
	queue  []int32
	mark   []uint32 // by node: last walk that came by
	walk   uint32
	seen   []uint32 // by literal: last closure that it was in
}

// arc leads from a node to a neighbor, for either label s of the node that it
// leaves: to the literal literal^s (twice the neighbor, plus its label), with
// the capacity residual[position^s].
type arc struct{ literal, position int32 }

// Reset empties the network. Edges are numbered below edges.
func (s *Solver) Reset(nodes, edges int) {
	if cap(s.label) < nodes {
		s.excess = make([]float64, 0, nodes)
		s.first = make([]int32, 0, nodes+1)
		s.label = make([]uint8, nodes)
		s.parent = make([]int32, nodes)
		s.via = make([]int32, nodes)
		s.queue = make([]int32, 0, 2*nodes)
		s.mark = make([]uint32, nodes)
		s.seen = make([]uint32, 2*nodes)
	}
	s.excess, s.first, s.arcs = s.excess[:0], s.first[:0], s.arcs[:0]
	s.label = s.label[:nodes]
	if cap(s.residual) < 2*edges {
		s.residual = make([]float64, 2*edges)
		s.arcs = make([]arc, 0, 2*edges)
	}
	s.residual = s.residual[:2*edges]
	if s.walk > 1<<31 { // start over long before the counter of walks does
		s.walk = 0
		clear(s.mark)
		clear(s.seen)
	}
}

// AddNode adds the next node, with its h_i. The arcs that are added until the
// next call leave it.
func (s *Solver) AddNode(h float64) {
	s.excess = append(s.excess, h)
	s.first = append(s.first, int32(len(s.arcs)))
}

// AddArc adds the end of an edge at the node that was added last: it leads to
// the node to and has the coupling j. The edge needs an arc at its other end as
// well, with the same number and coupling.
func (s *Solver) AddArc(to, edge int32, j float64) {
	i := int32(len(s.excess) - 1)
	a := arc{2 * to, 2 * edge}
	capacity := j
	if j < 0 {
		a.literal++
		capacity = -j
	} else if to < i {
		a.position++
	}
	if i < to {
		s.residual[a.position] = capacity
		s.residual[a.position^1] = capacity
	}
	s.arcs = append(s.arcs, a)
}

// Labels returns the label of each node, Plus, Minus or Half, after Solve.
func (s *Solver) Labels() []uint8 { return s.label }

// Solve finds a maximum flow and from it an optimum of the relaxation with as
// few nodes at Half as there can be. Among equals it prefers Minus.
func (s *Solver) Solve() {
	s.first = append(s.first, int32(len(s.arcs)))
	s.cancel()
	for phase := 0; s.search(phase >= patience); phase++ {
	}
	s.settle()
}

// patience is the number of phases after which a search augments along a
// shortest path only and then starts anew. Then the bound of Edmonds and Karp
// on the number of phases holds, which depends on no capacity.
const patience = 100

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
			d := min(abs(e), abs(ev), s.residual[q])
			s.residual[q] -= d
			s.residual[q^1] += d
			e = toward0(e, d)
			s.excess[v] = toward0(ev, d)
		}
		s.excess[u] = e
	}
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// toward0 returns x moved by d towards zero.
func toward0(x, d float64) float64 {
	if x < 0 {
		return x + d
	}
	return x - d
}

// search grows a breadth-first forest from all nodes with an excess and
// augments where two labels disagree. A tree that loses an arc to an
// augmentation is left as it is: what hangs below is not reached again until
// the next search. It reports whether it augmented; if not, the labels are
// those of the minimum cut that is nearest to the source.
func (s *Solver) search(shortest bool) bool {
	s.plant()
	augmented := false
	for head := 0; head < len(s.queue); head++ {
		u := s.queue[head]
		if augmented && !s.alive(u) {
			continue
		}
		lu := int32(s.label[u])
		for _, a := range s.arcs[s.first[u]:s.first[u+1]] {
			q := a.position ^ lu
			if s.residual[q] <= 0 {
				continue
			}
			v, lv := (a.literal^lu)>>1, uint8((a.literal^lu)&1)
			switch s.label[v] {
			case lv:
			case Free:
				s.label[v], s.parent[v], s.via[v] = lv, u, q
				s.queue = append(s.queue, v)
			default:
				if s.augment(u, v, q) {
					augmented = true
					if shortest {
						return true
					}
					if !s.alive(u) {
						goto next
					}
				}
			}
		}
	next:
	}
	return augmented
}

// plant starts the search forest at the nodes with an excess.
func (s *Solver) plant() {
	s.queue = s.queue[:0]
	for i, e := range s.excess {
		s.label[i] = Free
		if e != 0 {
			s.label[i] = Plus
			if e < 0 {
				s.label[i] = Minus
			}
			s.parent[i] = -1
			s.queue = append(s.queue, int32(i))
		}
	}
}

// alive reports whether the path from the root to u still carries flow.
func (s *Solver) alive(u int32) bool {
	for s.parent[u] >= 0 {
		if s.residual[s.via[u]] <= 0 {
			return false
		}
		u = s.parent[u]
	}
	return s.excess[u] != 0
}

// augment pushes all it can from the root of u to u, over the capacity q to the
// mirror literal of v and along the mirror image of v's path to the sink. It
// reports whether anything could be pushed. Where the two paths share arcs,
// each of them carries the flow twice.
func (s *Solver) augment(u, v, q int32) bool {
	s.walk++
	d := s.residual[q]
	x := u
	for ; s.parent[x] >= 0; x = s.parent[x] {
		s.mark[x] = s.walk
		d = min(d, s.residual[s.via[x]])
	}
	s.mark[x] = s.walk
	d = min(d, abs(s.excess[x]))
	x = v
	for ; s.mark[x] != s.walk && s.parent[x] >= 0; x = s.parent[x] {
		d = min(d, s.residual[s.via[x]])
	}
	if s.mark[x] != s.walk {
		d = min(d, abs(s.excess[x]))
	} else {
		for ; s.parent[x] >= 0; x = s.parent[x] {
			d = min(d, s.residual[s.via[x]]/2)
		}
		d = min(d, abs(s.excess[x])/2)
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

// pushDown pushes d from the root of x to x.
func (s *Solver) pushDown(x int32, d float64) {
	for ; s.parent[x] >= 0; x = s.parent[x] {
		q := s.via[x]
		s.residual[q] -= d
		s.residual[q^1] += d
	}
	s.excess[x] = toward0(s.excess[x], d)
}

// settle decides the nodes that the flow left free. A literal can be chosen
// when the literals that it can reach in the residual network do not contain a
// node twice; choosing it chooses them all. If neither literal of a node can be
// chosen, both can reach each other and no optimum decides the node.
func (s *Solver) settle() {
	for i := range s.label {
		if s.label[i] != Free {
			continue
		}
		if s.choose(int32(2*i+1)) || s.choose(int32(2*i)) {
			continue
		}
		s.label[i] = Half
		for _, l := range s.queue {
			if s.seen[l^1] == s.walk {
				s.label[l>>1] = Half
			}
		}
	}
}

// choose labels all nodes with the literals that can be reached from l and
// reports whether that was possible. s.queue holds these literals afterwards.
func (s *Solver) choose(l int32) bool {
	s.walk++
	s.queue = append(s.queue[:0], l)
	s.seen[l] = s.walk
	ok := true
	for head := 0; head < len(s.queue); head++ {
		l := s.queue[head]
		u, lu := l>>1, l&1
		for _, a := range s.arcs[s.first[u]:s.first[u+1]] {
			m := a.literal ^ lu
			if s.residual[a.position^lu] <= 0 || s.seen[m] == s.walk {
				continue
			}
			switch s.label[m>>1] {
			case Half:
				return false
			case Free:
				if s.seen[m^1] == s.walk {
					ok = false
				}
				s.seen[m] = s.walk
				s.queue = append(s.queue, m)
			}
		}
	}
	if ok {
		for _, l := range s.queue {
			s.label[l>>1] = uint8(l & 1)
		}
	}
	return ok
}
