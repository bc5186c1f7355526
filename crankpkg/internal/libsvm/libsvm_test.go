package libsvm_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

func TestParseLIBSVM(t *testing.T) {
	for _, test := range []struct {
		name, text string
		opts       tabular.LIBSVMOptions
		features   []string
		labels     []string
		x          [][]float64
		y          []uint8
	}{
		{
			name: "plain", text: "1,0 2:0.5 0:1\n1 1:-2e1\n",
			features: []string{"x0", "x1", "x2"}, labels: []string{"y0", "y1"},
			x: [][]float64{{1, 0, 0.5}, {0, -20, 0}}, y: []uint8{1, 1, 0, 1},
		}, {
			name: "counted from 1", text: "1 1:3 2:4\n2 2:1\n", opts: tabular.LIBSVMOptions{OneBased: true, OneBasedLabels: true},
			features: []string{"x1", "x2"}, labels: []string{"y1", "y2"},
			x: [][]float64{{3, 4}, {0, 1}}, y: []uint8{1, 0, 0, 1},
		}, {
			name: "features counted from 1", text: "1 1:3\n0\t1:0\r\n", opts: tabular.LIBSVMOptions{OneBased: true},
			features: []string{"x1"}, labels: []string{"y0", "y1"}, x: [][]float64{{3}, {0}}, y: []uint8{0, 1, 1, 0},
		}, {
			name: "header, rows without labels or without features", text: "4 3 2\n0,1 0:1\n 1:2\n0:7\n1\n",
			features: []string{"x0", "x1", "x2"}, labels: []string{"y0", "y1"},
			x: [][]float64{{1, 0, 0}, {0, 2, 0}, {7, 0, 0}, {0, 0, 0}}, y: []uint8{1, 1, 0, 0, 0, 0, 0, 1},
		}, {
			name: "sizes told, comments, empty lines", text: "# a comment\n\n0 0:1 # another\n", opts: tabular.LIBSVMOptions{NumFeatures: 2, NumLabels: 3},
			features: []string{"x0", "x1"}, labels: []string{"y0", "y1", "y2"}, x: [][]float64{{1, 0}}, y: []uint8{1, 0, 0},
		}, {
			name: "sizes told and a header", text: "1 1 1\n0 0:1\n", opts: tabular.LIBSVMOptions{NumFeatures: 2, NumLabels: 2},
			features: []string{"x0", "x1"}, labels: []string{"y0", "y1"}, x: [][]float64{{1, 0}}, y: []uint8{1, 0},
		}, {
			name: "no newline at the end", text: "0 0:1\n0 0:2",
			features: []string{"x0"}, labels: []string{"y0"}, x: [][]float64{{1}, {2}}, y: []uint8{1, 1},
		},
	} {
		ds, err := tabular.ParseLIBSVM(strings.NewReader(test.text), "dir/some.svm", test.opts)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if ds.Name != "some" || !ds.X.IsSparse() || !slices.Equal(ds.FeatureNames, test.features) || !slices.Equal(ds.LabelNames, test.labels) {
			t.Errorf("%s: %v with %q and %q", test.name, ds, ds.FeatureNames, ds.LabelNames)
		}
		if x := testkit.DenseRows(ds.X); !reflect.DeepEqual(x, test.x) || !slices.Equal(ds.Y, test.y) {
			t.Errorf("%s: x %v, y %v; want %v, %v", test.name, x, ds.Y, test.x, test.y)
		}
	}
}

func TestParseLIBSVMRefuses(t *testing.T) {
	one := tabular.LIBSVMOptions{OneBased: true, OneBasedLabels: true}
	for _, test := range []struct {
		name, text string
		opts       tabular.LIBSVMOptions
		kind       error
		in         string
	}{
		{"empty", "", one, errs.ErrData, "no rows"},
		{"header alone", "0 1 1\n", tabular.LIBSVMOptions{}, errs.ErrData, "no rows"},
		{"no labels", "0:1\n1:1\n", tabular.LIBSVMOptions{}, errs.ErrData, "no labels"},
		{"no features", "1\n0\n", tabular.LIBSVMOptions{}, errs.ErrData, "no features"},
		{"feature 0", "1 1:1\n1 0:1\n", one, errs.ErrFormat, `x:2: feature "0": the count starts at 1`},
		{"label 0", "1 1:1\n0 1:1\n", one, errs.ErrFormat, `x:2: label "0": the count starts at 1`},
		{"twice", "1 1:1 3:2 1:1\n", one, errs.ErrFormat, "x:1: feature 1: the row has two values"},
		{"not finite", "1 1:nan\n", one, errs.ErrFormat, `x:1: feature 1: "nan"`},
		{"no value", "1 1:\n", one, errs.ErrFormat, `x:1: feature 1: ""`},
		{"labels after a blank", " 1 1:1\n", one, errs.ErrFormat, `x:1: "1" where a feature is expected`},
		{"labels after a tab", "\t1 1:1\n", one, errs.ErrFormat, `x:1: "1" where a feature is expected`},
		{"no colon", "1 1:1 7\n", one, errs.ErrFormat, `x:1: "7" where a feature is expected`},
		{"no number", "1 1:1\n:3 1:1\n", one, errs.ErrFormat, `x:2: "" where the number of a feature`},
		{"query", "1 qid:1 7:1\n", one, errs.ErrFormat, `x:1: "qid" where the number of a feature`},
		{"label of another kind", "+1 1:1\n", one, errs.ErrFormat, `x:1: "+1" where the numbers of labels`},
		{"half a list", "1, 1:1\n", one, errs.ErrFormat, `x:1: "1," where the numbers of labels`},
		{"rows of the header", "3 2 2\n0 1:1\n", tabular.LIBSVMOptions{}, errs.ErrFormat, "3 rows, and there are 1"},
		{"features of the header", "1 2 2\n0 2:1\n", tabular.LIBSVMOptions{}, errs.ErrFormat, "x:2: feature 2, but there are 2, counted from 0"},
		{"labels of the header", "1 2 2\n2 0:1\n", tabular.LIBSVMOptions{}, errs.ErrFormat, "x:2: label 2, but there are 2, counted from 0"},
		{"features told", "1 2:1\n", tabular.LIBSVMOptions{NumFeatures: 2}, errs.ErrFormat, "x:1: feature 2"},
		{"huge numbers", "1 2147483646:1\n", tabular.LIBSVMOptions{}, errs.ErrData, "too much memory"},
		{"too huge", "1 2147483647:1\n", tabular.LIBSVMOptions{}, errs.ErrFormat, "2147483647"},
		{"many labels", "400000 1:1\n" + strings.Repeat("0 1:1\n", 1000), tabular.LIBSVMOptions{}, errs.ErrData, "too much memory"},
		{"negative size", "1 1:1\n", tabular.LIBSVMOptions{NumLabels: -1}, errs.ErrSettings, "-1"},
		{"zip", "PK\x03\x04", one, errs.ErrFormat, "zip"},
	} {
		ds, err := tabular.ParseLIBSVM(strings.NewReader(test.text), "x", test.opts)
		if !errors.Is(err, test.kind) || ds != nil || !strings.Contains(err.Error(), test.in) {
			t.Errorf("%s: %v, error %v; want %v that says %s", test.name, ds, err, test.kind, test.in)
		}
	}
}

func TestReadLIBSVMCompressed(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte("0 0:1\n"))
	w.Close()
	path := filepath.Join(t.TempDir(), "some.svm.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	ds, err := tabular.ReadLIBSVM(path, tabular.LIBSVMOptions{})
	if err != nil || ds.Name != "some" || ds.Len() != 1 {
		t.Errorf("%v, error %v", ds, err)
	}
	if _, err := tabular.ReadLIBSVM(path+"x", tabular.LIBSVMOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want %v", err, os.ErrNotExist)
	}
}

func FuzzParseLIBSVM(f *testing.F) {
	for _, seed := range []string{"1,3 2:0.5 7:1\n", "2 3 2\n0,1 0:1\n 1:2 # no\n", "1 1:1 1:0\n", "\t3:1\n4", "0 2147483646:1"} {
		f.Add([]byte(seed), false, uint8(0))
		f.Add([]byte(seed), true, uint8(9))
	}
	f.Fuzz(func(t *testing.T, text []byte, oneBased bool, size uint8) {
		opts := tabular.LIBSVMOptions{OneBased: oneBased, OneBasedLabels: !oneBased, NumFeatures: int(size), NumLabels: int(size / 2)}
		ds, err := tabular.ParseLIBSVM(bytes.NewReader(text), "x", opts)
		if err != nil {
			if !errors.Is(err, errs.ErrFormat) && !errors.Is(err, errs.ErrData) {
				t.Errorf("error of no kind: %v", err)
			}
			return
		}
		if err := ds.Validate(); err != nil {
			t.Error(err)
		}
		for m := range ds.Len() {
			row := ds.Row(m)
			for p, k := range row.Index {
				if p > 0 && k <= row.Index[p-1] || int(k) >= ds.NumFeatures() {
					t.Fatalf("row %d has the indices %v of %d", m, row.Index, ds.NumFeatures())
				}
			}
		}
	})
}
