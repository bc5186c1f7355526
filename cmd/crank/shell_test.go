package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// shellFolder is a folder with files for a test.
type shellFolder struct {
	t    *testing.T
	path string
}

func newShellFolder(t *testing.T) shellFolder { return shellFolder{t, t.TempDir()} }

func (f shellFolder) file(name string) string { return filepath.Join(f.path, name) }

func (f shellFolder) write(name, text string) string {
	f.t.Helper()
	if err := os.WriteFile(f.file(name), []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
	return f.file(name)
}

func (f shellFolder) read(name string) string {
	f.t.Helper()
	text, err := os.ReadFile(f.file(name))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

// must runs the program and returns what it prints. It has to succeed, and to warn of nothing.
func must(t *testing.T, args ...string) string {
	t.Helper()
	status, out, log := call(args...)
	if status != 0 || strings.Contains(log, "crank:") {
		t.Fatalf("%q: status %d, %s", args, status, log)
	}
	return out
}

// csvOf returns a data set as CSV, its columns in the reverse order or without labels where
// asked, with a column id in front.
func csvOf(ds *crankpkg.Dataset, reversed, labeled bool) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for m := -1; m < ds.Len(); m++ {
		var cells []string
		for k, name := range ds.FeatureNames {
			if m >= 0 {
				name = strconv.FormatFloat(ds.Row(m).Value[k], 'g', -1, 64)
			}
			cells = append(cells, name)
		}
		for i, name := range ds.LabelNames {
			if m >= 0 {
				name = strconv.Itoa(int(ds.Labels(m)[i]))
			}
			if labeled {
				cells = append(cells, name)
			}
		}
		if reversed {
			slices.Reverse(cells)
		}
		id := "id"
		if m >= 0 {
			id = fmt.Sprintf("row, %d", m)
		}
		w.Write(append([]string{id}, cells...))
	}
	w.Flush()
	return b.String()
}

// cellsOf reads a CSV text.
func cellsOf(t *testing.T, text string) [][]string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return records
}

func plantedShop() (train, test *crankpkg.Dataset) {
	train, test, _ = crankpkg.PlantedTree{N: 4, D: 3, Noise: 0.1, Seed: 5}.Generate(80, 40)
	return train, test
}

// From a table to a model, predictions and measures: all are the library's own.
func TestShellIsTheLibrary(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	train, test := plantedShop()
	f.write("train.csv", csvOf(train, false, true))
	for name, text := range map[string]string{
		"test.csv": csvOf(test, false, true), "reversed.csv": csvOf(test, true, true),
		"unlabeled.csv": csvOf(test, false, false), "both.csv": csvOf(test, true, false),
	} {
		f.write(name, text)
	}
	labels := strings.Join(train.LabelNames, ",")
	for method, trainer := range map[string]crankpkg.Trainer{
		"crank": crankpkg.CRANK{}, "empty": crankpkg.Empty{}, "full": crankpkg.Full{}, "greedy": crankpkg.Greedy{},
		"project": crankpkg.Project{}, "mst": crankpkg.MST{}, "chow-liu": crankpkg.ChowLiu{},
	} {
		model := f.file(method + ".model")
		out := must(t, "train", "-method", method, "-lambda", "0.02", "-labels", labels, "-drop", "id", f.file("train.csv"), "-o", model)
		trainer, _ := crankpkg.Adjust(trainer.WithLambda(0.02), func(s *crankpkg.Settings) { s.Scaling = crankpkg.ZScore })
		want, trace, err := trainer.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		got, err := crankpkg.LoadModel(model)
		if err != nil || !reflect.DeepEqual(got.Unary, want.Unary) || !reflect.DeepEqual(got.Edges, want.Edges) || !reflect.DeepEqual(got.Pair, want.Pair) {
			t.Errorf("%s: not the library's model, error %v", method, err)
		}
		for _, said := range []string{"80 examples", trainer.Name() + ": lambda 0.02, scaling zscore, ", fmt.Sprintf("gap %.2g\n", trace.Gap()), "saved in " + model} {
			if !strings.Contains(out, said) {
				t.Errorf("%s: no %q in\n%s", method, said, out)
			}
		}
		for k, e := range want.Edges {
			if said := fmt.Sprintf("  %+.3f  %s -- %s\n", want.Pair[k], want.LabelNames[e.I], want.LabelNames[e.J]); !strings.Contains(out, said) {
				t.Errorf("%s: no %q in\n%s", method, said, out)
			}
		}
		y, p := want.PredictAll(test.X), want.Predictor()
		for _, rows := range []string{"test.csv", "reversed.csv", "unlabeled.csv", "both.csv"} {
			records := cellsOf(t, must(t, "predict", "-id", "id", "-margins", "-scores", model, f.file(rows)))
			if len(records) != test.Len()+1 {
				t.Fatalf("%d lines for %d rows", len(records), test.Len())
			}
			for m, record := range records[1:] {
				line := []string{fmt.Sprintf("row, %d", m)}
				for _, v := range y[m*4 : (m+1)*4] {
					line = append(line, strconv.Itoa(int(v)))
				}
				line = appendNumbers(line, p.Margins(test.Row(m)))
				line = appendNumbers(line, want.Scores(test.Row(m)))
				if !slices.Equal(record, line) {
					t.Errorf("%s, %s: %q, want %q", method, rows, record, line)
				}
			}
		}
		report, err := want.Report(test)
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []string{"test.csv", "reversed.csv"} {
			if got := must(t, "evaluate", "-drop", "id", model, f.file(rows)); got != report.String() {
				t.Errorf("%s: %s, want %s", method, got, report)
			}
		}
		for format, want := range map[string]func() string{
			"markdown": report.Markdown,
			"csv":      func() string { var b strings.Builder; report.WriteCSV(&b); return b.String() },
			"json":     func() string { data, _ := report.JSON(); return string(data) + "\n" },
		} {
			must(t, "evaluate", "-format", format, "-o", f.file("report"), "-drop", "id", model, f.file("test.csv"))
			if got := f.read("report"); got != want() {
				t.Errorf("%s: %s", format, got)
			}
		}
	}
}

// Without -lambda, train takes what crossval chooses from the same folds, and so does cv.
func TestShellChoosesLambda(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	train, _ := plantedShop()
	path := f.write("train.csv", csvOf(train, false, true))
	flags := []string{"-labels", strings.Join(train.LabelNames, ","), "-drop", "id", "-lambdas", "1,0.1,0.01", "-folds", "3", "-repeats", "2",
		"-stratify", "1", "-measure", "subset", "-seed", "7", path}
	search := crossval.Search{Lambdas: []float64{1, 0.1, 0.01}, Folds: 3, Repeats: 2, Stratify: 1, Criterion: "SubsetAccuracy", Seed: 7}
	var best *crossval.Selection
	curves := map[string]*crossval.Selection{}
	for name, trainer := range map[string]crankpkg.Trainer{"crank": crankpkg.CRANK{Restarts: 1}, "empty": crankpkg.Empty{}} {
		search.Trainer, _ = crankpkg.Adjust(trainer, func(s *crankpkg.Settings) { s.Scaling, s.Seed = crankpkg.ZScore, 7 })
		s, err := search.Run(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		curves[name] = s
		model := f.file(name + ".model")
		out := must(t, append([]string{"train", "-method", name, "-o", model}, flags...)...)
		m, err := crankpkg.LoadModel(model)
		if err != nil || m.Lambda != s.Lambda() || !strings.Contains(out, "cross-validation chose "+s.String()+"\n") {
			t.Errorf("%s: lambda %v, want %v, error %v\n%s", name, m.Lambda, s, err, out)
		}
	}
	best, bestName := curves["crank"], "crank"
	if s := curves["empty"]; s.Curve[s.Chosen].Mean.SubsetAccuracy > best.Curve[best.Chosen].Mean.SubsetAccuracy {
		best, bestName = s, "empty"
	}
	var c comparison
	flags = append([]string{"cv", "-methods", "CRANK,Empty", "-format"}, append([]string{"json"}, flags...)...)
	if err := json.Unmarshal([]byte(must(t, flags...)), &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Lines) != 6 || c.Lines[c.Chosen].Method != bestName || c.Lines[c.Chosen].Lambda != best.Lambda() {
		t.Fatalf("%+v, want %s with %v", c, bestName, best)
	}
	for k, line := range c.Lines {
		point := &curves[line.Method].Curve[k%3]
		mean, stdErr := point.Of("MeanOfThree")
		if line.Lambda != point.Lambda || line.Mean["MeanOfThree"] != mean || line.StdErr["MeanOfThree"] != stdErr ||
			line.Mean["MacroF1"] != point.Mean.MacroF1 || line.Chosen != (k == c.Chosen) || line.Short != point.Short {
			t.Errorf("%+v, want %+v", line, point)
		}
	}
	flags[4] = "csv"
	records := cellsOf(t, must(t, flags...))
	for k, line := range c.Lines {
		cells := records[k+1]
		if cells[0] != line.Method || cells[1] != fmt.Sprint(line.Lambda) || cells[2] != fmt.Sprint(line.Chosen) || cells[7] != fmt.Sprint(line.Mean["SubsetAccuracy"]) {
			t.Errorf("%q, want %+v under %q", cells, line, records[0])
		}
	}
	flags[4] = "text"
	text := must(t, flags...)
	if want := fmt.Sprintf("\nchosen: -method %s -lambda %v\n", bestName, best.Lambda()); !strings.Contains(text, want) || strings.Count(text, "\n* ") != 1 {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// Rows of a group stay in one fold: a label that each group has for itself then cannot be learned, and could be else.
func TestShellGroups(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	var b strings.Builder
	b.WriteString("patient,who,l,k\n")
	for m := range 60 {
		fmt.Fprintf(&b, "p%d,w%d,%d,%d\n", m%6, m%6, m%6%2, m%3%2)
	}
	path := f.write("x.csv", b.String())
	score := func(more ...string) float64 {
		var c comparison
		args := append([]string{"cv", "-labels", "l,k", "-methods", "empty", "-lambdas", "0.01", "-folds", "3", "-format", "json", path}, more...)
		if err := json.Unmarshal([]byte(must(t, args...)), &c); err != nil {
			t.Fatal(err)
		}
		return c.Lines[0].Mean["SubsetAccuracy"]
	}
	if apart, together := score("-drop", "patient"), score("-group", "patient"); apart != 100 || together > 60 {
		t.Errorf("subset accuracy %v with rows at random, %v with groups", apart, together)
	}
}

// Names, gaps and lists of labels: the model keeps what the columns mean.
func TestShellKeepsTheCoding(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	var b strings.Builder
	b.WriteString("id;city;age;tags\n")
	for m := range 30 {
		age := strconv.Itoa(20 + m)
		if m == 7 {
			age = ""
		}
		fmt.Fprintf(&b, "%d;%s;%s;%s\n", m, []string{"Rome", "Oslo", "Lima"}[m%3], age, []string{"a|b", "", "b"}[m%3])
	}
	path, model := f.write("shop.csv", b.String()), f.file("shop.model")
	must(t, "train", "-comma", ";", "-column", "tags", "-separator", "|", "-drop", "id", "-impute", "-lambda", "0.01", "-o", model, path)
	rows := f.write("rows.csv", "age;id;city\n;x y;Oslo\n41;;Lima\n22;3;Rome\n")
	if got := must(t, "predict", "-comma", ";", "-list", "-id", "age", "-drop", "id", model, rows); !strings.HasPrefix(got, "age,labels\n,\n41,b\n") {
		t.Errorf("a feature as the id: %q", got)
	}
	if got, want := must(t, "predict", "-comma", ";", "-list", "-separator", "|", "-id", "id", model, rows), "id,labels\nx y,\n,b\n3,a|b\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	must(t, "predict", "-comma", ";", "-drop", "id", "-column", "tags", "-o", f.file("out.csv"), model, path)
	if got := f.read("out.csv"); !strings.HasPrefix(got, "a,b\n1,1\n0,0\n0,1\n1,1\n") {
		t.Errorf("%s", got)
	}
	if out := must(t, "evaluate", "-comma", ";", "-drop", "id", "-column", "tags", "-separator", "|", model, path); !strings.Contains(out, "subset accuracy  100.0") {
		t.Errorf("%s", out)
	}
	unseen := f.write("unseen.csv", "age;city\n20;Rome\n22;Bonn\n")
	status, out, log := call("predict", "-comma", ";", model, unseen)
	if want := unseen + `:3: column "city": "Bonn" is none of the values`; status != 1 || out != "" || !strings.Contains(log, want) || !strings.Contains(log, "-ignoreunseen lets it pass") {
		t.Errorf("status %d, %q, %q", status, out, log)
	}
	if got := must(t, "predict", "-comma", ";", "-ignoreunseen", model, unseen); strings.Count(got, "\n") != 3 {
		t.Errorf("%q", got)
	}
}

// Every format is learned from and predicted, standard input too, whatever the format of the other file.
func TestShellFormats(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	train, test := plantedShop()
	train.FeatureNames, train.LabelNames = []string{"x0", "x1", "x2"}, []string{"y0", "y1", "y2", "y3"}
	test.FeatureNames, test.LabelNames = train.FeatureNames, train.LabelNames
	for ext, write := range writers {
		for name, ds := range map[string]*crankpkg.Dataset{"train": train, "test": test} {
			var b bytes.Buffer
			if err := write(&b, ds); err != nil {
				t.Fatal(err)
			}
			f.write(name+ext, b.String())
		}
	}
	for ext := range writers {
		want := "" // sparse rows may give another model within the gap
		model := f.file(ext[1:] + ".model")
		args := []string{"train", "-lambda", "0.02", "-scaling", "none", "-o", model, f.file("train" + ext)}
		if ext == ".csv" {
			args = append(args, "-prefix", "y")
		}
		must(t, args...)
		for rows := range writers {
			got := must(t, "predict", model, f.file("test"+rows))
			if want == "" {
				want = got
			}
			if got != want || !strings.HasPrefix(got, "y0,y1,y2,y3\n") {
				t.Errorf("trained on %s, predicted %s: other labels", ext, rows)
			}
			must(t, "evaluate", model, f.file("test"+rows))
		}
		for _, args := range [][]string{{"predict", model, "-"}, {"predict", "-o", "-", model, "-"}} {
			var out, log strings.Builder
			if status := run(context.Background(), args, strings.NewReader(f.read("test.csv")), &out, &log); status != 0 || out.String() != want {
				t.Errorf("from standard input: status %d, %s", status, log.String())
			}
		}
	}
}

// ARFF files with gaps, and rows whose labels are unknown or left out.
func TestShellARFF(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	const header = "@relation r\n@attribute c {red,green,blue}\n@attribute a numeric\n"
	train := f.write("train.arff", header+"@attribute l {0,1}\n@attribute k {0,1}\n@data\nred,1,1,0\ngreen,2,0,1\nblue,?,0,0\nred,3,1,1\n")
	model := f.file("a.model")
	must(t, "train", "-count", "-2", "-lambda", "0.01", "-impute", "-o", model, train)
	want := must(t, "predict", model, f.write("known.arff", header+"@attribute l {0,1}\n@attribute k {0,1}\n@data\nred,1,1,0\n?,2,0,1\n"))
	for name, text := range map[string]string{
		"unknown.arff": header + "@attribute l {0,1}\n@attribute k {0,1}\n@data\nred,1,?,?\n?,2,?,?\n",
		"without.arff": header + "@data\nred,1\n?,2\n",
		"table.csv":    "a,c\n1,red\n2,\n",
	} {
		if got := must(t, "predict", model, f.write(name, text)); got != want || !strings.HasPrefix(got, "l,k\n1,") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	status, _, log := call("train", "-lambda", "1", train)
	if status != 1 || !strings.Contains(log, "train.arff: ") || !strings.Contains(log, "neither -xml, -labels, -count nor -C in the relation name") {
		t.Errorf("status %d, %q", status, log)
	}
	if status, _, log := call("train", "-count", "-2", train); status != 1 || !strings.Contains(log, `train.arff:9: attribute "a": a value is missing; -impute`) {
		t.Errorf("status %d, %q", status, log)
	}
}

// A set of the catalog stands for its parts.
func TestShellSets(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	model := f.file("flags.model")
	if out := must(t, "train", "flags", "-lambda", "0.3", "-restarts", "1", "-o", model); !strings.Contains(out, "flags: 129 examples") {
		t.Errorf("%s", out)
	}
	_, test, err := crankpkg.LoadSplit("flags")
	if err != nil {
		t.Fatal(err)
	}
	m, err := crankpkg.LoadModel(model)
	if err != nil {
		t.Fatal(err)
	}
	report, err := m.Report(test)
	if err != nil {
		t.Fatal(err)
	}
	if got := must(t, "evaluate", model, "flags"); got != report.String() {
		t.Errorf("%s, want %s", got, report)
	}
	if got := must(t, "predict", model, "flags"); strings.Count(got, "\n") != test.Len()+1 {
		t.Errorf("%s", got)
	}
}

// A table as large as Yeast's.
func TestShellYeast(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	train, test, err := crankpkg.LoadSplit("yeast")
	if err != nil {
		t.Fatal(err)
	}
	for name, ds := range map[string]*crankpkg.Dataset{"train.csv": train, "test.csv": test} {
		var b bytes.Buffer
		if err := tabular.WriteCSV(&b, ds); err != nil {
			t.Fatal(err)
		}
		f.write(name, b.String())
	}
	must(t, "train", "-prefix", "Class", "-lambda", "0.1", "-restarts", "1", "-o", f.file("yeast.model"), f.file("train.csv"))
	m, _, err := crankpkg.CRANK{Lambda: 0.1, Restarts: 1, Settings: crankpkg.Settings{Scaling: crankpkg.ZScore}}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	y := m.PredictAll(test.X)
	for k, record := range cellsOf(t, must(t, "predict", f.file("yeast.model"), f.file("test.csv")))[1:] {
		for i, cell := range record {
			if cell != strconv.Itoa(int(y[k*14+i])) {
				t.Fatalf("row %d, label %d: %s", k, i, cell)
			}
		}
	}
}

func TestShellRefuses(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	shop := f.write("shop.csv", "id,a,l,m\nx,1,1,0\ny,2,0,1\nz,3,1,0\n")
	gap := f.write("gap.csv", "a,l\n1,1\n,0\n")
	half := f.write("half.csv", "a,l\n1,1\n2,\n")
	text := f.write("text.csv", "a,l\n1,1\ntwo,0\n")
	tea := f.write("tea.csv", "a,t\n1,0\n")
	more := f.write("more.csv", "a,b,l\n1,2,1\n2,0,0\n")
	model := f.file("shop.model")
	must(t, "train", "-labels", "l,m", "-drop", "id", "-lambda", "1", "-o", model, shop)
	good := f.read("shop.model")
	if got := must(t, "predict", "-id", "l", "-list", "-drop", "id", model, shop); !strings.HasPrefix(got, "l,labels\n1,l\n") {
		t.Errorf("a label as the id: %q", got)
	}
	before, _ := os.ReadDir(f.path)
	for _, c := range []struct {
		args   []string
		status int
		in     string
	}{
		{[]string{"train"}, 2, "name one file or data set"},
		{[]string{"train", shop, shop}, 2, "name one file or data set"},
		{[]string{"train", shop}, 2, "nothing tells which columns are labels: give -labels, -prefix, -suffix, -count or -column"},
		{[]string{"train", "-labels", "n", shop}, 2, `shop.csv: there is no label column "n"; there are 4 columns`},
		{[]string{"train", "-labels", "l", "-prefix", "l", shop}, 2, "only one of -labels, -prefix with -suffix"},
		{[]string{"train", "-labels", "l", "-method", "crnak", shop}, 2, `no method "crnak"; the nearest: crank`},
		{[]string{"train", "-labels", "l", "-scaling", "zscores", shop}, 2, `no scaling "zscores"; the nearest: zscore`},
		{[]string{"train", "-labels", "l", "-lambda", "-1", shop}, 2, `"-1" is not a positive number`},
		{[]string{"train", "-labels", "l", "-lambda", "many", shop}, 2, `"many" is not a positive number`},
		{[]string{"train", "-labels", "l", "-lambdas", "1,,2", shop}, 2, `"" is not a positive number`},
		{[]string{"train", "-labels", "l", "-gap", "0", shop}, 2, "-gap 0 is not between 0 and 1"},
		{[]string{"train", "-labels", "l", "-max-time", "-1s", shop}, 2, "-max-time -1s is negative"},
		{[]string{"train", "-labels", "l", "-workers", "-1", shop}, 2, "-1 workers"},
		{[]string{"train", "-labels", "l", "-restarts", "-1", shop}, 2, "-restarts -1"},
		{[]string{"train", "-labels", "l", "-restarts", "3", "-method", "full", shop}, 2, "-restarts is for the method crank"},
		{[]string{"train", "-labels", "l", "-measure", "f2", shop}, 2, `no measure "f2"; the nearest: f1`},
		{[]string{"train", "-labels", "l", "-folds", "1", shop}, 2, "-folds 1"},
		{[]string{"train", "-labels", "l", "-folds", "9", shop}, 2, "9 folds of 3 examples"},
		{[]string{"train", "-labels", "l", "-o", "-", shop}, 2, "-o -"},
		{[]string{"train", "-labels", "l", "-o", shop, shop}, 2, "would replace what is to be read"},
		{[]string{"train", "-labels", "l", "-o", f.file("none/x.model"), shop}, 1, "the folder of "},
		{[]string{"train", "-labels", "l", "-o", f.path, shop}, 1, "is a folder"},
		{[]string{"train", "yaest"}, 2, "no data set; the nearest: yeast"},
		{[]string{"train", f.file("x.parquet")}, 2, "tells no format"},
		{[]string{"train", "-labels", "l", f.file("none.csv")}, 1, "none.csv"},
		{[]string{"train", "-labels", "l", gap}, 1, `gap.csv:3: column "a": a value is missing; -impute, in training, fills it in`},
		{[]string{"train", "-labels", "l", half}, 1, `half.csv:3: column "l": a label is missing; crank predict takes rows without`},
		{[]string{"train", "-labels", "l", text}, 1, `text.csv:3: column "a": "two" is not a finite number; if the column has names, name it in -nominal`},
		{[]string{"cv", "-labels", "l", "-methods", "crank,ful", shop}, 2, `no method "ful"; the nearest: full`},
		{[]string{"cv", "-labels", "l", "-format", "xml", shop}, 2, `no format "xml"`},
		{[]string{"cv", "-labels", "l", "-group", "id", "-stratify", "1", shop}, 2, "exclude one another"},
		{[]string{"cv", "-labels", "l", "-group", "no", shop}, 1, `shop.csv: there is no column "no"`},
		{[]string{"cv", "-group", "id", "flags"}, 2, "-group is for CSV"},
		{[]string{"cv"}, 2, "name one file or data set"},
		{[]string{"predict", model}, 2, "name the file of the model and"},
		{[]string{"predict", shop, model}, 1, "shop.csv: "},
		{[]string{"predict", f.file("none.model"), shop}, 1, "none.model"},
		{[]string{"predict", model, more}, 1, `more.csv: column "b" is no feature of the training file; -drop leaves it out`},
		{[]string{"predict", model, tea}, 1, `tea.csv: column "t" is no feature of the training file`},
		{[]string{"predict", "-drop", "a,id", model, shop}, 1, `shop.csv: column "a" is a feature of the training file: -drop cannot leave it out`},
		{[]string{"predict", model, gap}, 1, `gap.csv:3: column "a": a value is missing`},
		{[]string{"predict", model, text}, 1, `text.csv:3: column "a": "two" is not a finite number`},
		{[]string{"predict", "-id", "no", model, shop}, 1, `shop.csv: there is no column "no"`},
		{[]string{"predict", "-id", "l", "-drop", "id", model, shop}, 2, `two columns would be called "l"`},
		{[]string{"predict", "-id", "id", model, "flags"}, 2, "-id is for CSV"},
		{[]string{"predict", "-list", "-separator", "", model, shop}, 2, "-separator is empty"},
		{[]string{"predict", "-list", "-separator", "l", "-drop", "id", model, shop}, 2, "give another -separator"},
		{[]string{"predict", "-drop", "id", "-o", model, model, shop}, 2, "would replace what is to be read"},
		{[]string{"predict", model, "flags"}, 1, "flags"},
		{[]string{"evaluate", model}, 2, "name the file of the model and"},
		{[]string{"evaluate", "-format", "txt", model, shop}, 2, `no format "txt"; the nearest: text`},
		{[]string{"evaluate", model, tea}, 1, "tea.csv: there is no label column"},
		{[]string{"evaluate", model, "flags"}, 1, "flags"},
	} {
		status, out, log := call(c.args...)
		if status != c.status || !strings.Contains(log, c.in) || strings.Count(log, "\n") != 1 || strings.Contains(out, "saved") {
			t.Errorf("%q: status %d, %q, %q; want %d and %q", c.args, status, out, log, c.status, c.in)
		}
	}
	if after, _ := os.ReadDir(f.path); len(after) != len(before) || f.read("shop.model") != good {
		t.Errorf("failures have left %v", after)
	}
}

// Cut short by time: the model is there, with a warning and a status of its own.
func TestShellNotConverged(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	model := f.file("short.model")
	status, out, log := call("train", "flags", "-lambda", "1e-7", "-gap", "1e-9", "-max-time", "30ms", "-restarts", "1", "-o", model)
	if status != 3 || !strings.HasPrefix(log, "crank: warning: ") || !strings.Contains(log, "-max-time is over") || !strings.Contains(out, "saved in "+model) {
		t.Errorf("status %d, %q, %q", status, out, log)
	}
	if _, err := crankpkg.LoadModel(model); err != nil {
		t.Error(err)
	}
	if out := must(t, "cv", "flags", "-lambdas", "1e-7", "-folds", "2", "-max-time", "5ms"); !strings.Contains(out, "  2 of 2\n") {
		t.Errorf("the table does not say that trainings stopped short:\n%s", out)
	}
}

// An interrupt keeps the best model so far only where -o names a file, and says so.
func TestShellInterrupt(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	model := f.file("best.model")
	for _, c := range []struct {
		args []string
		said string
		kept bool
	}{
		{[]string{"train", "flags", "-lambda", "1e-7", "-gap", "1e-9", "-o", model}, "interrupted; the best model so far is saved in " + model, true},
		{[]string{"train", "flags", "-lambda", "1e-7", "-gap", "1e-9"}, "interrupted; nothing is kept", false},
		{[]string{"train", "flags", "-lambdas", "1e-7", "-repeats", "50", "-o", model}, "interrupted; nothing is kept", false},
		{[]string{"cv", "flags", "-lambdas", "1e-7", "-repeats", "50"}, "interrupted; nothing is kept", false},
	} {
		for _, wait := range []time.Duration{0, 40 * time.Millisecond} {
			os.Remove(model)
			ctx, cancel := context.WithCancel(context.Background())
			var out, log strings.Builder
			p := &program{nil, &out, &log, plantedSets(nil)}
			p.sets.Split = func(name string) (train, test *crankpkg.Dataset, err error) {
				train, test, err = crankpkg.LoadSplit(name)
				if wait == 0 {
					cancel()
				}
				time.AfterFunc(wait, cancel)
				return train, test, err
			}
			status := p.run(ctx, c.args)
			if status != 130 || log.String() != "crank: "+c.said+"\n" {
				t.Errorf("%q: status %d, %q", c.args, status, log.String())
			}
			if _, err := crankpkg.LoadModel(model); (err == nil) != c.kept {
				t.Errorf("%q: %v", c.args, err)
			}
		}
	}
}

// Columns that name the rows are told.
func TestShellWarnsOfKeys(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	train, _ := plantedShop()
	path := f.write("train.csv", csvOf(train, false, true))
	status, _, log := call("train", "-labels", strings.Join(train.LabelNames, ","), "-lambda", "1", path)
	if status != 0 || log != "crank: warning: column \"id\" looks like an identifier, with another value in each row; -drop id leaves it out\n" {
		t.Errorf("status %d, %q", status, log)
	}
}

// TestErrorsSpeakOfFlags checks that what the library's errors say about its options is put in terms of flags.
func TestErrorsSpeakOfFlags(t *testing.T) {
	t.Parallel()
	text := regexp.MustCompile(`"(?:[^"\\\n]|\\.)*\b(?:CSV|ARFF)Options\.(?:[^"\\\n]|\\.)*"`)
	found := 0
	var all strings.Builder
	for _, folder := range []string{"internal/csvdata", "internal/arff", "internal/libsvm", "."} {
		paths, err := filepath.Glob(filepath.Join(checkout(t), "crankpkg", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(source)
			for _, said := range text.FindAllString(string(source), -1) {
				found++
				if strings.Contains(said, "Coding is not fitted") {
					continue // cannot happen here: the coding is that of a model
				}
				if flags := flagNames.Replace(said); strings.Contains(flags, "Options.") {
					t.Errorf("%s says %s, in flags %s", path, said, flags)
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("%d texts found", found)
	}
	for k := 0; k < len(flagTexts); k += 2 {
		if !strings.Contains(all.String(), flagTexts[k]) {
			t.Errorf("the library does not say %q any more", flagTexts[k])
		}
	}
}

// What cannot be written is an error.
func TestShellBrokenPipe(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	shop := f.write("shop.csv", "a,l,m\n1,1,0\n2,0,1\n3,1,0\n")
	model := f.file("shop.model")
	must(t, "train", "-labels", "l,m", "-lambda", "1", "-o", model, shop)
	for _, args := range [][]string{{"predict", model, shop}, {"evaluate", model, shop}, {"evaluate", "-format", "csv", model, shop}} {
		var log strings.Builder
		if status := run(context.Background(), args, nil, brokenPipe{}, &log); status != 1 || !strings.Contains(log.String(), io.ErrClosedPipe.Error()) {
			t.Errorf("%q: status %d, %q", args, status, log.String())
		}
	}
}

// A file that cannot be written is an error of every command that writes one, and names the file.
func TestShellCannotWrite(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	shop := f.write("shop.csv", "a,l,m\n1,1,0\n2,0,1\n3,1,0\n4,0,1\n")
	model := f.file("shop.model")
	must(t, "train", "-labels", "l,m", "-lambda", "1", "-o", model, shop)
	spec, store := sweepFolder(t, smallSpec)
	out := func(end string) string { return f.file(filepath.Join("none", "out"+end)) }
	for _, args := range [][]string{
		{"train", "-labels", "l,m", "-lambda", "1", "-o", out(".model"), shop},
		{"prune", "-o", out(".model"), model, shop},
		{"predict", "-o", out(".csv"), model, shop},
		{"evaluate", "-o", out(".json"), model, shop},
		{"cv", "-labels", "l,m", "-methods", "empty", "-lambdas", "1", "-folds", "2", "-o", out(".csv"), shop},
		{"sweep", "run", "-store", store, "-o", out(".csv"), spec},
		{"convert", "-labels", "l,m", shop, out(".arff")},
		{"new", out(".ipynb")},
	} {
		if status, _, log := call(args...); status != 1 || !strings.Contains(log, f.file("none")) {
			t.Errorf("%q: status %d, %q", args, status, log)
		}
	}
	if _, err := os.Stat(f.file("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder is there: %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Probabilities of a model of train -calibrate are those of the library; other models have none.
func TestShellProbabilities(t *testing.T) {
	t.Parallel()
	f := newShellFolder(t)
	train, test := plantedShop()
	csvOf := func(ds *crankpkg.Dataset) string { return csvOf(ds, false, true) }
	data, rows := f.write("train.csv", csvOf(train)), f.write("test.csv", csvOf(test))
	for _, lambda := range []string{"cv", "0.01"} {
		out := must(t, "train", "-count", "-4", "-drop", "id", "-method", "Empty", "-lambdas", "0.1,0.01", "-lambda", lambda, "-calibrate", "-o", f.file("m.json"), data)
		if !strings.Contains(out, "log-loss") {
			t.Errorf("train says %s", out)
		}
		m, err := crankpkg.LoadModel(f.file("m.json"))
		if err != nil {
			t.Fatal(err)
		}
		want := m.Rule.Calibration.Probabilities(m.Predictor().MarginsAll(test.X))
		cells := cellsOf(t, must(t, "predict", "-drop", "id", "-probabilities", f.file("m.json"), rows))
		if len(cells) != test.Len()+1 || cells[0][4] != "probability_"+m.LabelNames[0] {
			t.Fatalf("%d lines, the first %q", len(cells), cells[0])
		}
		for k, line := range cells[1:] {
			for i := range 4 {
				if got, err := strconv.ParseFloat(line[4+i], 64); err != nil || got != want[4*k+i] {
					t.Fatalf("row %d: %q, want %v", k, line, want[4*k:4*k+4])
				}
			}
		}
	}
	must(t, "train", "-count", "-4", "-drop", "id", "-method", "empty", "-lambda", "0.01", "-o", f.file("plain.json"), data)
	if status, _, log := call("predict", "-drop", "id", "-probabilities", f.file("plain.json"), rows); status != 2 || !strings.Contains(log, "-calibrate") {
		t.Errorf("status %d: %s", status, log)
	}
}

// TestDescribe tells of graphs of all kinds and sizes: the pairs by the size of their weights, twenty of them at most, and how many more there are.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		labels, pairs int
		graph         string
	}{{3, 1, "a forest"}, {3, 2, "a tree"}, {3, 3, "a graph with cycles"}, {21, 20, "a tree"}, {22, 20, "a forest"}, {22, 21, "a tree"}, {40, 30, "a forest"}} {
		m := &crankpkg.Model{LabelNames: make([]string, c.labels)}
		for i := range c.labels {
			m.LabelNames[i] = fmt.Sprint("l", i)
			if i > 0 && len(m.Edges) < c.pairs {
				m.Edges = append(m.Edges, crankpkg.Edge{I: i - 1, J: i})
			}
		}
		if len(m.Edges) < c.pairs {
			m.Edges = append(m.Edges, crankpkg.Edge{I: 0, J: 2})
		}
		for k := range m.Edges { // the last pairs are the strongest, of both signs
			m.Pair = append(m.Pair, float64(k+1)*float64(1-k%2*2))
		}
		var out strings.Builder
		describe(&out, m, &crankpkg.Trace{})
		var want strings.Builder
		fmt.Fprintf(&want, "%d of %d pairs of labels, %s; the strongest first:\n", c.pairs, c.labels*(c.labels-1)/2, c.graph)
		for k := c.pairs - 1; k >= max(0, c.pairs-20); k-- {
			fmt.Fprintf(&want, "  %+.3f  l%d -- l%d\n", m.Pair[k], m.Edges[k].I, m.Edges[k].J)
		}
		if c.pairs > 20 {
			fmt.Fprintf(&want, "  and %d more\n", c.pairs-20)
		}
		if _, pairs, _ := strings.Cut(out.String(), "\n"); pairs != want.String() {
			t.Errorf("%d labels:\n%s, and not\n%s", c.labels, pairs, want.String())
		}
	}
}
