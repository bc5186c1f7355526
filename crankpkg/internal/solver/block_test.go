package solver

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestStepsKnowTheirValues checks what a visit of several steps goes by: the
// scores of the labels and the values of the atoms at its end are those of the
// weights that it leads to.
func TestStepsKnowTheirValues(t *testing.T) {
	t.Parallel()
	steps := 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 23))
		n := 3 + rng.IntN(3)
		s := New(randomTraining(rng, 20, 3, n, seed%2 == 0), labelgraph.AllPairs(n), 0.02)
		for range 4 {
			for m := range s.m {
				s.visit(m, true)
			}
		}
		for m := range s.m {
			ex, ws, x := &s.ex[m], s.ws[0], s.p.x.Row(m)
			if len(ex.atoms) < 3 {
				continue
			}
			s.unary.scoreAll(ws.c, x)
			ex.gap = s.evaluate(ws, ex) - ws.average(ex)
			s.improve(ex, m)
			if len(ws.moved) > 0 {
				steps++
			}
			c := slices.Clone(ws.c)
			values := slices.Clone(ws.values)
			s.commit(x)
			s.unary.scoreAll(ws.c, x)
			s.evaluate(ws, ex)
			for i := range c {
				testkit.CheckNear(t, "score along the way", c[i], ws.c[i])
			}
			for a := range values {
				testkit.CheckNear(t, "value along the way", values[a], ws.values[a])
			}
		}
	}
	if steps == 0 {
		t.Error("no example with three labelings or more had anything to gain")
	}
}
