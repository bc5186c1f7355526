package significance

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns the p-values of a family of tests, corrected by Holm (1979): a test whose
// corrected value is at most 0.05 can be called significant, and in 95 of 100 families no
// such call is wrong, however the tests depend on one another. A p-value of NaN, of a test
// that was not made, stays so and is not counted.
func Holm(p []float64) []float64 {
	corrected := slices.Clone(p)
	var order []int
	for k, v := range p {
		if !math.IsNaN(v) {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	largest := 0.0
	for rank, k := range order {
		largest = math.Max(largest, math.Min(1, p[k]*float64(len(order)-rank)))
		corrected[k] = largest
	}
	return corrected
}
