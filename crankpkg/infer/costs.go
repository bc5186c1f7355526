package infer

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// Costs are what errors on labels cost in training: Missed[i] where label i is on and
// False[i] where it is off, all positive. A nil slice means 1 for all labels.
type Costs struct {
	Missed, False []float64
	// Balanced multiplies the costs of a label by M / (2 M_on) where it is on, and by
	// M / (2 M_off) where it is off, with the numbers of training examples: both sides of
	// every label then count alike. That is scikit-learn's class_weight="balanced".
	Balanced bool
}

// String returns a few words, such as "balanced costs".
func (c *Costs) String() string {
	if c.Balanced && c.Missed == nil && c.False == nil {
		return "balanced costs"
	}
	return fmt.Sprintf("costs %.3g and %.3g, balanced: %v", c.Missed, c.False, c.Balanced)
}

// resolve returns the costs of n labels as trained on y, M x n; nil for nil.
func (c *Costs) resolve(y []uint8, n int) (*Costs, error) {
	if c == nil {
		return nil, nil
	}
	missed, err := resolveSide("Missed", c.Missed, n)
	if err != nil {
		return nil, err
	}
	falses, err := resolveSide("False", c.False, n)
	if err != nil {
		return nil, err
	}
	if c.Balanced && n > 0 {
		balance(missed, falses, y, n)
	}
	return &Costs{Missed: missed, False: falses}, nil
}

// balance multiplies the costs by those of the frequencies in y. A side that has no
// example keeps its cost, which nothing asks for.
func balance(missed, falses []float64, y []uint8, n int) {
	on := make([]int, n)
	for k, v := range y {
		on[k%n] += int(v)
	}
	total := len(y) / n
	for i, k := range on {
		if k > 0 {
			missed[i] *= float64(total) / float64(2*k)
		}
		if k < total {
			falses[i] *= float64(total) / float64(2*(total-k))
		}
	}
}

// resolveSide returns a copy of the costs of one side, or ones.
func resolveSide(side string, costs []float64, n int) ([]float64, error) {
	if costs == nil {
		return slices.Repeat([]float64{1}, n), nil
	}
	if len(costs) != n {
		return nil, fmt.Errorf("%w: Loss.Costs.%s has %d costs for %d labels", errs.ErrSettings, side, len(costs), n)
	}
	for i, v := range costs {
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: Loss.Costs.%s[%d] is %v, not positive", errs.ErrSettings, side, i, v)
		}
	}
	return slices.Clone(costs), nil
}

// CostsTo writes what the slacks of an example with the labels truth cost to dst. The
// costs have to be resolved.
func (l Loss) CostsTo(dst []float64, truth []uint8) {
	for i, v := range truth {
		dst[i] = l.Cost(i, v)
	}
}

// Cost returns what the slack of label i costs where its true value is v. The costs have
// to be resolved.
func (l Loss) Cost(i int, v uint8) float64 {
	switch {
	case l.Costs == nil:
		return 1
	case v == 1:
		return l.Costs.Missed[i]
	}
	return l.Costs.False[i]
}
