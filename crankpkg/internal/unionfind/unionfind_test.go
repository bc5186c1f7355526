package unionfind

import (
	"math/rand/v2"
	"testing"
)

// TestAgainstRelabeling merges at random and compares with a partition that
// relabels every element at each merge.
func TestAgainstRelabeling(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s Set
	for range 200 {
		n := 1 + rng.IntN(40)
		s.Reset(n)
		label := make([]int, n)
		for i := range label {
			label[i] = i
		}
		count := n
		for range 2 * n {
			i, j := rng.IntN(n), rng.IntN(n)
			merged := label[i] != label[j]
			if got := s.Union(i, j); got != merged {
				t.Fatalf("Union(%d, %d) = %v, want %v", i, j, got, merged)
			}
			if merged {
				count--
				from, to := label[i], label[j]
				for k := range label {
					if label[k] == from {
						label[k] = to
					}
				}
			}
			if s.Count() != count {
				t.Fatalf("Count = %d, want %d", s.Count(), count)
			}
			a, b := rng.IntN(n), rng.IntN(n)
			if (s.Find(a) == s.Find(b)) != (label[a] == label[b]) {
				t.Fatalf("%d and %d: wrong answer to whether they are together", a, b)
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	var s Set
	s.Reset(100)
	if a := testing.AllocsPerRun(10, func() {
		s.Reset(100)
		for i := 1; i < 100; i++ {
			s.Union(i, i/2)
		}
	}); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

// TestSetsStayShallow merges representatives alone, which shortens no path: an element is at most log2 of its set's size below the
// representative, which Find's speed rests on, and each representative knows how many elements its set has.
func TestSetsStayShallow(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 2))
	var s Set
	for range 100 {
		n := 2 + rng.IntN(200)
		s.Reset(n)
		// At first elements join one large set, as in a star, which would be a path without care for sizes.
		for k := range n {
			i, j := k, 0
			if k > n/2 {
				i, j = rng.IntN(n), rng.IntN(n)
			}
			a, _ := s.depth(i)
			b, _ := s.depth(j)
			if rng.IntN(2) == 0 {
				a, b = b, a
			}
			s.Union(a, b)
		}
		size := make([]int, n)
		for i := range n {
			root, _ := s.depth(i)
			size[root]++
		}
		for i := range n {
			if root, depth := s.depth(i); 1<<depth > size[root] || int(s.parent[root]) != -size[root] {
				t.Fatalf("%d is %d below %d, whose set has %d elements and knows of %d", i, depth, root, size[root], -s.parent[root])
			}
		}
	}
}

// depth walks from i to its representative and changes nothing.
func (s *Set) depth(i int) (root, depth int) {
	for ; s.parent[i] >= 0; depth++ {
		i = int(s.parent[i])
	}
	return i, depth
}
