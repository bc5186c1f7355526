package interior

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

func never() bool { return false }

// unitRows returns rows whose first features are a year and a number of minutes, among
// others of size one, with signs that depend on both, and costs of one.
func unitRows(rng *rand.Rand, rows, features int) (x *feature.Matrix, signs, costs []float64) {
	x = feature.NewDense(features, nil)
	x.NumRows = rows
	for range rows {
		row := testkit.Normals(features, rng)
		signs = append(signs, math.Copysign(1, row[0]+0.5*row[1]+0.3*rng.NormFloat64()))
		row[0] = 1990 + math.Round(10*row[0])
		row[1] = 5000 + 900*row[1]
		x.Value = append(x.Value, row...)
	}
	return x, signs, slices.Repeat([]float64{1}, rows)
}

// TestKeepsUnits multiplies features and lambda so that the problem stays the same.
func TestKeepsUnits(t *testing.T) {
	t.Parallel()
	x, signs, costs := unitRows(rand.New(rand.NewPCG(11, 3)), 80, 4)
	a := New(x, signs, costs, 1e-3, never)
	a.Solve(1e-7, Steps)
	for k := range x.Value {
		x.Value[k] *= 1024
	}
	b := New(x, signs, costs, 1e-3*1024*1024, never)
	for m := range 80 { // the constant, too
		b.z.Set(m, 4, 1024*signs[m])
		b.columns.Set(4, m, 1024*signs[m])
	}
	b.start()
	b.Solve(1e-7, Steps)
	if !(math.Abs(a.Bounds.Primal-b.Bounds.Primal) <= 1e-9*a.Bounds.Primal) {
		t.Errorf("%v in other units, %v before", b.Bounds, a.Bounds)
	}
}

// TestBounds computes both bounds from their definitions, at the weights and the alpha that
// come out, for hinges and for squares, with more rows than features and fewer.
func TestBounds(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 6))
	for _, size := range [][2]int{{60, 3}, {20, 40}} {
		for _, squared := range []bool{false, true} {
			x, signs, costs := unitRows(rng, size[0], size[1])
			for m := range costs {
				costs[m] = 0.5 + rng.Float64()
			}
			const lambda = 0.01
			p := New(x, signs, costs, lambda, never)
			if squared {
				p.SolveSquared(1e-4, Steps)
			} else {
				p.Solve(1e-4, Steps)
			}
			w, kappa, d := p.Weights(), lambda*float64(size[0]), size[1]
			u := make([]float64, d+1)
			primal, dual := 0.0, 0.0
			for _, v := range w {
				primal += kappa / 2 * v * v
			}
			for m, a := range p.Alpha() {
				score := w[d]
				for k := range d {
					score += w[k] * x.Value[m*d+k]
					u[k] += a * signs[m] * x.Value[m*d+k]
				}
				u[d] += a * signs[m]
				lack := max(0, 1-signs[m]*score)
				dual += a
				if squared {
					primal, dual = primal+costs[m]*lack*lack, dual-a*a/(4*costs[m])
				} else {
					primal += costs[m] * lack
				}
				if a < 0 || a > costs[m] && !squared {
					t.Errorf("%v, squared %v: alpha %v of example %d is beyond its bounds", size, squared, a, m)
				}
			}
			for _, v := range u {
				dual -= v * v / (2 * kappa)
			}
			if !testkit.Near(primal, p.Bounds.Primal, 1e-6) || math.Abs(dual-p.Bounds.Dual) > 1e-5*primal || !(p.Bounds.Gap() <= 1e-4) {
				t.Errorf("%v, squared %v: bounds %v, by their definitions %v and %v", size, squared, p.Bounds, primal, dual)
			}
		}
	}
}

// TestAsksOften counts how often the method asks whether to stop: within the products that
// set up a step and within the rotation, for one of these takes seconds on large matrices.
// From the first yes on it comes back without asking more than a few times.
func TestAsksOften(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1200, 150}, {150, 300}} {
		x, signs, costs := unitRows(rand.New(rand.NewPCG(12, 2)), size[0], size[1])
		asked, yes := 0, math.MaxInt
		stop := func() bool { asked++; return asked >= yes }
		New(x, signs, costs, 1e-3, stop)
		order := min(size[0], size[1]+1)
		blocks := (size[0] + rowBlock - 1) / rowBlock * ((order + factorRows - 1) / factorRows)
		panels := 0
		if size[0] < size[1] {
			panels = (size[0] + rotationPanel - 1) / rotationPanel
		}
		if asked < blocks+panels {
			t.Errorf("%v: asked %d times, not for each of %d blocks and %d panels", size, asked, blocks, panels)
		}
		for yes = 1; yes < 4*(blocks+panels); yes += 7 {
			asked = 0
			if p := New(x, signs, costs, 1e-5, stop); p != nil {
				p.Solve(1e-6, Steps)
			}
			if asked > yes+4 {
				t.Errorf("%v: asked %d times more after a yes", size, asked-yes)
			}
		}
	}
}

// TestGap is the width of the bounds by the upper one; without anything to lose there is no gap.
func TestGap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		b          Bounds
		width, gap float64
	}{{Bounds{4, 3}, 1, 0.25}, {Bounds{4, 4}, 0, 0}, {Bounds{2, -2}, 4, 2}, {Bounds{0, 0}, 0, 0}, {Bounds{0, -1}, 1, 0}, {Bounds{-1, -3}, 2, 0}} {
		if c.b.Width() != c.width || c.b.Gap() != c.gap {
			t.Errorf("%+v: width %v and gap %v", c.b, c.b.Width(), c.b.Gap())
		}
	}
}
