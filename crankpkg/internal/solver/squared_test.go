package solver_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// squaredLosses have squares, and costs of all kinds.
func squaredLosses(rng *rand.Rand, n int) []infer.Loss {
	costs := &infer.Costs{Missed: make([]float64, n), False: make([]float64, n)}
	for i := range n {
		costs.Missed[i], costs.False[i] = math.Exp(rng.NormFloat64()), math.Exp(rng.NormFloat64())
	}
	return []infer.Loss{{Squared: true}, {Squared: true, Costs: costs}, {Squared: true, Costs: &infer.Costs{Balanced: true}}}
}

// squaredSolver returns a solver of the problem of o with another label loss.
func squaredSolver(t *testing.T, o *crankpkg.Objective, ds *crankpkg.Dataset, edges []labelgraph.Edge) *solver.Solver {
	t.Helper()
	loss, err := o.LabelLoss.Resolve(ds.Y, ds.NumLabels())
	if err != nil {
		t.Fatal(err)
	}
	f, err := o.EdgeFeatures.Resolve(ds.NumFeatures())
	if err != nil {
		t.Fatal(err)
	}
	return solver.New(solver.NewProblem(ds.X, ds.Y, ds.NumLabels(), loss, f.Matrix(ds.X), nil), edges, o.Lambda)
}

// checkSquared holds the solver's bounds to the definitions: the dual to rounding, and the
// primal, which may be a little above, to the precision of its hinges.
func checkSquared(t *testing.T, o *crankpkg.Objective, ds *crankpkg.Dataset, s *solver.Solver, b solver.Bounds, within float64, what string) {
	t.Helper()
	dual, w := o.Dual(dualPoint(s, ds.Len()))
	primal := o.Primal(w)
	if !testkit.Near(dual, b.Dual, 1e-9) || b.Primal < primal*(1-1e-9) || b.Primal > primal*(1+within) || dual > primal*(1+1e-9) {
		t.Fatalf("%s: the solver certifies %v and %v, by definition they are %v and %v", what, b.Primal, b.Dual, primal, dual)
	}
	if o.EdgeFeatures.Columns == nil {
		checkWeights(t, s, w)
	}
}

// TestSquaredAgainstObjective holds primal, dual and weights to the definitions, through
// changes of the penalty and of the edges.
func TestSquaredAgainstObjective(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(61, seed))
		n := 3 + rng.IntN(4)
		o, ds := randomObjective(rng, 30, 3, n, seed%2 == 0)
		o.Lambda = 0.01 + 0.05*rng.Float64()
		o.LabelLoss = squaredLosses(rng, n)[seed%3]
		if seed%4 == 3 {
			o.EdgeFeatures = crankpkg.EdgeFeatures{Columns: []int{0, 2}}
		}
		s := squaredSolver(t, o, ds, labelgraph.AllPairs(n))
		for step := range 4 {
			switch step {
			case 1, 2:
				k := 1
				if seed%4 == 3 {
					k = 3
				}
				o.Beta, o.V = 0.05*rng.Float64(), randomSigns(rng, k*labelgraph.NumPairs(n))
				s.SetPenalty(o.Beta, o.V)
			case 3:
				o.Edges = labelgraph.RandomTree(n, rng)
				o.Beta, o.V = 0, nil
				s.SetEdges(o.Edges)
			}
			what := fmt.Sprintf("seed %d, step %d", seed, step)
			b, status := s.Solve(context.Background(), solver.StopRule{Gap: 3e-3, Seed: seed, Workers: 1 + step%2, Passes: 3000})
			checkSquared(t, o, ds, s, b, 3e-3, what)
			if status != solver.Converged {
				t.Fatalf("%s: %s at %v", what, status, b.Gap())
			}
		}
	}
}

// TestSquaredDualRises visits example after example: the dual never falls.
func TestSquaredDualRises(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(67, seed))
		o, ds := randomObjective(rng, 20, 3, 5, false)
		o.LabelLoss = squaredLosses(rng, 5)[seed%3]
		s := squaredSolver(t, o, ds, labelgraph.AllPairs(5))
		if seed%2 == 1 {
			o.Beta, o.V = 0.01, randomSigns(rng, 10)
			s.SetPenalty(o.Beta, o.V)
		}
		last := s.Dual()
		for visit := range 400 {
			s.Visit(rng.IntN(20), visit < 60 || rng.IntN(3) == 0)
			now := s.Dual()
			if now < last-1e-13*(1+math.Abs(last)) {
				t.Fatalf("seed %d, visit %d: the dual falls from %v to %v", seed, visit, last, now)
			}
			last = now
		}
		checkSquared(t, o, ds, s, s.Certify(1), 0.02, "after visits")
	}
}

// TestSquaredWithoutPairs has the minimum of the labels' machines.
func TestSquaredWithoutPairs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(71, 1))
	for _, sparse := range []bool{false, true} {
		o, ds := randomObjective(rng, 50, 4, 4, sparse)
		for _, loss := range squaredLosses(rng, 4) {
			o.LabelLoss, o.Edges = loss, []labelgraph.Edge{}
			s := squaredSolver(t, o, ds, nil)
			b, _ := s.Solve(context.Background(), solver.StopRule{Gap: 1e-6, Workers: 1, Passes: 3000})
			checkSquared(t, o, ds, s, b, 1e-6, loss.String())
			resolved, _ := loss.Resolve(ds.Y, 4)
			svms := solver.NewSVMs(solver.NewProblem(ds.X, ds.Y, 4, resolved, nil, nil), o.Lambda, 1)
			var total solver.Bounds
			for _, svm := range svms {
				svm.Solve(1e-6, 1e5, func() bool { return false })
				one, _ := svm.State()
				total.Primal += one.Primal
				total.Dual += one.Dual
			}
			if b.Gap() > 1e-6 || math.Abs(total.Primal-b.Primal) > 3e-6*b.Primal {
				t.Errorf("%v: %v by labelings, %v by machines", loss, b, total)
			}
			started := squaredSolver(t, o, ds, nil)
			started.TakeSVMs(svms)
			begun := started.Certify(1)
			checkSquared(t, o, ds, started, begun, 0.02, "from machines")
			if begun.Gap() > 0.1 {
				t.Errorf("%v: gap %v at the machines' rounded optimum", loss, begun.Gap())
			}
		}
	}
}

// TestSquaredShards trains with shards, and with any number of workers.
func TestSquaredShards(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(73, 1))
	o, ds := randomObjective(rng, 80, 4, 6, false)
	o.LabelLoss = infer.Loss{Squared: true}
	o.Lambda = 0.01
	var want solver.Bounds
	for workers := 1; workers <= 3; workers++ {
		s := squaredSolver(t, o, ds, labelgraph.AllPairs(6))
		b, status := s.Solve(context.Background(), solver.StopRule{Gap: 1e-3, Workers: workers, Shards: 3, Passes: 3000})
		checkSquared(t, o, ds, s, b, 1e-3, "shards")
		if status != solver.Converged {
			t.Fatal(status)
		}
		if workers > 1 && b != want {
			t.Errorf("%d workers: %v, one: %v", workers, b, want)
		}
		want = b
	}
}

func TestSquaredVisitAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(79, 1))
	o, ds := randomObjective(rng, 20, 4, 6, false)
	o.LabelLoss = infer.Loss{Squared: true}
	for _, beta := range []float64{0, 0.002} {
		s := squaredSolver(t, o, ds, labelgraph.AllPairs(6))
		s.SetPenalty(beta, make([]float64, 15))
		pass := func() {
			for m := range 20 {
				s.Visit(m, true)
				s.Visit(m, false)
			}
		}
		for range 300 {
			pass()
		}
		if got := testing.AllocsPerRun(5, pass); got > 0 {
			t.Errorf("beta %v: %v allocations in a pass", beta, got)
		}
	}
}
