package decision

import "github.com/crank-ml/crank/crankpkg/metrics"

// tally holds what measures are made of: it adds up over examples, and over parts.
type tally struct {
	n, rows, right int // right: examples with every label right
	f1             float64
	all            metrics.Counts
	labels         []metrics.Counts // of each label, for macro-F1; nil where not wanted
}

func newTally(n int, perLabel bool) tally {
	t := tally{n: n}
	if perLabel {
		t.labels = make([]metrics.Counts, n)
	}
	return t
}

// add counts an example in, or out again where sign is -1.
func (t *tally) add(truth, y []uint8, sign int) {
	t.addCounts(countsOf(truth, y), sign)
	for i := range t.labels {
		var own metrics.Counts
		own.Add(truth[i], y[i])
		merge(&t.labels[i], own, sign)
	}
}

// addCounts is add for the counts of an example, where those of the labels are not wanted.
func (t *tally) addCounts(c metrics.Counts, sign int) {
	t.rows += sign
	if c.Wrong() == 0 {
		t.right += sign
	}
	t.f1 += float64(sign) * metrics.Evaluator{}.F1(c)
	merge(&t.all, c, sign)
}

func countsOf(truth, y []uint8) (c metrics.Counts) {
	for i, v := range y {
		c.Add(truth[i], v)
	}
	return c
}

func merge(into *metrics.Counts, c metrics.Counts, sign int) {
	into.Hits += sign * c.Hits
	into.Misses += sign * c.Misses
	into.Phantoms += sign * c.Phantoms
}

// merge adds the examples of another tally.
func (t *tally) merge(o tally) {
	t.rows, t.right, t.f1 = t.rows+o.rows, t.right+o.right, t.f1+o.f1
	merge(&t.all, o.all, 1)
	for i := range t.labels {
		merge(&t.labels[i], o.labels[i], 1)
	}
}

// scores are the measures as metrics.Evaluate has them; macro-F1 only where the labels
// were counted one by one.
func (t *tally) scores() metrics.Scores {
	var e metrics.Evaluator
	size := t.rows * t.n
	s := metrics.Scores{
		HammingAccuracy: 100 * float64(size-t.all.Wrong()) / float64(size),
		SubsetAccuracy:  100 * float64(t.right) / float64(t.rows),
		ExampleF1:       100 * t.f1 / float64(t.rows),
		MicroF1:         100 * e.F1(t.all),
	}
	for _, c := range t.labels {
		s.MacroF1 += 100 * e.F1(c) / float64(t.n)
	}
	return s
}
