package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// threeStates returns the solver, with all pairs, of n variables of three states
// that have nothing to do with the rows, and the states of all examples.
func threeStates(rng *rand.Rand, examples, n int, loss infer.Loss, lambda float64) (*Solver, []uint8) {
	sizes := slices.Repeat([]int{3}, n)
	x, _ := testkit.RandomExamples(rng, examples, 4, 1, false)
	states, y := make([]uint8, examples*n), make([]uint8, 3*examples*n)
	for k := range states {
		states[k] = uint8(rng.IntN(3))
	}
	layout := groups.New(sizes)
	for m := range examples {
		layout.OneHotTo(y[3*m*n:3*(m+1)*n], states[m*n:(m+1)*n])
	}
	return New(NewProblem(x, y, 3*n, loss, nil, sizes), labelgraph.AllPairs(n), lambda), states
}

// TestMultiStateFullMeetsFractions checks that weights on cycles lead to
// fractional optima, and that the gap closes nevertheless.
func TestMultiStateFullMeetsFractions(t *testing.T) {
	t.Parallel()
	s, _ := threeStates(rand.New(rand.NewPCG(7, 1)), 30, 5, infer.Loss{}, 3e-3)
	b, status := s.Solve(context.Background(), StopRule{Gap: 0.01, Workers: 1})
	fractional := 0
	for m := range s.ex {
		for _, a := range s.ex[m].atoms {
			if slices.ContainsFunc(slices.Collect(a.labels.all()), func(t term) bool { return t.value != 1 && t.value != -1 }) {
				fractional++
			}
		}
	}
	if status != Converged || b.Gap() > 0.01 || fractional == 0 {
		t.Errorf("%s, gap %v, %d fractional atoms", status, b.Gap(), fractional)
	}
}

// TestMultiStateHinges compares with the best of all labelings: whatever the
// weights, no hinge is negative or below the definition, and it is the hinge of
// the definition where the loss is no sum over variables.
func TestMultiStateHinges(t *testing.T) {
	t.Parallel()
	const n = 4
	rng := rand.New(rand.NewPCG(8, 1))
	for _, loss := range []infer.Loss{{}, {ZeroOne: 1}} {
		s, states := threeStates(rng, 20, n, loss, 1)
		for round := range 6 {
			for k := range s.pw.w {
				s.pw.w[k] = rng.NormFloat64()
			}
			if round%2 == 1 {
				preferTruth(s, states[round*n:(round+1)*n])
			}
			s.bounds(1, false)
			for m, h := range s.hinges {
				want := hingeOfStates(s, states[m*n:(m+1)*n], loss)
				if h < 0 || h < want-1e-9 || !loss.IsSum() && h > want+1e-9 {
					t.Fatalf("loss %v: hinge %v, brute force %v", loss, h, want)
				}
			}
		}
	}
}

// preferTruth makes small weights by which the true states are the best ones, by
// less than their loss.
func preferTruth(s *Solver, truth []uint8) {
	floats.Scale(0.01, s.pw.w)
	sizes, tables := s.p.graph.(labelGroups).Sizes, s.pairs.tables
	for e, edge := range tables.Edges {
		s.pw.w[tables.At[e][int(truth[edge.I])*sizes[edge.J]+int(truth[edge.J])]] += 0.1
	}
}

// hingeOfStates maximizes over all states, where only pairs have weights.
func hingeOfStates(s *Solver, truth []uint8, loss infer.Loss) float64 {
	sizes, tables := s.p.graph.(labelGroups).Sizes, s.pairs.tables
	y, best := make([]int, len(truth)), math.Inf(-1)
	for {
		wrong := 0
		for i, v := range y {
			if v != int(truth[i]) {
				wrong++
			}
		}
		value := loss.OrHamming().Hamming * float64(wrong)
		if wrong > 0 {
			value += loss.ZeroOne
		}
		for e, edge := range tables.Edges {
			size := sizes[edge.J]
			value += s.pw.w[tables.At[e][y[edge.I]*size+y[edge.J]]]
			value -= s.pw.w[tables.At[e][int(truth[edge.I])*size+int(truth[edge.J])]]
		}
		best = max(best, value)
		if !testkit.NextLabeling(y, sizes) {
			return best
		}
	}
}
