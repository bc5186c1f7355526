package crankpkg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
)

// Dataset is a multi-label data set: M rows x^m of d features, each with the
// values y^m in {0,1} of n labels. The constant 1 for the bias is not a
// column: models append it. All fields are exported so that gob and GoNB's
// cache carry a data set whole.
type Dataset struct {
	Name         string
	FeatureNames []string // d names
	LabelNames   []string // n names
	X            *Matrix  // M x d
	Y            []uint8  // M x n, row after row, each 0 or 1
	// Groups, where not nil, are the sizes of groups of neighboring labels of which
	// exactly one is on, at least 2 each, n together: the states of variables. The
	// trees that are learned then join groups. Measures stay those of the labels.
	Groups []int
	// Coding says what raw columns the features are made of, where these are not just
	// columns of numbers: readers set it, and models keep it.
	Coding Coding
	// Unlabeled tells that Y says nothing: these are rows to predict on. Nobody trains
	// or measures on them.
	Unlabeled bool
}

// Len returns the number M of examples.
func (ds *Dataset) Len() int { return ds.X.NumRows }

// NumFeatures returns d, without the constant for the bias.
func (ds *Dataset) NumFeatures() int { return ds.X.NumCols }

// NumLabels returns n.
func (ds *Dataset) NumLabels() int { return len(ds.LabelNames) }

// Row returns the input x^m. It shares memory with ds.
func (ds *Dataset) Row(m int) Row { return ds.X.Row(m) }

// Labels returns the n label values y^m. It shares memory with ds.
func (ds *Dataset) Labels(m int) []uint8 {
	n := ds.NumLabels()
	return ds.Y[m*n : (m+1)*n : (m+1)*n]
}

// Validate returns an error that wraps ErrData, and names the row and the
// feature or label, when ds cannot be learned from.
func (ds *Dataset) Validate() error {
	if ds == nil || ds.X == nil {
		return fmt.Errorf("%w: no data set", ErrData)
	}
	if err := ds.X.Validate(); err != nil {
		return fmt.Errorf("%s: %w", ds.Name, err)
	}
	n, d := ds.NumLabels(), ds.NumFeatures()
	switch {
	case ds.Len() == 0:
		return fmt.Errorf("%w: %s: no examples", ErrData, ds.Name)
	case ds.Unlabeled:
		return fmt.Errorf("%w: %s: rows to predict on, without labels", ErrData, ds.Name)
	case n == 0:
		return fmt.Errorf("%w: %s: no labels", ErrData, ds.Name)
	case len(ds.Y)%n != 0 || len(ds.Y)/n != ds.Len():
		return fmt.Errorf("%w: %s: %d label values for %d rows of %d labels", ErrData, ds.Name, len(ds.Y), ds.Len(), n)
	case len(ds.FeatureNames) != d:
		return fmt.Errorf("%w: %s: %d feature names for %d features", ErrData, ds.Name, len(ds.FeatureNames), d)
	}
	if err := ds.Coding.Check(ds.FeatureNames); err != nil {
		return fmt.Errorf("%w: %s: coding: %w", ErrData, ds.Name, err)
	}
	if ds.Groups != nil {
		if err := groups.Check(ds.Groups, n); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrData, ds.Name, err)
		}
	}
	groups := groups.New(ds.Groups)
	for m := range ds.Len() {
		row := ds.Row(m)
		for p, v := range row.Value {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				k := p
				if row.Index != nil {
					k = int(row.Index[p])
				}
				return fmt.Errorf("%w: %s: row %d, feature %q: %v", ErrData, ds.Name, m, ds.FeatureNames[k], v)
			}
		}
		for i, v := range ds.Labels(m) {
			if v > 1 {
				return fmt.Errorf("%w: %s: row %d, label %q: %d is neither 0 nor 1", ErrData, ds.Name, m, ds.LabelNames[i], v)
			}
		}
		if err := groups.CheckRow(ds.Labels(m)); err != nil {
			return fmt.Errorf("%w: %s: row %d: %w", ErrData, ds.Name, m, err)
		}
	}
	return nil
}

// String returns one line that tells the sizes.
func (ds *Dataset) String() string {
	form := "dense"
	if ds.X.IsSparse() {
		form = "sparse"
	}
	return fmt.Sprintf("%s: %d examples, %d %s features, %d labels, cardinality %.3f",
		ds.Name, ds.Len(), ds.NumFeatures(), form, ds.NumLabels(), ds.Cardinality())
}

// LabelCounts returns, for each label, the number of examples that have it.
func (ds *Dataset) LabelCounts() []int {
	counts := make([]int, ds.NumLabels())
	for m := range ds.Len() {
		for i, v := range ds.Labels(m) {
			counts[i] += int(v)
		}
	}
	return counts
}

// Cardinality returns the mean number of labels of an example, 0 if there are
// no examples.
func (ds *Dataset) Cardinality() float64 {
	if ds.Len() == 0 {
		return 0
	}
	total := 0
	for _, c := range ds.LabelCounts() {
		total += c
	}
	return float64(total) / float64(ds.Len())
}

// DistinctLabelSets returns how many different y^m there are.
func (ds *Dataset) DistinctLabelSets() int {
	seen := make(map[string]bool)
	for m := range ds.Len() {
		seen[string(ds.Labels(m))] = true
	}
	return len(seen)
}

// MostFrequentLabels returns the positions, in increasing order, of the k
// labels that most examples have. Among equals the first wins. It panics if
// there are fewer than k labels.
func (ds *Dataset) MostFrequentLabels(k int) []int {
	counts := ds.LabelCounts()
	order := make([]int, len(counts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	chosen := order[:k]
	slices.Sort(chosen)
	return chosen
}

// SelectLabels returns the data set with the labels at the given positions
// only, in the given order and in no groups. It shares the features with ds, and keeps examples
// that are left without a label. It panics when a position is out of range.
func (ds *Dataset) SelectLabels(labels []int) *Dataset {
	selected := &Dataset{
		Name: ds.Name, FeatureNames: ds.FeatureNames, X: ds.X, Coding: ds.Coding, Unlabeled: ds.Unlabeled,
		LabelNames: make([]string, len(labels)),
		Y:          make([]uint8, 0, ds.Len()*len(labels)),
	}
	for p, i := range labels {
		selected.LabelNames[p] = ds.LabelNames[i]
	}
	for m := range ds.Len() {
		y := ds.Labels(m)
		for _, i := range labels {
			selected.Y = append(selected.Y, y[i])
		}
	}
	return selected
}

// LabelIndex returns the position of the label called name, or -1.
func (ds *Dataset) LabelIndex(name string) int { return slices.Index(ds.LabelNames, name) }

// Subset returns the examples at the given rows, in that order; a row may occur
// more than once. It copies them and panics when a row is out of range.
func (ds *Dataset) Subset(rows []int) *Dataset {
	sub := &Dataset{
		Name: ds.Name, FeatureNames: ds.FeatureNames, LabelNames: ds.LabelNames, Groups: ds.Groups,
		Coding: ds.Coding, Unlabeled: ds.Unlabeled,
		X: ds.X.Subset(rows),
		Y: make([]uint8, 0, len(rows)*ds.NumLabels()),
	}
	for _, m := range rows {
		sub.Y = append(sub.Y, ds.Labels(m)...)
	}
	return sub
}

// Append returns the examples of ds followed by those of other, named as ds. It
// returns an error that wraps ErrData unless both have the same features, labels and
// coding, where both have one.
func (ds *Dataset) Append(other *Dataset) (*Dataset, error) {
	for _, names := range []struct {
		kind string
		a, b []string
	}{{"features", ds.FeatureNames, other.FeatureNames}, {"labels", ds.LabelNames, other.LabelNames}} {
		if !slices.Equal(names.a, names.b) {
			return nil, fmt.Errorf("%w: %s and %s have different %s: %s", ErrData, ds.Name, other.Name, names.kind, firstDifference(names.a, names.b))
		}
	}
	if !slices.Equal(ds.Groups, other.Groups) {
		return nil, fmt.Errorf("%w: %s and %s have different groups of labels", ErrData, ds.Name, other.Name)
	}
	if err := ds.Coding.Agree(&other.Coding); err != nil {
		return nil, fmt.Errorf("%w: %s and %s have different codings: %w", ErrData, ds.Name, other.Name, err)
	}
	if ds.Unlabeled != other.Unlabeled {
		return nil, fmt.Errorf("%w: of %s and %s one is without labels", ErrData, ds.Name, other.Name)
	}
	return &Dataset{
		Name: ds.Name, FeatureNames: ds.FeatureNames, LabelNames: ds.LabelNames, Groups: ds.Groups,
		X: ds.X.Append(other.X), Y: slices.Concat(ds.Y, other.Y), Coding: ds.Coding.Joined(&other.Coding), Unlabeled: ds.Unlabeled,
	}, nil
}

// firstDifference tells where two lists of names differ first.
func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%q and %q at position %d", a[i], b[i], i)
		}
	}
	return fmt.Sprintf("%d and %d", len(a), len(b))
}
