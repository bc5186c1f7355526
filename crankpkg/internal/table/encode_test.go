package table_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
)

// full is a record that shop encodes, with one cell replaced.
func full(name string, cell any) map[string]any {
	record := map[string]any{"income": 1, "member": "no", "card": "card", "city": "Rome", "one": "only", "age": 2}
	record[name] = cell
	return record
}

type (
	euros float32
	town  string
	flag  bool
)

func TestEncoderCells(t *testing.T) {
	t.Parallel()
	c, names := shop()
	c.Columns = append(c.Columns, table.Column{Name: "zone", Values: []string{"1", "2.0", "10"}})
	names = append(names, "zone=1", "zone=2.0", "zone=10")
	e := table.NewEncoder(&c, names)
	base := []float64{1, 0, 0, 1, 0, 0, 1, 2, 0, 1, 0}
	for _, test := range []struct {
		name string
		cell any
		at   int // the first feature that changes
		want []float64
	}{
		{"income", -2.5, 0, []float64{-2.5}}, {"income", int8(-3), 0, []float64{-3}}, {"income", uint64(7), 0, []float64{7}},
		{"income", float32(0.5), 0, []float64{0.5}}, {"income", euros(2), 0, []float64{2}}, {"income", " 1e3 ", 0, []float64{1000}},
		{"income", json.Number("12.5"), 0, []float64{12.5}}, {"income", true, 0, []float64{1}}, {"income", false, 0, []float64{0}},
		{"income", nil, 0, []float64{38.5}}, {"income", math.NaN(), 0, []float64{38.5}}, {"income", "nan", 0, []float64{38.5}}, {"income", "NA", 0, []float64{38.5}},
		{"member", "yes", 1, []float64{1}}, {"member", true, 1, []float64{1}}, {"member", flag(true), 1, []float64{1}},
		{"card", "none", 2, []float64{1}}, {"card", nil, 2, []float64{1}},
		{"city", "Oslo", 3, []float64{0, 0, 1}}, {"city", town(" Oslo\n"), 3, []float64{0, 0, 1}}, {"city", "?", 3, []float64{0, 1, 0}},
		{"zone", 1, 8, []float64{1, 0, 0}}, {"zone", 10.0, 8, []float64{0, 0, 1}}, {"zone", 2, 8, []float64{0, 1, 0}},
		{"zone", json.Number("10"), 8, []float64{0, 0, 1}}, {"zone", json.Number("1.0"), 8, []float64{1, 0, 0}}, {"zone", true, 8, []float64{1, 0, 0}},
	} {
		record := full("zone", 2)
		record[test.name] = test.cell
		want := slices.Clone(base)
		copy(want[test.at:], test.want)
		if x, err := e.Record(record); err != nil || x.Index != nil || !slices.Equal(x.Value, want) {
			t.Errorf("%s: %#v: %v, error %v, want %v", test.name, test.cell, x.Value, err, want)
		}
	}
}

func TestEncoderRefuses(t *testing.T) {
	t.Parallel()
	c, names := shop()
	e := table.NewEncoder(&c, names)
	for _, test := range []struct {
		name string
		cell any
		in   string
	}{
		{"weight", 1, `column "weight" is unknown`},
		{"age", nil, `column "age": it is missing, and nothing fills it in`},
		{"age", "", `column "age": it is missing`},
		{"member", "?", `column "member": it is missing`},
		{"age", math.NaN(), `column "age": NaN is not`},
		{"age", math.Inf(1), `column "age": +Inf is not a finite number`},
		{"income", math.Inf(-1), `column "income": -Inf is not a finite number`},
		{"age", "old", `column "age": "old" is not a finite number`},
		{"age", "Inf", `column "age": "Inf" is not a finite number`},
		{"age", "1e999", `column "age": "1e999" is not a finite number`},
		{"age", json.Number("1e999"), `column "age": "1e999" is not a finite number`},
		{"age", "1,5", `column "age": "1,5" is not a finite number`},
		{"age", []int{1}, `column "age": a []int is neither`},
		{"age", map[string]any{}, `column "age": a map[string]interface {} is neither`},
		{"age", 1i, `column "age": a complex128 is neither`},
		{"city", "Paris", `column "city": "Paris" is none of the values "{Rome,Lima,Oslo}"`},
		{"city", "rome", `column "city": "rome" is none of the values`},
		{"city", 3, `column "city": "3" is none of the values`},
		{"city", true, `column "city": "true" is none of the values`},
		{"member", math.Inf(1), `column "member": +Inf`},
	} {
		if x, err := e.Record(full(test.name, test.cell)); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), test.in) || x.Value != nil {
			t.Errorf("%s: %#v: %v, error %v, want one that says %s", test.name, test.cell, x, err, test.in)
		}
	}
	record := full("age", 1)
	delete(record, "age")
	if _, err := e.Record(record); err == nil || !strings.Contains(err.Error(), `column "age": it is missing`) {
		t.Errorf("a column left out: error %v", err)
	}
	if _, err := e.Record(map[string]any{"z": 1, "b": 1, "age": 1, "member": "no", "one": "only"}); err == nil || !strings.Contains(err.Error(), `"b" is unknown`) {
		t.Errorf("two unknown columns: error %v, want the first by name", err)
	}
	if _, err := table.NewEncoder(new(table.Coding), []string{"a", "a"}).Record(map[string]any{"a": 1}); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), `two columns are called "a"`) {
		t.Errorf("two features of one name: error %v", err)
	}
}

func TestEncoderLines(t *testing.T) {
	t.Parallel()
	c, names := shop()
	c.DecimalComma = true
	e := table.NewEncoder(&c, names)
	x, err := e.Cells([]string{" 1,5", "no", "none", "?", "only", "7"})
	if want := []float64{1.5, 0, 1, 0, 1, 0, 1, 7}; err != nil || !slices.Equal(x.Value, want) {
		t.Errorf("%v, error %v, want %v", x.Value, err, want)
	}
	for in, line := range map[string]string{
		`2 cells for 6 columns; "card" is the first without one`: "1 no",
		`7 cells for 6 columns`:                                  "1 no none Rome only 7 8",
		`column "one": "two" is none of the values "{only}"`:     "1 no none Rome two 7",
		`column "age": it is missing`:                            "1 no none Rome only ?",
	} {
		if _, err := e.Cells(strings.Fields(line)); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), in) {
			t.Errorf("%s: error %v, want one that says %s", line, err, in)
		}
	}
}

// What is unseen is 0 in all columns where the coding says so, and refused elsewhere.
func TestEncoderIgnoresUnseen(t *testing.T) {
	t.Parallel()
	c, names := shop()
	c.IgnoreUnseen = true
	x, err := table.NewEncoder(&c, names).Record(full("city", "Paris"))
	if want := []float64{1, 0, 0, 0, 0, 0, 1, 2}; err != nil || !slices.Equal(x.Value, want) {
		t.Errorf("%v, error %v, want %v", x.Value, err, want)
	}
	if _, err := table.NewEncoder(&c, names).Record(full("age", "old")); err == nil {
		t.Error("a text among numbers is ignored")
	}
}

// A table that becomes far wider gives sparse rows, in which what is filled in stands as
// readers have it.
func TestEncoderSparse(t *testing.T) {
	t.Parallel()
	values := strings.Split("abcdefghijkl", "")
	fill := make([]float64, len(values))
	fill[3] = 1
	c := table.Coding{Columns: []table.Column{{Name: "n", Fill: []float64{0}}, {Name: "k", Values: values, Fill: fill}}}
	e := table.NewEncoder(&c, make([]string, 13))
	for _, test := range []struct {
		record map[string]any
		index  []int32
		value  []float64
	}{
		{map[string]any{"n": 0, "k": "c"}, []int32{3}, []float64{1}},
		{map[string]any{"n": 2, "k": "a"}, []int32{0, 1}, []float64{2, 1}},
		{map[string]any{}, []int32{0, 4}, []float64{0, 1}},
	} {
		x, err := e.Record(test.record)
		if err != nil || !reflect.DeepEqual(x.Index, test.index) || !slices.Equal(x.Value, test.value) {
			t.Errorf("%v: %v, error %v", test.record, x, err)
		}
	}
}

func BenchmarkEncoderRecord(b *testing.B) {
	c, names := shop()
	e := table.NewEncoder(&c, names)
	record := full("city", "Oslo")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Record(record); err != nil {
			b.Fatal(err)
		}
	}
}
