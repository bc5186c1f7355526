package modelfile_test

import (
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/modelfile"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// TestCodingRoundTrip writes codings with and without each of their parts: what is read is what was written. Where rows are dense, no
// column is more than numbers and none was dropped, nothing is written.
func TestCodingRoundTrip(t *testing.T) {
	t.Parallel()
	columns := []table.Column{{Name: "a"}, {Name: "b", Values: []string{"x", "y", "z"}, Fill: []float64{0, 1, 0}}, {Name: "c", Fill: []float64{2.5}}}
	for count := range len(columns) + 1 {
		for flags := range 16 {
			c := table.Coding{Columns: columns[:count:count], DecimalComma: flags&1 > 0, IgnoreUnseen: flags&2 > 0, Sparse: flags&4 > 0}
			if flags&8 > 0 {
				c.Dropped = []string{"id", ""}
			}
			if count == 0 {
				c.Columns = nil
			} else {
				c.Missing = []string{"", "?"}
			}
			file := modelfile.CodingOf(c)
			if plain := count == 0 && !c.Sparse && c.Dropped == nil; (file == nil) != plain {
				t.Fatalf("%+v is written as %+v", c, file)
			}
			if file != nil && len(file.Columns) != count {
				t.Errorf("%+v is written as %+v", c, file)
			}
			want := c
			if file == nil {
				want = table.Coding{}
			}
			if got := file.Coding(); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v is read as %+v", want, got)
			}
			if file == nil {
				continue
			}
			f := small()
			f.Coding = file
			text, err := f.Encode()
			if err != nil {
				t.Fatal(err)
			}
			again, err := modelfile.Decode(text)
			if err != nil || !reflect.DeepEqual(again.Coding.Coding(), want) {
				t.Errorf("%+v is read from %s as %+v, error %v", want, text, again, err)
			}
		}
	}
}

// TestKernelRoundTrip writes kernels with dense and sparse landmarks, also such as are zero in all features, and reads them as they were.
func TestKernelRoundTrip(t *testing.T) {
	t.Parallel()
	if modelfile.KernelOf(nil) != nil || (*modelfile.Kernel)(nil).Kernel(3) != nil {
		t.Error("a kernel of none")
	}
	dense := &feature.Matrix{NumRows: 2, NumCols: 3, Value: []float64{1, 0, 2, 0, 0, 0}}
	sparse := feature.NewSparse(3)
	sparse.AppendSparse([]int32{0, 2}, []float64{1, 2})
	sparse.AppendSparse(nil, nil)
	sparse.AppendSparse([]int32{1}, []float64{-0.5})
	for _, x := range []*feature.Matrix{dense, sparse} {
		want := &feature.Kernel{Kind: feature.Gaussian, Gamma: 0.3, Offset: 2, Degree: 4, Landmarks: x}
		got := modelfile.KernelOf(want).Kernel(3)
		if got.Kind != want.Kind || got.Gamma != 0.3 || got.Offset != 2 || got.Degree != 4 || got.Landmarks.IsSparse() != x.IsSparse() ||
			!reflect.DeepEqual(testkit.DenseRows(got.Landmarks), testkit.DenseRows(x)) || got.Landmarks.Validate() != nil {
			t.Errorf("%+v is read as %+v", want, got)
		}
		f := small()
		f.Features, f.Kernel = []string{"a", "b", "c"}, modelfile.KernelOf(want)
		text, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := modelfile.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(testkit.DenseRows(again.Kernel.Kernel(3).Landmarks), testkit.DenseRows(x)) {
			t.Errorf("%s is read as %+v", text, again.Kernel)
		}
	}
}

// TestRuleRoundTrip writes rules with each of their parts alone; the plain prediction is nothing at all.
func TestRuleRoundTrip(t *testing.T) {
	t.Parallel()
	if modelfile.RuleOf(decision.Rule{}) != nil || !reflect.DeepEqual((*modelfile.Rule)(nil).Rule(), decision.Rule{}) {
		t.Error("the plain prediction is written")
	}
	for _, r := range []decision.Rule{
		{Cut: 0.5}, {Cuts: []float64{1, -2}}, {Least: 1}, {Most: 2}, {PairFactor: 0.5}, {Expect: metrics.ExampleF1, Temperature: 2},
		{Calibration: &decision.Calibration{Slope: []float64{1, 2}, Offset: []float64{3, 4}}},
		{Cut: 1, Cuts: []float64{1, 0}, Least: 1, Most: 2, PairFactor: 2},
	} {
		file := modelfile.RuleOf(r)
		if got := file.Rule(); !reflect.DeepEqual(got, r) {
			t.Errorf("%+v is read as %+v", r, got)
		}
		f := small()
		f.Rule = file
		text, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := modelfile.Decode(text); err != nil || !reflect.DeepEqual(again.Rule.Rule(), r) {
			t.Errorf("%+v is read from %s as %+v, error %v", r, text, again, err)
		}
	}
	if got := (&modelfile.Rule{Cuts: []float64{}}).Rule(); !reflect.DeepEqual(got, decision.Rule{}) {
		t.Errorf("a rule that says nothing is read as %+v", got)
	}
}
