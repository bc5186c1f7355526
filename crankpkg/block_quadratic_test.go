package crankpkg

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// quadraticSolver returns a solver on random examples after some passes.
func quadraticSolver(rng *rand.Rand, passes int) *solver {
	n := 2 + rng.IntN(5)
	p := randomTraining(rng, 30, 3, n, rng.IntN(2) == 0)
	s := newSolver(p, AllPairs(n), 0.01+rng.Float64()/10)
	s.solve(context.Background(), stopRule{gap: 0, passes: passes, workers: 1 + rng.IntN(2), seed: rng.Uint64()})
	return s
}

// TestInnerProducts compares the inner products that atoms keep, through
// insertions, prunings and changes of the edges, with the definition.
func TestInnerProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	for round := range 20 {
		s := quadraticSolver(rng, 3+rng.IntN(10))
		if round%2 == 0 {
			s.setEdges(AllPairs(s.n)[:1+rng.IntN(NumPairs(s.n))])
			s.solve(context.Background(), stopRule{gap: 0, passes: 3, workers: 1})
		}
		known := 0
		for m := range s.ex {
			ex := &s.ex[m]
			for k := range ex.known {
				for l := range ex.known {
					a, b := &ex.atoms[k], &ex.atoms[l]
					want := s.p.norm[m]*innerOf(a.labels, b.labels) + innerOf(a.pairs, b.pairs)
					if got := a.inner[l]; math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
						t.Fatalf("round %d, example %d, atoms %d and %d: %v, want %v", round, m, k, l, got, want)
					}
				}
				known++
			}
		}
		if known == 0 {
			t.Errorf("round %d: no atom knows its inner products", round)
		}
	}
}

// innerOf returns the inner product of two sparse vectors.
func innerOf(a, b []term) float64 {
	at := map[int32]float64{}
	for _, t := range a {
		at[t.index] = float64(t.value)
	}
	var sum float64
	for _, t := range b {
		sum += at[t.index] * float64(t.value)
	}
	return sum
}

// TestQuadraticSteps holds what a visit keeps up to date by differences, the
// values of the atoms, the dual point's sums and the scores, to what they are
// when computed afresh; and the dual does not decrease.
func TestQuadraticSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 1))
	for round := range 20 {
		s := quadraticSolver(rng, 3)
		ws := s.ws[0]
		moved := 0
		for range 200 {
			m := rng.IntN(s.m)
			ex := &s.ex[m]
			before := s.dual()
			s.visit(m, rng.IntN(3) == 0)
			if s.dual() < before-1e-12 {
				t.Fatalf("round %d: dual %v after %v", round, s.dual(), before)
			}
			if len(ex.atoms) == 1 || ex.gap == 0 {
				continue
			}
			moved++
			kept := append([]float64(nil), ws.values...)
			s.unary.scoreAll(ws.c, s.p.x.Row(m))
			s.evaluate(ws, ex)
			for a, v := range ws.values {
				if math.Abs(v-kept[a]) > 1e-9*(1+math.Abs(v)) {
					t.Fatalf("round %d, example %d, atom %d: kept %v, afresh %v", round, m, a, kept[a], v)
				}
			}
		}
		for e, u := range s.residuals() {
			if math.Abs(u-s.pw.u[e]) > 1e-12 || math.Abs(u/s.pw.lambda-s.pw.w[e]) > 1e-9 {
				t.Errorf("round %d, pair %d: u %v, w %v, afresh u %v", round, e, s.pw.u[e], s.pw.w[e], u)
			}
		}
		if moved == 0 {
			t.Errorf("round %d: no visit did a step", round)
		}
	}
}
