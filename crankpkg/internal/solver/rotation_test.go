package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"gonum.org/v1/gonum/mat"
)

// TestRotationKeepsProducts holds the rotated rows to the inner products of the rows, and
// weights that are turned back to the scores and the length that they had, also where rows
// depend on one another.
func TestRotationKeepsProducts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 1))
	for _, size := range [][2]int{{1, 2}, {3, 3}, {31, 40}, {32, 33}, {33, 64}, {70, 200}} {
		rows, d := size[0], size[1]
		z := mat.NewDense(rows, d, nil)
		for k := range z.RawMatrix().Data {
			z.RawMatrix().Data[k] = rng.NormFloat64()
		}
		if rows > 2 {
			z.SetRow(2, z.RawRowView(0))
		}
		before := mat.DenseCopyOf(z)
		r, l := rotate(z, never)
		w := make([]float64, rows)
		for k := range w {
			w[k] = rng.NormFloat64()
		}
		back := r.back(slices.Clone(w))
		if got, want := mat.Norm(mat.NewVecDense(d, back), 2), mat.Norm(mat.NewVecDense(rows, w), 2); !testkit.Near(got, want, 1e-12) {
			t.Errorf("%v: length %v, not %v", size, got, want)
		}
		for m := range rows {
			if got, want := mat.Dot(before.RowView(m), mat.NewVecDense(d, back)), mat.Dot(l.RowView(m), mat.NewVecDense(rows, w)); math.Abs(got-want) > 1e-11 {
				t.Errorf("%v: row %d has score %v, not %v", size, m, got, want)
			}
			for k := range m + 1 {
				if got, want := mat.Dot(l.RowView(m), l.RowView(k)), mat.Dot(before.RowView(m), before.RowView(k)); math.Abs(got-want) > 1e-11 {
					t.Errorf("%v: rows %d and %d have the product %v, not %v", size, m, k, got, want)
				}
			}
		}
	}
}

// TestInteriorAsksOften counts how often the method asks whether to stop: within the products
// that set up a step and within the rotation, for one of these takes seconds on large
// matrices. From the first yes on it comes back without asking more than a few times.
func TestInteriorAsksOften(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1200, 150}, {150, 300}} {
		p := unitProblem(rand.New(rand.NewPCG(12, 2)), size[0], size[1])
		svm := newSVM(p, nil, 0, 1, 1)
		asked, yes := 0, math.MaxInt
		stop := func() bool { asked++; return asked >= yes }
		newInterior(p.x, svm.signs(), svm.costs(), 1e-3, stop)
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
			b := newSVM(p, newSingleRows(p), 0, 1e-5, 1)
			asked = 0
			b.takeInterior(1e-6, interiorSteps, stop)
			if asked > yes+4 {
				t.Errorf("%v: asked %d times more after a yes", size, asked-yes)
			}
			checkSVM(t, b, math.Inf(1))
		}
	}
}
