package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
	"gonum.org/v1/gonum/stat/distuv"
)

// madeTable has a row for each combination, with an F1 that value gives.
func madeTable(sets []string, seeds int, splits []uint64, levels []int, value func(set int, seed, split uint64, s setting) float64) *SweepTable {
	s := Sweep{Methods: []crankpkg.Trainer{crankpkg.Empty{}}, Seeds: Seeds(seeds), Splits: splits}
	for _, name := range sets {
		s.Sets = append(s.Sets, Set{Name: name, Draws: true})
	}
	for f, n := range levels {
		factor := Factor{Name: string(rune('A' + f))}
		for l := range n {
			factor.Levels = append(factor.Levels, Level{Label: fmt.Sprint(l), Apply: func(t crankpkg.Trainer) (crankpkg.Trainer, error) { return t, nil }})
		}
		s.Factors = append(s.Factors, factor)
	}
	points, table, err := s.plan()
	if err != nil {
		panic(err)
	}
	for _, p := range points {
		row := s.newRow(p)
		row.Train, row.Test = 60, 40
		row.Scores.ExampleF1 = value(slices.Index(sets, p.set.Name), p.seed, p.split, p.setting)
		table.Rows = append(table.Rows, *row)
	}
	return table
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestEffectsOfSums has effects that add up, beside large differences between sets and seeds: they come out exactly.
func TestEffectsOfSums(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	noise := map[string]float64{}
	table := madeTable([]string{"x", "y"}, 5, nil, []int{3, 2}, func(set int, seed, _ uint64, s setting) float64 {
		block := fmt.Sprint(set, seed)
		if _, ok := noise[block]; !ok {
			noise[block] = 100 * rng.NormFloat64()
		}
		return noise[block] + 2*float64(s[0]*s[0]) - 3*float64(s[1])
	})
	// Where all differences are equal, the test is that of sign flips.
	want := map[string]float64{"A 1 - 0": 2, "A 2 - 0": 8, "B 1 - 0": -3}
	effects := table.Effects(metrics.ExampleF1)
	if len(effects) != len(want) {
		t.Errorf("%+v", effects)
	}
	for _, e := range effects {
		if !near(e.Mean, want[e.Label]) || !near(e.Low, e.Mean) || !near(e.High, e.Mean) || !near(e.P, 2.0/1024) || e.N != 10 {
			t.Errorf("%+v, want %v", e, want[e.Label])
		}
	}
	if on := table.EffectsOn("y", metrics.ExampleF1); len(on) != 3 || on[2].Label != "y: B 1 - 0" || on[2].N != 5 || !near(on[2].Mean, -3) {
		t.Errorf("on one set: %+v", on)
	}
	e, err := table.Compare(metrics.ExampleF1, "A", "1", "2")
	if err != nil || !near(e.Mean, 6) {
		t.Errorf("%+v, error %v", e, err)
	}
	// Variances of the levels: A has 0, 2, 8 and B has 0, -3.
	varA, varB := (4+64)/3.0-(10/3.0)*(10/3.0), 9.0/4
	shares, err := table.Importance(metrics.ExampleF1)
	if err != nil || len(shares) != 4 {
		t.Fatalf("%+v, error %v", shares, err)
	}
	for k, want := range []float64{varA / (varA + varB), varB / (varA + varB), 0, 0} {
		if !near(shares[k].Of, want) {
			t.Errorf("share %d is %+v, want %v", k, shares[k], want)
		}
	}
	means, err := table.Means(metrics.ExampleF1, "B", "A")
	if err != nil || len(means) != 2 || len(means[0]) != 3 || !near(means[0][2]-means[1][1], 8-(2-3)) || !near(means[0][1]-means[0][0], 2) {
		t.Errorf("%v, error %v", means, err)
	}
	if means, err := table.Means(metrics.ExampleF1, "set", "seed"); err != nil || len(means) != 2 || len(means[1]) != 5 {
		t.Errorf("%v, error %v", means, err)
	}
	if _, err := table.Means(metrics.ExampleF1, "A", "C"); !errors.Is(err, crankpkg.ErrSettings) {
		t.Errorf("error %v", err)
	}
	best := table.BestLevels(metrics.ExampleF1)
	if len(best) != 2 || best[0].Level != "2" || best[0].AtEdge != "high" || best[1].Level != "0" || best[1].AtEdge != "low" {
		t.Errorf("%+v", best)
	}
}

// TestEffectsOf has a value of rows that is no measure, with a known effect on each set.
func TestEffectsOf(t *testing.T) {
	t.Parallel()
	table := madeTable([]string{"x", "y"}, 5, nil, []int{3}, func(int, uint64, uint64, setting) float64 { return 0 })
	for k := range table.Rows {
		r := &table.Rows[k]
		r.Primal = 10*float64(r.Seed) + map[string]float64{"x": 1, "y": 3}[r.Set]*map[string]float64{"0": 0, "1": 1, "2": -2}[r.Settings[0]]
	}
	primal := func(r *Row) float64 { return r.Primal }
	for set, want := range map[string][]float64{"": {2, -4}, "x": {1, -2}, "y": {3, -6}} {
		effects := table.EffectsOf(set, primal)
		if len(effects) != 2 || !near(effects[0].Mean, want[0]) || !near(effects[1].Mean, want[1]) {
			t.Errorf("on %q: %+v, want %v", set, effects, want)
		}
	}
	// One test set for all: the test says that it is over the seeds.
	table.Draws = nil
	if e := table.EffectsOf("x", primal)[0]; e.N != 5 || !strings.Contains(e.Test, "over seeds") {
		t.Errorf("%+v", e)
	}
}

// TestExcess compares objectives with the lowest of two tables, set by set and seed by seed; what has failed does not count.
func TestExcess(t *testing.T) {
	t.Parallel()
	make := func(primal func(seed uint64, level int) float64) *SweepTable {
		table := madeTable([]string{"x", "y"}, 3, nil, []int{2}, func(int, uint64, uint64, setting) float64 { return 0 })
		for k := range table.Rows {
			r := &table.Rows[k]
			r.Primal = primal(r.Seed, map[string]int{"0": 0, "1": 1}[r.Settings[0]]) * map[string]float64{"x": 1, "y": 10}[r.Set]
		}
		return table
	}
	ruler := make(func(seed uint64, level int) float64 { return float64(seed) + 2*float64(level) })
	other := make(func(seed uint64, level int) float64 { return 2.5 })
	for k := range other.Rows {
		if other.Rows[k].Set == "y" {
			other.Rows[k].Error, other.Rows[k].Primal = "failed", 0
		}
	}
	excess := Excess(ruler, other)
	for _, r := range ruler.Rows {
		least := float64(r.Seed)
		if r.Set == "x" {
			least = math.Min(least, 2.5)
		} else {
			least *= 10
		}
		if got := excess(&r); !near(got, 100*(r.Primal-least)/least) {
			t.Errorf("%+v: %v", r, got)
		}
	}
	if got := excess(&Row{Set: "x", Seed: 1, Outcome: Outcome{Primal: 0.75}}); !near(got, -25) {
		t.Errorf("a lower one: %v", got)
	}
	if got := excess(&Row{Set: "z", Seed: 1}); !math.IsNaN(got) {
		t.Errorf("another set: %v", got)
	}
	means, err := ruler.MeansOf(func(r *Row) float64 { return r.Primal }, "A", "seed")
	if err != nil || len(means) != 2 || !near(means[1][2], (5+50)/2.0) {
		t.Errorf("%v, error %v", means, err)
	}
	if e := ruler.EffectsOf("x", Excess())[0]; e.P != 1 {
		t.Errorf("differences of what is not known: %+v", e)
	}
}

// TestFittedSet has the lambda and the scaling of the set in each cell.
func TestFittedSet(t *testing.T) {
	t.Parallel()
	table := runSweep(t, Sweep{Methods: []crankpkg.Trainer{crankpkg.Empty{Lambda: 7}, crankpkg.Named("full", crankpkg.Full{Settings: crankpkg.Settings{Gap: 0.1}})},
		Sets: []Set{FittedSet("flags", 0.25, crankpkg.ZScore)}})
	for _, r := range table.Rows {
		if r.Set != "flags" || r.Lambda != 0.25 || r.Scaling != crankpkg.ZScore {
			t.Errorf("%+v", r)
		}
	}
}

// TestInteraction has two factors that matter only together, and a block of which a cell is missing.
func TestInteraction(t *testing.T) {
	t.Parallel()
	table := madeTable([]string{"x"}, 4, nil, []int{2, 2}, func(_ int, seed, _ uint64, s setting) float64 {
		return float64(seed) + float64((2*s[0]-1)*(2*s[1]-1))
	})
	table.Rows[0].Error = "failed"
	shares, err := table.Importance(metrics.ExampleF1)
	if err != nil || len(shares) != 4 || !near(shares[2].Of, 1) || len(shares[2].Factors) != 2 || !near(shares[0].Of+shares[1].Of+shares[3].Of, 0) {
		t.Errorf("%+v, error %v", shares, err)
	}
	// The pair of the failed cell is left out of its block: A at B = 1 alone.
	if e := table.Effects(metrics.ExampleF1)[0]; e.Label != "A 1 - 0" || e.N != 4 || !near(e.Mean, 2.0/4) {
		t.Errorf("%+v", e)
	}
	table.Rows = table.Rows[1:3]
	if _, err := table.Importance(metrics.ExampleF1); !errors.Is(err, crankpkg.ErrSettings) {
		t.Errorf("error %v", err)
	}
	for _, c := range [][3]string{{"C", "0", "1"}, {"A", "0", "7"}, {"A", "0", "0"}} {
		if e, err := table.Compare(metrics.ExampleF1, c[0], c[1], c[2]); err == nil && c[1] != c[2] || err != nil && !errors.Is(err, crankpkg.ErrSettings) {
			t.Errorf("%v: %+v, error %v", c, e, err)
		}
	}
	if _, err := table.Compare("none", "A", "0", "1"); !errors.Is(err, crankpkg.ErrSettings) {
		t.Errorf("error %v", err)
	}
}

// TestEffectsOverSplits averages over seeds and counts splits.
func TestEffectsOverSplits(t *testing.T) {
	t.Parallel()
	table := madeTable([]string{"x"}, 3, []uint64{1, 2, 3, 4}, []int{2}, func(_ int, seed, split uint64, s setting) float64 {
		return float64(s[0]) * (float64(split) + 100*(float64(seed)-2))
	})
	e := table.Effects(metrics.ExampleF1)[0]
	// Differences 1 to 4: mean 2.5, variance 5/3; t with 3 degrees at 97.5 % is 3.182446.
	half := 3.182446 * math.Sqrt(5.0/3*(1.0/4+40.0/60))
	if e.N != 4 || !near(e.Mean, 2.5) || math.Abs(e.High-e.Mean-half) > 1e-4 {
		t.Errorf("%+v, want half a width of %v", e, half)
	}
}

// TestOverSets combines tests of several sets: as one by hand, and at most 5 % of true nulls are rejected, about as many
// where there are many seeds.
func TestOverSets(t *testing.T) {
	t.Parallel()
	got := overSets([]metrics.Difference{{Mean: 1, Low: -2, High: 4, N: 3, Test: "a"}, {Mean: 5, Low: 1, High: 9, N: 4, Test: "b"}, {Mean: 3, Low: 3, High: 3, Test: "a"}})
	if !near(got.Mean, 3) || !near(got.High, 3+5./3) || !near(got.Low, 3-5./3) || got.N != 7 || !(got.P < 0.05) || got.Test != "a or b on each set, mean over the sets" {
		t.Errorf("%+v", got)
	}
	if got := overSets([]metrics.Difference{{Mean: 1, Low: math.Inf(-1), High: math.Inf(1)}, {Mean: 5, Low: 1, High: 9}}); !math.IsInf(got.Low, -1) || !math.IsInf(got.High, 1) || got.P != 1 {
		t.Errorf("%+v", got)
	}
	// Equal differences: an interval that is a point is no reason for a p-value of zero, nor a smaller one than
	// all signs together have.
	for n := 1; n <= 20; n++ {
		equal := make([]float64, n)
		for k := range equal {
			equal[k] = 1.5
		}
		one := significance.PairedT(equal, 0)
		two := overSets([]metrics.Difference{one, one})
		if z := distuv.UnitNormal.Quantile(one.P / 2); !(two.P > 0) || n > 5 && !near(two.P, 2*distuv.UnitNormal.CDF(z*math.Sqrt2)) || n <= 5 && two.P != 1 {
			t.Errorf("%d equal differences on two sets: %+v, one has p %v", n, two, one.P)
		}
		if !(two.Low <= 1.5 && 1.5 <= two.High) || (two.P < 0.05) != (two.Low > 0) {
			t.Errorf("%d equal differences on two sets: %+v", n, two)
		}
	}
	if got := overSets(make([]metrics.Difference, 2)); got.P != 1 || got.Low != 0 {
		t.Errorf("%+v", got)
	}
	const trials = 3000
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{2, 5, 40} {
		rejected := 0
		for range trials {
			var each []metrics.Difference
			for set := range 3 {
				d := make([]float64, n)
				for k := range d {
					d[k] = rng.NormFloat64() * float64(1+set)
				}
				each = append(each, significance.PairedT(d, 0))
			}
			e := overSets(each)
			if (e.P < 0.05) != (e.Low > 0 || e.High < 0) {
				t.Fatalf("the test and the interval disagree: %+v", e)
			}
			if e.P < 0.05 {
				rejected++
			}
		}
		if rate := float64(rejected) / trials; rate > 0.066 || n == 40 && rate < 0.034 { // four standard errors
			t.Errorf("with %d seeds, %.1f %% are rejected", n, 100*rate)
		}
	}
}

// TestEffectJSON writes effects with and without an end of the interval, and reads them back.
func TestEffectJSON(t *testing.T) {
	t.Parallel()
	for _, e := range []Effect{{"one", significance.PairedT([]float64{3}, 0), 1}, {"three", significance.PairedT([]float64{1, 2, 4}, 0), 0.25}} {
		var got Effect
		data, err := json.Marshal(e)
		if err == nil {
			err = json.Unmarshal(data, &got)
		}
		if err != nil || got != e || !strings.Contains(e.String(), e.Label+": ") {
			t.Errorf("%v becomes %v, error %v", e, got, err)
		}
	}
	var old Effect // from before there was a correction
	if err := json.Unmarshal([]byte(`{"Label": "a", "Difference": {"Mean": 1, "P": 0.25}}`), &old); err != nil || old.Corrected != 0.25 {
		t.Errorf("%+v, error %v", old, err)
	}
}

// fixedSet has the same examples for every seed.
func fixedSet(name string) Set {
	return Set{Name: name, Load: func(uint64) (train, test *crankpkg.Dataset, err error) {
		train, test, _ = crankpkg.PlantedTree{N: 5, Noise: 0.1, Seed: uint64(len(name))}.Generate(40, 60)
		return train, test, nil
	}}
}

// TestEffectsOnOneTestSet compares with package significance, on predictions by hand: seeds and examples are samples.
func TestEffectsOnOneTestSet(t *testing.T) {
	t.Parallel()
	s := Sweep{Methods: []crankpkg.Trainer{crankpkg.CRANK{Lambda: 0.003}}, Factors: []Factor{Vary("Restarts", 1, 2), Vary("BetaStart", 0.1, 1)},
		Sets: []Set{fixedSet("x"), fixedSet("yy")}, Seeds: Seeds(3)}
	table := runSweep(t, s)
	parts := map[string]metrics.Difference{}
	for _, set := range s.Sets {
		each := make([][]float64, 3)
		train, test, _ := set.Load(0)
		for seed := range each {
			each[seed] = make([]float64, test.Len())
			for _, start := range []float64{0.1, 1} {
				for k, restarts := range []int{1, 2} {
					m, _, err := crankpkg.CRANK{Lambda: 0.003, Restarts: restarts, BetaStart: start, Settings: crankpkg.Settings{Seed: uint64(seed) + 1}}.Train(context.Background(), train)
					if err != nil {
						t.Fatal(err)
					}
					for j, v := range (metrics.Evaluator{}).Examples(test.Y, m.Predictor().PredictAll(test.X), test.NumLabels()).Of(metrics.ExampleF1) {
						each[seed][j] += float64(2*k-1) * v / 2
					}
				}
			}
		}
		parts[set.Name] = significance.Crossed(each, 0)
	}
	for name, want := range parts {
		if got := table.EffectsOn(name, metrics.ExampleF1)[0]; !nearDifference(got.Difference, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if got, want := table.Effects(metrics.ExampleF1)[0], overSets([]metrics.Difference{parts["x"], parts["yy"]}); !nearDifference(got.Difference, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	// The mean of three goes by example, too; F1 over all labels does not.
	if e := table.EffectsOn("x", metrics.MeanOfThree)[0]; e.Test != parts["x"].Test || e.N != 3*60 {
		t.Errorf("%+v", e)
	}
	if e := table.EffectsOn("x", metrics.MacroF1)[0]; !strings.HasSuffix(e.Test, "for this one test set") || e.N != 3 {
		t.Errorf("%+v", e)
	}
	// Files, cells that come one by one, and what is kept have the predictions, too.
	var b bytes.Buffer
	read := new(SweepTable)
	if _, err := table.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := read.ReadFrom(&b); err != nil || !reflect.DeepEqual(read, table) {
		t.Errorf("another table, error %v", err)
	}
	collected, err := s.Collect(table.Rows)
	if err != nil || !reflect.DeepEqual(collected.Truth, table.Truth) || !reflect.DeepEqual(collected.Effects(metrics.ExampleF1), table.Effects(metrics.ExampleF1)) {
		t.Errorf("what is collected differs, error %v", err)
	}
	table.Rows[0].Predicted = table.Rows[0].Predicted[1:] // damaged: no test by example
	if e := table.EffectsOn("x", metrics.ExampleF1)[0]; e.N != 3 {
		t.Errorf("%+v", e)
	}
}

// TestPredictionsAreKeptWhereNeeded keeps them for test sets that seeds share, and for no others.
func TestPredictionsAreKeptWhereNeeded(t *testing.T) {
	t.Parallel()
	other := fixedSet("splits") // other examples for each seed, though it does not say that they are drawn
	other.Load = smallSets()[0].Load
	s := Sweep{Methods: []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.Full{}}, Sets: []Set{fixedSet("x"), smallSets()[1], other}, Seeds: Seeds(2)}
	table := runSweep(t, s)
	for _, r := range table.Rows {
		if got := len(r.Predicted) > 0; got != (r.Set == "x") {
			t.Errorf("%s has predictions: %v", r.Set, got)
		}
	}
	if len(table.Truth) != 1 {
		t.Errorf("labels of %d test sets", len(table.Truth))
	}
	if e := table.EffectsOn("splits", metrics.ExampleF1)[0]; e.Test != "corrected resampled t" {
		t.Errorf("%+v", e)
	}
	if e := table.EffectsOn("b", metrics.ExampleF1)[0]; !strings.HasPrefix(e.Test, "paired t") && !strings.HasPrefix(e.Test, "sign") {
		t.Errorf("%+v", e)
	}
	for n := range 20 {
		labels := make([]uint8, n)
		for k := range labels {
			labels[k] = uint8(k*k/3) % 2
		}
		if got := unpackBits(packBits(labels), n); !bytes.Equal(got, labels) || unpackBits(packBits(labels), n+8) != nil {
			t.Errorf("%v becomes %v", labels, got)
		}
	}
}

func nearDifference(a, b metrics.Difference) bool {
	return near(a.Mean, b.Mean) && near(a.Low, b.Low) && near(a.High, b.High) && near(a.P, b.P) && a.N == b.N && a.Test == b.Test
}
