package experiment

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Comparison tells whether two methods of a Table differ on one set.
type Comparison struct {
	Set     string
	A, B    string // methods
	Measure metrics.Measure
	// Difference is the paired bootstrap of A - B: over the test examples, or over
	// the seeds where there are several.
	Difference metrics.Difference
	// McNemar is the exact test of subset accuracy; nil for other measures and where there
	// are several seeds.
	McNemar *metrics.McNemar
}

// String returns the comparison in one line.
func (c Comparison) String() string {
	text := fmt.Sprintf("%s: %s - %s, %s: %v", c.Set, c.A, c.B, c.Measure.Label(), c.Difference)
	if c.McNemar != nil {
		text += fmt.Sprintf(" (McNemar: %d to %d, p %.4f)", c.McNemar.OnlyA, c.McNemar.OnlyB, c.McNemar.Exact)
	}
	return text
}

// Compare tests method a against each other method on each set, in the paper's
// three measures, with the settings of b. Both have to have been run with the
// same seeds; seeds that one of them lacks are left out.
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
				c := compareRuns(runsA, runsB, m, b)
				c.Set, c.A, c.B, c.Measure = set, a, method, m
				all = append(all, c)
			}
		}
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

func compareRuns(a, b []Cell, m metrics.Measure, boot metrics.Bootstrap) Comparison {
	if len(a) == 1 {
		c := Comparison{Difference: boot.Compare(a[0].Examples().Of(m), b[0].Examples().Of(m))}
		if m == metrics.SubsetAccuracy {
			test := metrics.CompareSubsetAccuracy(a[0].Truth, a[0].Predicted, b[0].Predicted, a[0].NumLabels)
			c.McNemar = &test
		}
		return c
	}
	valuesA, valuesB := make([]float64, len(a)), make([]float64, len(b))
	for k := range a {
		valuesA[k], valuesB[k] = a[k].Scores.Of(m), b[k].Scores.Of(m)
	}
	return Comparison{Difference: boot.Compare(valuesA, valuesB)}
}
