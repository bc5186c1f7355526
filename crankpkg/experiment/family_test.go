package experiment

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// closed returns the corrected p-values by the definition: a null is rejected where Bonferroni's test rejects each set of nulls
// that it is in.
func closed(p []float64) []float64 {
	corrected := make([]float64, len(p))
	for family := 1; family < 1<<len(p); family++ {
		least := 1.0
		for k := range p {
			if family>>k&1 == 1 {
				least = math.Min(least, p[k]*float64(bits.OnesCount(uint(family))))
			}
		}
		for k := range p {
			if family>>k&1 == 1 {
				corrected[k] = math.Max(corrected[k], least)
			}
		}
	}
	return corrected
}

// checkFamily holds the corrected p-values of effects to the definition.
func checkFamily(t *testing.T, effects []Effect) {
	t.Helper()
	var p []float64
	for _, e := range effects {
		p = append(p, e.P)
	}
	for k, want := range closed(p) {
		if got := effects[k].Corrected; !near(got, want) || got < effects[k].P {
			t.Errorf("%v: corrected %v, want %v", effects[k], got, want)
		}
	}
}

// TestFamilyByDefinition corrects over all effects of a call, and over what is put together.
func TestFamilyByDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		table := madeTable([]string{"x", "y"}, 4, nil, []int{3, 2, 3}, func(_ int, _, _ uint64, s setting) float64 {
			return rng.NormFloat64() + float64(s[0])
		})
		all, x, y := table.Effects(metrics.ExampleF1), table.EffectsOn("x", metrics.ExampleF1), table.EffectsOf("y", func(r *Row) float64 { return r.Scores.ExampleF1 })
		for _, effects := range [][]Effect{all, x, y, Family(x, y), Family(all[:2]), Family(all[1:2]), Family()} {
			checkFamily(t, effects)
		}
		if len(Family(x, y)) != len(x)+len(y) || Family(x, y)[0].Corrected < x[0].Corrected {
			t.Error("a larger family makes a p-value smaller")
		}
		one, err := table.Compare(metrics.ExampleF1, "A", "0", "2")
		if err != nil || one.Corrected != one.P {
			t.Errorf("one comparison by itself: %+v, error %v", one, err)
		}
		if text := all[0].String(); !strings.Contains(text, "corrected "+metrics.PText(all[0].Corrected)) {
			t.Error(text)
		}
	}
}

// TestTableCorrectsAlike compares the correction of an experiment's table, over the sets and methods in one measure, with that of the
// same comparisons as effects.
func TestTableCorrectsAlike(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 10))
	table := Table{Sets: []string{"a", "b"}, Methods: []string{"A", "B", "C"}, Draws: []string{"a", "b"}}
	for _, set := range table.Sets {
		for k, method := range table.Methods {
			for seed := range uint64(6) {
				score := func() float64 { return 50 + rng.NormFloat64() + float64(k) }
				table.Cells = append(table.Cells, Cell{Set: set, Method: method, Seed: seed, Train: 10, Test: 1, NumLabels: 1, Truth: []uint8{uint8(seed % 2)},
					Predicted: PackedLabels{1}, Scores: crankpkg.Scores{HammingAccuracy: score(), SubsetAccuracy: score(), ExampleF1: score()}})
			}
		}
	}
	families := map[metrics.Measure][]Effect{}
	for _, c := range table.Compare("A", metrics.Bootstrap{}) {
		families[c.Measure] = append(families[c.Measure], Effect{c.String(), c.Difference, c.Corrected})
	}
	if len(families) != 3 {
		t.Errorf("%d families", len(families))
	}
	for m, effects := range families {
		if len(effects) != 4 {
			t.Errorf("%s: %d comparisons", m, len(effects))
		}
		checkFamily(t, effects)
	}
}

// TestFamilyWiseError makes sweeps whose settings change nothing, or of which one changes much: among those that change nothing, any is
// called significant in at most 5 % of the sweeps. The comparisons share their base, and so depend on one another. Without the
// correction it is far more.
func TestFamilyWiseError(t *testing.T) {
	t.Parallel()
	const sweeps = 350
	rng := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct {
		effect float64 // of the factor B
		levels []int
	}{{0, []int{4, 2}}, {9, []int{4, 2}}, {0, []int{8}}} {
		wrong, uncorrected, found := 0, 0, 0
		for range sweeps {
			table := madeTable([]string{"x"}, 6, nil, c.levels, func(_ int, _, _ uint64, s setting) float64 {
				return rng.NormFloat64() + c.effect*float64(s[len(s)-1])*float64(len(s)-1)
			})
			any, naive := false, false
			for _, e := range table.Effects(metrics.ExampleF1) {
				if c.effect != 0 && strings.HasPrefix(e.Label, "B ") {
					found += map[bool]int{true: 1}[e.Corrected <= 0.05]
					continue
				}
				any, naive = any || e.Corrected <= 0.05, naive || e.P <= 0.05
			}
			wrong, uncorrected = wrong+map[bool]int{true: 1}[any], uncorrected+map[bool]int{true: 1}[naive]
		}
		if rate := float64(wrong) / sweeps; rate > 0.05+4*math.Sqrt(0.05*0.95/sweeps) || rate < 0.01 {
			t.Errorf("%+v: any of the true nulls is rejected in %.1f %% of the sweeps", c, 100*rate)
		}
		if rate := float64(uncorrected) / sweeps; rate < 0.09 {
			t.Errorf("%+v: without a correction %.1f %%: the test shows nothing", c, 100*rate)
		}
		if c.effect != 0 && found < sweeps*9/10 {
			t.Errorf("what is there was found in %d of %d sweeps", found, sweeps)
		}
		t.Logf("%+v: %d wrong, %d uncorrected, %d found", c, wrong, uncorrected, found)
	}
}
