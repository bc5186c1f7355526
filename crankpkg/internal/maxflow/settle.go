package maxflow

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
