package multistate

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
)

// Dataset is a data set for variables of several states: M rows x^m
// of d features, each with the states y^m of n variables, of which number i
// takes the values 0..k_i-1. The constant 1 for the bias is not a column.
type Dataset struct {
	Name         string
	FeatureNames []string         // d names
	LabelNames   []string         // n names
	StateNames   [][]string       // by variable: k_i names, k_i from 2 to 256
	X            *crankpkg.Matrix // M x d
	Y            []uint8          // M x n, row after row
	// Coding and Unlabeled are those of crankpkg.Dataset.
	Coding    crankpkg.Coding
	Unlabeled bool
}

// Len returns the number M of examples.
func (ds *Dataset) Len() int { return ds.X.NumRows }

// NumFeatures returns d, without the constant for the bias.
func (ds *Dataset) NumFeatures() int { return ds.X.NumCols }

// NumLabels returns the number n of variables.
func (ds *Dataset) NumLabels() int { return len(ds.LabelNames) }

// States returns the numbers of states k_i, n values.
func (ds *Dataset) States() []int { return stateCounts(ds.StateNames) }

// Row returns the input x^m. It shares memory with ds.
func (ds *Dataset) Row(m int) crankpkg.Row { return ds.X.Row(m) }

// Labels returns the n states y^m. It shares memory with ds.
func (ds *Dataset) Labels(m int) []uint8 {
	n := ds.NumLabels()
	return ds.Y[m*n : (m+1)*n : (m+1)*n]
}

// Subset returns the examples at the given rows, in that order; a row may occur
// more than once. It copies them and panics when a row is out of range.
func (ds *Dataset) Subset(rows []int) *Dataset {
	sub := *ds
	sub.X, sub.Y = ds.X.Subset(rows), nil
	for _, m := range rows {
		sub.Y = append(sub.Y, ds.Labels(m)...)
	}
	return &sub
}

// Validate returns an error that wraps ErrData, and names the row and the
// feature or variable, when ds cannot be learned from.
func (ds *Dataset) Validate() error {
	if ds == nil || ds.X == nil {
		return fmt.Errorf("%w: no data set", crankpkg.ErrData)
	}
	if err := ds.X.Validate(); err != nil {
		return fmt.Errorf("%s: %w", ds.Name, err)
	}
	if err := checkStateNames(ds.LabelNames, ds.StateNames); err != nil {
		return fmt.Errorf("%w: %s: %w", crankpkg.ErrData, ds.Name, err)
	}
	if n := ds.NumLabels(); len(ds.Y) != ds.Len()*n {
		return fmt.Errorf("%w: %s: %d states for %d rows of %d variables", crankpkg.ErrData, ds.Name, len(ds.Y), ds.Len(), n)
	}
	for m := range ds.Len() {
		for i, s := range ds.Labels(m) {
			if k := len(ds.StateNames[i]); int(s) >= k {
				return fmt.Errorf("%w: %s: row %d, variable %q: state %d is none of %d", crankpkg.ErrData, ds.Name, m, ds.LabelNames[i], s, k)
			}
		}
	}
	return ds.Indicators().Validate()
}

// Indicators returns the data set with a label of zeros and ones for each state of
// each variable, which are the Groups of its labels: any Trainer learns from it.
func (ds *Dataset) Indicators() *crankpkg.Dataset {
	layout := groups.New(ds.States())
	one := &crankpkg.Dataset{
		Name: ds.Name, FeatureNames: ds.FeatureNames, LabelNames: indicatorNames(ds.LabelNames, ds.StateNames),
		X: ds.X, Y: make([]uint8, ds.Len()*layout.NumLabels()), Groups: layout.Sizes,
		Coding: ds.Coding, Unlabeled: ds.Unlabeled,
	}
	for m := range ds.Len() {
		layout.OneHotTo(one.Labels(m), ds.Labels(m))
	}
	return one
}

// FromBinary returns ds as a data set of variables of the two states "0" and
// "1". It shares memory with ds.
func FromBinary(ds *crankpkg.Dataset) *Dataset {
	states := make([][]string, ds.NumLabels())
	for i := range states {
		states[i] = []string{"0", "1"}
	}
	return &Dataset{
		Name: ds.Name, FeatureNames: ds.FeatureNames, LabelNames: ds.LabelNames, StateNames: states, X: ds.X, Y: ds.Y,
		Coding: ds.Coding, Unlabeled: ds.Unlabeled,
	}
}

// checkStateNames returns an error unless each variable has names for 2 to
// MaxSize states.
func checkStateNames(labels []string, states [][]string) error {
	if len(states) != len(labels) {
		return fmt.Errorf("states of %d variables, but names of %d", len(states), len(labels))
	}
	for i, names := range states {
		if len(names) < 2 || len(names) > groups.MaxSize {
			return fmt.Errorf("variable %q: %d states are not between 2 and %d", labels[i], len(names), groups.MaxSize)
		}
	}
	return nil
}

func stateCounts(names [][]string) []int {
	counts := make([]int, len(names))
	for i, s := range names {
		counts[i] = len(s)
	}
	return counts
}

// indicatorNames returns "variable=state" for all states of all variables.
func indicatorNames(labels []string, states [][]string) []string {
	var names []string
	for i, label := range labels {
		for _, state := range states[i] {
			names = append(names, label+"="+state)
		}
	}
	return names
}
