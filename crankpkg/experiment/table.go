package experiment

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat"
)

// Table is the outcome of an Experiment. All fields are exported so that gob and
// GoNB's cache carry it whole.
type Table struct {
	Sets, Methods []string // in the order of the Experiment
	Seeds         []uint64
	// Draws are the sets whose seeds draw examples anew; see Set.Draws.
	Draws []string
	// Measures are the ones that the table prints: at first the paper's three.
	Measures []metrics.Measure
	// Cells are the finished cells: by set, then method, then seed.
	Cells []Cell
	// Notes say what was computed again, and why.
	Notes []string
}

// Entry is one value of a table: a measure of a method on a set.
type Entry struct {
	Set     string          `json:"set"`
	Method  string          `json:"method"`
	Measure metrics.Measure `json:"measure"`
	Value   float64         `json:"value"` // the mean over the runs, in percent
	// StdErr is the standard error of Value: over the runs where there are
	// several, else over the test examples (0 for measures that are no means over
	// examples).
	StdErr float64 `json:"stderr"`
	// Rank is one more than the number of methods with a higher Value on the same
	// set and measure. As in the paper, values are compared as they are printed,
	// with one decimal, and equal ones share the better rank.
	Rank int `json:"rank"`
	// Lambda is what the method was trained with: the median over the runs.
	Lambda float64 `json:"lambda"`
	Runs   int     `json:"runs"` // number of seeds
}

// Runs returns the finished cells of a method on a set, by seed.
func (t *Table) Runs(set, method string) []Cell {
	var runs []Cell
	for _, c := range t.Cells {
		if c.Set == set && c.Method == method {
			runs = append(runs, c)
		}
	}
	return runs
}

// Entries returns the values of all methods on all sets, by set, then method,
// then measure. What has no finished cell is left out.
func (t *Table) Entries() []Entry {
	var entries []Entry
	for _, set := range t.Sets {
		first := len(entries)
		for _, method := range t.Methods {
			if runs := t.Runs(set, method); len(runs) > 0 {
				for _, m := range t.Measures {
					entries = append(entries, newEntry(runs, m))
				}
			}
		}
		rankEntries(entries[first:])
	}
	return entries
}

// newEntry summarizes one measure of one method on one set.
func newEntry(runs []Cell, m metrics.Measure) Entry {
	e := Entry{Set: runs[0].Set, Method: runs[0].Method, Measure: m, Runs: len(runs)}
	values, lambdas := make([]float64, len(runs)), make([]float64, len(runs))
	for k, c := range runs {
		values[k], lambdas[k] = c.Scores.Of(m), c.Lambda
	}
	e.Value, e.StdErr = metrics.MeanStdErr(values)
	if len(runs) == 1 && slices.Contains(metrics.PaperMeasures(), m) {
		_, e.StdErr = metrics.MeanStdErr(runs[0].Examples().Of(m))
	}
	slices.Sort(lambdas)
	e.Lambda = stat.Quantile(0.5, stat.Empirical, lambdas, nil)
	return e
}

// rankEntries sets the ranks of the entries of one set.
func rankEntries(entries []Entry) {
	for k := range entries {
		entries[k].Rank = 1
		for _, other := range entries {
			if other.Measure == entries[k].Measure && oneDecimal(other.Value) > oneDecimal(entries[k].Value) {
				entries[k].Rank++
			}
		}
	}
}

// oneDecimal returns ten times the value as it is printed.
func oneDecimal(v float64) float64 { return math.Round(10 * v) }

// find returns the entry of a set, method and measure, nil if there is none.
func find(entries []Entry, set, method string, m metrics.Measure) *Entry {
	for k := range entries {
		if e := &entries[k]; e.Set == set && e.Method == method && e.Measure == m {
			return e
		}
	}
	return nil
}
