package polytope

import "math"

// The bounds of the method: the order of its matrix, and the numbers in its tables of rows, of
// constraints and of blocks.
const (
	mostOrder   = 1000
	mostNumbers = 2 << 20
)

// StepCost returns about how many multiply-adds a step takes, or infinity where the method
// would take too much time or memory.
func StepCost(labels, pairs, rows, features int) float64 {
	n, e, m, d := float64(labels), float64(pairs), float64(rows), float64(min(rows, features+1))
	order, blocks := n*d+e, n*(n+1)/2
	if order > mostOrder || m*float64(features+1) > mostNumbers || m*(4*e+2*n) > mostNumbers || m*blocks > mostNumbers {
		return math.Inf(1)
	}
	small := 2*n*n*n + 60*(4*e+2*n)
	return m*(blocks*d*(d+1)/2+e*n*d+e*e+small) + order*order*order/6
}

// StepsTo returns about how many steps the method takes to a relative gap.
func StepsTo(gap float64) float64 { return 7 + 3*math.Log10(1/max(gap, 1e-12)) }

// MostSteps is as many as anyone should take.
const MostSteps = 60
