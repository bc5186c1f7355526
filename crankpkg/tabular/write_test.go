package tabular_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// randomDataset returns a small data set, dense or sparse, with rows and labels that are
// all zero, values of all sizes and names that need quotes.
func randomDataset(rnd *rand.Rand) *crankpkg.Dataset {
	ds := &crankpkg.Dataset{
		Name:         "it's -C 3",
		FeatureNames: []string{`a,"b"`, "it's", `back\slash`, "é %{}", "line\nend"}[:1+rnd.IntN(5)],
		LabelNames:   []string{"l 1", "{l}", "l\t3"}[:1+rnd.IntN(3)],
	}
	d := len(ds.FeatureNames)
	ds.X = &crankpkg.Matrix{NumRows: 1 + rnd.IntN(5), NumCols: d}
	for range ds.X.NumRows {
		for range d {
			v := rnd.NormFloat64() * math.Pow(10, float64(rnd.IntN(40)-20))
			ds.X.Value = append(ds.X.Value, v*float64(rnd.IntN(2)))
		}
		for range ds.LabelNames {
			ds.Y = append(ds.Y, uint8(rnd.IntN(2)))
		}
	}
	if rnd.IntN(2) == 0 {
		ds.X = ds.X.Sparse()
	}
	return ds
}

// What is written is read again, bit for bit.
func TestWrite(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		ds := randomDataset(rnd)
		for _, form := range []struct {
			name  string
			write func(io.Writer, *crankpkg.Dataset) error
			read  func(io.Reader) (*crankpkg.Dataset, error)
		}{
			{"CSV", tabular.WriteCSV, func(r io.Reader) (*crankpkg.Dataset, error) {
				return tabular.ParseCSV(r, "x", tabular.CSVOptions{LabelCount: -ds.NumLabels()})
			}},
			{"LIBSVM", tabular.WriteLIBSVM, func(r io.Reader) (*crankpkg.Dataset, error) {
				return tabular.ParseLIBSVM(r, "x", tabular.LIBSVMOptions{})
			}},
			{"ARFF", tabular.WriteARFF, func(r io.Reader) (*crankpkg.Dataset, error) {
				return crankpkg.ParseARFF(r, "x", crankpkg.ARFFOptions{})
			}},
		} {
			var b bytes.Buffer
			if err := form.write(&b, ds); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			got, err := form.read(&b)
			if err != nil {
				t.Fatalf("%s: %v in\n%s", form.name, err, text)
			}
			if !reflect.DeepEqual(testkit.DenseRows(got.X), testkit.DenseRows(ds.X)) || !slices.Equal(got.Y, ds.Y) {
				t.Fatalf("%s: other data after\n%s", form.name, text)
			}
			if form.name != "LIBSVM" && (!slices.Equal(got.FeatureNames, ds.FeatureNames) || !slices.Equal(got.LabelNames, ds.LabelNames)) {
				t.Fatalf("%s: names %q and %q after\n%s", form.name, got.FeatureNames, got.LabelNames, text)
			}
			if form.name == "ARFF" && got.X.IsSparse() != ds.X.IsSparse() {
				t.Fatalf("sparse %v after\n%s", got.X.IsSparse(), text)
			}
		}
	}
}

var errFull = errors.New("full")

// full takes some bytes, and no more.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteFails(t *testing.T) {
	ds, _, _ := crankpkg.PlantedTree{N: 3}.Generate(2000, 0)
	bad := *ds
	bad.LabelNames = nil
	for name, write := range map[string]func(io.Writer, *crankpkg.Dataset) error{
		"CSV": tabular.WriteCSV, "LIBSVM": tabular.WriteLIBSVM, "ARFF": tabular.WriteARFF,
	} {
		for _, ds := range []*crankpkg.Dataset{ds, ds.Subset([]int{0})} { // one row is written at the very end alone
			var all bytes.Buffer
			if err := write(&all, ds); err != nil {
				t.Fatal(err)
			}
			for _, room := range []full{0, full(min(5000, all.Len()-1)), full(all.Len() - 1)} {
				left := room
				if err := write(&left, ds); !errors.Is(err, errFull) {
					t.Errorf("%s, room for %d of %d bytes: error %v, want %v", name, room, all.Len(), err, errFull)
				}
			}
			if left := full(all.Len()); write(&left, ds) != nil || left != 0 {
				t.Errorf("%s: %d bytes of %d are left", name, left, all.Len())
			}
		}
		if err := write(io.Discard, &bad); !errors.Is(err, crankpkg.ErrData) {
			t.Errorf("%s: error %v, want %v", name, err, crankpkg.ErrData)
		}
	}
}
