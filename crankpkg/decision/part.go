package decision

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Part has the scores that a model gives to M examples that it was not trained on, such
// as those of a fold, and their labels.
type Part struct {
	NumLabels int
	// Scores holds the unary scores w_i . x, M x n, row after row, and Y the labels, as
	// many zeros and ones.
	Scores []float64
	Y      []uint8
	// Edges lists the pairs, and Pair their weights: one for each, or M x E, row after
	// row, where they depend on the example.
	Edges []labelgraph.Edge
	Pair  []float64
	// Seen has the labelings of the examples that the model was trained on, and Counts how
	// many have each, as Labelings returns them. Both may be nil: no rule then is for those.
	Seen   []uint8
	Counts []int
	// Least and Most are limits on the number of labels that are on, with which the model was
	// trained (Loss.Least and Most): every rule on offer keeps them, the plain prediction, too. A
	// Most of zero is no bound. All parts have the same.
	Least, Most int
	// Repeat tells divisions of the same examples into parts from one another: where a part is
	// left out, so are those of all other divisions, which have its examples as well.
	Repeat int
}

// Len returns the number M of examples.
func (p Part) Len() int { return len(p.Y) / max(1, p.NumLabels) }

// row returns the scores, the labels and the weights of the pairs of example m.
func (p Part) row(m int) (c []float64, y []uint8, weights []float64) {
	n, e := p.NumLabels, len(p.Edges)
	weights = p.Pair
	if len(weights) > e {
		weights = weights[m*e : (m+1)*e]
	}
	return p.Scores[m*n : (m+1)*n], p.Y[m*n : (m+1)*n], weights
}

// Divide deals the examples out among so many parts, fewer where there are not enough. All have
// the scores of one model, and its labelings.
func (p Part) Divide(count int) []Part {
	count = max(1, min(count, p.Len()))
	parts := make([]Part, count)
	for k := range parts {
		part := p
		part.Scores, part.Y = nil, nil
		perRow := len(p.Pair) > len(p.Edges)
		if perRow {
			part.Pair = nil
		}
		for m := k; m < p.Len(); m += count {
			c, y, weights := p.row(m)
			part.Scores, part.Y = append(part.Scores, c...), append(part.Y, y...)
			if perRow {
				part.Pair = append(part.Pair, weights...)
			}
		}
		parts[k] = part
	}
	return parts
}

// validate returns an error that wraps ErrData.
func (p Part) validate() error {
	n := p.NumLabels
	if n <= 0 || len(p.Y) == 0 || len(p.Y)%n != 0 || len(p.Scores) != len(p.Y) {
		return fmt.Errorf("%w: %d scores and %d values of %d labels", errs.ErrData, len(p.Scores), len(p.Y), n)
	}
	if e := len(p.Edges); len(p.Pair) != e && len(p.Pair) != e*p.Len() {
		return fmt.Errorf("%w: %d weights of %d edges and %d examples", errs.ErrData, len(p.Pair), e, p.Len())
	}
	if err := checkEdges(n, p.Edges, len(p.Edges)); err != nil {
		return err
	}
	for k, v := range p.Y {
		if v > 1 {
			return fmt.Errorf("%w: example %d: label %d is %d", errs.ErrData, k/n, k%n, v)
		}
	}
	for k, v := range p.Scores {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: example %d: the score of label %d is %v", errs.ErrData, k/n, k%n, v)
		}
	}
	for k, v := range p.Pair {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: weight %d of the pairs is %v", errs.ErrData, k, v)
		}
	}
	if err := (Rule{Least: p.Least, Most: p.Most}).Validate(n); err != nil {
		return err
	}
	if len(p.Seen) != n*len(p.Counts) {
		return fmt.Errorf("%w: %d values and %d counts of labelings of %d labels", errs.ErrData, len(p.Seen), len(p.Counts), n)
	}
	for k, v := range p.Seen {
		if v > 1 || p.Counts[k/n] < 1 {
			return fmt.Errorf("%w: labeling %d: label %d is %d, for %d examples", errs.ErrData, k/n, k%n, v, p.Counts[k/n])
		}
	}
	return nil
}

// limits returns those that every rule keeps.
func (p Part) limits() limits { return limits{p.Least, p.Most}.of(p.NumLabels) }

// seenWithin reports whether the part says which labelings its model has seen, and all are within
// its limits.
func (p Part) seenWithin() bool {
	r := Rule{Least: p.Least, Most: p.Most}
	for k := range p.Counts {
		if !r.Allows(p.Seen[k*p.NumLabels : (k+1)*p.NumLabels]) {
			return false
		}
	}
	return len(p.Counts) > 0
}

// maximizer returns one for the rule under the part's graph.
func (p Part) maximizer(r Rule) *Maximizer {
	o, err := NewMaximizer(r, p.NumLabels, p.Edges, p.Pair[:len(p.Edges)])
	if err != nil {
		panic(err.Error()) // the part and the rule are valid
	}
	return o
}

// weigh gives o the weights of an example, where each has its own.
func (p Part) weigh(o *Maximizer, weights []float64) {
	if len(p.Pair) > len(p.Edges) {
		o.setWeights(weights)
	}
}

// tallyOf counts how the rule does on the part.
func (p Part) tallyOf(r setting, perLabel bool) tally {
	if r.seen {
		return p.seenTally(r, perLabel)
	}
	if r.Calibrated() {
		return p.calibratedTallies([]Rule{r.Rule}, p.margins(r.Rule), perLabel)[0]
	}
	o, t := p.maximizer(r.Rule), newTally(p.NumLabels, perLabel)
	y := make([]uint8, p.NumLabels)
	for m := range p.Len() {
		c, truth, weights := p.row(m)
		p.weigh(o, weights)
		o.MaximizeTo(y, c)
		t.add(truth, y, 1)
	}
	return t
}
