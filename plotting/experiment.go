package plotting

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// CompareMethods draws the methods of an experiment on one of its sets: a panel
// for each measure of the table, values with their standard errors. These are of
// each value by itself; Differences draws the paired differences of methods.
func CompareMethods(t *experiment.Table, set string) *Figure {
	if t == nil {
		return theStyle().say(set, "There is no table.")
	}
	c := Comparison{Title: set, Methods: t.Methods, Percent: true}
	for _, m := range t.Measures {
		c.Measures = append(c.Measures, m.Label()+", %")
	}
	for _, method := range t.Methods {
		mean, err := nans(len(t.Measures)), nans(len(t.Measures))
		for _, e := range t.Entries() {
			for j, m := range t.Measures {
				if e.Set == set && e.Method == method && e.Measure == m {
					mean[j], err[j] = e.Value, e.StdErr
				}
			}
		}
		c.Mean, c.Err = append(c.Mean, mean), append(c.Err, err)
	}
	return c.Figure()
}

// RankMethods draws the table of one measure of an experiment: methods by sets,
// with ranks.
func RankMethods(t *experiment.Table, m metrics.Measure) *Figure {
	if t == nil {
		return theStyle().say(m.Label(), "There is no table.")
	}
	r := RankedTable{Title: m.Label() + ", %", Rows: t.Methods, Columns: t.Sets, Decimals: 1}
	for _, method := range t.Methods {
		row := nans(len(t.Sets))
		for j, set := range t.Sets {
			if runs := t.Runs(set, method); len(runs) > 0 {
				row[j] = 0
				for _, c := range runs {
					row[j] += c.Scores.Of(m) / float64(len(runs))
				}
			}
		}
		r.Values = append(r.Values, row)
	}
	return r.Figure()
}

func nans(n int) []float64 {
	values := make([]float64, n)
	for k := range values {
		values[k] = math.NaN()
	}
	return values
}
