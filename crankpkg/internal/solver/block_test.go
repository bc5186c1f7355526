package solver

import (
	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dualAlong returns the dual, by its definition, where the mass g more of example
// m is at its atom to instead of its atom from.
func dualAlong(o *crankpkg.Objective, s *Solver, m, to, from int, g float64) float64 {
	mu := s.dualPoint()
	mu[m][to].Weight += g
	mu[m][from].Weight -= g
	dual, _ := o.Dual(mu)
	return dual
}

// TestStepsAreExactLineSearches visits examples that have two labelings: no other
// share of the mass between these gives a higher dual, as the definition has it.
func TestStepsAreExactLineSearches(t *testing.T) {
	t.Parallel()
	inside, moved := 0, 0
	for seed := range uint64(9) {
		rng := rand.New(rand.NewPCG(seed, 22))
		n := 2 + rng.IntN(4)
		o := crankpkg.randomObjective(rng, 25, 3, n, seed%2 == 0)
		o.Lambda = 0.01 + 0.05*rng.Float64()
		p := NewProblem(o.data.X, o.data.Y, n, infer.Loss{}, nil, nil)
		if seed%3 == 0 {
			f, err := feature.EdgeFeatures{All: true}.Resolve(3)
			if err != nil {
				t.Fatal(err)
			}
			o.EdgeFeatures, p.z = f, f.Matrix(p.x)
		}
		s := New(p, labelgraph.AllPairs(n), o.Lambda)
		if seed%2 == 0 {
			o.Beta, o.V = 0.02*rng.Float64(), make([]float64, len(s.pw.u))
			for e := range o.V {
				o.V[e] = float64(rng.IntN(3) - 1)
			}
			s.SetPenalty(o.Beta, o.V)
		}
		for range 60 {
			m := rng.IntN(s.m)
			before := s.dual()
			s.visit(m, true)
			if s.dual() > before {
				moved++
			}
			if len(s.ex[m].atoms) != 2 {
				continue
			}
			best := dualAlong(o, s, m, 0, 1, 0)
			checkNear(t, "dual", s.dual(), best)
			a, b := s.ex[m].atoms[0].weight, s.ex[m].atoms[1].weight
			if a > 0 && b > 0 {
				inside++
			}
			for _, share := range []float64{1e-3, 0.03, 0.3, 1} {
				for _, g := range []float64{share * b, -share * a} {
					if d := dualAlong(o, s, m, 0, 1, g); d > best+1e-12*(1+math.Abs(best)) {
						t.Fatalf("seed %d: the dual is %v with the weights %v and %v, and %v with %v more at the first", seed, best, a, b, d, g)
					}
				}
			}
		}
	}
	if inside < 50 || moved < 100 {
		t.Errorf("%d steps, of which %d end between the two labelings: too few", moved, inside)
	}
}

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
				checkNear(t, "score along the way", c[i], ws.c[i])
			}
			for a := range values {
				checkNear(t, "value along the way", values[a], ws.values[a])
			}
		}
	}
	if steps == 0 {
		t.Error("no example with three labelings or more had anything to gain")
	}
}
