package solver_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/polytope"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestInteriorAgainstObjective goes over to the dual points of the interior point method,
// with and without penalties, on cycles and forests, with labels without a pair, and on wide
// rows. The bounds by definition have the gap: each is the optimum.
func TestInteriorAgainstObjective(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(73, seed))
		n := 2 + rng.IntN(4)
		o, ds := randomObjective(rng, 30, 3+40*int(seed/2%2), n, seed%2 == 0)
		o.Lambda = 0.001 + 0.05*rng.Float64()
		s := newSolver(t, o, ds, labelgraph.AllPairs(n))
		for step := range 4 {
			switch step {
			case 1, 2:
				o.Beta, o.V = 0.05*rng.Float64(), randomSigns(rng, labelgraph.NumPairs(n))
				s.SetPenalty(o.Beta, o.V)
			case 3:
				o.Edges = labelgraph.RandomTree(n, rng)[:n-1-rng.IntN(2)]
				o.Beta, o.V = 0, nil
				s.SetEdges(o.Edges)
			}
			before := s.Dual()
			if better, dual := s.TakeInterior(1e-3); better && !testkit.Near(dual, s.Dual(), 1e-7) {
				t.Fatalf("seed %d, step %d: dual %v, that of the method's point is %v", seed, step, s.Dual(), dual)
			}
			s.TakeInterior(1e-7) // which may be no better where the penalty has changed nothing
			b := s.Certify(1)
			if b.Gap() > 1e-5 || b.Dual < before {
				t.Fatalf("seed %d, step %d: gap %v, dual %v after %v", seed, step, b.Gap(), b.Dual, before)
			}
			checkWeights(t, s, checkBounds(t, o, ds, s, b))
			if better, _ := s.TakeInterior(0.5); better {
				t.Fatalf("seed %d, step %d: a coarse point is better than the optimum", seed, step)
			}
			if again := s.Certify(1); !testkit.Near(again.Dual, b.Dual, 1e-12) {
				t.Fatalf("seed %d, step %d: dual %v, it was %v", seed, step, again.Dual, b.Dual)
			}
		}
	}
}

// TestInteriorFindsTheOptimum compares the method's optimum with that of steps of first order
// and, on forests, with hinges by enumeration.
func TestInteriorFindsTheOptimum(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(74, seed))
		x, y := testkit.RandomExamples(rng, 40, 3, 4, false)
		edges := labelgraph.AllPairs(4)
		if seed%2 == 0 {
			edges = labelgraph.RandomTree(4, rng)
		}
		const lambda = 0.05
		p := solver.NewProblem(x, y, 4, infer.Loss{}, nil, nil)
		s, other := solver.New(p, edges, lambda), solver.New(p, edges, lambda)
		s.TakeInterior(1e-7)
		got := s.Certify(1)
		want, status := other.Solve(context.Background(), solver.StopRule{Gap: 1e-6, Workers: 1})
		if status != solver.Converged || got.Primal < want.Dual-1e-9 || want.Primal < got.Dual-1e-9 || !testkit.Near(got.Dual, want.Dual, 2e-6) {
			t.Errorf("seed %d: bounds %v, by first order %v", seed, got, want)
		}
		if seed%2 == 0 {
			testkit.CheckNear(t, "primal by enumeration", got.Primal, enumerated(s, p, y, edges, lambda))
		}
	}
}

// enumerated returns l(w) at the weights of s, with hinges by enumeration.
func enumerated(s *solver.Solver, p *solver.Problem, y []uint8, edges []labelgraph.Edge, lambda float64) float64 {
	n, d := p.NumLabels(), p.Rows().NumCols
	w, pair := make([][]float64, n), s.PairWeights()
	var squares, hinges float64
	for i := range w {
		w[i] = make([]float64, d+1)
		s.UnaryTo(w[i], i)
		for _, v := range w[i] {
			squares += v * v
		}
	}
	for _, v := range pair {
		squares += v * v
	}
	score := func(m int, on func(i int) float64) float64 {
		sum := 0.0
		for i := range n {
			sum += on(i) * (p.Rows().Row(m).Dot(w[i][:d]) + w[i][d])
		}
		for e, edge := range edges {
			sum += on(edge.I) * on(edge.J) * pair[e]
		}
		return sum
	}
	rows := p.Rows().NumRows
	for m := range rows {
		truth := func(i int) float64 { return float64(y[m*n+i]) }
		best := math.Inf(-1)
		for bits := range 1 << n {
			on := func(i int) float64 { return float64(bits >> i & 1) }
			loss := 0.0
			for i := range n {
				loss += math.Abs(on(i) - truth(i))
			}
			best = max(best, loss+score(m, on))
		}
		hinges += best - score(m, truth)
	}
	return lambda/2*squares + hinges/float64(rows)
}

// unitsProblem returns examples with features in units of their own.
func unitsProblem(size, n int) *solver.Problem {
	rng := rand.New(rand.NewPCG(8, 2))
	x, y := testkit.RandomExamples(rng, size, 5, n, false)
	for k, v := range x.Value {
		x.Value[k] = []float64{1990 + 10*v, 5000 + 2000*v, v, 300 * v, 0.01 * v}[k%5]
	}
	return solver.NewProblem(x, y, n, infer.Loss{}, nil, nil)
}

// TestInteriorHasItsTurn solves problems on which steps of first order crawl. The dual never
// falls, and the bits are the same on any number of workers.
func TestInteriorHasItsTurn(t *testing.T) {
	t.Parallel()
	p := unitsProblem(60, 3)
	for _, shards := range []int{0, 2} {
		var want solver.Bounds
		for workers := 1; workers <= 2; workers++ {
			s, last := solver.New(p, labelgraph.AllPairs(3), 0.01), math.Inf(-1)
			b, status := s.Solve(context.Background(), solver.StopRule{Gap: 1e-3, Passes: 20000, Workers: workers, Shards: shards, Record: func(b solver.Bounds) {
				if b.Dual < last-1e-9 {
					t.Errorf("%d shards: the dual falls from %v to %v", shards, last, b.Dual)
				}
				last = b.Dual
			}})
			if status != solver.Converged || !s.Crawled() || workers > 1 && b != want {
				t.Errorf("%d shards, %d workers: %v, %s, gap %v", shards, workers, b, status, b.Gap())
			}
			want = b
		}
	}
}

// TestInteriorReachesTinyGaps certifies points with tiny gaps on features in units of their own,
// where rounding errors of mu count manifold in w.
func TestInteriorReachesTinyGaps(t *testing.T) {
	t.Parallel()
	for _, lambda := range []float64{1, 0.01, 1e-4} {
		s := solver.New(unitsProblem(60, 4), labelgraph.AllPairs(4), lambda)
		s.TakeInterior(1e-9)
		if b := s.Certify(1); b.Gap() > 1e-6 || b.Dual > b.Primal {
			t.Errorf("lambda %v: %v, gap %v", lambda, b, b.Gap())
		}
	}
}

// TestVainEndsEarly gives up a solve once what is to follow it is out of reach, where the
// interior point method does not apply, and not elsewhere.
func TestVainEndsEarly(t *testing.T) {
	t.Parallel()
	x, y := testkit.RandomExamples(rand.New(rand.NewPCG(8, 3)), 40, 5, 3, false)
	for _, squared := range []bool{true, false} {
		p := solver.NewProblem(x, y, 3, infer.Loss{Squared: squared}, nil, nil)
		passes := func(limit int, next float64) (int, solver.Status) {
			s := solver.New(p, labelgraph.AllPairs(3), 0.001)
			_, status := s.Solve(context.Background(), solver.StopRule{Gap: 0.05, Passes: limit, Early: true, Next: next, Workers: 1})
			done, _ := s.Counts()
			return done, status
		}
		full, status := passes(100_000, 0)
		if status != solver.Converged || full < 20 {
			t.Fatalf("squared %v: %s after %d passes", squared, status, full)
		}
		if done, status := passes(2*full, 0.049); status != solver.Converged || done != full {
			t.Errorf("squared %v, a next gap in reach: %s after %d passes, %d without", squared, status, done, full)
		}
		done, status := passes(2*full, 1e-9)
		if squared && (status != solver.PassLimit || 2*done < full || done >= full) || !squared && (status != solver.Converged || done != full) {
			t.Errorf("squared %v, a next gap out of reach: %s after %d passes, %d without", squared, status, done, full)
		}
	}
}

// TestHopelessEndsEarly solves a problem that the interior point method is not for.
func TestHopelessEndsEarly(t *testing.T) {
	t.Parallel()
	rows := unitsProblem(40, 3).Rows()
	y := make([]uint8, 120)
	for k := range y {
		y[k] = uint8(k * k % 7 % 2)
	}
	p := solver.NewProblem(rows, y, 3, infer.Loss{Hamming: 1, ZeroOne: 1}, nil, nil)
	for _, early := range []bool{false, true} {
		s := solver.New(p, labelgraph.AllPairs(3)[:2], 1e-5)
		b, status := s.Solve(context.Background(), solver.StopRule{Gap: 0.01, Passes: 4000, Workers: 1, Early: early})
		passes, _ := s.Counts()
		if status != solver.PassLimit || b.Gap() < 0.1 || early != (passes < 2000) || passes < 1000 {
			t.Errorf("early %v: %s after %d passes, gap %v", early, status, passes, b.Gap())
		}
	}
}

// TestInteriorIsCancelled ends a solve at many places, of which some are within steps of the
// method: what is left is a dual point.
func TestInteriorIsCancelled(t *testing.T) {
	t.Parallel()
	p := unitsProblem(40, 3)
	start := solver.New(p, labelgraph.AllPairs(3), 0.01)
	start.Solve(context.Background(), solver.StopRule{Gap: 0.01, Passes: 20000, Workers: 1})
	if !start.Crawled() {
		t.Fatal("no turn")
	}
	start.SetLambda(0.001)
	total := 0
	for looks := 1; looks < 400; looks += 3 {
		s, left := start.Clone(), looks
		before := s.Dual()
		ctx := countdown{context.Background(), &left}
		b, status := s.Solve(ctx, solver.StopRule{Gap: 1e-4, Passes: 20000, Workers: 1})
		if b.Dual < before-1e-12 || b.Dual > b.Primal || status != solver.Converged && status != solver.Cancelled {
			t.Fatalf("%d looks: %v, %s; the dual was %v", looks, b, status, before)
		}
		if status == solver.Cancelled {
			total++
		}
	}
	if total < 5 {
		t.Errorf("only %d were cancelled", total)
	}
}

// TestInteriorEndsBeyond solves to a dual on the way, where the method gets there: it takes no more steps than that
// needs. One that no solve comes to changes nothing.
func TestInteriorEndsBeyond(t *testing.T) {
	t.Parallel()
	start := solver.New(unitsProblem(60, 3), labelgraph.AllPairs(3)[:2], 0.01)
	start.Solve(context.Background(), solver.StopRule{Gap: 0.01, Passes: 20000, Workers: 1})
	start.SetLambda(0.001)
	solve := func(beyond float64) (*solver.Solver, solver.Bounds, solver.Status) {
		s := start.Clone()
		b, status := s.Solve(context.Background(), solver.StopRule{Gap: 1e-6, Passes: 20000, Workers: 1, Beyond: beyond})
		return s, b, status
	}
	plain, want, _ := solve(0)
	for _, part := range []float64{0.5, 0.9, 0.999} {
		beyond := start.Dual() + part*(want.Dual-start.Dual())
		s, b, status := solve(beyond)
		if status != solver.NoProgress || b.Dual < beyond || b.Dual != s.Dual() || s.Work() >= plain.Work() {
			t.Errorf("%s at %v after work of %v, asked for %v; to the end it is %v", status, b, s.Work(), beyond, plain.Work())
		}
	}
	if s, b, status := solve(2 * want.Primal); b != want || status != solver.Converged || s.Work() != plain.Work() {
		t.Errorf("%s at %v, without a dual to stop at %v", status, b, want)
	}
}

// TestWorkCountsInteriorSteps checks that steps of the method are not free, in clones neither.
func TestWorkCountsInteriorSteps(t *testing.T) {
	t.Parallel()
	p := unitsProblem(60, 3)
	s := solver.New(p, labelgraph.AllPairs(3), 0.01)
	s.Solve(context.Background(), solver.StopRule{Gap: 0.9, Passes: 3, Workers: 1})
	first := func() float64 {
		passes, calls := s.Counts()
		return float64(passes) + 2*float64(calls)/60
	}
	if s.Crawled() || s.Work() != first() {
		t.Errorf("work %v of steps of first order alone, want %v", s.Work(), first())
	}
	s.Solve(context.Background(), solver.StopRule{Gap: 1e-3, Passes: 20000, Workers: 1})
	steps := polytope.StepsTo(1e-3) / 2 // at least
	least := steps * polytope.StepCost(3, 3, 60, 5) / (60 * (1.5*18 + 4000))
	if !s.Crawled() || s.Work() < first()+least || s.Clone().Work() != s.Work() {
		t.Errorf("work %v, of a clone %v, want at least %v + %v", s.Work(), s.Clone().Work(), first(), least)
	}
}

// countdown is a context that ends after so many looks at it.
type countdown struct {
	context.Context
	left *int
}

func (c countdown) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}
