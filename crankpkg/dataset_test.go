package crankpkg

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/draw"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// randomDataset returns a data set of small integers, some of them 0, in the
// dense and in the sparse form.
func randomDataset(rows, d, n int, seed uint64) (dense, sparse *Dataset) {
	rnd := rand.New(rand.NewPCG(seed, 0))
	x := &Matrix{NumRows: rows, NumCols: d, Value: make([]float64, rows*d)}
	for p := range x.Value {
		x.Value[p] = float64(rnd.IntN(7)-3) * float64(rnd.IntN(2))
	}
	y := make([]uint8, rows*n)
	for p := range y {
		y[p] = uint8(rnd.IntN(2))
	}
	dense = &Dataset{Name: "random", FeatureNames: draw.Names("x", d), LabelNames: draw.Names("y", n), X: x, Y: y}
	sparse = &Dataset{Name: "random", FeatureNames: dense.FeatureNames, LabelNames: dense.LabelNames, X: x.Sparse(), Y: y}
	return dense, sparse
}

func TestSubsetAndAppend(t *testing.T) {
	dense, sparse := randomDataset(30, 4, 3, 2)
	rows := []int{7, 0, 29, 7}
	for _, ds := range []*Dataset{dense, sparse} {
		sub := ds.Subset(rows)
		if err := sub.Validate(); err != nil || sub.X.IsSparse() != ds.X.IsSparse() {
			t.Errorf("%v, error %v", sub, err)
		}
		for p, m := range rows {
			if !reflect.DeepEqual(sub.Row(p), ds.Row(m)) || !slices.Equal(sub.Labels(p), ds.Labels(m)) {
				t.Errorf("row %d of the subset is not row %d", p, m)
			}
		}
		sub.X.Value[0], sub.Y[0] = 99, 1-sub.Y[0]
		if slices.Contains(ds.X.Value, 99) {
			t.Error("a subset shares memory")
		}
	}
	all := make([]int, dense.Len())
	for m := range all {
		all[m] = m
	}
	for _, pair := range [][2]*Dataset{{dense, dense}, {sparse, sparse}, {dense, sparse}, {sparse, dense}} {
		joined, err := pair[0].Subset(all[:11]).Append(pair[1].Subset(all[11:]))
		if err != nil || !reflect.DeepEqual(testkit.DenseRows(joined.X), testkit.DenseRows(dense.X)) || !slices.Equal(joined.Y, dense.Y) {
			t.Errorf("two parts do not make the whole, error %v", err)
		}
		if joined.X.IsSparse() != (pair[0].X.IsSparse() && pair[1].X.IsSparse()) {
			t.Error("the joined form is wrong")
		}
	}
	other := *dense
	other.LabelNames = []string{"y0", "z", "y2"}
	if _, err := dense.Append(&other); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), `"z"`) {
		t.Errorf("other labels: error %v", err)
	}
}

func TestLabelStatistics(t *testing.T) {
	ds := &Dataset{
		Name: "toy", FeatureNames: []string{"x"}, LabelNames: []string{"a", "b", "c", "d"},
		X: feature.NewDense(1, [][]float64{{1}, {2}, {3}}),
		Y: []uint8{0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0},
	}
	if got, want := ds.LabelCounts(), []int{2, 3, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
	if got := ds.Cardinality(); got != 2 {
		t.Errorf("cardinality %v, want 2", got)
	}
	if got := ds.DistinctLabelSets(); got != 2 {
		t.Errorf("%d label sets, want 2", got)
	}
	if got, want := ds.MostFrequentLabels(2), []int{0, 1}; !slices.Equal(got, want) {
		t.Errorf("most frequent %v, want %v", got, want)
	}
	if got, want := ds.String(), "toy: 3 examples, 1 dense features, 4 labels, cardinality 2.000"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	sub := ds.SelectLabels([]int{3, 1})
	if !slices.Equal(sub.LabelNames, []string{"d", "b"}) || !slices.Equal(sub.Y, []uint8{0, 1, 0, 1, 0, 1}) {
		t.Errorf("selected %q, %v", sub.LabelNames, sub.Y)
	}
	if ds.LabelIndex("c") != 2 || ds.LabelIndex("z") != -1 {
		t.Error("wrong label positions")
	}
}

// Among equally frequent labels the first ones are taken.
func TestMostFrequentLabelsTies(t *testing.T) {
	ds := &Dataset{LabelNames: []string{"a", "b", "c"}, X: feature.NewDense(0, [][]float64{{}, {}}), Y: []uint8{1, 1, 0, 0, 0, 1}}
	if got, want := ds.MostFrequentLabels(2), []int{0, 1}; !slices.Equal(got, want) {
		t.Errorf("most frequent %v, want %v", got, want)
	}
}

// A gob, GoNB's cache, carries a data set whole.
func TestDatasetGob(t *testing.T) {
	dense, sparse := randomDataset(5, 3, 2, 3)
	for _, ds := range []*Dataset{dense, sparse} {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(ds); err != nil {
			t.Fatal(err)
		}
		got := new(Dataset)
		if err := gob.NewDecoder(&b).Decode(got); err != nil || !reflect.DeepEqual(got, ds) {
			t.Errorf("%v, error %v", got, err)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(*Dataset)
		in    string
	}{
		{"no matrix", func(ds *Dataset) { ds.X = nil }, "no data set"},
		{"no examples", func(ds *Dataset) { *ds = *ds.Subset(nil) }, "no examples"},
		{"no labels", func(ds *Dataset) { *ds = *ds.SelectLabels(nil) }, "no labels"},
		{"too few labels", func(ds *Dataset) { ds.Y = ds.Y[1:] }, "label values"},
		{"too few names", func(ds *Dataset) { ds.FeatureNames = ds.FeatureNames[1:] }, "feature names"},
		{"NaN", func(ds *Dataset) { ds.Row(2).Value[0] = math.NaN() }, "row 2"},
		{"Inf", func(ds *Dataset) { ds.Row(3).Value[0] = math.Inf(-1) }, "row 3"},
		{"label", func(ds *Dataset) { ds.Labels(4)[1] = 2 }, `row 4, label "y1"`},
		{"matrix", func(ds *Dataset) { ds.X.NumRows++ }, "rows"},
	} {
		dense, sparse := randomDataset(6, 3, 2, 4)
		for _, ds := range []*Dataset{dense.Shuffle(9), sparse.Shuffle(9)} {
			if err := ds.Validate(); err != nil {
				t.Fatal(err)
			}
			test.spoil(ds)
			if err := ds.Validate(); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), test.in) {
				t.Errorf("%s: error %v, want one that says %q", test.name, err, test.in)
			}
		}
	}
}

// FuzzMatrix builds matrices from whatever bytes say: what Validate takes trains, and
// to the same model as the matrix that AppendSparse makes of the same rows.
func FuzzMatrix(f *testing.F) {
	f.Add(int8(2), int8(3), []byte{0, 2, 3}, []byte{0, 2, 1})
	f.Add(int8(2), int8(3), []byte{0, 2, 3}, []byte{2, 2, 1})
	f.Add(int8(2), int8(3), []byte{0, 4, 3}, []byte{0, 1, 2})
	f.Add(int8(2), int8(2), []byte(nil), []byte{0, 1, 0, 1})
	f.Fuzz(func(t *testing.T, rows, cols int8, start, index []byte) {
		x := &Matrix{NumRows: int(rows), NumCols: int(cols), Value: make([]float64, len(index))}
		for p := range index {
			x.Value[p] = float64(p%5) - 2
		}
		for _, s := range start {
			x.Start = append(x.Start, int(int8(s)))
		}
		if x.Start != nil {
			for _, k := range index {
				x.Index = append(x.Index, int32(int8(k)))
			}
		}
		ds := &Dataset{X: x, FeatureNames: make([]string, max(0, int(cols))), LabelNames: []string{"a"}, Y: make([]uint8, max(0, int(rows)))}
		for m := range ds.Y {
			ds.Y[m] = uint8(m % 2)
		}
		if err := ds.Validate(); err != nil {
			if !errors.Is(err, ErrData) {
				t.Fatalf("error %v", err)
			}
			return
		}
		again := x
		if x.IsSparse() {
			again = feature.NewSparse(x.NumCols)
			for m := range x.NumRows {
				again.AppendSparse(x.Row(m).Index, x.Row(m).Value)
			}
		}
		var models [2]*Model
		for k, rows := range []*Matrix{x, again} {
			copied := *ds
			copied.X = rows
			var err error
			if models[k], _, err = (Empty{Settings: Settings{MaxPasses: 5, Workers: 1}}).Train(context.Background(), &copied); errs.OrNotConverged(err) != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(models[0], models[1]) {
			t.Errorf("%+v trains to another model than the same rows appended", x)
		}
	})
}
