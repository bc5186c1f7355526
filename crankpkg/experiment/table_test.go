package experiment

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat"
)

// TestPaperRanks checks our ranks of the paper's values against the ranks that
// the paper prints.
func TestPaperRanks(t *testing.T) {
	printed := map[string]string{
		"CRANK":   "2 2 2  1 2 2  1 2 3  2 2 3",
		"Full":    "1 1 1  3 1 1  1 1 1  1 1 1",
		"Greedy":  "3 3 3  4 4 4  1 2 1",
		"Project": "5 5 5  5 5 5  4 4 5  2 3 2",
		"MST":     "4 4 4  2 3 3  4 5 4  2 4 4",
		"Empty":   "6 6 6  6 6 6  6 6 6  5 5 5",
	}
	got := map[string][]string{}
	for _, e := range PaperTable1() {
		got[e.Method] = append(got[e.Method], fmt.Sprint(e.Rank))
	}
	for method, ranks := range printed {
		if g, want := strings.Join(got[method], " "), strings.Join(strings.Fields(ranks), " "); g != want {
			t.Errorf("%s: ranks %s, the paper has %s", method, g, want)
		}
	}
}

// TestPaperValues holds the values to the paper's text, as it prints them.
func TestPaperValues(t *testing.T) {
	const table1 = `
CRANK 90.5 58.9 64.8 79.2 29.2 60.5
Full 90.7 62.2 67.8 79.0 33.7 62.5
Greedy 90.2 56.9 62.6 78.5 24.3 54.5
Project 89.5 52.1 59.2 77.6 20.8 49.8
MST 89.9 53.0 59.6 79.1 28.2 57.5
Empty 89.3 49.5 56.5 76.7 20.3 48.5
CRANK 96.9 74.0 78.2 80.1 17.6 60.4
Full 96.9 75.0 78.3 80.2 19.0 60.9
Greedy 96.9 74.0 78.3 NA NA NA
Project 96.7 72.7 77.0 80.1 16.4 60.7
MST 96.7 71.9 77.5 80.1 16.1 60.3
Empty 96.4 71.0 76.1 79.8 12.1 58.0`
	sets, want := [][]string{{"scene", "emotions"}, {"medical10", "yeast"}}, map[string]string{}
	for k, line := range strings.Split(strings.TrimSpace(table1), "\n") {
		fields := strings.Fields(line)
		for j, value := range fields[1:] {
			if value != "NA" {
				want[fmt.Sprint(sets[k/6][j/3], fields[0], metrics.PaperMeasures()[j%3])] = value
			}
		}
	}
	entries := PaperTable1()
	for _, e := range entries {
		if key := fmt.Sprint(e.Set, e.Method, e.Measure); want[key] != fmt.Sprintf("%.1f", e.Value) || e.Runs != 1 {
			t.Errorf("%s: %v in %d runs, the paper has %s", key, e.Value, e.Runs, want[key])
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d entries, the paper has %d", len(entries), len(want))
	}
	if got, want := fmt.Sprint(PaperTable2()), "[{CRANK 1.82 0.02} {Full 1 1} {Project 0.17 0.06} {MST 1.32 0.02} {Empty 0.01 0.02}]"; got != want {
		t.Errorf("Table 2: %s, the paper has %s", got, want)
	}
}

// handTable has one set of two examples with two labels, two methods and two
// seeds; the second method is right everywhere but in one label of seed 2.
func handTable() *Table {
	truth := []uint8{1, 0, 1, 1}
	cell := func(method string, seed uint64, lambda float64, predicted ...uint8) Cell {
		return Cell{
			Set: "a|b", Method: method, Seed: seed, Lambda: lambda, NumLabels: 2, Test: 2,
			Truth: truth, Predicted: predicted, Scores: metrics.Evaluate(truth, predicted, 2),
		}
	}
	return &Table{
		Sets: []string{"a|b"}, Methods: []string{"<one>", "two"}, Seeds: []uint64{1, 2}, Measures: metrics.PaperMeasures(),
		Cells: []Cell{
			cell("<one>", 1, 0.1, 0, 0, 0, 0), cell("<one>", 2, 0.3, 1, 0, 0, 1),
			cell("two", 1, 0.1, 1, 0, 1, 1), cell("two", 2, 0.1, 1, 0, 1, 0),
		},
	}
}

func TestTableEntries(t *testing.T) {
	entries := handTable().Entries()
	// Hamming of <one>: 25 and 75; of two: 100 and 75.
	for k, want := range map[int]Entry{
		0: {"a|b", "<one>", metrics.HammingAccuracy, 50, 25, 2, 0.1, 2},
		3: {"a|b", "two", metrics.HammingAccuracy, 87.5, 12.5, 1, 0.1, 2},
		4: {"a|b", "two", metrics.SubsetAccuracy, 75, 25, 1, 0.1, 2},
	} {
		got := entries[k]
		if !(math.Abs(got.Value-want.Value)+math.Abs(got.StdErr-want.StdErr) <= 1e-9) {
			t.Errorf("entry %d: %+v, want %+v", k, got, want)
		}
		got.Value, got.StdErr = want.Value, want.StdErr
		if got != want {
			t.Errorf("entry %d: %+v, want %+v", k, got, want)
		}
	}
	// A single run: the error is over the examples, 50 and 0 right in Hamming.
	table := handTable()
	table.Cells = table.Cells[:1]
	if e := table.Entries()[0]; e.Runs != 1 || math.Abs(e.StdErr-25) > 1e-9 || e.Value != 25 {
		t.Errorf("%+v, want 25 +- 25", e)
	}
}

func TestRankTies(t *testing.T) {
	entries := []Entry{{Value: 79.96}, {Value: 80.04}, {Value: 80.06}, {Value: 12, Measure: metrics.SubsetAccuracy}, {Value: 1}}
	rankEntries(entries)
	for k, want := range []int{2, 2, 1, 1, 4} {
		if entries[k].Rank != want {
			t.Errorf("%v has rank %d, want %d", entries[k].Value, entries[k].Rank, want)
		}
	}
}

// TestRunsAreWhatMeansAreOf reads the lines of single runs back: their means are the entries, and each set, method and seed has one.
func TestRunsAreWhatMeansAreOf(t *testing.T) {
	table := handTable()
	var b strings.Builder
	if err := table.WriteRuns(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != len(table.Cells)+1 {
		t.Fatalf("%d rows of %d cells, %v", len(rows), len(table.Cells), err)
	}
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		seen[strings.Join(row[:3], "/")] = true
	}
	if len(seen) != len(table.Cells) {
		t.Errorf("%d cells have %d names", len(table.Cells), len(seen))
	}
	for _, e := range table.Entries() {
		column := slices.Index(rows[0], string(e.Measure))
		var values []float64
		for _, row := range rows[1:] {
			if row[0] == e.Set && row[1] == e.Method {
				v, err := strconv.ParseFloat(row[column], 64)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, v)
			}
		}
		if len(values) != e.Runs || math.Abs(stat.Mean(values, nil)-e.Value) > 1e-9 {
			t.Errorf("%s, %s, %s: runs %v, mean %v", e.Set, e.Method, e.Measure, values, e.Value)
		}
	}
}

func TestTablePrints(t *testing.T) {
	table := handTable()
	text := table.Markdown()
	for _, want := range []string{
		"| set | method | Hamming accuracy | subset accuracy | F1 | lambda |\n|---|---|---:|---:|---:|---:|\n",
		`| a\|b | <one> | 50.0 ± 25.0 (2) |`, "| **87.5 ± 12.5** (1) |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("Markdown lacks %q:\n%s", want, text)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(table.CSV())).ReadAll()
	if err != nil || len(rows) != 7 || rows[4][1] != "two" || rows[4][3] != "87.5" {
		t.Errorf("CSV %v, %v", rows, err)
	}
	out, err := table.JSON()
	var back []Entry
	if err == nil {
		err = json.Unmarshal(out, &back)
	}
	if err != nil || len(back) != 6 || back[3] != table.Entries()[3] {
		t.Errorf("JSON %s, %v", out, err)
	}
	page := table.HTML()
	decoder := xml.NewDecoder(strings.NewReader(page))
	cells := 0
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("HTML is not well formed: %v\n%s", err, page)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "td" {
			cells++
		}
	}
	if cells != 6 || !strings.Contains(page, "&lt;one&gt;") || !strings.Contains(page, "<b>87.5 ± 12.5 (1)</b>") {
		t.Errorf("HTML:\n%s", page)
	}
}
