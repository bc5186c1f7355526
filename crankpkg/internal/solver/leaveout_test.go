package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestCapState holds the solver's state against its definition while examples
// are left out and taken back.
func TestCapState(t *testing.T) {
	t.Parallel()
	losses, features := generalSettings()
	for l, loss := range losses {
		rng := rand.New(rand.NewPCG(uint64(l), 7))
		s := New(generalProblem(rng, 40, 3, 4, l%2 == 0, loss, features[l]), labelgraph.RandomTree(4, rng), 0.02)
		left := 0
		for round := range 6 {
			for m := range 40 {
				s.visit(m, true)
			}
			s.LeaveOut([]float64{0.2, 1.5, 0.5}[round%3])
			checkState(t, s)
			for _, out := range s.left {
				if out {
					left++
				}
			}
			if b := s.certify(1); b.Dual > b.Primal+1e-9 {
				t.Fatalf("%v: dual %v above primal %v", loss, b.Dual, b.Primal)
			}
		}
		if left == 0 {
			t.Errorf("%v: no example was left out", loss)
		}
	}
}
