package interior

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
		r, l := rotate(z, func() bool { return false })
		w := make([]float64, rows)
		for k := range w {
			w[k] = rng.NormFloat64()
		}
		back := r.back(slices.Clone(w))
		if got, want := mat.Norm(mat.NewVecDense(d, back), 2), mat.Norm(mat.NewVecDense(rows, w), 2); !testkit.Near(got, want, 1e-12) {
			t.Errorf("%v: length %v, not %v", size, got, want)
		}
		for m := range rows {
			if got, want := mat.Dot(before.RowView(m), mat.NewVecDense(d, back)), mat.Dot(l.RowView(m), mat.NewVecDense(rows, w)); !(math.Abs(got-want) <= 1e-11) {
				t.Errorf("%v: row %d has score %v, not %v", size, m, got, want)
			}
			for k := range m + 1 {
				if got, want := mat.Dot(l.RowView(m), l.RowView(k)), mat.Dot(before.RowView(m), before.RowView(k)); !(math.Abs(got-want) <= 1e-11) {
					t.Errorf("%v: rows %d and %d have the product %v, not %v", size, m, k, got, want)
				}
			}
		}
	}
}
