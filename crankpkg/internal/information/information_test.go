package information

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
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
			if !(math.Abs(v-states[e]) <= 1e-12) || !(v >= 0) {
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
		if !(math.Abs(info[e]-want) <= 1e-12) {
			t.Errorf("pair %d: %v, want %v", e, info[e], want)
		}
	}
}

// TestGroupsByDefinition has groups of two to four states: the information is H(s) + H(t) - H(s, t), of entropies by counts.
func TestGroupsByDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 1))
	entropy := func(counts map[[2]int]float64, rows float64) (h float64) {
		for _, c := range counts {
			h -= c / rows * math.Log(c/rows)
		}
		return h
	}
	for range 50 {
		sizes, rows := []int{2 + rng.IntN(3), 2 + rng.IntN(3), 2}, 1+rng.IntN(30)
		var y []uint8
		states := make([][]int, rows)
		for m := range states {
			for i, size := range sizes {
				s := rng.IntN(size)
				if i > 0 && rng.IntN(2) == 0 {
					s = states[m][0] % size // depends on the first
				}
				states[m] = append(states[m], s)
				for k := range size {
					on := uint8(0)
					if k == s {
						on = 1
					}
					y = append(y, on)
				}
			}
		}
		got := OfGroups(y, groups.New(sizes))
		for e, pair := range labelgraph.AllPairs(len(sizes)) {
			first, second, both := map[[2]int]float64{}, map[[2]int]float64{}, map[[2]int]float64{}
			for _, s := range states {
				first[[2]int{s[pair.I]}]++
				second[[2]int{s[pair.J]}]++
				both[[2]int{s[pair.I], s[pair.J]}]++
			}
			want := entropy(first, float64(rows)) + entropy(second, float64(rows)) - entropy(both, float64(rows))
			if !(math.Abs(got[e]-want) <= 1e-12) || got[e] < 0 {
				t.Fatalf("%d rows, sizes %v, pair %v: %v, want %v", rows, sizes, pair, got[e], want)
			}
		}
	}
}
