package tabular_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// sparseColumns are attributes of a sparse ARFF file: what a row leaves out is 0, or the first value.
var sparseColumns = []struct {
	name   string
	values []string
}{
	{"count", nil}, {"size", nil}, {"bit", []string{"0", "1"}}, {"absent", []string{"1", "0"}},
	{"color", []string{"red", "green", "blue"}}, {"day", []string{"sun", "mon"}}, {"open", []string{"yes", "no"}},
}

// sparseFile returns a sparse ARFF file with one label, and its rows as records.
func sparseFile(rng *rand.Rand, size int) (string, []map[string]any) {
	var text strings.Builder
	text.WriteString("@relation 'sparse: -C -1'\n")
	for _, c := range sparseColumns {
		kind := "numeric"
		if c.values != nil {
			kind = "{" + strings.Join(c.values, ",") + "}"
		}
		fmt.Fprintf(&text, "@attribute %s %s\n", c.name, kind)
	}
	text.WriteString("@attribute label {0,1}\n@data\n")
	var records []map[string]any
	for range size {
		var cells []string
		record := map[string]any{}
		for k, c := range sparseColumns {
			if rng.IntN(2) == 0 {
				continue
			}
			cell := strconv.Itoa(rng.IntN(4) - 1)
			if c.values != nil {
				cell = c.values[rng.IntN(len(c.values))]
			}
			cells = append(cells, fmt.Sprintf("%d %s", k, cell))
			record[c.name] = cell
			if number, err := strconv.ParseFloat(cell, 64); err == nil && rng.IntN(2) == 0 {
				record[c.name] = number
			}
		}
		text.WriteString("{" + strings.Join(cells, ", ") + "}\n")
		records = append(records, record)
	}
	return text.String(), records
}

// TestSparseRecordsAreRows holds what a record of sparse data leaves out to what the file's
// rows leave out, as do CSV files that lack columns, with the saved model.
func TestSparseRecordsAreRows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 3))
	for range 50 {
		text, records := sparseFile(rng, 12)
		ds, err := crankpkg.ParseARFF(strings.NewReader(text), "x.arff", crankpkg.ARFFOptions{LabelCount: -1})
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		model, p := predictorOf(t, ds)
		for m, record := range records {
			x, err := p.EncodeRecord(record)
			if err != nil || !reflect.DeepEqual(x, ds.Row(m)) && !sameEmpty(x, ds.Row(m)) {
				t.Fatalf("row %d, %v: %v, error %v, want %v in\n%s", m, record, x, err, ds.Row(m), text)
			}
			if len(record) == 0 {
				continue
			}
			var header, cells []string
			for name, value := range record {
				header, cells = append(header, name), append(cells, fmt.Sprint(value))
			}
			file := strings.Join(header, ",") + "\n" + strings.Join(cells, ",") + "\n"
			rows, err := tabular.ParseCSV(strings.NewReader(file), "y.csv", tabular.CSVOptions{FeaturesOnly: true, Coding: tabular.CodingOf(model)})
			if err != nil || !slices.Equal(rows.FeatureNames, ds.FeatureNames) || !reflect.DeepEqual(rows.Row(0), x) && !sameEmpty(rows.Row(0), x) {
				t.Fatalf("%s: %+v, error %v, want %v", file, rows, err, x)
			}
		}
	}
}

// TestSparseRefuses holds sparse data to what stays an error, and dense data to its columns.
func TestSparseRefuses(t *testing.T) {
	t.Parallel()
	sparse, err := tabular.ParseLIBSVM(strings.NewReader("1 0:2 3:1\n0 2:1\n"), "x.txt", tabular.LIBSVMOptions{})
	if err != nil {
		t.Fatal(err)
	}
	model, p := predictorOf(t, sparse)
	if x, err := p.EncodeRecord(map[string]any{"x3": 1, "x0": 2.0}); err != nil || !reflect.DeepEqual(x, sparse.Row(0)) {
		t.Errorf("%v, error %v, want %v", x, err, sparse.Row(0))
	}
	for record, in := range map[string]map[string]any{
		`column "x9" is unknown`:              {"x9": 1, "x0": 1},
		`column "x1": it is missing`:          {"x1": nil},
		`column "x2": "much" is not a finite`: {"x2": "much"},
	} {
		if _, err := p.EncodeRecord(in); !errors.Is(err, crankpkg.ErrData) || !strings.Contains(err.Error(), record) {
			t.Errorf("%v: %v, want %s", in, err, record)
		}
	}
	coded := tabular.CSVOptions{FeaturesOnly: true, Coding: tabular.CodingOf(model)}
	for _, text := range []string{"x0,z\n1,2\n", "x0,x1\n1,?\n"} {
		if _, err := tabular.ParseCSV(strings.NewReader(text), "y.csv", coded); !errors.Is(err, crankpkg.ErrData) {
			t.Errorf("%q: %v", text, err)
		}
	}
	dense, err := tabular.ParseCSV(strings.NewReader("a,b,l\n0,1,1\n0,0,0\n"), "x.csv", tabular.CSVOptions{LabelCount: -1})
	if err != nil {
		t.Fatal(err)
	}
	denseModel, q := predictorOf(t, dense)
	if _, err := q.EncodeRecord(map[string]any{"a": 1}); err == nil {
		t.Error("a dense record without a column is taken")
	}
	if _, err := tabular.ParseCSV(strings.NewReader("a\n1\n"), "y.csv", tabular.CSVOptions{FeaturesOnly: true, Coding: tabular.CodingOf(denseModel)}); err == nil {
		t.Error("a dense file without a column is taken")
	}
}

// TestSparseCodingMoves puts features into another order: records mean what they did, or are
// refused where a column's first value is no longer first.
func TestSparseCodingMoves(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 4))
	text, records := sparseFile(rng, 30)
	ds, err := crankpkg.ParseARFF(strings.NewReader(text), "x.arff", crankpkg.ARFFOptions{LabelCount: -1})
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for range 200 {
		names := slices.Clone(ds.FeatureNames)
		i, j := rng.IntN(len(names)), rng.IntN(len(names))
		names[i], names[j] = names[j], names[i]
		moved, err := ds.MatchNames(names, ds.LabelNames)
		if err != nil {
			t.Fatal(err)
		}
		_, p := predictorOf(t, moved)
		for m, record := range records {
			x, err := p.EncodeRecord(record)
			if err != nil {
				continue
			}
			if kept++; !reflect.DeepEqual(x, moved.Row(m)) && !sameEmpty(x, moved.Row(m)) {
				t.Fatalf("%v: %v, want %v", record, x, moved.Row(m))
			}
		}
	}
	if kept < 1000 {
		t.Errorf("%d records are taken: the test is poor", kept)
	}
}
