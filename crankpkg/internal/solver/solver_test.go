package solver

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// randomTraining returns a small training problem whose labels depend on x and
// on one another, dense or sparse.
func randomTraining(rng *rand.Rand, m, d, n int, sparse bool) *Problem {
	x, y := testkit.RandomExamples(rng, m, d, n, sparse)
	return NewProblem(x, y, n, infer.Loss{}, nil, nil)
}

// checkState holds everything that the solver keeps up to date step by step
// against its definition.
func checkState(t *testing.T, s *Solver) {
	t.Helper()
	u := make([]float64, len(s.pw.u))
	w := make([][]float64, s.n)
	for i := range w {
		w[i] = make([]float64, s.p.x.NumCols+1)
	}
	var loss float64
	y := make(infer.Labeling, s.n)
	for m := range s.ex {
		truth := s.labelsOf(m)
		var total float64
		for _, a := range s.ex[m].atoms {
			if a.weight < 0 {
				t.Fatalf("example %d: an atom of weight %v", m, a.weight)
			}
			total += a.weight
			a.labelingTo(y, truth)
			for i, v := range y {
				diff := float64(v)/2 - float64(truth[i])
				s.p.x.Row(m).AddScaledTo(w[i], -a.weight*diff*s.step/s.pw.lambda)
				w[i][s.p.x.NumCols] -= a.weight * diff * s.step / s.pw.lambda
			}
			delta := s.p.loss.OfLabeling(y, truth)
			if s.left != nil && s.left[m] {
				delta = a.loss // the cap
			}
			testkit.CheckNear(t, "label loss", a.loss, delta)
			loss += a.weight * delta
			checkPairs(t, s, m, &a, y, truth)
			z := []float64{1}
			if s.p.z != nil {
				z = make([]float64, s.pw.k)
				s.p.z.Row(m).AddScaledTo(z, 1)
			}
			for p := range a.pairs.all() {
				floats.AddScaled(s.pw.vector(u, int(p.index)), -a.weight*float64(p.value)*s.step, z)
			}
		}
		testkit.CheckNear(t, "sum of weights", total, 1)
	}
	testkit.CheckNear(t, "loss", s.loss, loss)
	got := make([]float64, s.p.x.NumCols+1)
	for i := range w {
		s.unary.copyTo(got, i)
		for k := range got {
			testkit.CheckNear(t, "unary weight", got[k], w[i][k])
		}
	}
	for e := range u {
		testkit.CheckNear(t, "u", s.pw.u[e], u[e])
		testkit.CheckNear(t, "pair weight", s.pw.w[e], s.pw.at(int32(e), 0))
	}
	if s.pw.k > 1 {
		for e, open := range s.pw.open {
			if want := len(s.pw.vector(s.pw.w, e)) - floatZeros(s.pw.vector(s.pw.w, e)); int(open) != want {
				t.Fatalf("edge %v: %d open entries, want %d", s.pairs.edges[e], open, want)
			}
		}
		return
	}
	s.syncGraph()
	open := 0
	for e, w := range s.pw.w {
		if s.graph.Weight(s.pairs.edges[e]) != w {
			t.Fatalf("edge %v: the oracle sees %v, not %v", s.pairs.edges[e], s.graph.Weight(s.pairs.edges[e]), w)
		}
		if w != 0 {
			open++
		}
	}
	if open != len(s.graph.Edges) {
		t.Fatalf("%d open pairs, but the oracle sees %d", open, len(s.graph.Edges))
	}
}

func floatZeros(w []float64) int {
	return floats.Count(func(v float64) bool { return v == 0 }, w)
}

// checkPairs checks that the pairs of an atom belong to its labels: a point of
// the local polytope.
func checkPairs(t *testing.T, s *Solver, m int, a *atom, y infer.Labeling, truth []uint8) {
	t.Helper()
	terms := make(map[int32]float32)
	for p := range a.pairs.all() {
		terms[p.index] = p.value
	}
	for e, edge := range s.pairs.edges {
		i, j := edge.I, edge.J
		v := float32(truth[i]&truth[j]) + terms[int32(e)] // y_ij
		a, b := float32(y[i])/2, float32(y[j])/2
		if v < max(0, a+b-1) || v > min(a, b) {
			t.Fatalf("example %d, edge %v: y_ij = %v for %v, %v", m, edge, v, a, b)
		}
	}
}

// TestSolverState checks at every visit that the dual does not decrease, and
// after every pass that the solver's state is what it stands for.
func TestSolverState(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(5)
		edges := labelgraph.AllPairs(n)
		if seed%3 == 0 {
			edges = labelgraph.RandomTree(n, rng)
		}
		s := New(randomTraining(rng, 30, 3, n, seed%2 == 0), edges, 0.01+0.1*rng.Float64())
		checkVisits(t, s, rng, fmt.Sprintf("seed %d", seed))
	}
}

// checkVisits visits random examples, with and without the oracle and under
// changing penalties, and checks everything after every pass.
func checkVisits(t *testing.T, s *Solver, rng *rand.Rand, what string) {
	t.Helper()
	v := make([]float64, len(s.pw.w))
	for round := range 4 {
		for e := range v {
			v[e] = float64(rng.IntN(3) - 1)
		}
		if round > 0 {
			s.SetPenalty(0.02*rng.Float64(), v)
		}
		for pass := range 4 {
			for range s.m {
				before := s.dual()
				s.visit(rng.IntN(s.m), pass != 2)
				if after := s.dual(); after < before-1e-12*(1+math.Abs(before)) {
					t.Fatalf("%s: the dual fell from %v to %v", what, before, after)
				}
			}
			checkState(t, s)
		}
		if b := s.certify(1); b.Dual > b.Primal+1e-9 {
			t.Fatalf("%s: dual %v above primal %v", what, b.Dual, b.Primal)
		}
	}
}

// TestSetEdges changes the edges of a solver back and forth.
func TestSetEdges(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	s := New(randomTraining(rng, 40, 3, 6, false), labelgraph.AllPairs(6), 0.02)
	for range 6 {
		for m := range 40 {
			s.visit(m, true)
		}
		clone := s.Clone()
		tree := labelgraph.RandomTree(6, rng)
		s.SetEdges(tree)
		checkState(t, s)
		if got := s.dual(); got < clone.dual()-1e-12 {
			t.Fatalf("dual %v on a tree, %v on all pairs", got, clone.dual())
		}
		s.certify(1)
		s.SetEdges(labelgraph.AllPairs(6))
		checkState(t, s)
		checkState(t, clone)
	}
}

// TestCertifyWorkers checks that the number of workers changes no bit.
func TestCertifyWorkers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	p := randomTraining(rng, 300, 4, 5, false)
	var want Bounds
	for k, workers := range []int{1, 2, 5} {
		s := New(p, labelgraph.AllPairs(5), 0.01)
		got, status := s.Solve(context.Background(), StopRule{Gap: 1e-4, Seed: 9, Workers: workers})
		if status != Converged {
			t.Fatalf("%d workers: %s", workers, status)
		}
		if k == 0 {
			want = got
		}
		if got != want {
			t.Fatalf("%d workers: %v, one worker: %v", workers, got, want)
		}
	}
}

// TestVisitAllocates pins the hot loop at no allocation once it is warm.
func TestVisitAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	s := New(randomTraining(rng, 60, 4, 6, false), labelgraph.AllPairs(6), 0.05)
	s.SetPenalty(0.002, make([]float64, labelgraph.NumPairs(6)))
	pass := func() {
		for m := range 60 {
			s.visit(m, true)
			s.visit(m, false)
		}
	}
	for range 200 {
		pass()
	}
	if got := testing.AllocsPerRun(5, pass); got > 0 {
		t.Errorf("%v allocations in a pass", got)
	}
}

// TestTakeSVMs starts a solver at the binary SVMs of the labels.
func TestTakeSVMs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 1))
	for _, sparse := range []bool{false, true} {
		p := randomTraining(rng, 60, 4, 5, sparse)
		var svms []*SVM
		for i := range p.n {
			svms = append(svms, newSVM(p, newSingleRows(p), i, 0.02, 1))
			svms[i].Solve(0.01, 1000, func() bool { return false })
		}
		s := New(p, labelgraph.AllPairs(p.n), 0.02)
		s.TakeSVMs(svms)
		checkState(t, s)
		s.SetPenalty(1, make([]float64, labelgraph.NumPairs(p.n)))
		if b := s.certify(1); b.Gap() > 0.1 || b.Gap() < 0 {
			t.Errorf("gap %v at the rounded optimum of all labels by themselves", b.Gap())
		}
		few := New(p, nil, 0.02)
		few.TakeSVMs(svms)
		for e, u := range few.allResiduals() {
			testkit.CheckNear(t, "residual", u, s.pw.u[e])
		}
	}
}
