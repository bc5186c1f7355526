package solver

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// quadraticSolver returns a solver on random examples after some passes.
func quadraticSolver(rng *rand.Rand, passes int) *Solver {
	n := 2 + rng.IntN(5)
	p := randomTraining(rng, 30, 3, n, rng.IntN(2) == 0)
	s := New(p, labelgraph.AllPairs(n), 0.01+rng.Float64()/10)
	s.Solve(context.Background(), StopRule{Gap: 0, Passes: passes, Workers: 1 + rng.IntN(2), Seed: rng.Uint64()})
	return s
}

// TestInnerProducts compares what examples keep from visit to visit with the
// definitions, after insertions and prunings, with an l1 term between two solves
// without one, after changes of the edges, and with examples left out.
func TestInnerProducts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(71, 1))
	solve := func(s *Solver, passes int) {
		s.Solve(context.Background(), StopRule{Gap: 0, Passes: passes, Workers: 1, Seed: rng.Uint64()})
		checkKept(t, s)
	}
	partly := 0 // examples of which some atoms know their inner products, and some do not
	for round := range 20 {
		s := quadraticSolver(rng, 3+rng.IntN(10))
		checkKept(t, s)
		s.SetPenalty(0.02*rng.Float64(), nil)
		solve(s, 1+rng.IntN(8))
		for m := range s.ex {
			if ex := &s.ex[m]; ex.known > 0 && int(ex.known) < len(ex.atoms) {
				partly++
			}
		}
		s.SetPenalty(0, nil)
		solve(s, 3)
		if round%2 == 0 {
			s.SetEdges(labelgraph.AllPairs(s.n)[:1+rng.IntN(labelgraph.NumPairs(s.n))])
			solve(s, 3)
		}
		s.LeaveOut(0.8)
		solve(s, 3)
		s.LeaveOut(1.2)
		solve(s, 3)
		known := 0
		for m := range s.ex {
			known += int(s.ex[m].known)
		}
		if known == 0 {
			t.Errorf("round %d: no atom knows its inner products", round)
		}
	}
	if partly == 0 {
		t.Error("the l1 term leaves no atom without its inner products: the test is too easy")
	}
}

// checkKept checks the inner products and the lists of labels of all examples.
func checkKept(t *testing.T, s *Solver) {
	t.Helper()
	for m := range s.ex {
		ex := &s.ex[m]
		for k := range ex.known {
			for l := range ex.known {
				a, b := &ex.atoms[k], &ex.atoms[l]
				want := s.p.norm[m]*innerOf(a.labels, b.labels) + innerOf(a.pairs, b.pairs)
				if got := ex.innerOf(int(k), int(l)); !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
					t.Fatalf("example %d, atoms %d and %d: %v, want %v", m, k, l, got, want)
				}
			}
		}
		if ex.differs == notListed {
			continue
		}
		varies := map[int32]bool{}
		for k := range ex.atoms {
			for label := range ex.atoms[k].labels.all() {
				varies[label.index] = true
			}
		}
		if ex.differs == inMany {
			if len(varies) <= s.unary.mostListed() {
				t.Fatalf("example %d: %d labels differ, which are not many", m, len(varies))
			}
			continue
		}
		listed := map[int32]bool{}
		for _, i := range ex.varying {
			listed[i] = true
		}
		if !maps.Equal(listed, varies) || len(listed) != len(ex.varying) {
			t.Fatalf("example %d: labels %v listed, %v differ", m, ex.varying, varies)
		}
	}
}

// innerOf returns the inner product of two sparse vectors.
func innerOf(a, b terms) float64 {
	at := map[int32]float64{}
	for t := range a.all() {
		at[t.index] = float64(t.value)
	}
	var sum float64
	for t := range b.all() {
		sum += at[t.index] * float64(t.value)
	}
	return sum
}

// TestQuadraticSteps holds what a visit keeps up to date by differences, the
// values of the atoms, the dual point's sums and the scores, to what they are
// when computed afresh; the dual does not decrease, and where two labelings alone
// have exchanged weight, and keep some, nothing is left to gain between them.
func TestQuadraticSteps(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(72, 1))
	exact := 0
	for round := range 20 {
		s := quadraticSolver(rng, 3)
		ws := s.ws[0]
		moved := 0
		for range 200 {
			m := rng.IntN(s.m)
			ex := &s.ex[m]
			before := s.dual()
			ws.copyWeights(ex)
			weights, ask := slices.Clone(ws.weights), rng.IntN(3) == 0
			s.visit(m, ask)
			if s.dual() < before-1e-12 {
				t.Fatalf("round %d: dual %v after %v", round, s.dual(), before)
			}
			if len(ex.atoms) == 1 || ex.gap == 0 {
				continue
			}
			moved++
			if to, from := changed(ex, weights); !ask && from >= 0 {
				exact++
				if d := ws.values[to] - ws.values[from]; !(math.Abs(d) <= 1e-9) {
					t.Fatalf("round %d, example %d: the line search leaves a slope of %v", round, m, d)
				}
			}
			kept := append([]float64(nil), ws.values...)
			s.unary.scoreAll(ws.c, s.p.x.Row(m))
			s.evaluate(ws, ex)
			for a, v := range ws.values {
				if !(math.Abs(v-kept[a]) <= 1e-9*(1+math.Abs(v))) {
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
	if exact == 0 {
		t.Error("in no visit did two labelings alone exchange weight and keep some")
	}
}

// changed returns the only two atoms of ex whose weights are not what they were
// before, where there are no others and both are positive, or else -1.
func changed(ex *example, before []float64) (to, from int) {
	var found []int
	for k := range ex.atoms {
		if len(ex.atoms) == len(before) && ex.atoms[k].weight != before[k] {
			found = append(found, k)
		}
	}
	if len(found) != 2 || min(ex.atoms[found[0]].weight, ex.atoms[found[1]].weight) <= 0 {
		return -1, -1
	}
	return found[0], found[1]
}
