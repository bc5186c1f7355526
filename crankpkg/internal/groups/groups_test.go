package groups

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// randomSizes returns the sizes of a few groups.
func randomSizes(rng *rand.Rand) []int {
	sizes := make([]int, 1+rng.IntN(6))
	for i := range sizes {
		sizes[i] = 2 + rng.IntN(4)
	}
	return sizes
}

// TestLayout checks that the labels are handed out one after the other.
func TestLayout(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(61, 1))
	for range 100 {
		sizes := randomSizes(rng)
		l := New(sizes)
		label := 0
		for i, k := range sizes {
			if l.Start[i] != label {
				t.Fatalf("sizes %v: group %d starts at %d, want %d", sizes, i, l.Start[i], label)
			}
			for range k {
				if l.Group[label] != int32(i) {
					t.Fatalf("sizes %v: label %d is in group %d, want %d", sizes, label, l.Group[label], i)
				}
				label++
			}
		}
		if l.NumGroups() != len(sizes) || l.NumLabels() != label || l.Start[len(sizes)] != label {
			t.Fatalf("sizes %v: %d groups, %d labels, end %d, want %d labels", sizes, l.NumGroups(), l.NumLabels(), l.Start[len(sizes)], label)
		}
	}
}

// TestOneHotRoundTrip goes through all states of small groups: just the label of
// each state is on, and the states come back.
func TestOneHotRoundTrip(t *testing.T) {
	t.Parallel()
	sizes := []int{3, 2, 4}
	l := New(sizes)
	states := make([]int, len(sizes))
	labels := slices.Repeat([]uint8{7}, l.NumLabels()) // what was there goes away
	for {
		y := make([]uint8, len(sizes))
		for i, s := range states {
			y[i] = uint8(s)
		}
		l.OneHotTo(labels, y)
		for k, v := range labels {
			i := int(l.Group[k])
			if on := k == l.Start[i]+states[i]; on != (v == 1) || v > 1 {
				t.Fatalf("states %v: labels %v", states, labels)
			}
		}
		if err := l.CheckRow(labels); err != nil {
			t.Fatal(err)
		}
		back := make([]uint8, len(sizes))
		if l.StatesTo(back, labels); !slices.Equal(back, y) {
			t.Fatalf("states %v come back as %v", y, back)
		}
		if !testkit.NextLabeling(states, sizes) {
			return
		}
	}
}

// TestOneHotLargestState has a state that fills a byte.
func TestOneHotLargestState(t *testing.T) {
	t.Parallel()
	l := New([]int{MaxSize, 2})
	labels, back := make([]uint8, l.NumLabels()), make([]uint8, 2)
	l.OneHotTo(labels, []uint8{MaxSize - 1, 1})
	if l.StatesTo(back, labels); labels[MaxSize-1] != 1 || back[0] != MaxSize-1 || back[1] != 1 {
		t.Errorf("states %v of labels %v", back, labels)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		sizes []int
		n     int
		in    string // the error; empty: none
	}{
		{"two groups", []int{2, 3}, 5, ""},
		{"the largest", []int{MaxSize}, MaxSize, ""},
		{"no groups of no labels", nil, 0, ""},
		{"one label", []int{2, 1}, 3, "group 1: 1 labels"},
		{"no label", []int{0, 2}, 2, "group 0: 0 labels"},
		{"a negative size", []int{2, -2, 2}, 2, "group 1: -2 labels"},
		{"too large", []int{MaxSize + 1}, MaxSize + 1, "group 0: 257 labels"},
		{"too few", []int{2, 2}, 5, "4 labels together for 5"},
		{"too many", []int{2, 2}, 3, "4 labels together for 3"},
	} {
		err := Check(test.sizes, test.n)
		if (err == nil) != (test.in == "") || err != nil && !strings.Contains(err.Error(), test.in) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.in)
		}
	}
}

func TestCheckRow(t *testing.T) {
	t.Parallel()
	l := New([]int{2, 3})
	for _, test := range []struct {
		labels []uint8
		in     string
	}{
		{[]uint8{0, 1, 0, 0, 1}, ""},
		{[]uint8{0, 0, 0, 0, 1}, "0 labels of group 0"},
		{[]uint8{1, 0, 0, 1, 1}, "2 labels of group 1"},
		{[]uint8{1, 0, 1, 1, 1}, "3 labels of group 1"},
	} {
		err := l.CheckRow(test.labels)
		if (err == nil) != (test.in == "") || err != nil && !strings.Contains(err.Error(), test.in) {
			t.Errorf("%v: error %v, want %q", test.labels, err, test.in)
		}
	}
}

// TestPairsAndTables holds both to their definitions, on random edges: the pairs
// are those whose labels belong to the ends of an edge, in the order of all pairs,
// and the tables find each of them by its states.
func TestPairsAndTables(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(62, 1))
	for range 200 {
		sizes := randomSizes(rng)
		l := New(sizes)
		edges := testkit.RandomEdges(len(sizes), rng.Float64(), rng)
		pairs := l.Pairs(edges)
		var want []labelgraph.Edge
		for _, pair := range labelgraph.AllPairs(l.NumLabels()) {
			if slices.Contains(edges, labelgraph.Edge{I: int(l.Group[pair.I]), J: int(l.Group[pair.J])}) {
				want = append(want, pair)
			}
		}
		if !slices.Equal(pairs, want) {
			t.Fatalf("sizes %v, edges %v: pairs %v, want %v", sizes, edges, pairs, want)
		}
		checkTables(t, l, edges, pairs)
	}
}

func checkTables(t *testing.T, l *Layout, edges, pairs []labelgraph.Edge) {
	t.Helper()
	tables := l.Tables(pairs)
	if !slices.Equal(tables.Edges, edges) || len(tables.At) != len(edges) || len(tables.Owner) != len(pairs) {
		t.Fatalf("tables of %v, want %v; %d of %d pairs", tables.Edges, edges, len(tables.Owner), len(pairs))
	}
	for k, e := range edges {
		if l.Sizes[e.I]*l.Sizes[e.J] != len(tables.At[k]) {
			t.Fatalf("edge %v of sizes %v: a table of %d", e, l.Sizes, len(tables.At[k]))
		}
		for s := range l.Sizes[e.I] {
			for u := range l.Sizes[e.J] {
				p := tables.At[k][s*l.Sizes[e.J]+u]
				if want := (labelgraph.Edge{I: l.Start[e.I] + s, J: l.Start[e.J] + u}); pairs[p] != want {
					t.Fatalf("edge %v, states %d and %d: pair %v, want %v", e, s, u, pairs[p], want)
				}
				if tables.Owner[p] != int32(k) || l.EdgeOf(pairs[p]) != e {
					t.Fatalf("pair %v belongs to edge %d, %v, want %d, %v", pairs[p], tables.Owner[p], l.EdgeOf(pairs[p]), k, e)
				}
			}
		}
	}
}

// TestReorder puts whole groups into another order, and the labels of each: the sizes follow. An order that parts a group is refused.
func TestReorder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 1))
	for range 50 {
		sizes := randomSizes(rng)
		var order, want []int
		for _, g := range rng.Perm(len(sizes)) {
			first := 0
			for _, size := range sizes[:g] {
				first += size
			}
			for _, i := range rng.Perm(sizes[g]) {
				order = append(order, first+i)
			}
			want = append(want, sizes[g])
		}
		if got, err := Reorder(sizes, order); err != nil || !slices.Equal(got, want) {
			t.Errorf("sizes %v in the order %v: %v, want %v; error %v", sizes, order, got, want, err)
		}
	}
	if got, err := Reorder([]int{2, 2}, []int{0, 2, 1, 3}); err == nil {
		t.Errorf("groups that are mixed have sizes %v", got)
	}
	if got, err := Reorder(nil, []int{1, 0}); got != nil || err != nil {
		t.Errorf("no groups: %v, error %v", got, err)
	}
}
