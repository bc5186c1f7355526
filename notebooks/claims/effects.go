package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/plotting"
)

// Doublings is the work of a row in doublings: a difference of one is twice as many passes over the data.
func Doublings(r *experiment.Row) float64 { return math.Log2(float64(r.Passes)) }

// LogPercent is the objective of a row on a scale where small differences are in percent: a hundred times its logarithm.
func LogPercent(r *experiment.Row) float64 { return 100 * math.Log(r.Primal) }

// Percent returns 100 where ok holds, else 0, so that a mean is a share in percent.
func Percent(ok bool) float64 {
	if ok {
		return 100
	}
	return 0
}

// Named is the name of a measure in the notebooks: what the library calls subset accuracy is the paper's zero-one.
func Named(m metrics.Measure) string {
	if m == metrics.SubsetAccuracy {
		return "zero-one"
	}
	return m.Label()
}

// OnMeasures returns the effects of a sweep on several measures, one after the other, each under the name of its measure.
func OnMeasures(t *experiment.SweepTable, measures ...metrics.Measure) []experiment.Effect {
	var all []experiment.Effect
	for _, m := range measures {
		for _, e := range t.Effects(m) {
			e.Label = Named(m) + ": " + e.Label
			all = append(all, e)
		}
	}
	return all
}

// Effects draws the effects of the settings of a sweep as a forest plot, and says below it which of them are apart from zero. The
// cell ends where the plot cannot be shown.
func Effects(what string, effects []experiment.Effect) {
	drawEffects(what, effects)
	Say("%s", Apart(effects))
}

func drawEffects(what string, effects []experiment.Effect) {
	forest := plotting.Effects(effects, "")
	forest.XLabel = what
	for k := range forest.Labels {
		forest.Labels[k] = short(forest.Labels[k])
	}
	Must(0, plotting.Show(forest.Figure()))
}

// Widest is Effects for many effects of which there is little to see: it draws those that are apart from zero and, of the others, so
// many as have the widest intervals. The sentence below is about all.
func Widest(what string, others int, effects []experiment.Effect) {
	drawEffects(what, widest(others, effects))
	Say("%s", Apart(effects))
}

// widest returns the effects that Widest draws, in their order.
func widest(others int, effects []experiment.Effect) []experiment.Effect {
	family := experiment.Family(effects)
	var byWidth []int
	drawn := make([]bool, len(family))
	for k, e := range family {
		if drawn[k] = isApart(e); !drawn[k] {
			byWidth = append(byWidth, k)
		}
	}
	slices.SortStableFunc(byWidth, func(a, b int) int {
		return cmp.Compare(family[b].High-family[b].Low, family[a].High-family[a].Low)
	})
	for _, k := range byWidth[:min(others, len(byWidth))] {
		drawn[k] = true
	}
	var some []experiment.Effect
	for k, e := range family {
		if drawn[k] {
			some = append(some, e)
		}
	}
	return some
}

// List prints effects as a list, with their p-values, and below it which of them are apart from zero.
func List(effects []experiment.Effect) {
	for _, e := range experiment.Family(effects) {
		Say("- %v", e)
	}
	Say("%s", Apart(effects))
}

// Notes prints the notes of a sweep, each a sentence of its own.
func Notes(t *experiment.SweepTable) {
	for _, note := range t.Notes {
		Say("Note: %s.", note)
	}
}

// isApart tells whether an effect of a family is apart from zero, by its corrected p-value.
func isApart(e experiment.Effect) bool { return e.Corrected < 0.05 }

// CountApart returns how many effects are apart from zero, as Apart lists them.
func CountApart(effects []experiment.Effect) (count int) {
	for _, e := range experiment.Family(effects) {
		if isApart(e) {
			count++
		}
	}
	return count
}

// short leaves the word for the factor of methods out of a label: their names say enough.
func short(label string) string { return strings.Replace(label, "method ", "", 1) }

// Apart says which effects are apart from zero by their p-values after Holm's correction for all of them, which are nothing at
// all, and how far from zero the intervals of the others reach: what is not apart from zero is not zero for that.
func Apart(effects []experiment.Effect) string {
	var apart, equal []string
	farthest, others := 0.0, 0
	for _, e := range experiment.Family(effects) {
		switch {
		case isApart(e):
			apart = append(apart, fmt.Sprintf("%s (%+.2g)", short(e.Label), e.Mean))
		case e.Mean == 0 && math.IsInf(e.High, 1):
			equal = append(equal, short(e.Label))
		default:
			others, farthest = others+1, max(farthest, -e.Low, e.High)
		}
	}
	text := fmt.Sprintf("Apart from zero after Holm's correction for %s: ", Count(len(effects), "comparison", "comparisons")) +
		If(len(apart) == 0, "none", strings.Join(apart, ", ")) + "."
	if len(equal) > 0 {
		text += fmt.Sprintf(" Nothing at all is changed by %s.", strings.Join(equal, ", "))
	}
	if others > 0 {
		which := "the " + Count(others, "other", "others")
		if others == len(effects) && others > 1 {
			which = fmt.Sprintf("all %d", others)
		}
		text += fmt.Sprintf(" The 95 %% intervals of %s lie within ±%.2g.", which, farthest)
	}
	return text
}
