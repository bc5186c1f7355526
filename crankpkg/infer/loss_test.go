package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestAugmentation holds the augmented terms to the definition of eq. (1):
// score plus loss, for every labeling in halves.
func TestAugmentation(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	const n = 5
	c, augmented := make([]float64, n), make([]float64, n)
	truth, bits := make([]uint8, n), make([]uint8, n)
	g := NewPairGraph(n, labelgraph.AllPairs(n), testkit.RandomNumbers(labelgraph.NumPairs(n), rng))
	y := make(Labeling, n)
	for range 200 {
		for i := range n {
			c[i] = rng.NormFloat64()
			truth[i] = uint8(rng.IntN(2))
			y[i] = uint8(rng.IntN(3))
			bits[i] = uint8(rng.IntN(2))
		}
		AugmentTo(augmented, c, truth)
		got := y.Value(g, augmented) + AugmentConstant(truth)
		want := y.Value(g, c)
		for i := range n {
			want += math.Abs(float64(y[i])/2 - float64(truth[i]))
		}
		if !(math.Abs(got-want) <= 1e-12) {
			t.Fatalf("augmented value %v, want %v", got, want)
		}
		if a, b := NewLabeling(bits).Loss(truth), HammingLoss(bits, truth); a != float64(b) {
			t.Fatalf("losses %v and %d of the same labeling", a, b)
		}
	}
}

func TestRoundTo(t *testing.T) {
	y := Labeling{Off, Half, On, Half, Half}
	got := make([]uint8, 5)
	y.RoundTo(got, []float64{9, 1, -9, -1, 0})
	for i, want := range []uint8{0, 1, 1, 0, 0} {
		if got[i] != want {
			t.Errorf("label %d rounds to %d, want %d", i, got[i], want)
		}
	}
}
