package crankpkg

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

// countedDataset returns a data set whose only feature numbers the rows.
func countedDataset(size int) *Dataset {
	ds := &Dataset{Name: "counted", FeatureNames: []string{"m"}, LabelNames: []string{"y"}, X: &Matrix{NumRows: size, NumCols: 1}, Y: make([]uint8, size)}
	for m := range size {
		ds.X.Value = append(ds.X.Value, float64(m))
		ds.Y[m] = uint8(m % 2)
	}
	return ds
}

func TestShuffle(t *testing.T) {
	ds := countedDataset(100)
	a, b, other := ds.Shuffle(1), ds.Shuffle(1), ds.Shuffle(2)
	if !reflect.DeepEqual(a, b) {
		t.Error("equal seeds give different orders")
	}
	if reflect.DeepEqual(a, other) || reflect.DeepEqual(a, ds) {
		t.Error("different seeds give equal orders")
	}
	for m := range a.Len() {
		if v := a.Row(m).Value[0]; a.Labels(m)[0] != uint8(int(v)%2) {
			t.Errorf("row %v lost its label", v)
		}
	}
	slices.Sort(a.X.Value)
	if !slices.Equal(a.X.Value, ds.X.Value) {
		t.Error("rows were lost")
	}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		size  int
		share float64
		train int
	}{{9, 2. / 3, 6}, {10, 0.25, 3}, {2, 0.001, 1}, {2, 0.999, 1}, {502, 2. / 3, 335}} {
		train, rest := countedDataset(test.size).Split(test.share, 3)
		if train.Len() != test.train || train.Len()+rest.Len() != test.size {
			t.Errorf("%v of %d: %d and %d", test.share, test.size, train.Len(), rest.Len())
		}
		rows := slices.Sorted(slices.Values(slices.Concat(train.X.Value, rest.X.Value)))
		if !slices.Equal(rows, countedDataset(test.size).X.Value) {
			t.Error("the parts are not a partition")
		}
	}
}

func TestFolds(t *testing.T) {
	for _, size := range []int{2, 7, 10, 23} {
		ds := countedDataset(size)
		for k := 2; k <= min(size, 10); k++ {
			folds, err := ds.Folds(k, 5)
			if err != nil || len(folds) != k {
				t.Fatalf("%d folds, error %v, want %d", len(folds), err, k)
			}
			var tested []int
			for _, f := range folds {
				if len(f.Test) < size/k || len(f.Test) > (size+k-1)/k {
					t.Errorf("a part of %d among %d of %d", len(f.Test), k, size)
				}
				both := slices.Sorted(slices.Values(slices.Concat(f.Train, f.Test)))
				if len(both) != size || len(slices.Compact(both)) != size {
					t.Error("a fold does not have every row once")
				}
				tested = append(tested, f.Test...)
			}
			if slices.Sort(tested); len(slices.Compact(tested)) != size {
				t.Error("a row is not tested")
			}
			again, _ := ds.Folds(k, 5)
			if !reflect.DeepEqual(folds, again) {
				t.Error("equal seeds give different folds")
			}
		}
	}
	a, _ := countedDataset(50).Folds(5, 1)
	b, _ := countedDataset(50).Folds(5, 2)
	if reflect.DeepEqual(a, b) {
		t.Error("different seeds give equal folds")
	}
	for _, k := range []int{-1, 0, 1, 51} {
		if _, err := countedDataset(50).Folds(k, 1); !errors.Is(err, ErrSettings) {
			t.Errorf("%d folds: error %v", k, err)
		}
	}
}
