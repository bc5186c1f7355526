package metrics

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// Report has all measures of a predictor on a test set, and those of each label. It can be
// shown (String, Markdown) and saved (WriteCSV, JSON).
type Report struct {
	Examples int
	Scores   Scores
	Jaccard  Jaccard
	Ranking  *Ranking // nil where there are no margins
	Labels   []LabelReport
}

// Jaccard is the ratio of the labels that are both true and predicted to those that are
// either, in percent: the mean over examples, that of all label values together, and the
// mean over labels. The literature also calls the first one accuracy.
type Jaccard struct {
	Example, Micro, Macro float64
}

// LabelReport has the measures of one label, in percent.
type LabelReport struct {
	Name      string
	Support   int     // examples that have the label
	Predicted int     // examples it is predicted for
	Precision float64 // NaN where the label is never predicted
	Recall    float64 // NaN where it is never true
	F1        float64
	Jaccard   float64
	AUC       float64 // NaN without margins, and where all examples have the label or none has
}

// NewReport returns the report of predicted and of margins against truth, all M x n, row
// after row, for the n labels called names, with the default conventions. Margins say how
// sure each label is; without them (nil) there are no measures of ranking. An error that
// wraps ErrData names what does not fit.
func NewReport(truth, predicted []uint8, margins []float64, names []string) (*Report, error) {
	return Evaluator{}.Report(truth, predicted, margins, names)
}

// Report is NewReport under e's conventions: EmptyF1 holds for the Jaccard ratio of nothing
// with nothing too, as zero_division does in scikit-learn.
func (e Evaluator) Report(truth, predicted []uint8, margins []float64, names []string) (*Report, error) {
	n := len(names)
	if err := checkReport(truth, predicted, margins, names); err != nil {
		return nil, err
	}
	r := &Report{Examples: len(truth) / n, Scores: e.Scores(truth, predicted, n), Labels: make([]LabelReport, n)}
	perLabel := make([]Counts, n)
	var all Counts
	for m := range r.Examples {
		row := perRow(truth, predicted, n, m)
		all.merge(row)
		r.Jaccard.Example += 100 * e.jaccard(row) / float64(r.Examples)
		for i := range n {
			perLabel[i].Add(truth[m*n+i], predicted[m*n+i])
		}
	}
	r.Jaccard.Micro = 100 * e.jaccard(all)
	for i, c := range perLabel {
		r.Labels[i] = e.labelReport(names[i], c)
		r.Jaccard.Macro += r.Labels[i].Jaccard / float64(n)
	}
	if margins != nil {
		r.addRanking(truth, margins)
	}
	return r, nil
}

func (e Evaluator) labelReport(name string, c Counts) LabelReport {
	return LabelReport{
		Name: name, Support: c.Hits + c.Misses, Predicted: c.Hits + c.Phantoms,
		Precision: 100 * float64(c.Hits) / float64(c.Hits+c.Phantoms), // 0/0 is NaN
		Recall:    100 * float64(c.Hits) / float64(c.Hits+c.Misses),
		F1:        100 * e.F1(c),
		Jaccard:   100 * e.jaccard(c),
		AUC:       math.NaN(),
	}
}

// jaccard returns the Jaccard ratio of the counts, in [0, 1].
func (e Evaluator) jaccard(c Counts) float64 {
	if either := c.Hits + c.Wrong(); either > 0 {
		return float64(c.Hits) / float64(either)
	}
	return e.F1(c) // 0/0, by convention
}

func (r *Report) addRanking(truth []uint8, margins []float64) {
	n := len(r.Labels)
	aucs := labelAUCs(truth, margins, n)
	ranking := rank(truth, margins, n, aucs)
	r.Ranking = &ranking
	for i, v := range aucs {
		r.Labels[i].AUC = v
	}
}

// checkReport returns an error unless a report can be made of its arguments.
func checkReport(truth, predicted []uint8, margins []float64, names []string) error {
	n := len(names)
	if n == 0 || len(truth) == 0 || len(truth)%n != 0 || len(predicted) != len(truth) {
		return fmt.Errorf("%w: %d true and %d predicted values for rows of %d labels", errs.ErrData, len(truth), len(predicted), n)
	}
	if margins != nil && len(margins) != len(truth) {
		return fmt.Errorf("%w: %d margins for %d true values", errs.ErrData, len(margins), len(truth))
	}
	for _, y := range [][]uint8{truth, predicted} {
		if k := slices.IndexFunc(y, func(v uint8) bool { return v > 1 }); k >= 0 {
			return fmt.Errorf("%w: row %d, label %q: %d is neither 0 nor 1", errs.ErrData, k/n, names[k%n], y[k])
		}
	}
	if k := slices.IndexFunc(margins, math.IsNaN); k >= 0 {
		return fmt.Errorf("%w: row %d, label %q: a margin of NaN", errs.ErrData, k/n, names[k%n])
	}
	return nil
}
