package even

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
)

// TestRows has rows of none to twenty features, the last row empty, and features up to the last number that two
// bytes leave beside that of the zero.
func TestRows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 6))
	for round := range 6 {
		d, value := []int{1, 20, math.MaxUint16}[round%3], 1.0
		x := feature.NewSparse(d)
		for m := range 40 {
			var index []int32
			for len(index) < min(m, d, 20) && m < 39 {
				if k := int32(d - 1 - rng.IntN(min(d, 1000))); !slices.Contains(index, k) {
					index = append(index, k)
				}
			}
			slices.Sort(index)
			if round > 2 {
				value = rng.NormFloat64()
			}
			x.AppendSparse(index, slices.Repeat([]float64{value}, len(index)))
		}
		r, w := New(x), make([]float64, d+1)
		if r.IsOnes() != (round < 3) {
			t.Errorf("round %d: ones: %v", round, r.IsOnes())
		}
		for k := range d {
			w[k] = rng.NormFloat64()
		}
		for m := range x.NumRows {
			if got, want := r.Dot(int32(m), w), x.Row(m).Dot(w[:d]); got != want {
				t.Errorf("%d features, row %d: sum %v, not %v", d, m, got, want)
			}
			got, want := slices.Clone(w), slices.Clone(w[:d])
			r.AddScaledTo(got, 0.3, int32(m))
			x.Row(m).AddScaledTo(want, 0.3)
			if !slices.Equal(got, append(want, 0)) {
				t.Errorf("%d features, row %d is not added", d, m)
			}
			if got := r.Features(int32(m)); !slices.EqualFunc(got, x.Row(m).Index, func(a uint16, b int32) bool { return int32(a) == b }) {
				t.Errorf("%d features, row %d: %v, not %v", d, m, got, x.Row(m).Index)
			}
		}
	}
	if New(feature.NewDense(2, [][]float64{{1, 1}})) != nil {
		t.Error("dense rows are taken for sparse ones")
	}
	x := feature.NewSparse(3)
	x.AppendSparse([]int32{0, 2}, []float64{1, 0.5})
	if New(x) != nil {
		t.Error("several values in a row are taken for one")
	}
	x = feature.NewSparse(math.MaxUint16 + 1)
	x.AppendSparse([]int32{math.MaxUint16}, []float64{1})
	if New(x) != nil {
		t.Error("two bytes for a feature that they cannot tell")
	}
}
