package metrics_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

func numbered(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("y", i)
	}
	return names
}

func TestReportAgainstScikitLearn(t *testing.T) {
	for k, c := range sklearnCases {
		for convention, want := range map[metrics.EmptyF1]sklearnShares{metrics.EmptyIsOne: c.one, metrics.EmptyIsZero: c.zero} {
			r, err := metrics.Evaluator{EmptyF1: convention}.Report(c.truth, c.predicted, c.scores, numbered(c.n))
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, got, want float64) {
				if !sameNumber(got, 100*want) {
					t.Errorf("set %d, convention %d: %s is %v, want %v", k, convention, what, got, 100*want)
				}
			}
			check("example Jaccard", r.Jaccard.Example, want.jaccard[0])
			check("micro Jaccard", r.Jaccard.Micro, want.jaccard[1])
			check("macro Jaccard", r.Jaccard.Macro, want.jaccard[2])
			check("ranking loss", r.Ranking.RankingLoss, c.ranking[0])
			check("average precision", r.Ranking.AveragePrecision, c.ranking[2])
			for i, l := range r.Labels {
				check("precision of "+l.Name, l.Precision, c.precision[i])
				check("recall of "+l.Name, l.Recall, c.recall[i])
				check("F1 of "+l.Name, l.F1, want.f1[i])
				check("Jaccard of "+l.Name, l.Jaccard, want.labelJaccard[i])
				check("AUC of "+l.Name, l.AUC, c.auc[i])
				if l.Support != c.support[i] || l.Name != numbered(c.n)[i] {
					t.Errorf("set %d: label %d is %s with support %d, want %d", k, i, l.Name, l.Support, c.support[i])
				}
			}
			if scores := (metrics.Evaluator{EmptyF1: convention}).Scores(c.truth, c.predicted, c.n); r.Scores != scores || r.Examples != len(c.truth)/c.n {
				t.Errorf("set %d: %d examples, scores %+v, want %+v", k, r.Examples, r.Scores, scores)
			}
		}
	}
}

func TestReportRefuses(t *testing.T) {
	good, names := make([]uint8, 4), []string{"a", "b"}
	for name, c := range map[string]struct {
		truth, predicted []uint8
		margins          []float64
		names            []string
		says             string
	}{
		"no labels":    {good, good, nil, nil, "rows of 0 labels"},
		"no examples":  {nil, nil, nil, names, "0 true and 0 predicted values"},
		"half a row":   {good[:3], good[:3], nil, names, "3 true"},
		"predicted":    {good, good[:2], nil, names, "4 true and 2 predicted"},
		"margins":      {good, good, make([]float64, 2), names, "2 margins for 4"},
		"a truth of 2": {[]uint8{0, 0, 0, 2}, good, nil, names, `row 1, label "b": 2`},
		"a label of 3": {good, []uint8{0, 0, 3, 0}, nil, names, `row 1, label "a": 3`},
		"NaN":          {good, good, []float64{0, math.NaN(), 0, 0}, names, `row 0, label "b": a margin of NaN`},
	} {
		r, err := metrics.NewReport(c.truth, c.predicted, c.margins, c.names)
		if r != nil || !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, error %v, want one that says %s", name, r, err, c.says)
		}
	}
}

// reports returns one with measures of ranking, of which some are not defined, and one
// without.
func reports(t *testing.T) []*metrics.Report {
	t.Helper()
	names := []string{"a|b", "c\nd", `e,"f"`, "–"}
	with, err := metrics.NewReport(handTruth, handPredicted, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, names)
	if err != nil {
		t.Fatal(err)
	}
	without, err := metrics.NewReport(handTruth, handPredicted, nil, names)
	if err != nil {
		t.Fatal(err)
	}
	return []*metrics.Report{with, without}
}

// TestReportAsJSON reads what JSON writes. NaN is not equal to itself, so texts are compared
// too.
func TestReportAsJSON(t *testing.T) {
	for k, want := range reports(t) {
		text, err := want.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var got metrics.Report
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		again, err := got.JSON()
		if err != nil || string(again) != string(text) || got.String() != want.String() {
			t.Errorf("report %d: read as\n%s, written as\n%s, error %v", k, again, text, err)
		}
		if got.Scores != want.Scores || !reflect.DeepEqual(got.Ranking, want.Ranking) || got.Labels[0] != want.Labels[0] && k == 0 {
			t.Errorf("report %d: %+v, want %+v", k, got, want)
		}
	}
}

// TestReportAsCSV finds every number again.
func TestReportAsCSV(t *testing.T) {
	for k, r := range reports(t) {
		var b strings.Builder
		if err := r.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		values := map[[2]string]string{}
		for _, record := range records {
			values[[2]string{record[0], record[1]}] = record[2]
		}
		if len(values) != len(records) {
			t.Errorf("report %d: a measure occurs twice", k)
		}
		for key, want := range map[[2]string]float64{
			{"", "SubsetAccuracy"}:    r.Scores.SubsetAccuracy,
			{"", "MicroJaccard"}:      r.Jaccard.Micro,
			{"a|b", "Support"}:        2,
			{"c\nd", "Precision"}:     r.Labels[1].Precision,
			{`e,"f"`, "Recall"}:       0,
			{"a|b", "AUC"}:            r.Labels[0].AUC,
			{"–", "Predicted"}:        0,
			{"label", "measure"}:      math.Inf(1), // the names of the columns
			{"no such label", "none"}: math.Inf(1),
		} {
			got, err := strconv.ParseFloat(values[key], 64)
			undefined := math.IsNaN(want) || math.IsInf(want, 1)
			if undefined != (err != nil) || !undefined && got != want {
				t.Errorf("report %d: %v is %q, want %v", k, key, values[key], want)
			}
		}
		if _, ok := values[[2]string{"", "Coverage"}]; ok != (r.Ranking != nil) {
			t.Errorf("report %d: ranking is there: %v", k, ok)
		}
	}
}

// TestReportTables keeps every label in a line of its own, with as many cells as the head.
func TestReportTables(t *testing.T) {
	for k, r := range reports(t) {
		_, table, _ := strings.Cut(r.Markdown(), "\n\n")
		lines := strings.Split(strings.TrimSpace(table), "\n")
		if len(lines) != 2+len(r.Labels) {
			t.Fatalf("report %d: %d lines:\n%s", k, len(lines), table)
		}
		for _, line := range lines {
			if cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); cells != 9 {
				t.Errorf("report %d: %d bars in %q", k, cells, line)
			}
		}
		if text := r.String(); strings.Contains(text, "ranking loss") != (r.Ranking != nil) || strings.Contains(text, "NaN") || !strings.Contains(text, "c d") {
			t.Errorf("report %d:\n%s", k, text)
		}
	}
}

func ExampleNewReport() {
	truth := []uint8{
		1, 0, 1,
		0, 1, 0,
		1, 0, 0,
		0, 0, 0,
	}
	predicted := []uint8{
		1, 0, 0,
		0, 1, 0,
		1, 1, 0,
		0, 0, 0,
	}
	margins := []float64{
		2, -1, -1.5, // snow stands below wind, which there is not
		-1, 3, -2,
		1, 0.5, -1,
		-2, -1, -1,
	}
	r, err := metrics.NewReport(truth, predicted, margins, []string{"rain", "wind", "snow"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(r)
	// Output:
	// 4 examples, 3 labels
	//    Hamming accuracy  83.3
	//     subset accuracy  50.0
	//          example F1  83.3
	//            micro F1  75.0
	//            macro F1  55.6
	//     example Jaccard  75.0
	//       micro Jaccard  60.0
	//       macro Jaccard  50.0
	//        ranking loss  12.5
	//   coverage (labels)  1.25
	//   average precision  95.8
	//           one-error   0.0
	//           macro AUC  77.8
	//
	//   label  support  predicted  precision  recall     F1  Jaccard    AUC
	//    rain        2          2      100.0   100.0  100.0    100.0  100.0
	//    wind        1          2       50.0   100.0   66.7     50.0  100.0
	//    snow        1          0          –     0.0    0.0      0.0   33.3
}

func ExampleReport_WriteCSV() {
	r, err := metrics.NewReport([]uint8{1, 1, 1, 1, 0}, []uint8{1, 1, 1, 0, 1}, nil, []string{"rain"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.WriteCSV(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// label,measure,value
	// ,HammingAccuracy,60
	// ,SubsetAccuracy,60
	// ,ExampleF1,60
	// ,MicroF1,75
	// ,MacroF1,75
	// ,ExampleJaccard,60
	// ,MicroJaccard,60
	// ,MacroJaccard,60
	// rain,Support,4
	// rain,Predicted,4
	// rain,Precision,75
	// rain,Recall,75
	// rain,F1,75
	// rain,Jaccard,60
	// rain,AUC,
}
