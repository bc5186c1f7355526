package solver

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/interior"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// unitProblem returns a problem whose first features are a year and a number of minutes,
// among others of size one.
func unitProblem(rng *rand.Rand, rows, features int) *Problem {
	x := feature.NewDense(features, nil)
	x.NumRows = rows
	y := make([]uint8, rows)
	for m := range rows {
		row := testkit.Normals(features, rng)
		if row[0]+0.5*row[1]+0.3*rng.NormFloat64() > 0 {
			y[m] = 1
		}
		row[0] = 1990 + math.Round(10*row[0])
		row[1] = 5000 + 900*row[1]
		x.Value = append(x.Value, row...)
	}
	return NewProblem(x, y, 1, infer.Loss{}, nil, nil)
}

// TestInteriorCertifies trains where coordinate steps crawl: many rows and few, and features
// in any units.
func TestInteriorCertifies(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 1))
	for _, size := range [][2]int{{60, 2}, {150, 12}, {30, 60}, {2, 3}, {1, 1}} {
		p := unitProblem(rng, size[0], max(2, size[1]))
		for _, lambda := range []float64{1, 1e-3, 1e-5} {
			for _, gap := range []float64{1e-2, 1e-6} {
				b := newSVM(p, newSingleRows(p), 0, lambda, 1)
				b.Solve(gap, 3000, never)
				if size[0] < 30 {
					gap = max(gap, 0.05) // the objective is of the size of 1e-11, not far from rounding
				}
				checkSVM(t, b, gap)
			}
		}
	}
}

// TestInteriorMatchesCoordinateSteps solves data on which both get far.
func TestInteriorMatchesCoordinateSteps(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 2))
	for _, sparse := range []bool{false, true} {
		for _, features := range []int{1, 5, 80} {
			p := randomTraining(rng, 50, features, 2, sparse)
			for i := range p.n {
				b := newSVM(p, newSingleRows(p), i, 0.1, 1)
				b.tried = math.SmallestNonzeroFloat64 // coordinate steps alone
				b.Solve(1e-8, 1e6, never)
				ip := interior.New(p.x, b.signs(), b.costs(), b.lambda, never)
				steps := ip.Solve(1e-8, interior.Steps)
				if off := math.Abs(ip.Bounds.Primal/50 - b.bounds.Primal); !(off <= 2e-8*b.bounds.Primal) || ip.Bounds.Dual > ip.Bounds.Primal {
					t.Errorf("%d features, label %d: %v after %d steps, coordinate steps %v", features, i, ip.Bounds, steps, b.bounds)
				}
				w := ip.Weights()
				if got := b.primalAt(w[:features], w[features]); !(math.Abs(got-ip.Bounds.Primal/50) <= 1e-9) {
					t.Errorf("%d features, label %d: the weights have %v, not %v", features, i, got, ip.Bounds.Primal/50)
				}
			}
		}
	}
}

// TestInteriorStops holds the method to its bounds: a stop, a number of passes, and a size
// that is too large.
func TestInteriorStops(t *testing.T) {
	t.Parallel()
	p := unitProblem(rand.New(rand.NewPCG(11, 4)), 60, 2)
	for _, passes := range []int{1, 50, patientPasses, patientPasses + 3} {
		b := newSVM(p, newSingleRows(p), 0, 1e-5, 1)
		b.Solve(1e-6, passes, never)
		if b.passes > passes+3 { // certificates
			t.Errorf("%d passes of %d", b.passes, passes)
		}
		checkSVM(t, b, math.Inf(1))
	}
	b := newSVM(p, newSingleRows(p), 0, 1e-5, 1)
	b.Solve(1e-6, 1e6, func() bool { return b.passes > patientPasses })
	checkSVM(t, b, math.Inf(1))
	if !math.IsInf(interior.Cost(1<<20, 100), 1) || !math.IsInf(interior.Cost(2000, 1500), 1) || math.IsInf(interior.Cost(1000, 900), 1) {
		t.Error("sizes")
	}
}

// TestInteriorTurnStops stops the turn at every seventh look at the clock: the bounds of what
// is left hold all the same.
func TestInteriorTurnStops(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{300, 60}, {60, 120}} {
		p := unitProblem(rand.New(rand.NewPCG(12, 2)), size[0], size[1])
		for yes := 1; yes < 40; yes += 7 {
			b := newSVM(p, newSingleRows(p), 0, 1e-5, 1)
			asked := 0
			b.takeInterior(1e-6, interior.Steps, func() bool { asked++; return asked >= yes })
			checkSVM(t, b, math.Inf(1))
		}
	}
}

func BenchmarkInterior(b *testing.B) {
	for _, size := range [][2]int{{129, 43}, {391, 72}, {1500, 103}} {
		p := unitProblem(rand.New(rand.NewPCG(11, 5)), size[0], size[1])
		svm := newSVM(p, nil, 0, 1, 1)
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				interior.New(p.x, svm.signs(), svm.costs(), 1e-3, never).Solve(0.01, interior.Steps)
			}
		})
	}
}
