package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// randomTerms returns entries by increasing index, below size, with values of halves and, where
// mixed is set, others among them.
func randomTerms(rng *rand.Rand, size int, mixed bool) (list []term) {
	for i := range size {
		v := []float32{-1, -0.5, 0.5, 1}[rng.IntN(4)]
		if mixed && rng.IntN(3) == 0 {
			v = float32(rng.NormFloat64())
		}
		if rng.IntN(2) == 0 {
			list = append(list, term{int32(i), v})
		}
	}
	return list
}

// TestTermsKeepTheirEntries packs entries, in any order, and compares what comes out with them;
// those of halves take one word each.
func TestTermsKeepTheirEntries(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 1))
	for round := range 200 {
		list := randomTerms(rng, rng.IntN(12), round%2 == 0)
		if len(list) > 0 {
			list[len(list)-1].index = 1<<29 - 1
		}
		want := slices.Clone(list)
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		packed := make(terms, rng.IntN(20)).sorted(list)
		if got := slices.Collect(packed.all()); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		if packed.count() != len(want) || (round%2 == 1 && len(packed) != len(want)) {
			t.Fatalf("%d entries in %d words, want %d", packed.count(), len(packed), len(want))
		}
		if k := len(want) - 1; k >= 0 && packed.at(k) != want[k] {
			t.Fatalf("last entry %v, want %v", packed.at(k), want[k])
		}
	}
}

// TestTermsAsVectors holds inner products, differences and new positions to those of dense vectors.
func TestTermsAsVectors(t *testing.T) {
	t.Parallel()
	const size = 20
	rng := rand.New(rand.NewPCG(3, 2))
	dense := func(list []term) []float64 {
		x := make([]float64, size)
		for _, e := range list {
			x[e.index] = float64(e.value)
		}
		return x
	}
	for round := range 200 {
		first, second := randomTerms(rng, size, round%2 == 0), randomTerms(rng, size, round%3 == 0)
		if round%5 == 0 && len(first) > 0 {
			second = slices.Clone(first[:rng.IntN(len(first))]) // so that entries vanish
		}
		a, b := terms(nil).sorted(first), terms(nil).sorted(second)
		x, y := dense(first), dense(second)

		scattered := make([]float64, size)
		b.scatter(scattered, 3)
		want := 0.5
		for i := range x {
			testkit.CheckNear(t, "scattered", scattered[i], 3*y[i])
			want += x[i] * 3 * y[i]
		}
		testkit.CheckNear(t, "inner product", a.dot(0.5, scattered), want)

		difference := subtract([]term{{7, 7}}, a, b)
		for i, v := range dense(difference) {
			if v != float64(float32(x[i])-float32(y[i])) {
				t.Fatalf("%v - %v = %v", first, second, difference)
			}
		}
		if !slices.IsSortedFunc(difference, func(s, t term) int { return int(s.index - t.index) }) ||
			slices.ContainsFunc(difference, func(e term) bool { return e.value == 0 }) {
			t.Fatalf("%v - %v = %v", first, second, difference)
		}

		to := make([]int32, size)
		for i := range to {
			to[i] = int32(rng.IntN(2*size) - size)
		}
		var moved []term
		for _, e := range first {
			if to[e.index] >= 0 {
				moved = append(moved, term{to[e.index], e.value})
			}
		}
		if got := a.renumber(nil, to); !slices.Equal(got, moved) {
			t.Fatalf("%v at %v: %v", first, to, got)
		}
	}
}

// TestTermsOfAnyValue packs values that are no halves, or look like some.
func TestTermsOfAnyValue(t *testing.T) {
	t.Parallel()
	for _, v := range []float32{0.25, -0.75, 1.5, 2, -2, math.SmallestNonzeroFloat32, math.MaxFloat32, math.Nextafter32(1, 2), float32(math.Inf(1))} {
		packed := terms(nil).add(5, 1).add(6, v).add(7, -0.5)
		if got := slices.Collect(packed.all()); !slices.Equal(got, []term{{5, 1}, {6, v}, {7, -0.5}}) {
			t.Errorf("%v: %v", v, got)
		}
	}
}
