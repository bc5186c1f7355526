package claims

import (
	"fmt"
	"math"
	"strings"

	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/plotting"
)

// Effects draws the effects of the settings of a sweep as a forest plot, and says below it which of them are apart from zero. The
// cell ends where the plot cannot be shown.
func Effects(what string, effects []experiment.Effect) {
	forest := plotting.Effects(effects, "")
	forest.XLabel = what
	for k := range forest.Labels {
		forest.Labels[k] = short(forest.Labels[k])
	}
	Must(0, plotting.Show(forest.Figure()))
	Say("%s", Apart(effects))
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
		case e.Corrected < 0.05:
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
		text += fmt.Sprintf(" The 95 %% intervals of the %s lie within ±%.2g.", Count(others, "other", "others"), farthest)
	}
	return text
}
