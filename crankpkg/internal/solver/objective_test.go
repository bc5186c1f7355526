package solver_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// randomObjective returns a problem of few examples, dense or sparse rows.
func randomObjective(rng *rand.Rand, examples, d, n int, sparse bool) (*crankpkg.Objective, *crankpkg.Dataset) {
	x, y := testkit.RandomExamples(rng, examples, d, n, sparse)
	ds := &crankpkg.Dataset{Name: "random", FeatureNames: draw.Names("x", d), LabelNames: draw.Names("y", n), X: x, Y: y}
	return crankpkg.NewObjective(ds, crankpkg.Scaler{}, 0.05+rng.Float64()), ds
}

// randomSigns returns a v of so many entries of -1, 0 and 1.
func randomSigns(rng *rand.Rand, size int) []float64 {
	v := make([]float64, size)
	for e := range v {
		v[e] = float64(rng.IntN(3) - 1)
	}
	return v
}

// newSolver returns a solver of the problem of o on the given edges.
func newSolver(t *testing.T, o *crankpkg.Objective, ds *crankpkg.Dataset, edges []labelgraph.Edge) *solver.Solver {
	t.Helper()
	f, err := o.EdgeFeatures.Resolve(ds.NumFeatures())
	if err != nil {
		t.Fatal(err)
	}
	return solver.New(solver.NewProblem(ds.X, ds.Y, ds.NumLabels(), infer.Loss{}, f.Matrix(ds.X), nil), edges, o.Lambda)
}

// dualPoint returns the solver's state in neutral terms.
func dualPoint(s *solver.Solver, examples int) crankpkg.DualPoint {
	mu := make(crankpkg.DualPoint, examples)
	for m := range mu {
		for _, a := range s.Atoms(m) {
			mu[m] = append(mu[m], crankpkg.DualAtom(a))
		}
	}
	return mu
}

// checkBounds holds the bounds that s certifies to the definitions, and returns the
// weights of its dual point.
func checkBounds(t *testing.T, o *crankpkg.Objective, ds *crankpkg.Dataset, s *solver.Solver, b solver.Bounds) *crankpkg.Model {
	t.Helper()
	mu := dualPoint(s, ds.Len())
	if err := mu.Validate(ds.Len(), ds.NumLabels()); err != nil {
		t.Fatal(err)
	}
	dual, w := o.Dual(mu)
	if primal := o.Primal(w); !testkit.Near(dual, b.Dual, 1e-9) || !testkit.Near(primal, b.Primal, 1e-9) || dual > primal*(1+1e-9) {
		t.Fatalf("the solver certifies %v and %v, by definition they are %v and %v", b.Primal, b.Dual, primal, dual)
	}
	return w
}

// TestSolverAgainstObjective holds primal, dual and weights of the solver to
// the definitions, through changes of the penalty and of the edges.
func TestSolverAgainstObjective(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(59, seed))
		n := 3 + rng.IntN(4)
		o, ds := randomObjective(rng, 30, 3, n, seed%2 == 0)
		o.Lambda = 0.01 + 0.05*rng.Float64()
		s := newSolver(t, o, ds, labelgraph.AllPairs(n))
		for step := range 4 {
			switch step {
			case 1, 2:
				o.Beta, o.V = 0.05*rng.Float64(), randomSigns(rng, labelgraph.NumPairs(n))
				s.SetPenalty(o.Beta, o.V)
			case 3: // forests, and no penalty any more
				o.Edges = labelgraph.RandomTree(n, rng)
				o.Beta, o.V = 0, nil
				s.SetEdges(o.Edges)
			}
			b, status := s.Solve(context.Background(), solver.StopRule{Gap: 1e-3, Seed: seed, Workers: 1})
			if status != solver.Converged {
				t.Fatalf("seed %d, step %d: %s", seed, step, status)
			}
			checkWeights(t, s, checkBounds(t, o, ds, s, b))
		}
	}
}

// checkWeights holds the weights of s, one for each pair, to those of w.
func checkWeights(t *testing.T, s *solver.Solver, w *crankpkg.Model) {
	t.Helper()
	got := make([]float64, w.NumFeatures()+1)
	for i := range w.NumLabels() {
		s.UnaryTo(got, i)
		if !floats.EqualApprox(got, w.UnaryWeights(i), 1e-9) {
			t.Fatalf("label %d: weights %v, by definition %v", i, got, w.UnaryWeights(i))
		}
	}
	graph, pair := w.Graph(), s.PairWeights()
	for k, e := range s.GraphEdges() {
		if !(math.Abs(graph.Weight(e)-pair[k]) <= 1e-9) {
			t.Fatalf("pair %v: weight %v, by definition %v", e, pair[k], graph.Weight(e))
		}
	}
}

// TestVectorSolverAgainstObjective holds the bounds of a solver whose pairs have
// vectors and are penalized to the definitions.
func TestVectorSolverAgainstObjective(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(62, seed))
		n := 3 + rng.IntN(2)
		o, ds := randomObjective(rng, 20, 3, n, seed%2 == 0)
		o.EdgeFeatures = []crankpkg.EdgeFeatures{{All: true}, {Columns: []int{0, 2}, Scale: 0.5}}[seed/2%2]
		s := newSolver(t, o, ds, labelgraph.AllPairs(n))
		o.Beta, o.V = 0.02*rng.Float64(), randomSigns(rng, len(s.PairWeights()))
		s.SetPenalty(o.Beta, o.V)
		for range 3 {
			for m := range ds.Len() {
				s.Visit(m, true)
			}
			checkBounds(t, o, ds, s, s.Certify(1))
		}
	}
}

// dualAlong returns the dual, by its definition, where the mass g more of example
// m is at its atom to instead of its atom from.
func dualAlong(o *crankpkg.Objective, mu crankpkg.DualPoint, m, to, from int, g float64) float64 {
	moved := slices.Clone(mu)
	moved[m] = slices.Clone(mu[m])
	moved[m][to].Weight += g
	moved[m][from].Weight -= g
	dual, _ := o.Dual(moved)
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
		o, ds := randomObjective(rng, 25, 3, n, seed%2 == 0)
		o.Lambda = 0.01 + 0.05*rng.Float64()
		if seed%3 == 0 {
			o.EdgeFeatures = crankpkg.EdgeFeatures{All: true}
		}
		s := newSolver(t, o, ds, labelgraph.AllPairs(n))
		if seed%2 == 0 {
			o.Beta, o.V = 0.02*rng.Float64(), randomSigns(rng, len(s.PairWeights()))
			s.SetPenalty(o.Beta, o.V)
		}
		for range 60 {
			m := rng.IntN(ds.Len())
			before := s.Dual()
			s.Visit(m, true)
			if s.Dual() > before {
				moved++
			}
			mu := dualPoint(s, ds.Len())
			if len(mu[m]) != 2 {
				continue
			}
			best := dualAlong(o, mu, m, 0, 1, 0)
			testkit.CheckNear(t, "dual", s.Dual(), best)
			a, b := mu[m][0].Weight, mu[m][1].Weight
			if a > 0 && b > 0 {
				inside++
			}
			for _, share := range []float64{1e-3, 0.03, 0.3, 1} {
				for _, g := range []float64{share * b, -share * a} {
					if d := dualAlong(o, mu, m, 0, 1, g); d > best+1e-12*(1+math.Abs(best)) {
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

// TestUnaryDualByDefinition compares with Objective: the part without pairs is the
// dual of the problem that has none, and what a tree's pairs take from it leaves
// the dual of the problem on that tree.
func TestUnaryDualByDefinition(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 25))
		n := 3 + rng.IntN(3)
		o, ds := randomObjective(rng, 30, 3, n, seed%2 == 0)
		tree := labelgraph.RandomTree(n, rng)
		slices.SortFunc(tree, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
		s := newSolver(t, o, ds, tree)
		for range 40 {
			s.Visit(rng.IntN(ds.Len()), true)
		}
		mu := dualPoint(s, ds.Len())
		o.Edges = []labelgraph.Edge{}
		without, _ := o.Dual(mu)
		testkit.CheckNear(t, "unary part", s.UnaryDual(), without)
		o.Edges = tree
		want, w := o.Dual(mu)
		var squares float64 // of the u_e of the labelings; the bound may take smaller ones
		for _, v := range w.Pair {
			squares += o.Lambda * o.Lambda * v * v
		}
		if squares == 0 {
			t.Fatalf("seed %d: no pair has a part in the dual", seed)
		}
		testkit.CheckNear(t, "dual on the tree", s.UnaryDual()-squares/(2*o.Lambda), want)
		bound := s.UnaryDual()
		for _, square := range s.LeastSquares(tree) {
			bound -= square / (2 * o.Lambda)
		}
		if bound < want-1e-12 {
			t.Errorf("seed %d: the bound %v is below %v, that of the labelings", seed, bound, want)
		}
	}
}
