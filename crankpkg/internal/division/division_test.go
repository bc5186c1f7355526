package division

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestStrata(t *testing.T) {
	t.Parallel()
	y := []uint8{
		1, 0, 1,
		0, 0, 0,
		1, 1, 1,
		1, 0, 1,
	}
	if got, want := Strata(y, 3, 1), [][]int{{0, 2}, nil, {0, 1, 2}, {0, 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("labels %v, want %v", got, want)
	}
	// The pairs are numbered as they come: 0 and 2, 0 and 1, 1 and 2.
	got := Strata(y, 3, 2)
	for m, want := range [][]int{{0, 2, 3}, nil, {0, 1, 2, 3, 4, 5}, {0, 2, 3}} {
		if slices.Sort(got[m]); !slices.Equal(got[m], want) {
			t.Errorf("row %d: %v, want %v", m, got[m], want)
		}
	}
}

// TestStratify fills parts of given sizes, and divides a stratum that no other one
// meets as evenly as sizes allow.
func TestStratify(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		sizes := []int{3 + rng.IntN(10), 3 + rng.IntN(10), 3 + rng.IntN(10)}
		rows := sizes[0] + sizes[1] + sizes[2]
		strata := make([][]int, rows)
		total := make([]int, 3)
		for m := range strata {
			if id := rng.IntN(4); id < 3 {
				strata[m] = []int{id}
				total[id]++
			}
		}
		part := Stratify(strata, sizes, rng.Perm(rows), rng)
		counts, filled := [3][3]int{}, []int{0, 0, 0}
		for m, f := range part {
			filled[f]++
			for _, id := range strata[m] {
				counts[id][f]++
			}
		}
		if !slices.Equal(filled, sizes) {
			t.Fatalf("seed %d: %v rows in parts of %v", seed, filled, sizes)
		}
		first := slices.Index(total, slices.Min(total)) // what is rarest has all the room
		for f, got := range counts[first] {
			if off := float64(got) - float64(total[first]*sizes[f])/float64(rows); off >= 1 || off <= -1 {
				t.Errorf("seed %d: a part of %d of %d rows has %d of %d", seed, sizes[f], rows, got, total[first])
			}
		}
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	groups := []int{7, 7, 7, -1, -1, 5, 5, 9}
	part, found := Groups(groups, 2, []int{0, 1, 2, 3, 4, 5, 6, 7})
	// Three rows to the first part, two and two to the second, one to the first.
	if want := []int{0, 0, 0, 1, 1, 1, 1, 0}; found != 4 || !slices.Equal(part, want) {
		t.Errorf("%d groups in parts %v, want %v", found, part, want)
	}
	// Of equal groups that goes first whose row comes first.
	if part, _ := Groups([]int{1, 2, 3}, 3, []int{2, 0, 1}); !slices.Equal(part, []int{1, 2, 0}) {
		t.Errorf("parts %v", part)
	}
}

// TestGroupsByDefinition takes the groups one by one, always the largest that is left, and of equal ones the first.
func TestGroupsByDefinition(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		groups, k := make([]int, 1+rng.IntN(30)), 1+rng.IntN(4)
		for m := range groups {
			groups[m] = rng.IntN(8)
		}
		order := rng.Perm(len(groups))
		part, _ := Groups(groups, k, order)
		sizes, filled := [8]int{}, make([]int, k)
		for _, g := range groups {
			sizes[g]++
		}
		for slices.Max(sizes[:]) > 0 {
			largest := slices.Max(sizes[:])
			first := order[slices.IndexFunc(order, func(m int) bool { return sizes[groups[m]] == largest })]
			smallest := slices.Index(filled, slices.Min(filled))
			for m, g := range groups {
				if g == groups[first] && part[m] != smallest {
					t.Fatalf("seed %d: row %d is in part %d, want %d", seed, m, part[m], smallest)
				}
			}
			filled[smallest] += largest
			sizes[groups[first]] = 0
		}
	}
}

// TestStratifySpreadsWhatIsRare has strata of a single row each: the parts get equally
// many, but for one that a larger part has more room for, and one that is left over.
func TestStratifySpreadsWhatIsRare(t *testing.T) {
	t.Parallel()
	const single = 20
	sizes := []int{14, 15, 14, 15, 15}
	strata := make([][]int, 14+15+14+15+15)
	for id := range single {
		strata[id] = []int{id}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	counts := make([]int, len(sizes))
	for m, f := range Stratify(strata, sizes, rng.Perm(len(strata)), rng) {
		if m < single {
			counts[f]++
		}
	}
	if slices.Max(counts)-slices.Min(counts) > 2 {
		t.Errorf("%v of %d", counts, single)
	}
}

// TestStratifyByDefinition follows a stratification row by row: the rarest stratum among the rows that are left is next, the first of
// equals, and each of its rows, in the order of the rows, went to a part that lacked most of it, of those with room one with most room.
// What each stratum lacks and has left counts all rows that are placed, also those that other strata have placed.
func TestStratifyByDefinition(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 3))
		sizes := []int{4 + rng.IntN(8), 4 + rng.IntN(8), 4 + rng.IntN(8)}
		if seed%2 == 0 {
			sizes = []int{7, 8, 7} // alike, but for one row
		}
		room, shares, rows := slices.Clone(sizes), make([]float64, len(sizes)), 0
		for _, size := range sizes {
			rows += size
		}
		for f, size := range sizes {
			if shares[f] = float64(size) / float64(rows); slices.Max(sizes)-slices.Min(sizes) <= 1 {
				shares[f] = 1 / float64(len(sizes))
			}
		}
		const ids = 5
		strata, all := make([][]int, rows), [ids]int{}
		for m := range strata {
			for id := range ids {
				if rng.IntN(2+id) == 0 {
					strata[m] = append(strata[m], id)
					all[id]++
				}
			}
		}
		order := rng.Perm(rows)
		part := Stratify(strata, sizes, order, rng)

		left, lacks := all, [ids][]float64{}
		for id, count := range all {
			for _, share := range shares {
				lacks[id] = append(lacks[id], float64(count)*share)
			}
		}
		done := make([]bool, rows)
		place := func(m, id int) {
			lack := func(f int) float64 {
				if id < 0 {
					return 0
				}
				return lacks[id][f]
			}
			got := part[m]
			for f := range sizes {
				if room[got] == 0 || room[f] > 0 && (lack(f) > lack(got) || lack(f) == lack(got) && room[f] > room[got]) {
					t.Fatalf("seed %d: row %d of stratum %d is in part %d, which has room for %d and lacks %v, not in part %d: %d and %v",
						seed, m, id, got, room[got], lack(got), f, room[f], lack(f))
				}
			}
			room[got]--
			done[m] = true
			for _, id := range strata[m] {
				left[id]--
				lacks[id][got]--
			}
		}
		for {
			rarest := -1
			for id, n := range left {
				if n > 0 && (rarest < 0 || n < left[rarest]) {
					rarest = id
				}
			}
			for _, m := range order {
				if !done[m] && (rarest < 0 || slices.Contains(strata[m], rarest)) {
					place(m, rarest)
				}
			}
			if rarest < 0 {
				break
			}
		}
	}
}

// TestStratifyBreaksTiesEvenly has parts that lack the same and have the same room: each gets the row as often as the others.
func TestStratifyBreaksTiesEvenly(t *testing.T) {
	t.Parallel()
	const seeds, parts = 3000, 3
	for _, strata := range [][][]int{{nil, nil, nil}, {{0}, nil, nil}} {
		counts := make([]int, parts)
		for seed := range uint64(seeds) {
			counts[Stratify(strata, []int{1, 1, 1}, []int{0, 1, 2}, rand.New(rand.NewPCG(seed, 4)))[0]]++
		}
		for f, n := range counts {
			if n < seeds/parts-150 || n > seeds/parts+150 { // almost six standard deviations
				t.Errorf("strata %v: part %d gets the first row %d times of %d", strata, f, n, seeds)
			}
		}
	}
}

// TestStratifyKeepsItsDraws holds a division with many ties to what its seed gave first: results on file name their folds by seeds.
func TestStratifyKeepsItsDraws(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 4))
	strata := [][]int{{0}, {0}, {0}, {1}, {1}, {0, 1}, nil, nil, nil, {2}, {2}, {2}}
	got := Stratify(strata, []int{3, 3, 3, 3}, rng.Perm(len(strata)), rng)
	if want := []int{2, 3, 1, 3, 2, 0, 1, 3, 0, 1, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("parts %v, want %v", got, want)
	}
}

// TestFolds tests each row in one fold and trains on it in the others; sizes differ by one at most, and seeds by their draws alone.
func TestFolds(t *testing.T) {
	t.Parallel()
	for size := 1; size < 30; size++ {
		for k := 1; k <= size; k++ {
			folds := Folds(size, k, 7)
			if len(folds) != k || !reflect.DeepEqual(folds, Folds(size, k, 7)) {
				t.Fatalf("%d rows: %d folds, want %d, always the same", size, len(folds), k)
			}
			checkFolds(t, folds, size)
			for _, f := range folds {
				if least := size / k; len(f.Test) != least && len(f.Test) != (size+k-1)/k {
					t.Errorf("%d rows in %d folds: %d in one", size, k, len(f.Test))
				}
			}
		}
	}
	if reflect.DeepEqual(Folds(20, 4, 1), Folds(20, 4, 2)) {
		t.Error("two seeds give the same folds")
	}
}

// checkFolds checks that each of so many rows is for testing in one fold and for training in all others.
func checkFolds(t *testing.T, folds []Fold, size int) {
	t.Helper()
	tested := make([]int, size)
	for _, f := range folds {
		for _, m := range f.Test {
			tested[m]++
		}
		both := append(slices.Clone(f.Train), f.Test...)
		slices.Sort(both)
		for m := range size {
			if len(both) != size || both[m] != m {
				t.Fatalf("training on %v and testing on %v are not all of %d rows", f.Train, f.Test, size)
			}
		}
	}
	if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
		t.Fatalf("rows are tested %v times", tested)
	}
}

// TestFoldsOf keeps the parts, and within them the order of the rows.
func TestFoldsOf(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 4))
	for range 50 {
		size, k := 1+rng.IntN(20), 1+rng.IntN(4)
		part, order := make([]int, size), rng.Perm(size)
		for m := range part {
			part[m] = rng.IntN(k)
		}
		folds := FoldsOf(part, k, order)
		checkFolds(t, folds, size)
		for f, fold := range folds {
			var test, train []int
			for _, m := range order {
				if part[m] == f {
					test = append(test, m)
				} else {
					train = append(train, m)
				}
			}
			if !slices.Equal(fold.Test, test) || !slices.Equal(fold.Train, train) {
				t.Fatalf("fold %d: %+v, want %v and %v", f, fold, train, test)
			}
		}
	}
}

// TestTrainSize is as near to the share as whole rows are, with one row left on each side.
func TestTrainSize(t *testing.T) {
	t.Parallel()
	for size := 2; size < 40; size++ {
		for _, share := range []float64{0, 0.01, 0.3, 0.5, 2.0 / 3, 0.99, 1} {
			got := TrainSize(share, size)
			want := min(max(share*float64(size), 1), float64(size-1))
			if off := float64(got) - want; got < 1 || got >= size || off > 0.5 || off < -0.5 {
				t.Errorf("%v of %d rows: %d", share, size, got)
			}
		}
	}
}

// TestDraws has permutations of all rows, whose random numbers are none of those that settle ties or that other parts draw.
func TestDraws(t *testing.T) {
	t.Parallel()
	seen := map[uint64]bool{}
	for seed := range uint64(20) {
		p := Permutation(50, seed)
		if sorted := slices.Sorted(slices.Values(p)); sorted[0] != 0 || sorted[49] != 49 || len(slices.Compact(sorted)) != 50 {
			t.Fatalf("seed %d: %v", seed, p)
		}
		ties, others := Ties(seed), rand.New(rand.NewPCG(seed, 0))
		if slices.Equal(p, ties.Perm(50)) || slices.Equal(p, others.Perm(50)) {
			t.Errorf("seed %d: ties or other parts have the draws of the permutation", seed)
		}
		for _, v := range []uint64{ties.Uint64(), others.Uint64()} {
			if seen[v] {
				t.Errorf("seed %d: a number was drawn before", seed)
			}
			seen[v] = true
		}
	}
}

// TestStrataByDefinition has random rows: the labels of each that are on, and each two of them under a number from n on that the pair has
// in all rows and no other one has.
func TestStrataByDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 4))
	for range 100 {
		n, rows := 1+rng.IntN(5), 1+rng.IntN(8)
		y := make([]uint8, n*rows)
		for k := range y {
			y[k] = uint8(rng.IntN(2))
		}
		pairOf := map[int][2]int{}
		numberOf := map[[2]int]int{}
		for m, strata := range Strata(y, n, 2) {
			on, pairs := []int{}, 0
			for i := range n {
				if y[m*n+i] == 1 {
					on = append(on, i)
				}
			}
			if first := Strata(y, n, 1)[m]; !slices.Equal(first, on) {
				t.Fatalf("labels %v of %v", first, on)
			}
			for _, id := range strata {
				if id >= n {
					pairs++
				} else if !slices.Contains(on, id) {
					t.Fatalf("stratum %d of the labels %v", id, on)
				}
			}
			if len(strata) != len(on)+len(on)*(len(on)-1)/2 || pairs != len(on)*(len(on)-1)/2 {
				t.Fatalf("%d strata, %d of pairs, of %d labels", len(strata), pairs, len(on))
			}
			// Between two labels of a row, in the order of the second, stands the number of their pair.
			at := 0
			for k, j := range on {
				for _, i := range on[:k] {
					id, e := strata[at], [2]int{i, j}
					if old, seen := pairOf[id]; seen && old != e {
						t.Fatalf("number %d is of %v and %v", id, old, e)
					}
					if old, seen := numberOf[e]; seen && old != id {
						t.Fatalf("the pair %v has the numbers %d and %d", e, old, id)
					}
					pairOf[id], numberOf[e] = e, id
					at++
				}
				at++ // j itself
			}
		}
		if len(pairOf) > 0 && slices.Max(slices.Collect(maps.Keys(pairOf))) != n+len(pairOf)-1 {
			t.Fatalf("%d pairs have the numbers %v", len(pairOf), pairOf)
		}
	}
}

// TestStratifyOne divides rows of which some are in the only stratum there is: each part gets its share of them.
func TestStratifyOne(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 5))
		strata := make([][]int, 20)
		for m := range 8 {
			strata[m] = []int{0}
		}
		counts := [2]int{}
		for m, f := range Stratify(strata, []int{5, 15}, rng.Perm(20), rng) {
			if m < 8 {
				counts[f]++
			}
		}
		if counts != [2]int{2, 6} {
			t.Errorf("seed %d: %v of 8", seed, counts)
		}
	}
}
