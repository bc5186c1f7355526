package experiment

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/significance"
)

// Family returns effects that are told together, one list after the other, as one family:
// Corrected is the p-value by Holm's correction for all of them. Effects that come from one
// call, of Effects, EffectsOn or EffectsOf, are a family already. Use it where a picture or a
// sentence takes from several calls, or a part of one.
func Family(effects ...[]Effect) []Effect {
	all := slices.Concat(effects...)
	correct(len(all), func(k int) (p, corrected *float64) { return &all[k].P, &all[k].Corrected })
	return all
}

// correct fills in the corrected p-values of a family of n tests.
func correct(n int, test func(k int) (p, corrected *float64)) {
	values := make([]float64, n)
	for k := range values {
		p, _ := test(k)
		values[k] = *p
	}
	for k, v := range significance.Holm(values) {
		_, corrected := test(k)
		*corrected = v
	}
}
