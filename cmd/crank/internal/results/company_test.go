package results

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// checkCompany checks the trial of averages of two trees.
func checkCompany(t *testing.T, o Options) {
	rows := trial[companyRow](t, o, "company", "company.json")
	perSet := map[string]int{}
	for _, r := range rows {
		perSet[r.Set]++
		if r.Halves || r.Count != 2 || len(r.Test) != 1 || r.Mean != r.Test[0] || r.OneMean != r.One[0] || !(r.Mean > 0) || !(r.OneMean > 0) || r.Rule == "" ||
			!near(r.Difference, r.Mean-r.OneMean) || r.Low > r.Difference || r.High < r.Difference || r.P <= 0 || r.Holm < r.P ||
			(r.Averaged == ofMargins) != (r.Edges == 0) || r.Certain < 0 || r.Certain > 1+1e-9 {
			t.Errorf("%+v", r)
		}
	}
	for _, set := range []string{"emotions", "medical10"} {
		if perSet[set] != 12 && perSet[set] != 18 { // feature draws where there is a kernel
			t.Errorf("%s has %d rows", set, perSet[set])
		}
	}
}

// checkManyGraphs checks the trial of graphs on a set with many labels.
func checkManyGraphs(t *testing.T, o Options) {
	rows := trial[manyRow](t, o, "many-labels", "many_labels.json")
	if len(rows) != 2*3 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, r := range rows {
		tree := k/3 == 1
		if r.Peer {
			t.Errorf("a peer without a file of peers: %+v", r)
		}
		if r.Set != "bibtex" || r.Graph != []string{"Empty", "CRANK"}[k/3] || r.Measure != metrics.PaperMeasures()[k%3] || r.Examples != 20 ||
			r.Lambda != manyLabelsLambdas[0] || !(r.Test > 0) || r.Rule == "" || r.Gap > manyGap || r.CPU <= 0 || tree != (r.Over != nil) || !tree && r.Edges > 0 {
			t.Errorf("%+v", r)
		}
		if tree && (!near(r.Over.Difference, r.Test-rows[k-3].Test) || r.Over.Low > r.Over.Difference || r.Over.High < r.Over.Difference || r.Over.Holm < r.Over.P) {
			t.Errorf("%+v: %+v", r, *r.Over)
		}
	}
}

// TestResample checks that draws are of the examples, as many, some of them more than once, and others by another seed.
func TestResample(t *testing.T) {
	t.Parallel()
	train, _, err := testSets.Split("scene")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	row := func(ds *crankpkg.Dataset, m int) string {
		x := make([]float64, ds.NumFeatures())
		ds.Row(m).AddScaledTo(x, 1)
		return string(ds.Labels(m)) + fmt.Sprint(x)
	}
	for m := range train.Len() {
		have[row(train, m)] = true
	}
	var last []uint8
	for seed := uint64(1); seed <= 3; seed++ {
		drawn := resample(train, seed)
		distinct := map[string]bool{}
		for m := range drawn.Len() {
			if !have[row(drawn, m)] {
				t.Fatalf("seed %d: example %d is none of the set", seed, m)
			}
			distinct[row(drawn, m)] = true
		}
		if drawn.Len() != train.Len() || len(distinct) == train.Len() || slices.Equal(last, drawn.Y) {
			t.Errorf("seed %d: %d examples, %d distinct", seed, drawn.Len(), len(distinct))
		}
		last = drawn.Y
	}
}

// TestCompanyRows checks tests and means of rows with entries that are known.
func TestCompanyRows(t *testing.T) {
	t.Parallel()
	entry := func(members, averaged string, test float64) companyEntry {
		return companyEntry{Members: members, Averaged: averaged, Measure: metrics.ExampleF1, Test: test, Edges: 4, Certain: 0.5, Over: metrics.Difference{Mean: 9, P: 0.5}}
	}
	var sets [][]companyEntry
	for k := range 10 {
		sets = append(sets, []companyEntry{entry(oneTreeAlone, ofScores, float64(k)), entry("lambdas", ofMargins, float64(k)+1+0.1*float64(k%2))})
	}
	rows := companyRows("scene", true, sets...)
	if len(rows) != 1 || !near(rows[0].Difference, 1.05) || !near(rows[0].Mean-rows[0].OneMean, 1.05) || rows[0].P > 0.001 || !near(rows[0].Edges, 4) || !near(rows[0].Certain, 0.5) {
		t.Errorf("%+v", rows)
	}
	if one := companyRows("scene", false, sets[3]); len(one) != 1 || one[0].Difference != 9 || one[0].P != 0.5 {
		t.Errorf("%+v", one)
	}
	for k := range sets { // differences that are all the same have no spread
		sets[k][1].Test = sets[k][0].Test + 1
	}
	rows = companyRows("scene", true, sets...)
	if _, err := json.Marshal(rows); err != nil || len(rows) != 1 || rows[0].Difference != 1 || rows[0].Low != -100 || rows[0].High != 100 || rows[0].P != 1 {
		t.Errorf("%+v: %v", rows, err)
	}
	tags := tagsRow{Method: "CRANK", Measure: metrics.ExampleF1, Test: []float64{3, 3}}
	tags.compare(&peersFile{Rows: []peerRow{{Set: "tags-1", Measure: metrics.ExampleF1, Test: 2}, {Set: "tags-2", Measure: metrics.ExampleF1, Test: 2}}})
	if _, err := json.Marshal(tags); err != nil || tags.Difference != 1 || tags.Low != -100 || tags.High != 100 {
		t.Errorf("%+v: %v", tags, err)
	}
	sets[7] = sets[7][:1]
	if rows := companyRows("scene", true, sets...); len(rows) != 0 {
		t.Errorf("a row of nine halves: %+v", rows)
	}
	family := []companyRow{{P: 0.01}, {Halves: true, P: 0.03}, {P: 0.02}}
	if holmCompany(family); !near(family[0].Holm, 0.02) || !near(family[1].Holm, 0.03) || !near(family[2].Holm, 0.02) {
		t.Errorf("%+v", family)
	}
}

// TestTold checks the lines for the README on rows that are known.
func TestTold(t *testing.T) {
	t.Parallel()
	var rows []companyRow
	for k, m := range metrics.PaperMeasures() {
		r := companyRow{Set: "scene", Members: "lambdas", Averaged: ofScores, Measure: m, Mean: float64(10 * k), OneMean: 1, Difference: float64(10*k - 1), Holm: 0.01}
		margins := r
		margins.Averaged, margins.Holm = ofMargins, 1
		rows = append(rows, r, margins)
	}
	want := []string{"| scene | 1.0 / 1.0 / 1.0 | - | - | 0.0 / 10.0 / 20.0 |",
		"Of 6 differences, averages of margins included, 4 are above zero, 2 significantly above and 1 significantly below"}
	if got := companyTold(rows); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	many := []manyRow{{Set: "a", Graph: "Empty", Test: 1, CPU: 3}, {Test: 2, CPU: 4.6}, {Test: 3},
		{Set: "a", Graph: "MST", Test: 4, Over: &lead{Difference: 3, Holm: 0.01}}, {Test: 5, Over: &lead{Difference: 3, Holm: 0.2}}, {Test: 2, Over: &lead{Difference: -1, Holm: 0.04}}}
	want = []string{"| a, Empty | 1.0 | 2.0 | 3.0 | 5 |", "| a, MST | 4.0 | 5.0 | 2.0 | 0 |", "Of 3 differences from Empty, 1 are significantly above zero and 1 below"}
	if got := manyTold(many); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
