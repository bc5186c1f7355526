package crankpkg

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/division"
)

// rareDataset returns examples with labels from rare to frequent that come together.
func rareDataset(size int, seed uint64) *Dataset {
	shares := []float64{0.02, 0.03, 0.05, 0.1, 0.2, 0.4}
	rng := rand.New(rand.NewPCG(seed, 8))
	ds := countedDataset(size)
	ds.LabelNames, ds.Y = numberedNames("y", len(shares)), nil
	for range size {
		often := 0.5
		if rng.IntN(3) == 0 {
			often = 2
		}
		for _, share := range shares {
			var v uint8
			if rng.Float64() < often*share {
				v = 1
			}
			ds.Y = append(ds.Y, v)
		}
	}
	return ds
}

// imbalance returns by how much, on average over folds, the shares of the strata of an
// order are off: of labels, or of labels and pairs of labels.
func imbalance(ds *Dataset, folds []Fold, order int) float64 {
	strata := division.Strata(ds.Y, ds.NumLabels(), order)
	total := map[int]float64{}
	for _, ids := range strata {
		for _, id := range ids {
			total[id]++
		}
	}
	var sum float64
	for _, fold := range folds {
		count := map[int]float64{}
		for _, m := range fold.Test {
			for _, id := range strata[m] {
				count[id]++
			}
		}
		for id, all := range total {
			sum += math.Abs(count[id]-all*float64(len(fold.Test))/float64(ds.Len())) / float64(len(total)*len(folds))
		}
	}
	return sum
}

// checkPartition finds rows that are not in exactly one part for testing and in all
// others for training.
func checkPartition(t *testing.T, folds []Fold, size int) {
	t.Helper()
	tested := make([]int, size)
	for _, fold := range folds {
		for _, m := range fold.Test {
			tested[m]++
		}
		all := slices.Sorted(slices.Values(slices.Concat(fold.Test, fold.Train)))
		if len(fold.Test) == 0 || len(all) != size || !slices.Equal(slices.Compact(all), countUpTo(size)) {
			t.Fatalf("%v and %v are not all rows once", fold.Train, fold.Test)
		}
	}
	if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
		t.Fatalf("rows are tested %v times", tested)
	}
}

// countUpTo returns 0, ..., n-1.
func countUpTo(n int) []int {
	rows := make([]int, n)
	for m := range rows {
		rows[m] = m
	}
	return rows
}

// TestStratifiedFolds holds the folds to what they promise on sets of many sizes, and to
// random folds and one another on average.
func TestStratifiedFolds(t *testing.T) {
	t.Parallel()
	var labels, pairs [3]float64 // imbalance of random folds, order 1 and order 2
	for seed := range uint64(30) {
		size := 60 + int(seed)*7
		ds, k := rareDataset(size, seed), 2+int(seed)%9
		random, err := ds.Folds(k, seed)
		if err != nil {
			t.Fatal(err)
		}
		for order := range 3 {
			folds := random
			if order > 0 {
				if folds, err = ds.StratifiedFolds(k, seed, order); err != nil {
					t.Fatal(err)
				}
				again, _ := ds.StratifiedFolds(k, seed, order)
				if other, _ := ds.StratifiedFolds(k, seed+1, order); !reflect.DeepEqual(folds, again) || reflect.DeepEqual(folds, other) {
					t.Errorf("seed %d: the seed does not determine the folds, or changes nothing", seed)
				}
			}
			checkPartition(t, folds, size)
			for _, fold := range folds {
				if n := len(fold.Test); n < size/k || n > (size+k-1)/k {
					t.Errorf("%d examples in a part of %d of %d", n, k, size)
				}
			}
			labels[order] += imbalance(ds, folds, 1) / 30
			pairs[order] += imbalance(ds, folds, 2) / 30
		}
	}
	t.Logf("labels off by %.3f, pairs too by %.3f", labels, pairs)
	if labels[1] > labels[0]/2 || labels[2] > 0.8*labels[0] {
		t.Errorf("the counts of labels are off by %.3f at random, by order 1 and 2", labels)
	}
	if pairs[2] > 0.8*pairs[0] || pairs[2] > pairs[1] {
		t.Errorf("the counts of labels and pairs are off by %.3f at random, by order 1 and 2", pairs)
	}
}

// TestStratifiedFoldsExact has strata that can be divided evenly: they are, with pairs all
// of them, and without those the labels that come first.
func TestStratifiedFoldsExact(t *testing.T) {
	t.Parallel()
	const k, each = 5, 3
	ds := countedDataset(4 * k * each)
	ds.LabelNames, ds.Y = []string{"a", "b", "c"}, nil
	for m := range ds.Len() { // a, b, a and b, c in turn
		ds.Y = append(ds.Y, [][]uint8{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}}[m%4]...)
	}
	for order := 1; order <= 2; order++ {
		folds, err := ds.StratifiedFolds(k, 7, order)
		if err != nil {
			t.Fatal(err)
		}
		for _, fold := range folds {
			part := ds.Subset(fold.Test)
			if got := part.LabelCounts(); got[0] != 2*each || got[2] != each {
				t.Errorf("order %d: %v labels in a part", order, got)
			}
			if off := imbalance(ds, []Fold{fold}, 2); order == 2 && off != 0 {
				t.Errorf("pairs are off by %v", off)
			}
		}
	}
}

func TestStratifiedSplit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		ds := rareDataset(200, seed)
		want, _ := ds.Split(0.7, seed)
		train, test, err := ds.StratifiedSplit(0.7, seed, 1)
		if err != nil || train.Len() != want.Len() {
			t.Fatalf("%d examples of %d, error %v", train.Len(), want.Len(), err)
		}
		rows := slices.Sorted(slices.Values(slices.Concat(train.X.Value, test.X.Value)))
		if !slices.Equal(rows, ds.X.Value) {
			t.Error("the parts are not a partition")
		}
		for i, all := range ds.LabelCounts()[:3] { // the rare ones
			if off := math.Abs(float64(train.LabelCounts()[i]) - 0.7*float64(all)); off > 1 {
				t.Errorf("label %d: %d of %d are for training", i, train.LabelCounts()[i], all)
			}
		}
	}
}

func TestGroupedFolds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 9))
		ds, k := countedDataset(100), 2+int(seed)%5
		groups, sizes := make([]int, ds.Len()), map[int]int{}
		for m := range groups {
			groups[m] = -3 + rng.IntN(12+int(seed))
			sizes[groups[m]]++
		}
		folds, err := ds.GroupedFolds(groups, k, seed)
		if err != nil {
			t.Fatal(err)
		}
		checkPartition(t, folds, ds.Len())
		home := map[int]int{}
		var counts []int
		for f, fold := range folds {
			counts = append(counts, len(fold.Test))
			for _, m := range fold.Test {
				if g, seen := home[groups[m]]; seen && g != f {
					t.Fatalf("group %d is torn apart", groups[m])
				}
				home[groups[m]] = f
			}
		}
		largest := 0
		for _, n := range sizes {
			largest = max(largest, n)
		}
		if slices.Max(counts)-slices.Min(counts) > largest {
			t.Errorf("parts of %v examples, the largest group has %d", counts, largest)
		}
		if again, _ := ds.GroupedFolds(groups, k, seed); !reflect.DeepEqual(folds, again) {
			t.Error("equal seeds give different folds")
		}
	}
}

func TestStratifyRefuses(t *testing.T) {
	t.Parallel()
	ds := countedDataset(4)
	fail := func(_ []Fold, err error) error { return err }
	split := func(share float64, order int) error { _, _, err := ds.StratifiedSplit(share, 0, order); return err }
	for k, err := range []error{
		fail(ds.StratifiedFolds(1, 0, 1)), fail(ds.StratifiedFolds(5, 0, 1)), fail(ds.StratifiedFolds(2, 0, 0)), fail(ds.StratifiedFolds(2, 0, 3)),
		split(0, 1), split(1, 1), split(math.NaN(), 1), split(0.5, 3),
		fail(ds.GroupedFolds([]int{1, 1, 2}, 2, 0)), fail(ds.GroupedFolds([]int{1, 1, 1, 1}, 2, 0)), fail(ds.GroupedFolds([]int{1, 1, 2, 2}, 1, 0)),
	} {
		if !errors.Is(err, ErrSettings) {
			t.Errorf("case %d: error %v", k, err)
		}
	}
}
