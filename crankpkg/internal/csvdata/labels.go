package csvdata

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/table"
)

var errMissingLabel = errors.New("a label is missing; CSVOptions.FeaturesOnly reads rows to predict on")

// labelColumn is a column whose cells tell whether a label is on.
type labelColumn column

func (c *labelColumn) add(text string) error {
	k, found := c.place[text]
	if !found {
		if c.in.cells.IsMissing(text) {
			return errMissingLabel
		}
		k = int32(slices.IndexFunc(c.Values, func(v string) bool { return table.Same(v, text) }))
		if k < 0 {
			if len(c.Values) == 2 {
				return fmt.Errorf("%s beside %s and %s, but a label has two values; CSVOptions.LabelColumn makes a label of each", table.Clip(text), table.Clip(c.Values[0]), table.Clip(c.Values[1]))
			}
			k = int32(len(c.Values))
			c.Values = append(c.Values, text)
			if !c.told() {
				return c.untold()
			}
		}
		c.place[text] = k
	}
	c.cells = append(c.cells, float64(k))
	return nil
}

// told reports whether the values so far can tell which of them means that the label is on.
func (c *labelColumn) told() bool {
	_, ok := table.Truth(c.Values[0])
	if len(c.Values) == 2 {
		_, ok = table.TrueValue(c.Values)
	}
	return ok || c.in.opts.True != ""
}

// on returns the place of the value that means that the label is on, -1 if that does not
// occur.
func (c *labelColumn) on() (int, error) {
	True := c.in.opts.True
	if True != "" {
		k := slices.IndexFunc(c.Values, func(v string) bool { return table.Same(v, True) })
		if k < 0 && len(c.Values) == 2 {
			return 0, fmt.Errorf("the true value %q is none of %s", True, c.Describe())
		}
		return k, nil
	}
	if len(c.Values) == 1 {
		if on, _ := table.Truth(c.Values[0]); on {
			return 0, nil
		}
		return -1, nil
	}
	one, _ := table.TrueValue(c.Values)
	return int(one), nil
}

func (c *labelColumn) untold() error {
	return fmt.Errorf("a label must have two values such as 0 and 1, or CSVOptions.True must name the one that means on, not %s; CSVOptions.LabelColumn makes a label of each", c.Describe())
}

// labelLists is a column whose cells list labels.
type labelLists struct {
	in        *file
	separator string
	names     []string
	place     map[string]int32
	fixed     bool
	sets      [][]int32 // for each row
}

func newLabelLists(in *file) *labelLists {
	l := &labelLists{in: in, separator: in.opts.Separator, place: make(map[string]int32)}
	if l.separator == "" {
		l.separator = ","
	}
	if in.fitted != nil {
		l.fixed, l.names = true, in.fitted.Labels
		for k, name := range l.names {
			l.place[name] = int32(k)
		}
	}
	return l
}

func (l *labelLists) add(text string) error {
	if text != "" && l.in.cells.IsMissing(text) {
		return errMissingLabel
	}
	var set []int32
	for name := range strings.SplitSeq(text, l.separator) {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		k, found := l.place[name]
		switch {
		case !found && l.fixed && l.in.cells.IgnoreUnseen:
			continue
		case !found && l.fixed:
			return fmt.Errorf("label %s is none of the %d that the coding has seen; CSVOptions.IgnoreUnseen lets it pass", table.Clip(name), len(l.names))
		case !found:
			k = int32(len(l.names))
			l.place[name] = k
			l.names = append(l.names, name)
		}
		set = append(set, k)
	}
	l.sets = append(l.sets, set)
	return nil
}

// settle puts the labels in alphabetical order.
func (l *labelLists) settle() {
	if l.fixed {
		return
	}
	l.names = slices.Sorted(slices.Values(l.names))
	moved := make([]int32, len(l.names))
	for k, name := range l.names {
		moved[l.place[name]] = int32(k)
	}
	for _, set := range l.sets {
		for p, k := range set {
			set[p] = moved[k]
		}
	}
}
