package table_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
)

func TestTruth(t *testing.T) {
	for value, want := range map[string][2]bool{"1.0": {true, true}, "-1": {false, true}, "Yes": {true, true}, "0": {false, true}, "2": {}, "": {}} {
		if on, ok := table.Truth(value); on != want[0] || ok != want[1] {
			t.Errorf("%q: %v, %v", value, on, ok)
		}
	}
}

func TestTrueValue(t *testing.T) {
	for _, test := range []struct {
		values []string
		place  int32
		ok     bool
	}{
		{[]string{"0", "1"}, 1, true}, {[]string{"1.0", "0.0"}, 0, true}, {[]string{"-1", "+1"}, 1, true}, {[]string{"NO", "Yes"}, 1, true},
		{[]string{"t", "F"}, 0, true}, {[]string{"0", "yes"}, 0, false}, {[]string{"1", "2"}, 0, false}, {[]string{"1"}, 0, false}, {nil, 0, false},
	} {
		if place, ok := table.TrueValue(test.values); place != test.place || ok != test.ok {
			t.Errorf("%q: %d, %v; want %d, %v", test.values, place, ok, test.place, test.ok)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-1.5e3": -1500, "+.5": 0.5} {
		if v, ok := table.ParseNumber([]byte(text)); !ok || v != want {
			t.Errorf("%q: %v, %v; want %v", text, v, ok, want)
		}
	}
	for _, text := range []string{"", "NaN", "Inf", "1e999", "0x1", "1_0", "1,5", "1 ", "e"} {
		if v, ok := table.ParseNumber([]byte(text)); ok {
			t.Errorf("%q is taken for %v", text, v)
		}
	}
}

// Each value of a field has a code of its own, in the columns that have its name.
func TestFieldCode(t *testing.T) {
	for _, test := range []struct {
		values []string
		names  []string
		codes  [][]float64 // of each value
	}{
		{[]string{"no", "yes"}, []string{"f"}, [][]float64{{0}, {1}}},
		{[]string{"1", "0"}, []string{"f"}, [][]float64{{1}, {0}}},
		{[]string{"a", "b"}, []string{"f=b"}, [][]float64{{0}, {1}}},
		{[]string{"b", "a"}, []string{"f=b"}, [][]float64{{1}, {0}}},
		{[]string{"a"}, []string{"f=a"}, [][]float64{{1}}},
		{[]string{"c", "a", "b"}, []string{"f=c", "f=a", "f=b"}, [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	} {
		f := table.Field{Name: "f", Values: test.values}
		const first = 5
		size := f.LayOut(first)
		names := f.AppendColumnNames(nil)
		if !slices.Equal(names, test.names) || int(f.Width) != len(names) {
			t.Errorf("%q: columns %q of %d; want %q", test.values, names, f.Width, test.names)
		}
		if length := len(strings.Join(names, "")); size > length || size < len(f.Name) {
			t.Errorf("%q: %d bytes of names, not %d", test.values, size, length)
		}
		for place, want := range test.codes {
			got := make([]float64, f.Width)
			column, v := f.Code(float64(place))
			got[column-first] = v
			if !slices.Equal(got, want) {
				t.Errorf("%q: value %d has the code %v, want %v", test.values, place, got, want)
			}
		}
	}
}

func TestImputer(t *testing.T) {
	nan := math.NaN()
	number, name := &table.Field{Name: "n"}, &table.Field{Name: "k", Values: []string{"a", "b", "c"}}
	number.LayOut(0)
	name.LayOut(1)
	fields := []*table.Field{nil, number, name}
	names := name.AppendColumnNames(number.AppendColumnNames(nil))
	x := feature.NewDense(4, [][]float64{{1, 0, 1, 0}, {nan, 0, 0, 1}, {4, nan, 0, 0}, {nan, 0, 0, 1}})
	gaps := []table.Gap{{Field: 1, Pos: 4}, {Field: 2, Pos: 9}, {Field: 1, Pos: 12}}
	fill := &table.Imputer{}
	if err := fill.Complete(x, names, fields, gaps); err != nil {
		t.Fatal(err)
	}
	if want := []float64{1, 0, 1, 0, 2.5, 0, 0, 1, 4, 0, 0, 1, 2.5, 0, 0, 1}; !slices.Equal(x.Value, want) {
		t.Errorf("%v, want %v", x.Value, want)
	}
	if err := fill.Complete(x, names[:3], fields, nil); !errors.Is(err, errs.ErrSettings) {
		t.Errorf("other features: error %v", err)
	}
	short := &table.Imputer{Columns: names, Fill: []float64{1}}
	if err := short.Complete(x, names, fields, nil); !errors.Is(err, errs.ErrSettings) {
		t.Errorf("too few values to fill in: error %v", err)
	}
	var empty table.EmptyField
	all := feature.NewDense(4, [][]float64{{nan, 1, 0, 0}})
	if err := new(table.Imputer).Complete(all, names, fields, gaps[:1]); !errors.As(err, &empty) || empty != 1 {
		t.Errorf("no values at all: error %v", err)
	}
}

func TestClip(t *testing.T) {
	if got := table.Clip("é"); got != `"é"` {
		t.Errorf("a short text becomes %s", got)
	}
	if got := table.Clip(strings.Repeat("é", 100) + "end"); len(got) > 70 || !strings.HasSuffix(got, `é..."`) || strings.Contains(got, "\uFFFD") {
		t.Errorf("a long text becomes %s", got)
	}
	if got := table.Clip("x" + strings.Repeat("é", 100)); strings.Contains(got, `\x`) || strings.Contains(got, "\uFFFD") {
		t.Errorf("a text is cut inside a character: %s", got)
	}
}

func TestAffordable(t *testing.T) {
	if !table.Affordable(16<<20, 0) || table.Affordable(16<<20+1, 0) || !table.Affordable(16<<20+64, 1) || table.Affordable(math.MaxInt64, 1<<30) {
		t.Error("the bound is not 16 MiB and 64 bytes for each byte of text")
	}
}
