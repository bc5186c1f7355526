package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// A model is saved before anything is told of it, so that a reader of that who goes away does not lose it.
func TestModelIsSavedBeforeItIsTold(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	table, model := f.write("a.csv", "a,y_1,y_2\n1,1,0\n2,0,1\n3,1,1\n"), f.file("a.model")
	var out asksFor
	out.path = model
	var log strings.Builder
	if status := run(context.Background(), []string{"train", "-lambda", "1", "-prefix", "y_", "-o", model, table}, nil, &out, &log); status != 0 || !out.there {
		t.Errorf("status %d, there is a model when it is described: %v; %s", status, out.there, log.String())
	}
}

// asksFor notes whether there is a file when a method is told of.
type asksFor struct {
	path  string
	there bool
}

func (w *asksFor) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte("CRANK: lambda")) {
		_, err := os.Stat(w.path)
		w.there = err == nil
	}
	return len(text), nil
}

// A table with tabs is read like one with commas, by its name.
func TestTablesWithTabs(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	train, _ := plantedShop()
	var b bytes.Buffer
	if err := tabular.WriteCSV(&b, train); err != nil {
		t.Fatal(err)
	}
	f.write("a.csv", b.String())
	f.write("a.tsv", strings.ReplaceAll(b.String(), ",", "\t"))
	said := map[string][]string{}
	for _, name := range []string{"a.csv", "a.tsv"} {
		model := f.file(name + ".model")
		labels := strings.Join(train.LabelNames, ",")
		must(t, "train", "-lambda", "0.02", "-labels", labels, "-o", model, f.file(name))
		must(t, "convert", "-labels", labels, f.file(name), f.file(name+".arff"))
		said[name] = []string{f.read(name + ".model"), must(t, "predict", "-id", train.FeatureNames[0], model, f.file(name)), must(t, "evaluate", model, f.file(name)), f.read(name + ".arff")}
	}
	if !slices.Equal(said["a.csv"], said["a.tsv"]) {
		t.Errorf("%q", said)
	}
	if status, _, log := call("convert", "-count", "-1", f.file("a.csv"), f.file("b.tsv")); status != 2 || !strings.Contains(log, "tells no format") {
		t.Errorf("status %d, %q", status, log)
	}
}

// What -comma says stands between cells, whatever the name of the file and its first line tell, and a first line tells it whatever the
// name tells, in all that reads a table, compressed ones too.
func TestCommasAreTold(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	const table = "id,a,l\nk1,1,0\nk2,2,1\nk3,4,1\n"
	model := f.file("a.model")
	must(t, "train", "-lambda", "1", "-labels", "l", "-drop", "id", "-o", model, f.write("a.csv", table))
	want := must(t, "predict", "-id", "id", model, f.file("a.csv"))
	for _, name := range []string{"x.csv", "x.tsv", "X.TSV.gz"} {
		for _, comma := range []string{",", ";", "\t", "|"} {
			for _, first := range []string{"", "sep=,\n", "sep=;\n"} {
				text := first + strings.ReplaceAll(table, ",", comma)
				if strings.HasSuffix(name, ".gz") {
					text = zipped(t, text)
				}
				path := f.write(name, text)
				told := "," // when no flag does
				if first != "" {
					told = first[4:5]
				} else if name != "x.csv" {
					told = "\t"
				}
				for _, args := range [][]string{{}, {"-comma", comma}} {
					status, out, log := call(slices.Concat([]string{"predict", "-id", "id"}, args, []string{model, path})...)
					if good := len(args) > 0 || comma == told; good != (status == 0 && out == want) {
						t.Errorf("%s: %q %q: status %d, %q, %q", name, text, args, status, out, log)
					}
					status, _, log = call(slices.Concat([]string{"train", "-lambda", "1", "-folds", "3", "-labels", "l", "-group", "id"}, args, []string{path})...)
					if good := len(args) > 0 || comma == told; good != (status == 0) {
						t.Errorf("%s: %q %q: train: status %d, %q", name, text, args, status, log)
					}
				}
			}
		}
	}
	for comma, want := range map[string]string{",": "Comma: ','", ";": "Comma: ';'"} {
		path := f.write("n.tsv", strings.ReplaceAll(table, ",", comma))
		notebook := f.file("n" + comma + ".ipynb")
		must(t, "new", "-module", "../..", "-csv", path, "-comma", comma, "-labels", "l", "-drop", "id", notebook)
		if !strings.Contains(f.read(filepath.Base(notebook)), want) {
			t.Errorf("no %s in the notebook", want)
		}
	}
}

// zipped compresses a text.
func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Names with commas can be listed.
func TestNamesWithCommas(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		"": nil, "a,b": {"a", "b"}, `"a, b",c`: {"a, b", "c"}, `c,"say ""a"", b"`: {"c", `say "a", b`}, `5"`: {`5"`}, ",a": {"", "a"}, `"a`: {`"a`},
	} {
		if got := split(list); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", list, got, want)
		}
	}
	f := newShellFolder(t)
	for _, name := range []string{"key, long", `"id"`, `"`, `id"`, `"a, b", c`} {
		var b strings.Builder
		b.WriteString(`"` + strings.ReplaceAll(name, `"`, `""`) + "\",a,l\n")
		for m := range 12 {
			fmt.Fprintf(&b, "k%d,%d,%d\n", m, m%3, m%2)
		}
		table := f.write("a.csv", b.String())
		_, _, log := call("train", "-lambda", "1", "-labels", "l", table)
		_, after, _ := strings.Cut(log, "-drop '")
		list, _, found := strings.Cut(after, "'")
		if !found {
			t.Fatalf("no list in %q", log)
		}
		must(t, "train", "-lambda", "1", "-labels", "l", "-drop", list, table)
	}
}

// A list of any names is taken back as these names.
func TestListsOfNames(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 8))
	for range 5000 {
		names := make([]string, 1+rng.IntN(3))
		var listed []string
		for k := range names {
			for range rng.IntN(5) {
				names[k] += string([]rune("a\",' \n;")[rng.IntN(7)])
			}
			listed = append(listed, inList(names[k]))
		}
		list := strings.Join(listed, ",")
		if got := split(list); !slices.Equal(got, names) && list != "" {
			t.Fatalf("%q: %q, want %q", list, got, names)
		}
	}
}

// A header of numbers is one where these count the columns, wherever the labels stand, what is dropped among them; other numbers seem
// to be a row, in a table without another kind of header.
func TestHeadersOfNumbers(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	const rows = "yes,1,0,yes\nno,0,1,no\n"
	for header, counts := range map[string]bool{
		"1,2,3,4": true, "0,1,2,3": true, "4,3,2,1": true, "3,1,0,2": true, "1,2,3,x": true, "2,3,4,5": false, "0,1,2,4": false, "-1,0,1,2": false,
		"10,20,30,40": false, "0.5,1,2,3": false, "3,0.5,1,0": false, "1900,x,1901,1902": true,
	} {
		table := f.write("a.csv", header+"\n"+rows)
		names := strings.Split(header, ",")
		for _, args := range [][]string{
			{"-count", "2"}, {"-count", "-2"}, {"-count", "-2", "-drop", names[0]}, {"-count", "-1", "-drop", names[1]},
			{"-labels", names[2]}, {"-labels", names[2], "-drop", names[0] + "," + names[3]}, {"-labels", names[2], "-nominal", names[1]},
			{"-column", names[0]}, {"-column", names[3], "-drop", names[0]},
		} {
			status, _, log := call(slices.Concat([]string{"convert"}, args, []string{table, f.file("b.arff")})...)
			if status != 0 || strings.Contains(log, "-noheader") == counts {
				t.Errorf("%s: %q: status %d, %q", header, args, status, log)
			}
		}
	}
	arff := f.write("a.arff", "@relation r\n@attribute 10 numeric\n@attribute 20 numeric\n@attribute 30 {0,1}\n@data\n1,2,0\n2,1,1\n")
	for _, args := range [][]string{{"convert", "-count", "-1", arff, f.file("b.csv")}, {"train", "-lambda", "1", "-count", "-1", arff}} {
		must(t, args...)
	}
	// What was made of it is a table, with the same names.
	if status, _, log := call("train", "-lambda", "1", "-count", "-1", f.file("b.csv")); status != 0 || !strings.Contains(log, `called "10", "30" and so on`) {
		t.Errorf("status %d, %q", status, log)
	}
	if status, _, log := callWith(f.read("b.csv"), "train", "-lambda", "1", "-count", "-1", "-"); status != 0 || !strings.Contains(log, "-noheader") {
		t.Errorf("status %d, %q", status, log)
	}
}

// What is likely to be meant is said where a call cannot be what was meant.
func TestSlips(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	list := f.write("list.csv", "a,tags\n1,sun\n2,\"sun,rain\"\n3,\n4,rain\n")
	rows := f.write("rows.csv", "3,0.5,1,0\n4,1.5,0,1\n5,0.25,0,0\n")
	counted := f.write("counted.csv", "0,1,2,3\n4,1.5,0,1\n5,0.25,1,0\n")
	svm := f.write("a.svm", "0 1:2\n1 1:3\n")
	model := f.file("list.model")
	must(t, "train", "-lambda", "1", "-column", "tags", "-o", model, list)
	for _, c := range []struct {
		args   []string
		status int
		said   string // "" is nothing
	}{
		{[]string{"convert", "-count", "-1", rows, rows}, 2, "rows.csv would replace what is to be read"},
		{[]string{"convert", "-count", "-1", rows, f.file("none/rows.arff")}, 1, "the folder of "},
		{[]string{"fetch", "al"}, 2, `there is no data set "al"; the nearest: all`},
		{[]string{"evaluate", model, list}, 1, `list.csv: there is no label column "rain"; there are 2 columns: "a, tags"; if a column lists the labels, name it in -column`},
		{[]string{"evaluate", "-column", "tags", model, list}, 0, ""},
		{[]string{"train", "-lambda", "1", "-drop", "x1", svm}, 2, "-drop is for CSV and ARFF"},
		{[]string{"predict", "-drop", "x1", model, svm}, 2, "-drop is for CSV and ARFF"},
		{[]string{"predict", list, model}, 1, "list.csv: malformed file: model: this is no model, or one that is cut short: invalid character 'a' looking for beginning of value; the model comes first, then the rows"},
		{[]string{"train", "-lambda", "1", "-count", "-1", rows}, 0, `warning: the columns are called "3", "0" and so on: if the first line is a row, give -noheader`},
		{[]string{"train", "-lambda", "1", "-count", "-1", "-noheader", rows}, 0, ""},
		{[]string{"train", "-lambda", "1", "-count", "-2", counted}, 0, ""},
		{[]string{"train", "-lambda", "1", "-prefix", "y", "-suffix", "z", list}, 2, `no column is a label: no name begins with "y" and ends with "z"; there are 2 columns`},
		{[]string{"train", "-lambda", "1", "-suffix", "z", list}, 2, `no column is a label: no name ends with "z"; `},
	} {
		status, _, log := call(c.args...)
		if status != c.status || !strings.Contains(log, c.said) || c.said == "" && log != "" || strings.Count(log, "\n") > 1 {
			t.Errorf("%q: status %d, %q, want %d, %q", c.args, status, log, c.status, c.said)
		}
	}
	if _, err := crankpkg.LoadModel(model); err != nil {
		t.Error(err)
	}
}
