package maxflow

import "math"

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
	if s.roots == 0 || lu == Free || s.tree[u].level != s.depth {
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
