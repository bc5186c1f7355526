package csvdata_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// shuffledTable returns a table of some of these columns, in a random order; row m of a column has the cell that cell gives.
func shuffledTable(rng *rand.Rand, columns []string, rows int, cell func(column string, m int) string) string {
	columns = slices.Clone(columns)
	rng.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	var b strings.Builder
	b.WriteString(strings.Join(columns, ",") + "\n")
	for m := range rows {
		var cells []string
		for _, c := range columns {
			cells = append(cells, cell(c, m))
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

// Columns that the first file left out may come again, some or all, in any order, or stay away: the rows are the same, and the data
// say which there were. Other columns are refused as before.
func TestDroppedColumnsComeAgain(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	features := []string{"a", "b", "city"}
	cell := func(column string, m int) string {
		switch column {
		case "city":
			return []string{"Rome", "Oslo", "Lima"}[m%3]
		case "l":
			return fmt.Sprint(m % 2)
		case "name", "":
			return fmt.Sprintf("n%d", m)
		}
		return fmt.Sprint(m*m%7 + len(column))
	}
	for range 50 {
		drop := []string{"id", "name", ""}[:1+rng.IntN(3)]
		var coding tabular.Coding
		opts := tabular.CSVOptions{Labels: []string{"l"}, Drop: drop, Coding: &coding}
		used := features[rng.IntN(3):] // with or without names, so that the coding is plain or not
		if rng.IntN(3) == 0 {
			used = features[:2]
		}
		all := append(slices.Concat(used, drop), "l")
		first, err := parse(shuffledTable(rng, all, 8, cell), opts)
		if err != nil {
			t.Fatal(err)
		}
		sorted := func(names []string) []string { return slices.Sorted(slices.Values(names)) }
		if !slices.Equal(sorted(first.Coding.Dropped), sorted(drop)) || !slices.Equal(coding.Features.Dropped, first.Coding.Dropped) {
			t.Fatalf("dropped %q, the data say %q and the coding %q", drop, first.Coding.Dropped, coding.Features.Dropped)
		}
		back := drop[:rng.IntN(len(drop)+1)]
		opts.Drop = nil
		again, err := parse(shuffledTable(rng, append(slices.Concat(used, back), "l"), 8, cell), opts)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(sorted(again.Coding.Dropped), sorted(back)) || !reflect.DeepEqual(again.X, first.X) || !slices.Equal(again.Y, first.Y) {
			t.Errorf("with %q again: %v, want %v without %q", back, again, first, again.Coding.Dropped)
		}
		if _, err := parse(shuffledTable(rng, append(slices.Concat(used, back), "l", "other"), 8, cell), opts); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), `"other"`) {
			t.Errorf("another column: error %v", err)
		}
	}
}

// Columns that are dropped may have the same name, as those without one behind the last of a spreadsheet.
func TestDroppedTwice(t *testing.T) {
	t.Parallel()
	const text = "a,x,l,x,,\n1,7,0,8,,\n2,9,1,7,,\n"
	ds, err := parse(text, tabular.CSVOptions{Labels: []string{"l"}, Drop: []string{"x", ""}})
	if err != nil || !slices.Equal(ds.FeatureNames, []string{"a"}) || !slices.Equal(ds.Coding.Dropped, []string{"x", ""}) {
		t.Errorf("%+v, error %v", ds, err)
	}
	for _, drop := range [][]string{nil, {""}, {"x"}} {
		if _, err := parse(text, tabular.CSVOptions{Labels: []string{"l"}, Drop: drop}); !errors.Is(err, errs.ErrData) {
			t.Errorf("without %q: error %v", drop, err)
		}
	}
}

// A label in a list may be called as a column that is dropped, which is no column of labels: rows to predict on are the same with it
// and without, and rows with labels want the list. Only a drop of the caller's own can contradict a label, and not in rows to predict on.
func TestDroppedIsNamedAsALabel(t *testing.T) {
	t.Parallel()
	var coding tabular.Coding
	list := tabular.CSVOptions{LabelColumn: "tags", Separator: " ", Drop: []string{"id"}, Coding: &coding}
	const lists = "id,age,tags\n7,1,id b\n8,2,b\n9,3,\n"
	first, err := parse(lists, list)
	if err != nil {
		t.Fatal(err)
	}
	list.Drop = nil
	if again, err := parse(lists, list); err != nil || !slices.Equal(again.Y, first.Y) || !slices.Equal(again.LabelNames, []string{"b", "id"}) {
		t.Errorf("the list again: %v, error %v", again, err)
	}
	for _, text := range []string{"age\n1\n2\n3\n", "id,age\n7,1\n8,2\n9,3\n", "age,id\n1,\n2,\n3,x\n", "b,age,id\n1,1,0\n,2,\n?,3,1\n"} {
		for _, drop := range [][]string{nil, {"id"}, {"b"}, {"b", "id"}} {
			rows, err := parse(text, tabular.CSVOptions{FeaturesOnly: true, Coding: &coding, Drop: drop})
			if err != nil || !rows.Unlabeled || !reflect.DeepEqual(rows.X, first.X) || !slices.Equal(rows.LabelNames, first.LabelNames) {
				t.Errorf("%q without %q: %v, error %v", text, drop, rows, err)
			}
		}
	}
	for text, said := range map[string]string{
		"id,age\n7,1\n":     `there is no label column "b"`,
		"id,age,b\n7,1,0\n": `there is no label column "id": the column of that name is left out, as in the first file`,
	} {
		if _, err := parse(text, tabular.CSVOptions{Coding: &coding}); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), said) {
			t.Errorf("%q: error %v, want %s", text, err, said)
		}
	}
	for _, opts := range []tabular.CSVOptions{{Coding: &coding}, {LabelCount: -1}} {
		opts.Drop = []string{"b"}
		if _, err := parse("id,age,b\n7,1,0\n", opts); err == nil || !strings.Contains(err.Error(), `label "b" is dropped too`) {
			t.Errorf("%+v: error %v", opts, err)
		}
	}
}

// A feature cannot be dropped later.
func TestDroppedFeature(t *testing.T) {
	t.Parallel()
	var coding tabular.Coding
	opts := tabular.CSVOptions{Labels: []string{"l"}, Coding: &coding}
	if _, err := parse("a,b,l\n1,2,0\n", opts); err != nil {
		t.Fatal(err)
	}
	opts.Drop = []string{"a"}
	if _, err := parse("a,b,l\n1,2,0\n", opts); !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), `some.csv: column "a" is a feature`) {
		t.Errorf("error %v", err)
	}
}

// Every error about a column that is not there says what may have been meant, and the first columns where nothing is near.
func TestColumnsThatMayBeMeant(t *testing.T) {
	t.Parallel()
	const text = "age,income,buys_tea,tags,l\n1,2,0,x,1\n3,4,1,y,0\n"
	var coding tabular.Coding
	if _, err := parse(strings.ReplaceAll(text, "income", "incomes"), tabular.CSVOptions{Labels: []string{"l"}, Coding: &coding}); err != nil {
		t.Fatal(err)
	}
	later := func(text string, sparse bool) error {
		fitted := coding
		fitted.Features.Sparse = sparse
		_, err := parse(text, tabular.CSVOptions{FeaturesOnly: true, Coding: &fitted})
		return err
	}
	cells := func(column string) error {
		_, err := tabular.ParseCells(strings.NewReader(text), "some.csv", column, tabular.CSVOptions{})
		return err
	}
	of := func(opts tabular.CSVOptions) error {
		_, err := parse(text, opts)
		return err
	}
	labels := []string{"l"}
	for name, c := range map[string]struct {
		err  error
		near string // "" is none
	}{
		"label":         {of(tabular.CSVOptions{Labels: []string{"buys_tee"}}), `"buys_tea"`},
		"label, far":    {of(tabular.CSVOptions{Labels: []string{"customer"}}), ""},
		"drop":          {of(tabular.CSVOptions{Labels: labels, Drop: []string{"Income"}}), `"income"`},
		"drop, far":     {of(tabular.CSVOptions{Labels: labels, Drop: []string{"customer"}}), ""},
		"nominal":       {of(tabular.CSVOptions{Labels: labels, Nominal: []string{"aeg"}}), `"age"`},
		"list":          {of(tabular.CSVOptions{LabelColumn: "tag"}), `"tags"`},
		"list, far":     {of(tabular.CSVOptions{LabelColumn: "genres"}), ""},
		"cells":         {cells("agee"), `"age"`},
		"cells, far":    {cells("customer"), ""},
		"sparse rows":   {later("age,income,buys_tea,tags\n1,2,0,x\n", true), `"incomes"`},
		"later feature": {of(tabular.CSVOptions{Coding: &coding}), `"income"`},
	} {
		switch {
		case c.err == nil || !strings.Contains(c.err.Error(), "some.csv: "):
			t.Errorf("%s: error %v", name, c.err)
		case c.near != "" && !strings.HasSuffix(c.err.Error(), "; the nearest: "+c.near):
			t.Errorf("%s: error %v, want %s", name, c.err, c.near)
		case c.near == "" && !strings.HasSuffix(c.err.Error(), `; there are 5 columns: "age, income, buys_tea, tags, l"`):
			t.Errorf("%s: error %v", name, c.err)
		}
	}
}

// A column that is asked for by name is one: which of two is meant cannot be told, whatever the others are called.
func TestCellsOfColumnsOfOneName(t *testing.T) {
	t.Parallel()
	for column, said := range map[string]string{"id": `columns 1 and 3 are both called "id"`, "a": ""} {
		_, err := tabular.ParseCells(strings.NewReader("id,a,id,x,x\n1,2,3,4,5\n"), "some.csv", column, tabular.CSVOptions{})
		if said == "" && err != nil || said != "" && (!errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), "some.csv: "+said)) {
			t.Errorf("%s: error %v, want %q", column, err, said)
		}
	}
}
