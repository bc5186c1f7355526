package testkit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRandomProblemsVary guards the tests that draw from here: a generator that fell silent would let them pass.
func TestRandomProblemsVary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var zeros, integers, normals, large, sparse, dense, negative int
	for range 300 {
		v := RandomNumbers(20, rng)
		var zero, whole int
		var biggest float64
		for _, x := range v {
			if x == 0 {
				zero++
			}
			if x == math.Trunc(x) {
				whole++
			}
			biggest = max(biggest, math.Abs(x))
		}
		switch {
		case zero == len(v):
			zeros++
		case whole == len(v):
			integers++
		case biggest > 10:
			large++
		default:
			normals++
		}
		edges, weights, c := RandomProblem(8, rng)
		if len(weights) != len(edges) || len(c) != 8 {
			t.Fatalf("%d weights of %d edges, %d scores of 8 labels", len(weights), len(edges), len(c))
		}
		if len(edges) < 14 {
			sparse++
		} else {
			dense++
		}
		for _, w := range weights {
			if w < 0 {
				negative++
				break
			}
		}
	}
	if zeros > 0 {
		t.Errorf("%d times nothing but zeros", zeros)
	}
	for name, count := range map[string]int{
		"small integers": integers, "normal": normals, "different sizes": large,
		"few edges": sparse, "many edges": dense, "negative weights": negative,
	} {
		if count < 30 {
			t.Errorf("%s: %d of 300 times", name, count)
		}
	}
}

// Every label of every row is there, at its place.
func TestLabelRows(t *testing.T) {
	t.Parallel()
	y := []uint8{0, 1, 2, 1, 1, 0, 0, 0, 9}
	if got, want := LabelRows(y, 3, 3), []string{"012", "110", "009"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := LabelRows(y, 2, 4), []string{"0121", "1000"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := LabelRows(nil, 2, 0); !slices.Equal(got, []string{"", ""}) {
		t.Errorf("%q, want two of no labels", got)
	}
}
