package metrics

import "fmt"

// Scores are the measures of a predictor on a test set, all in percent and all
// the larger the better. The first three are those of section 5 of the paper, which
// calls subset accuracy zero-one.
type Scores struct {
	HammingAccuracy float64 // 100 (1 - share of wrong label values)
	SubsetAccuracy  float64 // share of the examples with every label right
	ExampleF1       float64 // mean over examples of 2 |Y and P| / (|Y| + |P|)
	MicroF1         float64 // the same ratio, of all label values together
	MacroF1         float64 // the same ratio for each label, averaged over labels
}

// String returns the three measures of the paper, as in
//
//	Hamming accuracy 80.1  subset accuracy 17.1  F1 60.4
func (s Scores) String() string {
	return fmt.Sprintf("Hamming accuracy %.1f  subset accuracy %.1f  F1 %.1f", s.HammingAccuracy, s.SubsetAccuracy, s.ExampleF1)
}

// EmptyF1 is the convention for an F1 score of 0/0: that of an example with no
// label true and none predicted, of a label that is never true and never
// predicted, of a test set with nothing but zeros.
type EmptyF1 uint8

// The conventions.
const (
	EmptyIsOne  EmptyF1 = iota // nothing to find and nothing found counts as right; the default
	EmptyIsZero                // it counts as wrong
)

// Evaluator computes measures. The zero value follows the default conventions.
type Evaluator struct {
	EmptyF1 EmptyF1
}

// Evaluate returns the measures of predicted against truth, both M x n,
// row after row, each value 0 or 1, with the default conventions. It panics
// when the lengths differ or are no multiple of n, and when there is nothing
// to measure.
func Evaluate(truth, predicted []uint8, n int) Scores {
	return Evaluator{}.Scores(truth, predicted, n)
}

// Scores is the function of the same name under e's conventions.
func (e Evaluator) Scores(truth, predicted []uint8, n int) Scores {
	numRows := checkLabels(truth, predicted, n)
	var all Counts
	var allRight int
	var sumF1 float64
	perLabel := make([]Counts, n)
	for m := range numRows {
		row := perRow(truth, predicted, n, m)
		all.merge(row)
		if row.Wrong() == 0 {
			allRight++
		}
		sumF1 += e.F1(row)
		for i := range n {
			perLabel[i].Add(truth[m*n+i], predicted[m*n+i])
		}
	}
	var sumLabelF1 float64
	for _, c := range perLabel {
		sumLabelF1 += e.F1(c)
	}
	return Scores{
		HammingAccuracy: 100 * float64(len(truth)-all.Wrong()) / float64(len(truth)),
		SubsetAccuracy:  100 * float64(allRight) / float64(numRows),
		ExampleF1:       100 * sumF1 / float64(numRows),
		MicroF1:         100 * e.F1(all),
		MacroF1:         100 * sumLabelF1 / float64(n),
	}
}

// ExampleScores are measures of each example by itself, M values each, in
// percent. Their means are the Scores of the same names, so a paired test of
// two predictors is one of these values.
type ExampleScores struct {
	HammingAccuracy, SubsetAccuracy, ExampleF1 []float64
}

// Examples returns the measures of each example. It panics like
// Evaluate.
func (e Evaluator) Examples(truth, predicted []uint8, n int) ExampleScores {
	numRows := checkLabels(truth, predicted, n)
	s := ExampleScores{
		HammingAccuracy: make([]float64, numRows),
		SubsetAccuracy:  make([]float64, numRows),
		ExampleF1:       make([]float64, numRows),
	}
	for m := range numRows {
		row := perRow(truth, predicted, n, m)
		s.HammingAccuracy[m] = 100 * float64(n-row.Wrong()) / float64(n)
		if row.Wrong() == 0 {
			s.SubsetAccuracy[m] = 100
		}
		s.ExampleF1[m] = 100 * e.F1(row)
	}
	return s
}

// F1 returns the F1 score of the counts, in [0, 1].
func (e Evaluator) F1(c Counts) float64 {
	if both := 2*c.Hits + c.Wrong(); both > 0 {
		return float64(2*c.Hits) / float64(both)
	}
	if e.EmptyF1 == EmptyIsZero {
		return 0
	}
	return 1
}

// Counts counts how a set of true and a set of predicted ones meet.
type Counts struct {
	Hits     int // true and predicted
	Misses   int // true, not predicted
	Phantoms int // predicted, not true
}

func (c *Counts) Add(truth, predicted uint8) {
	switch {
	case truth == predicted:
		c.Hits += int(truth)
	case truth == 1:
		c.Misses++
	default:
		c.Phantoms++
	}
}

func (c *Counts) merge(o Counts) {
	c.Hits += o.Hits
	c.Misses += o.Misses
	c.Phantoms += o.Phantoms
}

func (c Counts) Wrong() int { return c.Misses + c.Phantoms }

func perRow(truth, predicted []uint8, n, m int) Counts {
	var c Counts
	for p := m * n; p < (m+1)*n; p++ {
		c.Add(truth[p], predicted[p])
	}
	return c
}

// checkLabels panics unless truth and predicted hold as many rows of n values
// each; it returns the number of rows.
func checkLabels(truth, predicted []uint8, n int) int {
	if n <= 0 || len(truth) == 0 || len(truth)%n != 0 || len(predicted) != len(truth) {
		panic(fmt.Sprintf("metrics: %d true and %d predicted values for rows of %d labels", len(truth), len(predicted), n))
	}
	return len(truth) / n
}
