package modelfile_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/jsonlist"
	"github.com/crank-ml/crank/crankpkg/internal/modelfile"
)

// small returns a file of two labels and one feature, with nothing that needs a version.
func small() *modelfile.File {
	return &modelfile.File{
		Method: "x", Lambda: 1, Features: []string{"a"}, Labels: []string{"p", "q"},
		Unary: []jsonlist.List[float64]{{1, 2}, {3, 4}},
		Pairs: modelfile.Pairs{I: []int{0}, J: []int{1}, Weight: []float64{5}},
	}
}

// parts are all that a file may have besides, and since when.
var parts = map[string]struct {
	version int
	add     func(*modelfile.File)
}{
	"nothing": {1, func(*modelfile.File) {}},
	"edge features": {2, func(f *modelfile.File) {
		f.Pairs.EdgeFeatures = &modelfile.EdgeFeatures{Columns: []int{0}, Scale: 1}
		f.Pairs.Features = []jsonlist.List[float64]{{7}}
	}},
	"Fourier": {3, func(f *modelfile.File) { f.Fourier = &modelfile.Fourier{Count: 1, Gamma: 1} }},
	"labelings": {3, func(f *modelfile.File) {
		f.Labelings = &modelfile.Labelings{Y: []string{"01"}, Score: []float64{0}}
	}},
	"groups": {4, func(f *modelfile.File) { f.Groups = []int{2} }},
	"coding": {5, func(f *modelfile.File) {
		f.Coding = &modelfile.Coding{Columns: []modelfile.Column{{Name: "a", Fill: []float64{0}}}, Missing: []string{""}}
	}},
	"dropped columns": {11, func(f *modelfile.File) {
		if f.Coding == nil {
			f.Coding = &modelfile.Coding{}
		}
		f.Coding.Dropped = []string{"id"}
	}},
	"sparse coding": {9, func(f *modelfile.File) { f.Coding = &modelfile.Coding{Sparse: true} }},
	"kernel": {7, func(f *modelfile.File) {
		f.Kernel = &modelfile.Kernel{Kind: "gaussian", Gamma: 0.1, Value: []jsonlist.List[float64]{{1}, {2}}}
	}},
	"zeros": {10, func(f *modelfile.File) {
		f.Features = slices.Repeat([]string{"a"}, 40)
		f.Unary = []jsonlist.List[float64]{append(make([]float64, 40), 3), append([]float64{0, 2}, make([]float64, 39)...)}
	}},
	"rule": {6, func(f *modelfile.File) {
		f.Rule = &modelfile.Rule{Cut: 0.1, Cuts: []float64{1, -1}, Least: 1, Most: 2, PairFactor: 0.5}
	}},
	"calibration": {9, func(f *modelfile.File) {
		f.Rule = &modelfile.Rule{Calibration: &modelfile.Calibration{Slope: []float64{1, 0}, Offset: []float64{-2, 0.5}}}
	}},
	"expectation": {8, func(f *modelfile.File) { f.Rule = &modelfile.Rule{Expect: "ExampleF1", Temperature: 0.5} }},
}

// Each part, and each two of them, is written in the lowest version that has them, read as it
// was, and refused in the version before.
func TestVersions(t *testing.T) {
	t.Parallel()
	rules, mapped := []string{"rule", "expectation", "calibration"}, []string{"Fourier", "kernel"}
	for name, part := range parts {
		for otherName, other := range parts {
			switch {
			case slices.Contains(rules, name) && slices.Contains(rules, otherName) && name != otherName, name == "sparse coding" && otherName == "coding",
				name == "dropped columns" && strings.HasSuffix(otherName, "coding"):
				continue // the same place
			case (name == "zeros" || otherName == "zeros") && (slices.Contains(mapped, name) || slices.Contains(mapped, otherName)):
				continue // zeros are dropped of features with names alone
			}
			f := small()
			part.add(f)
			other.add(f)
			text, err := f.Encode()
			if want := max(part.version, other.version); err != nil || f.Version != want {
				t.Errorf("%s and %s: version %d, want %d, error %v", name, otherName, f.Version, want, err)
			}
			again, err := modelfile.Decode(text)
			if err != nil || !reflect.DeepEqual(again, f) {
				t.Errorf("%s and %s: %+v, error %v, want %+v", name, otherName, again, err, f)
			}
			old := strings.Replace(string(text), `"version":`+strconv.Itoa(f.Version), `"version":`+strconv.Itoa(f.Version-1), 1)
			if _, err := modelfile.Decode([]byte(old)); err == nil {
				t.Errorf("%s and %s are read in version %d", name, otherName, f.Version-1)
			}
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for in, change := range map[string]func(*modelfile.File){
		"3 rows of unary weights for 2 labels": func(f *modelfile.File) { f.Unary = append(f.Unary, nil) },
		"2 first and 1 second ends":            func(f *modelfile.File) { f.Pairs.I = []int{0, 0} },
		"edge features that nothing tells":     func(f *modelfile.File) { f.Pairs.Features = []jsonlist.List[float64]{{1}} },
		"0 Fourier features":                   func(f *modelfile.File) { f.Fourier = &modelfile.Fourier{} },
		"2 rows of indices and 1 of values": func(f *modelfile.File) {
			f.Kernel = &modelfile.Kernel{Index: make([]jsonlist.List[int32], 2), Value: make([]jsonlist.List[float64], 1)}
		},
		"landmark 1 has 2 indices and 1 values": func(f *modelfile.File) {
			f.Kernel = &modelfile.Kernel{Index: []jsonlist.List[int32]{{}, {0, 1}}, Value: []jsonlist.List[float64]{{}, {1}}}
		},
		"landmark 1 has 2 values": func(f *modelfile.File) {
			f.Kernel = &modelfile.Kernel{Value: []jsonlist.List[float64]{{1}, {1, 2}}}
		},
		"a coding without columns": func(f *modelfile.File) { f.Coding = &modelfile.Coding{} },
		"0 labelings":              func(f *modelfile.File) { f.Labelings = &modelfile.Labelings{} },
		"labeling 0 has 3 values":  func(f *modelfile.File) { f.Labelings = &modelfile.Labelings{Y: []string{"011"}, Score: []float64{0}} },
	} {
		f := small()
		change(f)
		text, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := modelfile.Decode(text); err == nil || !strings.Contains(err.Error(), in) {
			t.Errorf("error %v, want one that says %s", err, in)
		}
	}
	for _, text := range []string{
		`{"format":"crank model","version":5,"coding":{"columns":[{"name":"a","walues":["x"]}]}}`,
		`{"format":"crank model","version":12}`, `{"format":"other","version":1}`, `[]`, ``,
	} {
		if f, err := modelfile.Decode([]byte(text)); err == nil {
			t.Errorf("%s is read as %+v", text, f)
		}
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	all, err := modelfile.Join([]jsonlist.List[float64]{{1, 2}, {3, 4}}, 2, "weights")
	if err != nil || !reflect.DeepEqual(all, []float64{1, 2, 3, 4}) {
		t.Errorf("%v, error %v", all, err)
	}
	if _, err := modelfile.Join([]jsonlist.List[float64]{{1, 2}, {3}}, 2, "weights"); err == nil || !strings.Contains(err.Error(), "row 1 of weights has 1 values, not 2") {
		t.Errorf("error %v", err)
	}
}
