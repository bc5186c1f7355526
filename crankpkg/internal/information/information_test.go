package information

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
)

// Labels are groups of two states, by another formula.
func TestLabelsAreGroupsOfTwo(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		n, rows := 2+rng.IntN(4), 1+rng.IntN(30)
		var y, oneHot []uint8
		sizes := make([]int, n)
		for i := range sizes {
			sizes[i] = 2
		}
		for range rows * n {
			v := uint8(rng.IntN(2))
			y, oneHot = append(y, v), append(oneHot, 1-v, v)
		}
		labels, states := OfLabels(y, n), OfGroups(oneHot, groups.New(sizes))
		for e, v := range labels {
			if math.Abs(v-states[e]) > 1e-12 || v < 0 {
				t.Fatalf("%d rows: pair %d has %v as labels, %v as groups", rows, e, v, states[e])
			}
		}
	}
}

// Equal labels tell all of each other, ln 2 where half are on; apart ones nothing.
func TestKnownInformation(t *testing.T) {
	t.Parallel()
	info := OfLabels([]uint8{
		0, 0, 0,
		0, 0, 1,
		1, 1, 0,
		1, 1, 1,
	}, 3)
	for e, want := range []float64{math.Ln2, 0, 0} {
		if math.Abs(info[e]-want) > 1e-12 {
			t.Errorf("pair %d: %v, want %v", e, info[e], want)
		}
	}
}
