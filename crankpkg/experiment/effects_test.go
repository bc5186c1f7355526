package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// madeTable has a row for each combination, with an F1 that value gives.
func madeTable(sets []string, seeds int, splits []uint64, levels []int, value func(set int, seed, split uint64, s setting) float64) *SweepTable {
	s := Sweep{Methods: []crankpkg.Trainer{crankpkg.Empty{}}, Seeds: Seeds(seeds), Splits: splits}
	for _, name := range sets {
		s.Sets = append(s.Sets, Set{Name: name})
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
	want := map[string]float64{"A 1 - 0": 2, "A 2 - 0": 8, "B 1 - 0": -3}
	effects := table.Effects(metrics.ExampleF1)
	if len(effects) != len(want) {
		t.Errorf("%+v", effects)
	}
	for _, e := range effects {
		if !near(e.Mean, want[e.Label]) || !near(e.Low, e.Mean) || !near(e.High, e.Mean) || e.P > 1e-9 || e.N != 10 {
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

// TestPairedEffectHoldsItsLevel simulates differences of mean zero: 5 % of the tests reject, and as many intervals miss it.
func TestPairedEffectHoldsItsLevel(t *testing.T) {
	t.Parallel()
	const trials = 20000
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{2, 3, 5, 10, 20} {
		rejected := 0
		for range trials {
			d := make([]float64, n)
			for k := range d {
				d[k] = rng.NormFloat64()
			}
			e := pairedEffect("", d, 0)
			if (e.P < 0.05) != (e.Low > 0 || e.High < 0) {
				t.Fatalf("the test and the interval disagree: %+v", e)
			}
			if e.P < 0.05 {
				rejected++
			}
		}
		if rate := float64(rejected) / trials; math.Abs(rate-0.05) > 0.006 { // four standard errors
			t.Errorf("with %d differences, %.1f %% are rejected", n, 100*rate)
		}
	}
	for _, e := range []Effect{pairedEffect("one", []float64{3}, 0), pairedEffect("three", []float64{1, 2, 4}, 0.5)} {
		var got Effect
		data, err := json.Marshal(e)
		if err == nil {
			err = json.Unmarshal(data, &got)
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(e) || math.IsNaN(got.P) != math.IsNaN(e.P) || got.Mean != e.Mean {
			t.Errorf("%v becomes %v, error %v", e, got, err)
		}
	}
	if e := pairedEffect("", []float64{3}, 0); e.Mean != 3 || !math.IsNaN(e.P) || !math.IsNaN(e.Low) || e.N != 1 {
		t.Errorf("one difference: %+v", e)
	}
	if e := pairedEffect("", []float64{0, 0}, 0); e.P != 1 {
		t.Errorf("no difference: %+v", e)
	}
}
