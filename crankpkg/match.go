package crankpkg

import (
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/internal/schema"
)

// Match returns ds with the features and labels in m's order, found by name: ds
// itself where they are in that order. Everything that scores a model on a data set
// goes through it; do so before you give rows of another file to Predict, which sees
// no names. It returns an error that wraps ErrData and names what is missing or
// unknown to m.
func (m *Model) Match(ds *Dataset) (*Dataset, error) {
	return ds.MatchNames(m.FeatureNames, m.LabelNames)
}

// MatchNames returns ds with the given features and labels in this order: ds itself
// where they are in that order. It returns an error that wraps ErrData and names what
// is missing or is not asked for. Unlabeled rows need no labels: they get these, and stay
// Unlabeled.
func (ds *Dataset) MatchNames(features, labels []string) (*Dataset, error) {
	columns, err := schema.Match("feature", features, ds.FeatureNames)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrData, ds.Name, err)
	}
	var order []int
	if !ds.Unlabeled {
		order, err = schema.Match("label", labels, ds.LabelNames)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrData, ds.Name, err)
	}
	if ds.X.NumCols != len(features) {
		return nil, fmt.Errorf("%w: %s: %d columns with %d names", ErrData, ds.Name, ds.X.NumCols, len(features))
	}
	if columns == nil && order == nil && !ds.Unlabeled {
		return ds, nil
	}
	matched := *ds
	if ds.Unlabeled {
		matched.LabelNames, matched.Groups = slices.Clone(labels), nil
		matched.Y = make([]uint8, ds.Len()*len(labels))
	}
	if columns != nil {
		matched.FeatureNames, matched.X = slices.Clone(features), ds.X.SelectColumns(columns)
		matched.Coding = ds.Coding.Reordered(features)
	}
	if order != nil {
		sizes, err := groups.Reorder(ds.Groups, order)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrData, ds.Name, err)
		}
		selected := ds.SelectLabels(order)
		matched.LabelNames, matched.Y, matched.Groups = selected.LabelNames, selected.Y, sizes
	}
	return &matched, nil
}
