package table_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/table"
)

// shop is a coding of columns of all kinds, and names are those of its features.
func shop() (c table.Coding, names []string) {
	return table.Coding{Missing: table.UsualMissing(), Columns: []table.Column{
		{Name: "income", Fill: []float64{38.5}},
		{Name: "member", Values: []string{"yes", "no"}},
		{Name: "card", Values: []string{"none", "card"}, Fill: []float64{1}},
		{Name: "city", Values: []string{"Rome", "Lima", "Oslo"}, Fill: []float64{0, 1, 0}},
		{Name: "one", Values: []string{"only"}},
		{Name: "age"},
	}}, []string{"income", "member", "card=none", "city=Rome", "city=Lima", "city=Oslo", "one=only", "age"}
}

func TestCodingCheck(t *testing.T) {
	t.Parallel()
	c, names := shop()
	if err := c.Check(names); err != nil {
		t.Fatal(err)
	}
	if err := new(table.Coding).Check(names); err != nil {
		t.Errorf("the zero coding: %v", err)
	}
	if c.Dropped = []string{"id", "", "city=Rome"}; c.Check(names) != nil {
		t.Error(c.Check(names))
	}
	if err := (&table.Coding{Dropped: []string{"id", "age"}}).Check(names); err == nil || !strings.Contains(err.Error(), `column "age" is a feature, and dropped too`) {
		t.Errorf("a feature that is dropped: %v", err)
	}
	for in, change := range map[string]func(){
		`column "age" is a feature, and dropped too`:       func() { c.Dropped = append(c.Dropped, "age") },
		`column "id" is dropped twice`:                     func() { c.Dropped = []string{"id", "key", "id"} },
		`two columns are called "income"`:                  func() { c.Columns[5].Name = "income" },
		`"member": no values`:                              func() { c.Columns[1].Values = []string{} },
		`"card": value "none" is there twice`:              func() { c.Columns[2].Values[1] = "none" },
		`"city": 2 values to fill in for 3`:                func() { c.Columns[3].Fill = []float64{0, 1} },
		`"income": NaN to fill in`:                         func() { c.Columns[0].Fill[0] = math.NaN() },
		`"card": -Inf to fill in`:                          func() { c.Columns[2].Fill[0] = math.Inf(-1) },
		`"city" does not become the feature at position 4`: func() { c.Columns[3].Values[1] = "Lisbon" },
		`"one" does not become the feature at position 6`:  func() { c.Columns[4].Values[0] = "onl" },
		`"age" does not become the feature at position 7`:  func() { names = names[:7] },
		`columns of 8 features for 9`:                      func() { names = append(names, "more") },
		`"card" does not become the feature at position 2`: func() { names[2] = "card=card" },
	} {
		change()
		if err := c.Check(names); err == nil || !strings.Contains(err.Error(), in) {
			t.Errorf("error %v, want one that says %s", err, in)
		}
		c, names = shop()
	}
}

// A clone shares no memory: spoiling it leaves the original alone.
func TestCodingClone(t *testing.T) {
	t.Parallel()
	c, _ := shop()
	c.Dropped = []string{"id"}
	clone := c.Clone()
	if !reflect.DeepEqual(clone, c) {
		t.Errorf("%+v, want %+v", clone, c)
	}
	clone.Dropped[0] = "x"
	clone.Missing[0], clone.Columns[0].Name, clone.Columns[3].Values[0], clone.Columns[3].Fill[0] = "x", "x", "x", 9
	want, _ := shop()
	if want.Dropped = []string{"id"}; !reflect.DeepEqual(c, want) {
		t.Errorf("%+v changed with its clone", c)
	}
}

func TestCodingAgree(t *testing.T) {
	t.Parallel()
	c, _ := shop()
	other, _ := shop()
	slices.Reverse(other.Columns[1].Values) // the name of the feature tells which is 1
	if err := c.Agree(&other); err != nil {
		t.Error(err)
	}
	if err := c.Agree(new(table.Coding)); err != nil {
		t.Error(err)
	}
	for in, change := range map[string]func(){
		"6 and 5 columns":                              func() { other.Columns = other.Columns[:5] },
		`column "age" and "years"`:                     func() { other.Columns[5].Name = "years" },
		`column "city" has other values`:               func() { slices.Reverse(other.Columns[3].Values) },
		`column "income" has other values for missing`: func() { other.Columns[0].Fill[0]++ },
		`column "age" has other values for missing`:    func() { other.Columns[5].Fill = []float64{0} },
		`other missing cells`:                          func() { other.Missing = nil },
		`decimal commas`:                               func() { other.DecimalComma = true },
	} {
		other, _ = shop()
		change()
		if err := c.Agree(&other); err == nil || !strings.Contains(err.Error(), in) {
			t.Errorf("error %v, want one that says %s", err, in)
		}
	}
}

// A coding that is reordered gives the same values under the same names.
func TestCodingReordered(t *testing.T) {
	t.Parallel()
	c, names := shop()
	rnd := rand.New(rand.NewPCG(5, 6))
	records := []map[string]any{
		{"income": 3, "member": "no", "card": "none", "city": "Oslo", "one": "only", "age": 7},
		{"member": "yes", "card": "card", "city": nil, "one": "only", "age": -1},
	}
	for range 50 {
		var order []string
		for _, k := range rnd.Perm(6) {
			block := [][]string{{"income"}, {"member"}, {"card=none"}, {"city=Rome", "city=Lima", "city=Oslo"}, {"one=only"}, {"age"}}[k]
			rnd.Shuffle(len(block), func(a, b int) { block[a], block[b] = block[b], block[a] })
			order = append(order, block...)
		}
		moved := c.Reordered(order)
		if err := moved.Check(order); err != nil || len(moved.Columns) != 6 {
			t.Fatalf("%q: %+v, error %v", order, moved, err)
		}
		for _, record := range records {
			x, err := table.NewEncoder(&c, names).Record(record)
			y, err2 := table.NewEncoder(&moved, order).Record(record)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			for k, name := range order {
				if want := x.Value[slices.Index(names, name)]; y.Value[k] != want {
					t.Errorf("%q of %v is %v, want %v", name, record, y.Value[k], want)
				}
			}
		}
	}
	for _, order := range [][]string{
		{"income", "member", "card=none", "city=Rome", "age", "city=Lima", "city=Oslo", "one=only"},
		{"income", "member", "card=none", "city=Rome", "city=Lima"},
		{"income", "weight"},
	} {
		if moved := c.Reordered(order); len(moved.Columns) > 0 {
			t.Errorf("%q: %+v", order, moved)
		}
	}
	var none table.Coding
	if moved := none.Reordered(names); len(moved.Columns) > 0 {
		t.Errorf("no coding becomes %+v", moved)
	}
}

// A coding that a hostile hand has written does not make names that fill the memory. (It
// measures the whole process, so nothing runs beside it.)
func TestCodingCheckIsCheap(t *testing.T) {
	values := make([]string, 20000)
	for k := range values {
		values[k] = strconv.Itoa(k)
	}
	c := table.Coding{Columns: []table.Column{{Name: strings.Repeat("n", 1<<16), Values: values}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := c.Check([]string{"n"})
	runtime.ReadMemStats(&after)
	if size := after.TotalAlloc - before.TotalAlloc; err == nil || size > 16<<20 {
		t.Errorf("error %v after %d bytes", err, size)
	}
}

// Columns that one set of rows left out stay left out of both, and are left out however the features are ordered.
func TestCodingKeepsWhatWasDropped(t *testing.T) {
	t.Parallel()
	shop, names := shop()
	plain, shop2 := table.Coding{Dropped: []string{"id", "key"}}, shop.Clone()
	shop2.Dropped = []string{"key", "day"}
	for _, c := range []struct {
		a, b    table.Coding
		want    []string
		columns int
	}{
		{plain, table.Coding{}, []string{"id", "key"}, 0},
		{table.Coding{}, plain, []string{"id", "key"}, 0},
		{plain, shop2, []string{"id", "key", "day"}, len(shop.Columns)},
		{shop2, plain, []string{"key", "day", "id"}, len(shop.Columns)},
		{table.Coding{Dropped: []string{"city"}}, shop, nil, len(shop.Columns)},
	} {
		joined := c.a.Joined(&c.b)
		if !slices.Equal(joined.Dropped, c.want) || len(joined.Columns) != c.columns {
			t.Errorf("%v and %v become %v with %d columns", c.a.Dropped, c.b.Dropped, joined.Dropped, len(joined.Columns))
		}
	}
	apart := slices.Clone(names)
	apart[3], apart[7] = apart[7], apart[3] // a city between others
	for _, order := range [][]string{names, apart} {
		if got := shop2.Reordered(order).Dropped; !slices.Equal(got, shop2.Dropped) {
			t.Errorf("reordered, %v is dropped", got)
		}
	}
}
