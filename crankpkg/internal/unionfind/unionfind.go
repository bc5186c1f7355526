// Package unionfind keeps a partition of 0..n-1 under merging.
package unionfind

// Set is a partition of 0..n-1 into disjoint sets. The zero value is a
// partition of nothing; Reset makes it ready and reuses its memory.
type Set struct {
	parent []int32 // negative at a root: minus the size of its set
	count  int
}

// Reset makes s the partition of 0..n-1 into singletons.
func (s *Set) Reset(n int) {
	if cap(s.parent) < n {
		s.parent = make([]int32, n)
	}
	s.parent = s.parent[:n]
	for i := range s.parent {
		s.parent[i] = -1
	}
	s.count = n
}

// Count returns the number of sets.
func (s *Set) Count() int { return s.count }

// Find returns the representative of the set that i is in. It halves the path
// that it walks.
func (s *Set) Find(i int) int {
	p := s.parent
	k := int32(i)
	for p[k] >= 0 {
		up := p[k]
		if p[up] >= 0 {
			p[k] = p[up]
		}
		k = up
	}
	return int(k)
}

// Union merges the sets that i and j are in and reports whether they were
// different ones.
func (s *Set) Union(i, j int) bool {
	a, b := s.Find(i), s.Find(j)
	if a == b {
		return false
	}
	p := s.parent
	if p[a] > p[b] { // a's set is the smaller one
		a, b = b, a
	}
	p[a] += p[b]
	p[b] = int32(a)
	s.count--
	return true
}
