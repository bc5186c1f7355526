package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// What training left out, by -drop or -group, is left out again by all that reads rows for the model, in each format, with one line that says
// so; -drop keeps that from being said. The model is that of a file without the columns.
func TestShellKnowsWhatIsDropped(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	train, test := plantedShop()
	labels := strings.Join(train.LabelNames, ",")
	table := csvOf(train, false, true)
	f.write("train.csv", table)
	f.write("plain.csv", withoutFirst(table))
	f.write("test.csv", csvOf(test, true, true))
	f.write("plaintest.csv", withoutFirst(csvOf(test, false, true)))
	f.write("unlabeled.csv", csvOf(test, false, false))
	var arff bytes.Buffer
	if err := tabular.WriteARFF(&arff, test); err != nil {
		t.Fatal(err)
	}
	f.write("test.arff", withFirst(arff.String()))
	must(t, "train", "-lambda", "0.02", "-labels", labels, "-o", f.file("plain.model"), f.file("plain.csv"))
	must(t, "train", "-lambda", "0.02", "-labels", labels, "-drop", "id", "-o", f.file("dropped.model"), f.file("train.csv"))
	must(t, "train", "-lambda", "0.02", "-labels", labels, "-group", "id", "-o", f.file("group.model"), f.file("train.csv"))
	must(t, "prune", "-rise", "1e-12", "-o", f.file("pruned.model"), f.file("dropped.model"), f.file("train.csv"))
	const said = "column \"id\" is left out, as in training\n"
	for _, what := range []string{"predict", "evaluate"} {
		want := must(t, what, f.file("plain.model"), f.file("plaintest.csv"))
		for _, model := range []string{"dropped.model", "group.model", "pruned.model"} {
			for _, rows := range []string{"test.csv", "unlabeled.csv", "test.arff", "plaintest.csv"} {
				if what == "evaluate" && rows == "unlabeled.csv" {
					continue
				}
				log := said
				if rows == "plaintest.csv" {
					log = ""
				}
				if status, out, got := call(what, f.file(model), f.file(rows)); status != 0 || out != want || got != log {
					t.Errorf("%s %s %s: status %d, %q, %q", what, model, rows, status, out, got)
				}
				if rows == "plaintest.csv" {
					continue
				}
				if status, out, got := call(what, "-drop", "id", f.file(model), f.file(rows)); status != 0 || out != want || got != "" {
					t.Errorf("%s -drop id %s %s: status %d, %q, %q", what, model, rows, status, out, got)
				}
			}
		}
	}
	if status, out, log := call("predict", "-id", "id", f.file("dropped.model"), f.file("test.csv")); status != 0 || log != "" || !strings.HasPrefix(out, "id,") {
		t.Errorf("-id: status %d, %q, %q", status, out, log)
	}
	more := "other," + strings.ReplaceAll(strings.TrimSpace(table), "\n", "\n1,")
	if status, _, log := call("evaluate", f.file("dropped.model"), f.write("more.csv", more)); status != 1 || !strings.Contains(log, `column "other" is no feature of the training file`) {
		t.Errorf("status %d, %q", status, log)
	}
	m, err := crankpkg.LoadModel(f.file("dropped.model"))
	if err != nil || !slices.Equal(m.Coding.Dropped, []string{"id"}) {
		t.Fatalf("%+v, error %v", m, err)
	}
	record := map[string]any{}
	for k, name := range test.FeatureNames {
		record[name] = test.Row(0).Value[k]
	}
	want, err := m.Predictor().PredictRecord(record)
	if err != nil {
		t.Fatal(err)
	}
	record["id"] = "row, 0"
	if got, err := m.Predictor().PredictRecord(record); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q, error %v", got, want, err)
	}
	record["other"] = 1
	if _, err := m.Predictor().PredictRecord(record); err == nil || !strings.Contains(err.Error(), `"other" is unknown`) {
		t.Errorf("error %v", err)
	}
}

// A label of a list may be called as a column that training left out, which is left out of rows in any format; of two columns that are
// left out, none can be copied by their name, nor tell groups.
func TestDroppedIsNamedAsALabel(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	model := f.file("a.model")
	list := f.write("list.csv", "id,age,tags\n7,1,id\n8,2,b\n9,3,id b\n7,4,\n")
	must(t, "train", "-lambda", "0.01", "-column", "tags", "-separator", " ", "-drop", "id", "-o", model, list)
	want := must(t, "predict", model, f.write("age.csv", "age\n1\n4\n"))
	for _, rows := range []string{
		f.write("rows.csv", "id,age\n7,1\n8,4\n"), f.write("twice.csv", "id,age,id\n7,1,x\n8,4,y\n"),
		f.write("rows.arff", "@relation r\n@attribute id string\n@attribute age numeric\n@data\nx,1\ny,4\n"),
	} {
		said := "column \"id\" is left out, as in training\n"
		if format(rows) == ".arff" {
			said = "" // where it goes for the label, which is not looked at
		}
		if status, out, log := call("predict", model, rows); status != 0 || out != want || log != said {
			t.Errorf("%s: status %d, %q, %q", rows, status, out, log)
		}
	}
	if out := must(t, "predict", "-list", "-id", "id", model, f.file("rows.csv")); !strings.HasPrefix(out, "id,labels\n7,") {
		t.Errorf("%q", out)
	}
	must(t, "evaluate", "-column", "tags", "-separator", " ", model, list)
	twice := f.write("labels.csv", "id,age,id,l\n7,1,x,0\n8,4,y,1\n")
	for _, args := range [][]string{{"predict", "-list", "-id", "id", model, f.file("twice.csv")}, {"train", "-folds", "2", "-labels", "l", "-group", "id", twice}} {
		if status, out, log := call(args...); status != 1 || out != "" || !strings.Contains(log, `columns 1 and 3 are both called "id"`) {
			t.Errorf("%q: status %d, %q, %q", args, status, out, log)
		}
	}
}

// withoutFirst returns a table of csvOf without its first column, which has quotes.
func withoutFirst(table string) string {
	var b strings.Builder
	for line := range strings.Lines(table) {
		if rest, found := strings.CutPrefix(line, "id,"); found {
			b.WriteString(rest)
			continue
		}
		_, rest, _ := strings.Cut(line, "\",")
		b.WriteString(rest)
	}
	return b.String()
}

// withFirst returns an ARFF text whose labels come first with a column id behind all others.
func withFirst(text string) string {
	head, rows, _ := strings.Cut(text, "\n@data\n")
	return head + "@attribute id string\n\n@data\n" + strings.ReplaceAll(rows, "\n", ",'x'\n")
}
