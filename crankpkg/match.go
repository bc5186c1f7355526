package crankpkg

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
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
// is missing or is not asked for.
func (ds *Dataset) MatchNames(features, labels []string) (*Dataset, error) {
	columns, err := matchNames("feature", features, ds.FeatureNames)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrData, ds.Name, err)
	}
	order, err := matchNames("label", labels, ds.LabelNames)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrData, ds.Name, err)
	}
	if ds.X.NumCols != len(features) {
		return nil, fmt.Errorf("%w: %s: %d columns with %d names", ErrData, ds.Name, ds.X.NumCols, len(features))
	}
	if columns == nil && order == nil {
		return ds, nil
	}
	matched := *ds
	if columns != nil {
		matched.FeatureNames, matched.X = slices.Clone(features), ds.X.SelectColumns(columns)
	}
	if order != nil {
		sizes, err := reorderGroups(ds.Groups, order)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrData, ds.Name, err)
		}
		selected := ds.SelectLabels(order)
		matched.LabelNames, matched.Y, matched.Groups = selected.LabelNames, selected.Y, sizes
	}
	return &matched, nil
}

// matchNames returns where each of want is in have, or nil where it is at its place.
func matchNames(kind string, want, have []string) ([]int, error) {
	if slices.Equal(want, have) {
		return nil, nil
	}
	place := make(map[string]int, len(have))
	for k, name := range have {
		if _, seen := place[name]; seen {
			return nil, twice(kind, name)
		}
		place[name] = k
	}
	order := make([]int, 0, len(want))
	asked := make(map[string]bool, len(want))
	var missing, extra []string
	for _, name := range want {
		if asked[name] {
			return nil, twice(kind, name)
		}
		asked[name] = true
		if k, found := place[name]; found {
			order = append(order, k)
		} else {
			missing = append(missing, name)
		}
	}
	for _, name := range have {
		if !asked[name] {
			extra = append(extra, name)
		}
	}
	var problems []string
	if len(missing) > 0 {
		problems = append(problems, fmt.Sprintf("%s %s missing", kind, listed(missing)))
	}
	if len(extra) > 0 {
		problems = append(problems, fmt.Sprintf("%s %s unknown", kind, listed(extra)))
	}
	if problems != nil {
		return nil, errors.New(strings.Join(problems, ", "))
	}
	return order, nil
}

func twice(kind, name string) error {
	return fmt.Errorf("%s %q is there twice, so that names do not tell which is which", kind, name)
}

// listed returns the first few of the names and how many more there are.
func listed(names []string) string {
	const most = 3
	text := fmt.Sprintf("%q", names[:min(len(names), most)])
	text = strings.Trim(text, "[]")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// reorderGroups returns the sizes of the groups when the labels are in another order,
// which has to keep those of a group together.
func reorderGroups(sizes, order []int) ([]int, error) {
	if sizes == nil {
		return nil, nil
	}
	group, last := groups.New(sizes).Group, int32(-1)
	var reordered []int
	for _, i := range order {
		if group[i] != last {
			last = group[i]
			reordered = append(reordered, 0)
		}
		reordered[len(reordered)-1]++
	}
	if len(reordered) != len(sizes) {
		return nil, errors.New("the labels of a group are not together in the order that is asked for")
	}
	return reordered, nil
}
