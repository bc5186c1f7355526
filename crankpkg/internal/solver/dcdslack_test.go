package solver

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/interior"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// withLoss returns the problem of p with another label loss.
func withLoss(t *testing.T, p *Problem, loss infer.Loss) *Problem {
	t.Helper()
	resolved, err := loss.Resolve(p.y, p.n)
	if err != nil {
		t.Fatal(err)
	}
	return NewProblem(p.x, p.y, p.n, resolved, nil, nil)
}

// slackLosses are losses with slacks for n labels.
func slackLosses(rng *rand.Rand, n int) []infer.Loss {
	costs := &infer.Costs{Missed: make([]float64, n), False: make([]float64, n)}
	for i := range n {
		costs.Missed[i], costs.False[i] = math.Exp(2*rng.NormFloat64()), math.Exp(rng.NormFloat64())
	}
	return []infer.Loss{
		{Squared: true}, {Squared: true, Costs: costs}, {Squared: true, Costs: &infer.Costs{Balanced: true}},
		{Costs: costs}, {Costs: &infer.Costs{Balanced: true, Missed: costs.Missed}},
	}
}

// slackPrimal is the objective of label i by its definition.
func slackPrimal(p *Problem, i int, lambda float64, w []float64) float64 {
	d := p.x.NumCols
	value := lambda / 2 * floats.Dot(w, w)
	for m := range p.x.NumRows {
		y := p.y[m*p.n+i]
		z := max(0, 1-(2*float64(y)-1)*(p.x.Row(m).Dot(w[:d])+w[d]))
		if p.loss.Squared {
			z *= z
		}
		value += p.loss.Cost(i, y) * z / float64(p.x.NumRows)
	}
	return value
}

// TestSlackSVM holds bounds and weights to the definitions of primal and dual.
func TestSlackSVM(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 1))
	for _, sparse := range []bool{false, true} {
		plain := randomTraining(rng, 120, 8, 2, sparse)
		for _, loss := range slackLosses(rng, 2) {
			p := withLoss(t, plain, loss)
			for _, lambda := range []float64{0.3, 1e-2, 1e-4} {
				for i, b := range NewSVMs(p, lambda, 1) {
					b.Solve(1e-5, 1e6, never)
					checkSlackSVM(t, p, i, b, fmt.Sprintf("%v, lambda %v", loss, lambda))
				}
			}
		}
	}
}

func checkSlackSVM(t *testing.T, p *Problem, i int, b *SVM, what string) {
	t.Helper()
	m, d := float64(p.x.NumRows), p.x.NumCols
	w, of := make([]float64, d+1), make([]float64, d+1)
	b.WeightsTo(w)
	var sum float64
	for k, a := range b.alpha {
		c := p.loss.Cost(i, p.y[k*p.n+i])
		if !(a >= 0) || (!p.loss.Squared && a > c*(1+1e-12)) {
			t.Errorf("%s: alpha %v at cost %v", what, a, c)
		}
		p.x.Row(k).AddScaledTo(of[:d], a*float64(b.t[k])/(b.lambda*m))
		of[d] += a * float64(b.t[k]) / (b.lambda * m)
		if sum += a; p.loss.Squared {
			sum -= a * a / (4 * c)
		}
	}
	if !b.apart && floats.Distance(w, of, 2) > 1e-9*(1+floats.Norm(of, 2)) {
		t.Errorf("%s: w is not that of alpha", what)
	}
	dual := sum/m - b.lambda/2*floats.Dot(of, of)
	primal := slackPrimal(p, i, b.lambda, w)
	if !testkit.Near(b.bounds.Primal, primal, 1e-9) || !testkit.Near(b.bounds.Dual, dual, 1e-9) || dual > primal*(1+1e-12) {
		t.Errorf("%s: bounds %v, by definition %v and %v", what, b.bounds, primal, dual)
	}
	if !(b.bounds.Gap() <= 1e-5) {
		t.Errorf("%s: gap %v after %d passes", what, b.bounds.Gap(), b.passes)
	}
}

// TestSquaredSVMAgainstNewton minimizes the squared hinge by Newton's method, which ends
// at the minimum once the examples that lack margin stay the same.
func TestSquaredSVMAgainstNewton(t *testing.T) {
	t.Parallel()
	const lambda, d = 0.05, 4
	rng := rand.New(rand.NewPCG(17, 2))
	plain := randomTraining(rng, 60, d, 1, false)
	for _, loss := range slackLosses(rng, 1)[:3] {
		p := withLoss(t, plain, loss)
		w := mat.NewVecDense(d+1, nil)
		for range 30 {
			hessian, rhs := mat.NewSymDense(d+1, nil), mat.NewVecDense(d+1, nil)
			for i := range d + 1 {
				hessian.SetSym(i, i, lambda)
			}
			for m, y := range p.y {
				x := mat.NewVecDense(d+1, append(slices.Clone(p.x.Row(m).Value), 1))
				sign, weight := 2*float64(y)-1, 2*p.loss.Cost(0, y)/60
				if sign*mat.Dot(x, w) < 1 {
					hessian.SymRankOne(hessian, weight, x)
					rhs.AddScaledVec(rhs, weight*sign, x)
				}
			}
			if err := w.SolveVec(hessian, rhs); err != nil {
				t.Fatal(err)
			}
		}
		want := slackPrimal(p, 0, lambda, w.RawVector().Data)
		b := newSVM(p, newSingleRows(p), 0, lambda, 1)
		b.Solve(1e-9, 1e6, never)
		if !testkit.Near(b.bounds.Primal, want, 1e-8) || !floats.EqualApprox(b.w, w.RawVector().Data[:d], 1e-3) {
			t.Errorf("%v: %v, Newton's method finds %v", loss, b.bounds, want)
		}
	}
}

// TestSlackSVMKeepsScale multiplies costs and lambda by one number: the weights stay.
func TestSlackSVMKeepsScale(t *testing.T) {
	t.Parallel()
	p := randomTraining(rand.New(rand.NewPCG(17, 3)), 80, 3, 1, false)
	for _, squared := range []bool{false, true} {
		unit := newSVM(withLoss(t, p, infer.Loss{Squared: squared}), nil, 0, 0.01, 1)
		times := newSVM(withLoss(t, p, infer.Loss{Squared: squared, Costs: &infer.Costs{Missed: []float64{8}, False: []float64{8}}}), nil, 0, 0.08, 1)
		for _, b := range []*SVM{unit, times} {
			b.Solve(1e-4, 1e6, never)
		}
		if !floats.EqualApprox(unit.w, times.w, 1e-9) || !testkit.Near(8*unit.bounds.Primal, times.bounds.Primal, 1e-9) {
			t.Errorf("squared %v: %v with costs 8, %v without", squared, times.bounds, unit.bounds)
		}
	}
}

// TestSlackInterior gives the methods of second order costs and squares, on features in
// units of their own, with more rows than features and with fewer.
func TestSlackInterior(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 4))
	for _, size := range [][2]int{{150, 4}, {30, 50}} {
		plain := unitProblem(rng, size[0], size[1])
		costs := &infer.Costs{Missed: []float64{20}, False: []float64{0.3}}
		for _, loss := range []infer.Loss{{Costs: costs}, {Squared: true}, {Squared: true, Costs: costs}} {
			p := withLoss(t, plain, loss)
			for _, lambda := range []float64{1e-2, 1e-4} {
				b := newSVM(p, newSingleRows(p), 0, lambda, 1)
				b.Solve(1e-5, 3000, never)
				if b.tried == 0 && size[0] > size[1] {
					t.Errorf("%v, %v: there was no turn of second order", size, loss)
				}
				w := make([]float64, size[1]+1)
				b.WeightsTo(w)
				if !(b.bounds.Gap() <= 1e-5) || !testkit.Near(b.bounds.Primal, slackPrimal(p, 0, b.lambda, w), 1e-6) {
					t.Errorf("%v, %v, lambda %v: bounds %v after %d passes", size, loss, lambda, b.bounds, b.passes)
				}
			}
		}
	}
}

// TestNewtonMatchesCoordinateSteps solves data on which both get far.
func TestNewtonMatchesCoordinateSteps(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 6))
	for _, features := range []int{1, 5, 80} {
		for _, loss := range slackLosses(rng, 1)[:3] {
			p := withLoss(t, randomTraining(rng, 50, features, 1, features == 5), loss)
			b := newSVM(p, newSingleRows(p), 0, 0.01, 1)
			b.tried = math.SmallestNonzeroFloat64 // coordinate steps alone
			b.Solve(1e-9, 1e6, never)
			ip := interior.New(p.x, b.signs(), b.costs(), b.lambda, never)
			steps := ip.SolveSquared(1e-9, interior.Steps)
			if !testkit.Near(ip.Bounds.Primal/50, b.bounds.Primal, 1e-8) || ip.Bounds.Dual > ip.Bounds.Primal*(1+1e-12) || ip.Bounds.Gap() > 1e-9 {
				t.Errorf("%d features, %v: %v after %d steps, coordinate steps %v", features, loss, ip.Bounds, steps, b.bounds)
			}
		}
	}
}

func TestSlackEpochAllocates(t *testing.T) {
	p := withLoss(t, randomTraining(rand.New(rand.NewPCG(17, 5)), 100, 5, 1, false), infer.Loss{Squared: true})
	b := newSVM(p, newSingleRows(p), 0, 0.01, 1)
	step := 1 / (b.lambda * 100)
	if got := testing.AllocsPerRun(5, func() { b.slackEpoch(step, math.Inf(1)) }); got > 0 {
		t.Errorf("%v allocations in an epoch", got)
	}
}
