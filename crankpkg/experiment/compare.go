package experiment

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/crankpkg/significance"
	"gonum.org/v1/gonum/floats"
)

// Comparison tells whether two methods of a Table differ on one set.
type Comparison struct {
	Set     string
	A, B    string // methods
	Measure metrics.Measure
	// Difference is that of A - B, by the test that fits what the seeds have drawn anew.
	Difference metrics.Difference
	// Corrected is the p-value by Holm's correction for all comparisons in this measure.
	Corrected float64
	// McNemar is the exact test of subset accuracy; nil for other measures and where there
	// are several seeds.
	McNemar *metrics.McNemar
}

// String returns the comparison in one line.
func (c Comparison) String() string {
	text := fmt.Sprintf("%s: %s - %s, %s: %v (%s)", c.Set, c.A, c.B, c.Measure.Label(), c.Difference, c.Difference.Test)
	if c.McNemar != nil {
		text += fmt.Sprintf(" (McNemar: %d to %d, p %s)", c.McNemar.OnlyA, c.McNemar.OnlyB, metrics.PText(c.McNemar.Exact))
	}
	return text
}

// Compare tests method a against each other method on each set, in the paper's three
// measures. Both have to have been run with the same seeds; seeds that one of them lacks
// are left out. The cells say which test fits:
//
//	one seed                          b, the paired bootstrap over the test examples
//	several, one and the same test    significance.Crossed: both the seeds and the examples
//	set for all of them               are samples
//	several, each with a test set     significance.ResampledT, for splits of the same examples;
//	of its own                        significance.PairedT if the set's Draws says that they
//	                                  are drawn anew
//
// All have the confidence of b.
func (t *Table) Compare(a string, b metrics.Bootstrap) []Comparison {
	var all []Comparison
	for _, set := range t.Sets {
		for _, method := range t.Methods {
			if method == a {
				continue
			}
			runsA, runsB := commonSeeds(t.Runs(set, a), t.Runs(set, method))
			if len(runsA) == 0 {
				continue
			}
			for _, m := range metrics.PaperMeasures() {
				c := compareRuns(runsA, runsB, m, b, slices.Contains(t.Draws, set))
				c.Set, c.A, c.B, c.Measure = set, a, method, m
				all = append(all, c)
			}
		}
	}
	for _, m := range metrics.PaperMeasures() {
		var family []*Comparison
		for k := range all {
			if all[k].Measure == m {
				family = append(family, &all[k])
			}
		}
		correct(len(family), func(k int) (p, corrected *float64) { return &family[k].Difference.P, &family[k].Corrected })
	}
	return all
}

// commonSeeds returns the runs of a and b with seeds that both have. They come by
// seed.
func commonSeeds(a, b []Cell) (ofA, ofB []Cell) {
	for _, x := range a {
		for _, y := range b {
			if x.Seed == y.Seed {
				ofA, ofB = append(ofA, x), append(ofB, y)
			}
		}
	}
	return ofA, ofB
}

// compareRuns compares runs with the same seeds in one measure. The test sets of several
// seeds, unless they are one, are either drawn anew or parts of the same examples.
func compareRuns(a, b []Cell, m metrics.Measure, boot metrics.Bootstrap, drawn bool) Comparison {
	if len(a) == 1 {
		c := Comparison{Difference: boot.Compare(a[0].Examples().Of(m), b[0].Examples().Of(m))}
		if m == metrics.SubsetAccuracy {
			test := metrics.CompareSubsetAccuracy(a[0].Truth, a[0].Predicted, b[0].Predicted, a[0].NumLabels)
			c.McNemar = &test
		}
		return c
	}
	if sameTestSet(a) {
		each := make([][]float64, len(a))
		for k := range a {
			each[k] = a[k].Examples().Of(m)
			floats.Sub(each[k], b[k].Examples().Of(m))
		}
		return Comparison{Difference: significance.Crossed(each, boot.Confidence)}
	}
	d := make([]float64, len(a))
	var train, test float64
	for k := range a {
		d[k] = a[k].Scores.Of(m) - b[k].Scores.Of(m)
		train, test = train+float64(a[k].Train), test+float64(a[k].Test)
	}
	if drawn || train == 0 {
		return Comparison{Difference: significance.PairedT(d, boot.Confidence)}
	}
	return Comparison{Difference: significance.ResampledT(d, test/train, boot.Confidence)}
}

// sameTestSet reports whether the runs were tested on the same examples: their true labels
// tell other ones.
func sameTestSet(runs []Cell) bool {
	for _, c := range runs[1:] {
		if !bytes.Equal(c.Truth, runs[0].Truth) {
			return false
		}
	}
	return len(runs[0].Truth) > 0
}
