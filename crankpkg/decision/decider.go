package decision

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Decider finds the labels of which a measure is the largest in expectation, by calibrated
// probabilities of the single labels, as if the labels were independent. These always are the
// labels of the largest probabilities, so many of them: for Hamming and subset accuracy those
// above one half, for F1 as many as the expectation says, which is exact. Limits on the
// number of labels are met. It owns its workspace: it allocates nothing once warm, and each
// goroutine needs its own.
type Decider struct {
	// Margins, one for each label, are to be set before LabelTo.
	Margins []float64

	rule        Rule
	least, most int
	p           []float64 // by label
	order       []int32   // labels, those of the largest probabilities first
	top, next   []float64 // the number of labels on among the first k: its distribution
	rest        []float64 // likewise among the others, for each k, one after the other
	start       []int     // where these begin; empty until they are counted
}

// NewDecider returns one of n labels for a rule with a Calibration that expects a measure. It
// panics for others, which are not valid.
func NewDecider(r Rule, n int) *Decider {
	if err := r.Validate(n); err != nil || !r.Calibrated() {
		panic("decision: a Decider of the rule " + r.String())
	}
	d := &Decider{Margins: make([]float64, n), rule: r.Clone(), p: make([]float64, n), order: make([]int32, n)}
	d.least, d.most, _ = r.Bounds(n)
	return d
}

// LabelTo writes the labels for the Margins to y, n zeros and ones.
func (d *Decider) LabelTo(y []uint8) {
	d.rank()
	d.labelRanked(y)
}

// rank sets the probabilities for the Margins, and the order of the labels by them.
func (d *Decider) rank() {
	for i, margin := range d.Margins {
		d.order[i], d.p[i] = int32(i), d.rule.Calibration.Probability(i, margin)
	}
	p := d.p
	slices.SortFunc(d.order, func(a, b int32) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return int(a - b)
	})
	d.start = d.start[:0]
}

// expecting makes d decide by another rule with the same Calibration; what rank found stays.
func (d *Decider) expecting(r Rule) {
	d.rule.Expect = r.Expect
	d.least, d.most, _ = r.Bounds(len(d.order))
}

// labelRanked is LabelTo after rank.
func (d *Decider) labelRanked(y []uint8) {
	count := d.likely(0.5)
	if d.rule.Expect == metrics.ExampleF1 {
		count = d.bestForF1()
	}
	clear(y)
	for _, i := range d.order[:min(max(count, d.least), d.most)] {
		y[i] = 1
	}
}

// likely returns how many labels have a probability above a threshold.
func (d *Decider) likely(threshold float64) int {
	count := 0
	for count < len(d.order) && d.p[d.order[count]] > threshold {
		count++
	}
	return count
}

// What is left out of expectations: labels less likely than the first, and numbers of labels
// less likely than the second.
const (
	negligible     = 1e-9
	negligibleTail = 1e-12
)

// bestForF1 returns the number of labels, within the limits, of which the expected F1 is
// the largest, where F1 of an empty labeling and an empty truth is 1.
func (d *Decider) bestForF1() int {
	likely := d.likely(negligible)
	if len(d.start) == 0 {
		d.count(likely)
	}
	best, value := d.least, -1.0
	d.top = append(d.top[:0], 1)
	var sum float64 // of the probabilities of the first k
	for k := 0; k <= min(d.most, max(likely, d.least)); k++ {
		if k > 0 && k <= likely {
			p := d.p[d.order[k-1]]
			sum += p
			d.next = withOne(d.next[:0], d.top, p)
			d.top, d.next = d.next, d.top
		}
		if k < d.least {
			continue
		}
		if k > 0 && k < likely && boundOnF1(k, sum, d.p[d.order[k]]) < value {
			break
		}
		if v := d.expectedF1(k, min(k, likely)); v > value+1e-12 {
			best, value = k, v
		}
	}
	return best
}

// boundOnF1 returns more than the expected F1 of the first k labels, whose probabilities have the
// given sum, and of any more labels, none of which is more likely than next: a label that is on
// adds at most 2 / (k + 1) to F1.
func boundOnF1(k int, sum, next float64) float64 {
	return 2*max(sum/float64(k+1), next) + 1e-9
}

// count sets the distributions of the number of labels on among all likely labels but the
// first k.
func (d *Decider) count(likely int) {
	d.rest, d.start = append(d.rest[:0], 1), append(d.start[:0], 0)
	for k := likely - 1; k >= 0; k-- {
		before := d.rest[d.start[len(d.start)-1]:]
		d.start = append(d.start, len(d.rest))
		d.rest = withOne(d.rest, before, d.p[d.order[k]])
	}
	d.start = append(d.start, len(d.rest))
}

// withOne appends to to the distribution of a number that has one more label on with
// probability p.
func withOne(to, number []float64, p float64) []float64 {
	last := 0.0
	for _, v := range number {
		to = append(to, v*(1-p)+last*p)
		last = v
	}
	if last *= p; last > negligibleTail {
		to = append(to, last)
	}
	return to
}

// expectedF1 returns the expectation where the first k labels are predicted, of which so many
// are likely.
func (d *Decider) expectedF1(k, likely int) float64 {
	place := len(d.start) - 2 - likely
	rest := d.rest[d.start[place]:d.start[place+1]]
	if k == 0 {
		return rest[0]
	}
	var sum float64
	for a, share := range d.top {
		var own float64
		for b, v := range rest {
			own += v / float64(k+a+b)
		}
		sum += 2 * float64(a) * share * own
	}
	return sum
}
