package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
)

// compared runs MST and Empty on a set and compares them; the second comparison is that of
// subset accuracy.
func compared(t *testing.T, set Set, seeds ...uint64) (*Table, []Comparison) {
	t.Helper()
	table, err := Experiment{
		Sets: []Set{set}, Seeds: seeds,
		Trainers: []crankpkg.Trainer{crankpkg.MST{Lambda: 0.01}, crankpkg.Empty{Lambda: 0.01}},
	}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	all := table.Compare("MST", metrics.Bootstrap{Resamples: 500, Seed: 7})
	if len(all) != 3 {
		t.Fatalf("%d comparisons", len(all))
	}
	for _, c := range all {
		// The mean difference is that of the scores.
		var want float64
		for k, a := range table.Runs(set.Name, "MST") {
			want += (a.Scores.Of(c.Measure) - table.Runs(set.Name, "Empty")[k].Scores.Of(c.Measure)) / float64(max(1, len(seeds)))
		}
		if math.Abs(c.Difference.Mean-want) > 1e-9 || c.A != "MST" || c.B != "Empty" || c.Corrected != c.Difference.P {
			t.Errorf("%+v: the scores differ by %v", c, want)
		}
		if (c.McNemar != nil) != (len(seeds) <= 1 && c.Measure == metrics.SubsetAccuracy) {
			t.Errorf("%+v with %d seeds", c, len(seeds))
		}
		if !strings.Contains(c.String(), "("+c.Difference.Test+")") {
			t.Errorf("%v does not say what was tested", c)
		}
	}
	return table, all
}

var small = crankpkg.PlantedTree{N: 4, D: 3, Noise: 0.05}

// differences returns those of subset accuracy, by seed.
func differences(table *Table) (d []float64) {
	other := table.Runs("p", "Empty")
	for k, a := range table.Runs("p", "MST") {
		d = append(d, a.Scores.SubsetAccuracy-other[k].Scores.SubsetAccuracy)
	}
	return d
}

// TestCompareFits has every way in which seeds can differ, and the test that fits it.
func TestCompareFits(t *testing.T) {
	t.Parallel()
	table, all := compared(t, PlantedSet("p", small, 60, 80))
	a, b := table.Runs("p", "MST")[0], table.Runs("p", "Empty")[0]
	want := metrics.Bootstrap{Resamples: 500, Seed: 7}.Compare(a.Examples().SubsetAccuracy, b.Examples().SubsetAccuracy)
	if all[1].Difference != want {
		t.Errorf("one seed: %+v, want %+v", all[1].Difference, want)
	}

	table, all = compared(t, PlantedSet("p", small, 60, 80), 1, 2, 3)
	if want := significance.PairedT(differences(table), 0); all[1].Difference != want {
		t.Errorf("planted draws: %+v, want %+v", all[1].Difference, want)
	}

	pool, _, _ := small.Generate(140, 1)
	table, all = compared(t, Set{Name: "p", Load: func(seed uint64) (train, test *crankpkg.Dataset, err error) {
		train, test = pool.Split(3./7, seed)
		return train, test, nil
	}}, 1, 2, 3)
	if want := significance.ResampledT(differences(table), 80./60, 0); all[1].Difference != want {
		t.Errorf("random splits: %+v, want %+v", all[1].Difference, want)
	}

	table, all = compared(t, Set{Name: "p", Load: func(seed uint64) (train, test *crankpkg.Dataset, err error) {
		train, _ = pool.Split(0.5, seed) // other training examples, one test set
		return train, pool, nil
	}}, 1, 2, 3)
	var each [][]float64
	for k, a := range table.Runs("p", "MST") {
		x, y := a.Examples().SubsetAccuracy, table.Runs("p", "Empty")[k].Examples().SubsetAccuracy
		each = append(each, nil)
		for m := range x {
			each[k] = append(each[k], x[m]-y[m])
		}
	}
	if want := significance.Crossed(each, 0); all[1].Difference != want {
		t.Errorf("one test set: %+v, want %+v", all[1].Difference, want)
	}
}

// randomTable has two methods that are right on a label with the same probability: every
// seed has its own labels, or all are tested on the same.
func randomTable(rng *rand.Rand, seeds int, oneTestSet bool) *Table {
	const n, examples = 2, 60
	table := &Table{Sets: []string{"p"}, Methods: []string{"A", "B"}, Draws: []string{"p"}}
	truth, hard := make([]uint8, n*examples), make([]float64, n*examples)
	for seed := range seeds {
		if seed == 0 || !oneTestSet {
			truth = make([]uint8, n*examples)
			for k := range truth {
				truth[k], hard[k] = uint8(rng.IntN(2)), rng.Float64()
			}
		}
		for _, method := range table.Methods {
			predicted := make(PackedLabels, len(truth))
			for k, v := range truth {
				predicted[k] = v
				if rng.Float64() < 0.6*hard[k] {
					predicted[k] = 1 - v
				}
			}
			table.Cells = append(table.Cells, Cell{Set: "p", Method: method, Seed: uint64(seed), Train: 100, Test: examples, NumLabels: n,
				Truth: truth, Predicted: predicted, Scores: metrics.Evaluate(truth, predicted, n)})
		}
	}
	return table
}

// TestCompareKeepsItsLevel compares equals with two, three and five seeds: a bootstrap of the
// seeds would find a difference in half, a third and a sixth of the cases.
func TestCompareKeepsItsLevel(t *testing.T) {
	t.Parallel()
	const runs = 70
	rng := rand.New(rand.NewPCG(14, 3))
	for _, seeds := range []int{2, 3, 5} {
		for _, oneTestSet := range []bool{false, true} {
			rejected := 0.0
			for range runs {
				table := randomTable(rng, seeds, oneTestSet)
				c := compareRuns(table.Runs("p", "A"), table.Runs("p", "B"), metrics.HammingAccuracy, metrics.Bootstrap{}, true)
				if c.Difference.P <= 0.05 {
					rejected += 1. / runs
				}
			}
			if rejected > 0.05+3.5*math.Sqrt(0.05*0.95/runs) {
				t.Errorf("%d seeds, one test set %v: rejects %v", seeds, oneTestSet, rejected)
			}
		}
	}
}

// TestCompareCorrects holds the corrected p-values to Holm's, measure by measure.
func TestCompareCorrects(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(15, 3))
	table := randomTable(rng, 3, false)
	for _, more := range []string{"C", "D"} {
		table.Methods = append(table.Methods, more)
		for _, c := range randomTable(rng, 3, false).Runs("p", "B") {
			c.Method = more
			table.Cells = append(table.Cells, c)
		}
	}
	all := table.Compare("A", metrics.Bootstrap{})
	for _, m := range metrics.PaperMeasures() {
		var p, corrected []float64
		for _, c := range all {
			if c.Measure == m {
				p, corrected = append(p, c.Difference.P), append(corrected, c.Corrected)
			}
		}
		for k, want := range significance.Holm(p) {
			if len(p) != 3 || corrected[k] != want {
				t.Errorf("%s: %v corrected as %v", m, p, corrected)
			}
		}
	}
}
