package tabular_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// rawTable is a table of raw cells with a header; the last column is a label.
type rawTable struct {
	header []string
	rows   [][]string
	values [][]string // of nominal columns
}

// randomTable returns a table with numbers, nominal columns of one value up to many, and
// missing cells where asked. Each value occurs.
func randomTable(rnd *rand.Rand, missing bool) rawTable {
	t := rawTable{}
	const size = 12
	for range size {
		t.rows = append(t.rows, nil)
	}
	for k := range 2 + rnd.IntN(3) {
		t.header = append(t.header, fmt.Sprintf("c %d", k))
		var values []string
		if rnd.IntN(3) > 0 {
			sets := [][]string{{"a"}, {"b", "a"}, {"no", "yes"}, {"-1", "x"}, {"r", "g", "b"}, strings.Split("klmopqrstu", "")}
			values = sets[rnd.IntN(len(sets))]
		}
		t.values = append(t.values, values)
		for m := range t.rows {
			cell := strconv.FormatFloat(rnd.NormFloat64(), 'g', 4, 64)
			switch {
			case missing && m >= 10 && rnd.IntN(2) == 0:
				cell = []string{"", "?", "NA", "nan"}[rnd.IntN(4)]
			case values != nil:
				cell = values[m%len(values)]
			}
			t.rows[m] = append(t.rows[m], cell)
		}
	}
	t.header = append(t.header, "label")
	for m := range t.rows {
		t.rows[m] = append(t.rows[m], strconv.Itoa(rnd.IntN(2)))
	}
	return t
}

// text returns the table as CSV, with its columns in an order, or without the label.
func (t rawTable) text(order []int, comma rune) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = comma
	for _, row := range append([][]string{t.header}, t.rows...) {
		var cells []string
		for _, k := range order {
			cells = append(cells, row[k])
		}
		w.Write(cells)
	}
	w.Flush()
	return b.String()
}

// record returns the cells of row m by name; numbers as numbers where asNumbers says so.
func (t rawTable) record(m int, asNumbers bool) map[string]any {
	record := map[string]any{}
	for k, name := range t.header[:len(t.header)-1] {
		cell := t.rows[m][k]
		switch number, err := strconv.ParseFloat(cell, 64); {
		case asNumbers && err == nil && cell != "nan":
			record[name] = number
		case asNumbers && slices.Contains([]string{"", "?", "NA", "nan"}, cell):
			record[name] = nil
		default:
			record[name] = cell
		}
	}
	return record
}

// predictorOf returns the predictor of a model of a data set, saved and read again, and it.
func predictorOf(t *testing.T, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Predictor) {
	t.Helper()
	m := &crankpkg.Model{
		FeatureNames: ds.FeatureNames, LabelNames: ds.LabelNames, Coding: ds.Coding,
		Unary: make([]float64, ds.NumLabels()*(ds.NumFeatures()+1)),
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again := new(crankpkg.Model)
	if _, err := again.ReadFrom(&file); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Coding, ds.Coding) {
		t.Fatalf("the coding %+v is read again as %+v", ds.Coding, again.Coding)
	}
	return again, again.Predictor()
}

// A record gives the row that the reader makes of the same cells, bit for bit, and so does a
// file with its columns in another order that is read with the coding of the saved model.
func TestRecordsAreRows(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 8))
	sparse, nominal := 0, 0
	for range 300 {
		opts := tabular.CSVOptions{LabelCount: -1}
		missing := rnd.IntN(2) == 0
		if missing {
			opts.Imputer = &crankpkg.Imputer{}
		}
		table := randomTable(rnd, missing)
		opts.Nominal = mixedColumns(table)
		width := len(table.header)
		all := make([]int, width)
		for k := range all {
			all[k] = k
		}
		text := table.text(all, ',')
		ds, err := tabular.ParseCSV(strings.NewReader(text), "x.csv", opts)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		model, p := predictorOf(t, ds)
		for m, row := range table.rows {
			byName, err1 := p.EncodeRecord(table.record(m, false))
			byNumber, err2 := p.EncodeRecord(table.record(m, true))
			inOrder, err3 := p.EncodeCells(row[:width-1])
			for _, x := range []crankpkg.Row{byName, byNumber, inOrder} {
				if !reflect.DeepEqual(x, ds.Row(m)) && !sameEmpty(x, ds.Row(m)) {
					t.Fatalf("row %d: %v, errors %v, %v, %v, want %v in\n%s", m, x, err1, err2, err3, ds.Row(m), text)
				}
			}
		}
		order := rnd.Perm(width - 1)
		rows, err := tabular.ParseCSV(strings.NewReader(table.text(order, ';')), "y.csv",
			tabular.CSVOptions{Comma: ';', FeaturesOnly: true, Coding: tabular.CodingOf(model)})
		if err != nil || !reflect.DeepEqual(rows.X, ds.X) || !reflect.DeepEqual(rows.Coding, ds.Coding) || !rows.Unlabeled {
			t.Fatalf("in another order: %+v, error %v, want %+v of\n%s", rows, err, ds, text)
		}
		if ds.X.IsSparse() {
			sparse++
		}
		if len(ds.Coding.Columns) > 0 {
			nominal++
		}
	}
	if sparse < 10 || nominal < 100 || nominal == 300 {
		t.Errorf("%d sparse tables and %d with something to code: the test is poor", sparse, nominal)
	}
}

// mixedColumns returns the columns with numbers among names.
func mixedColumns(t rawTable) (names []string) {
	for k, values := range t.values {
		if slices.Contains(values, "-1") {
			names = append(names, t.header[k])
		}
	}
	return names
}

func sameEmpty(a, b crankpkg.Row) bool {
	return len(a.Value) == 0 && len(b.Value) == 0 && (a.Index == nil) == (b.Index == nil)
}

// How cells were read in training, too, is what a model keeps: texts of missing cells, decimal
// commas, and names that pass unseen.
func TestCodingOfKeepsOptions(t *testing.T) {
	t.Parallel()
	opts := tabular.CSVOptions{
		LabelCount: -1, Comma: ';', DecimalComma: true, Missing: []string{"-"}, IgnoreUnseen: true, Imputer: &crankpkg.Imputer{},
	}
	ds, err := tabular.ParseCSV(strings.NewReader("a;k;y\n1,5;NA;1\n-;b;0\n2,5;-;1\n"), "x.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
	m, p := predictorOf(t, ds)
	text := "k;a\nNA;1,5\nb;-\n-;2,5\nc;3\n"
	rows, err := tabular.ParseCSV(strings.NewReader(text), "y.csv", tabular.CSVOptions{Comma: ';', FeaturesOnly: true, Coding: tabular.CodingOf(m)})
	if err != nil {
		t.Fatal(err)
	}
	for k, cells := range [][]string{{"1,5", "NA"}, {"-", "b"}, {"2,5", "-"}, {"3", "c"}} {
		x, err := p.EncodeCells(cells)
		if err != nil || !slices.Equal(x.Value, rows.Row(k).Value) || k < 3 && !slices.Equal(x.Value, ds.Row(k).Value) {
			t.Errorf("%q: %v, error %v, want %v", cells, x, err, rows.Row(k))
		}
	}
	if _, err := tabular.ParseCSV(strings.NewReader("k;a\nb;x\n"), "y.csv", tabular.CSVOptions{Comma: ';', FeaturesOnly: true, Coding: tabular.CodingOf(m)}); err == nil || !strings.Contains(err.Error(), `y.csv:2: column "a"`) {
		t.Errorf("error %v, want one that names the cell", err)
	}
}

// A file with labels is read with the coding of a model, too; and one without a header, in the
// order of the training file.
func TestCodingOfReadsLabels(t *testing.T) {
	t.Parallel()
	ds, err := tabular.ParseCSV(strings.NewReader("p,a,k,q\n1,2,x,0\n0,3,y,1\n"), "x.csv", tabular.CSVOptions{Labels: []string{"p", "q"}})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := predictorOf(t, ds)
	test, err := tabular.ParseCSV(strings.NewReader("q,k,p,a\n0,x,1,2\n1,y,0,3\n"), "x.csv", tabular.CSVOptions{Coding: tabular.CodingOf(m)})
	if err != nil || test.Unlabeled || !reflect.DeepEqual(test, ds) {
		t.Errorf("%+v, error %v, want %+v", test, err, ds)
	}
	rows, err := tabular.ParseCSV(strings.NewReader("2,x\n3,y\n"), "x.csv", tabular.CSVOptions{NoHeader: true, FeaturesOnly: true, Coding: tabular.CodingOf(m)})
	if err != nil || !reflect.DeepEqual(rows.X, ds.X) {
		t.Errorf("%+v, error %v", rows, err)
	}
	if _, err := tabular.ParseCSV(strings.NewReader("a,k\n,x\n"), "x.csv", tabular.CSVOptions{FeaturesOnly: true, Coding: tabular.CodingOf(m)}); err == nil || !strings.Contains(err.Error(), "a value is missing") {
		t.Errorf("nothing fills in, and the error is %v", err)
	}
	plain, err := tabular.ParseCSV(strings.NewReader("a,y\n1,0\n"), "x.csv", tabular.CSVOptions{LabelCount: -1})
	if err != nil {
		t.Fatal(err)
	}
	m, _ = predictorOf(t, plain)
	if rows, err = tabular.ParseCSV(strings.NewReader("a\n7\n"), "x.csv", tabular.CSVOptions{FeaturesOnly: true, Coding: tabular.CodingOf(m)}); err != nil || rows.X.Value[0] != 7 {
		t.Errorf("a model of plain numbers: %v, error %v", rows, err)
	}
}

// arff returns the table as an ARFF file, with its columns and the values of each in an order.
func (t rawTable) arff(order []int, rnd *rand.Rand) string {
	var b strings.Builder
	b.WriteString("@relation r\n")
	for _, k := range order {
		kind := "numeric"
		if k == len(t.values) {
			kind = "{0,1}"
		} else if values := t.values[k]; values != nil {
			shuffled := slices.Clone(values)
			rnd.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			kind = "{" + strings.Join(shuffled, ",") + "}"
		}
		fmt.Fprintf(&b, "@attribute '%s' %s\n", t.header[k], kind)
	}
	b.WriteString("@data\n")
	for _, row := range t.rows {
		for p, k := range order {
			cell := row[k]
			if k < len(t.values) && slices.Contains([]string{"", "NA", "nan"}, cell) {
				cell = "?"
			}
			if p > 0 {
				b.WriteByte(',')
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The same of ARFF files: a record gives the reader's row, and a file that declares its
// attributes and their values in another order gives the same rows once matched.
func TestRecordsAreRowsOfARFF(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		table := randomTable(rnd, true)
		width := len(table.header)
		order := rnd.Perm(width)
		text := table.arff(order, rnd)
		opts := crankpkg.ARFFOptions{Labels: []string{"label"}, Imputer: &crankpkg.Imputer{}}
		ds, err := crankpkg.ParseARFF(strings.NewReader(text), "x.arff", opts)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		model, p := predictorOf(t, ds)
		for m := range table.rows {
			for _, asNumbers := range []bool{false, true} {
				x, err := p.EncodeRecord(table.record(m, asNumbers))
				if err != nil || !reflect.DeepEqual(x, ds.Row(m)) && !sameEmpty(x, ds.Row(m)) {
					t.Fatalf("row %d: %v, error %v, want %v in\n%s", m, x, err, ds.Row(m), text)
				}
			}
		}
		other := table.arff(rnd.Perm(width), rnd)
		opts = crankpkg.ARFFOptions{Labels: []string{"label"}, FeaturesOnly: true, Imputer: model.Coding.Imputer(model.FeatureNames)}
		rows, err := crankpkg.ParseARFF(strings.NewReader(other), "y.arff", opts)
		if err != nil {
			t.Fatalf("%v in\n%s", err, other)
		}
		matched, err := model.Match(rows)
		if err != nil || !reflect.DeepEqual(testkit.DenseRows(matched.X), testkit.DenseRows(ds.X)) || matched.Coding.Check(matched.FeatureNames) != nil {
			t.Fatalf("matched %+v, error %v, want the rows of\n%s from\n%s", matched, err, text, other)
		}
		if err := model.Coding.Agree(&matched.Coding); err != nil || len(matched.Coding.Columns) == 0 {
			t.Errorf("coding %+v, want %+v: %v", matched.Coding, model.Coding, err)
		}
	}
}
