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
