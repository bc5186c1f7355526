package infer

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Loss is the label loss Delta(y, y^m) of training (eq. 1), a weighted sum of
// three losses of an example, each zero when all labels are right:
//
//	Delta = Hamming * number of wrong labels + ZeroOne * [some label is wrong] + ExampleF1 * (1 - F1 of the example)
//
// with the F1 of ExampleF1 as a share, 1 where no label is true and none
// predicted. No weight may be negative. The zero Loss is the Hamming loss of the
// paper's experiments, the same as Loss{Hamming: 1}.
//
// Only the Hamming loss is a sum over the labels. With the others the hinge of a
// forest is exact too, by max-product over more states; on a graph with cycles
// it is exact, by enumeration, up to EnumerableLabels labels, and more are
// refused. (With the Hamming loss graphs with cycles have the LP relaxation.)
type Loss struct {
	Hamming, ZeroOne, ExampleF1 float64
	// Squared squares the slacks of the Hamming loss, label by label: see SlackHinge.
	// Without pairs the hinge of label i becomes max(0, 1 - margin)^2.
	Squared bool
	// Costs multiply what the slack of a label costs. Nil means 1. They do not change
	// the loss itself: a label that is seldom on is predicted so seldom since its
	// positive examples are outvoted, not since their margins are small. With pairs they
	// need Squared.
	Costs *Costs
	// Least and Most, where not zero, leave only the labelings with that many labels on, as every
	// example has to have: others are no rivals of the true one, whatever their scores. A model
	// that is trained so predicts within the limits, too. On a forest the hinge is exact,
	// by max-product with the numbers of labels in the state, in O(n^3); graphs with cycles
	// are as with ZeroOne.
	Least, Most int
}

// String returns the weights of the losses, as in "Hamming + 2 zero-one".
func (l Loss) String() string {
	text := ""
	for _, part := range []struct {
		weight float64
		name   string
	}{{l.Hamming, "Hamming"}, {l.ZeroOne, "zero-one"}, {l.ExampleF1, "F1"}} {
		if part.weight == 0 {
			continue
		}
		if text != "" {
			text += " + "
		}
		if part.weight != 1 {
			text += fmt.Sprintf("%.3g ", part.weight)
		}
		text += part.name
	}
	if text == "" {
		text = "Hamming"
	}
	if l.Squared {
		text = "squared " + text
	}
	if l.Costs != nil {
		text += ", " + l.Costs.String()
	}
	if l.Least > 0 {
		text += fmt.Sprintf(", at least %d", l.Least)
	}
	if l.Most > 0 {
		text += fmt.Sprintf(", at most %d", l.Most)
	}
	return text
}

// Validate returns an error unless all weights are finite and not negative, and
// Squared and Costs go with the Hamming loss.
func (l Loss) Validate() error {
	for _, w := range []float64{l.Hamming, l.ZeroOne, l.ExampleF1} {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("%w: Loss %+v", errs.ErrSettings, l)
		}
	}
	if l.Least < 0 || l.Most < 0 || l.Most > 0 && l.Most < l.Least {
		return fmt.Errorf("%w: Loss: at least %d labels and at most %d", errs.ErrSettings, l.Least, l.Most)
	}
	if !l.IsPlain() && !l.IsHamming() {
		return fmt.Errorf("%w: Loss: Squared and Costs are for the plain Hamming loss", errs.ErrSettings)
	}
	return nil
}

// IsPlain reports whether l has neither Squared nor Costs.
func (l Loss) IsPlain() bool { return !l.Squared && l.Costs == nil }

// Resolve returns l with the costs of n labels, M x n in y, written out. It returns an error
// where an example is not within the limits.
func (l Loss) Resolve(y []uint8, n int) (Loss, error) {
	for m := 0; l.limited() && m*n < len(y); m++ {
		count := 0
		for _, v := range y[m*n : (m+1)*n] {
			count += int(v)
		}
		if !l.allows(count) {
			return l, fmt.Errorf("%w: Loss: example %d has %d labels, not %s", errs.ErrData, m, count, l.limits())
		}
	}
	costs, err := l.Costs.resolve(y, n)
	l.Costs = costs
	return l, err
}

// OrHamming returns l, or the Hamming loss where l is zero.
func (l Loss) OrHamming() Loss {
	if l.Hamming == 0 && l.ZeroOne == 0 && l.ExampleF1 == 0 {
		l.Hamming = 1
	}
	return l
}

// IsHamming reports whether Delta is the number of wrong labels.
func (l Loss) IsHamming() bool { return l.OrHamming().Hamming == 1 && l.IsSum() }

// IsSum reports whether l is a sum over the labels.
func (l Loss) IsSum() bool { return l.ZeroOne == 0 && l.ExampleF1 == 0 && !l.limited() }

// limited reports whether there are limits on the number of labels.
func (l Loss) limited() bool { return l.Least > 0 || l.Most > 0 }

// allows reports whether so many labels may be on.
func (l Loss) allows(count int) bool { return count >= l.Least && (l.Most == 0 || count <= l.Most) }

// limits tells the limits.
func (l Loss) limits() string {
	if l.Most == 0 {
		return fmt.Sprintf("%d or more", l.Least)
	}
	return fmt.Sprintf("%d to %d", l.Least, l.Most)
}

// Of returns Delta(y, truth), minus infinity for a y that the limits leave out. Both hold
// zeros and ones.
func (l Loss) Of(y, truth []uint8) float64 {
	if len(y) != len(truth) {
		panic("infer: labelings of different lengths")
	}
	var c metrics.Counts
	for i, v := range y {
		c.Add(truth[i], v)
	}
	return l.ofCounts(c)
}

// ofCounts returns the loss of a labeling that meets the true one so.
func (l Loss) ofCounts(c metrics.Counts) float64 {
	if c.Wrong() == 0 {
		return 0
	}
	if l.limited() && !l.allows(c.Hits+c.Phantoms) {
		return math.Inf(-1)
	}
	l = l.OrHamming()
	return l.Hamming*float64(c.Wrong()) + l.ZeroOne + l.ExampleF1*(1-metrics.Evaluator{}.F1(c))
}

// OfLabeling returns the loss of a labeling in halves; halves have a loss only
// where l is a sum.
func (l Loss) OfLabeling(y Labeling, truth []uint8) float64 {
	if l.IsSum() {
		return l.OrHamming().Hamming * y.Loss(truth)
	}
	var c metrics.Counts
	for i, v := range y {
		c.Add(truth[i], v/2)
	}
	return l.ofCounts(c)
}
