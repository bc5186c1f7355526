package arff

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/internal/nearest"
)

// assignRoles settles which attributes are dropped, which are labels and which
// are features, and refuses those that cannot be what they have to be. labels
// are names, or nil where positions tell.
func (h *header) assignRoles(in *reader, labels []string, opts Options) error {
	var err error
	if labels != nil {
		err = h.labelsByName(in, labels, opts)
	} else {
		err = h.labelsByPosition(in, opts)
	}
	if err != nil {
		return err
	}
	for _, name := range opts.Drop {
		k, found := h.place[name]
		if !found {
			return fmt.Errorf("%w: %s: attribute %q, which is to be dropped, is not declared%s", errs.ErrSettings, in.file, name, h.near(name))
		}
		h.attrs[k].role = droppedRole
	}
	for _, name := range opts.Ignore {
		if k, found := h.place[name]; found && h.attrs[k].role == featureRole {
			h.attrs[k].role = droppedRole
		}
	}
	return h.checkRoles(in, opts)
}

func (h *header) labelsByName(in *reader, labels []string, opts Options) error {
	for _, name := range labels {
		k, found := h.place[name]
		switch {
		case !found && opts.FeaturesOnly:
			if !slices.Contains(h.absent, name) {
				h.absent = append(h.absent, name)
			}
			continue
		case !found && opts.XML != "":
			return fmt.Errorf("%w: %s: label %q of %s is not declared%s", errs.ErrData, in.file, name, opts.XML, h.near(name))
		case !found:
			return fmt.Errorf("%w: %s: label %q is not declared%s", errs.ErrSettings, in.file, name, h.near(name))
		}
		h.attrs[k].role = labelRole
	}
	return nil
}

// near ends an error about an attribute that is not declared.
func (h *header) near(name string) string {
	var names []string
	for k := range h.attrs {
		names = append(names, h.attrs[k].Name)
	}
	return nearest.Hint(name, names)
}

// dropped returns the attributes that are left out.
func (h *header) dropped() (names []string) {
	for k := range h.attrs {
		if h.attrs[k].role == droppedRole {
			names = append(names, h.attrs[k].Name)
		}
	}
	return names
}

func (h *header) labelsByPosition(in *reader, opts Options) error {
	count := opts.LabelCount
	if count == 0 {
		var err error
		if count, err = mekaCount(h.relation); err != nil {
			if errors.Is(err, errNoLabels) && opts.FeaturesOnly {
				return nil
			}
			return fmt.Errorf("%w: %s: %w", errs.ErrData, in.file, err)
		}
	}
	size := len(h.attrs)
	if count > size || -count > size {
		return fmt.Errorf("%w: %s: %d labels among %d attributes", errs.ErrData, in.file, max(count, -count), size)
	}
	first, last := 0, count
	if count < 0 {
		first, last = size+count, size
	}
	for k := first; k < last; k++ {
		h.attrs[k].role = labelRole
	}
	return nil
}

var mekaOption = regexp.MustCompile(`(?:^|[^\w-])-C[\s:=]*([+-]?\d+)\b`)

var errNoLabels = errors.New("nothing tells which attributes are labels: neither an XML file, names, a count nor -C in the relation name")

// mekaCount returns k of the first option "-C k" in a MEKA relation name, as MEKA
// does. Later ones are those of Weka's filters, which add themselves to the name.
func mekaCount(relation string) (int, error) {
	match := mekaOption.FindStringSubmatch(relation)
	if match == nil {
		return 0, errNoLabels
	}
	k, err := strconv.Atoi(match[1])
	if err != nil || k == 0 {
		return 0, fmt.Errorf("the relation name has the label count %q", match[1])
	}
	return k, nil
}

// checkRoles refuses attributes that cannot be learned from.
func (h *header) checkRoles(in *reader, opts Options) error {
	counts := [3]int{}
	for k := range h.attrs {
		a := &h.attrs[k]
		counts[a.role]++
		var problem string
		switch {
		case a.role == featureRole && a.kind == otherKind:
			problem = "a " + a.typeName + " attribute cannot be learned from; drop it"
		case a.role == labelRole && !opts.FeaturesOnly:
			problem = a.settleLabel(opts.True)
		}
		if problem != "" {
			return fmt.Errorf("%w: %s:%d: attribute %q: %s", errs.ErrData, in.file, a.lineNo, a.Name, problem)
		}
	}
	switch {
	case counts[labelRole] == 0 && !opts.FeaturesOnly:
		return fmt.Errorf("%w: %s: no labels", errs.ErrData, in.file)
	case counts[featureRole] == 0:
		return fmt.Errorf("%w: %s: no features", errs.ErrData, in.file)
	}
	return nil
}

// settleLabel settles which value means that a label is on, and returns what is wrong
// with it, if anything is. True is that value, or "" where the pairs of table.TrueValue
// tell it.
func (a *attribute) settleLabel(True string) (problem string) {
	switch {
	case a.kind == numericKind && True == "":
		a.numbers = newNumericLabel(1, true)
		return ""
	case a.kind == numericKind:
		on, ok := table.ParseNumber([]byte(True))
		if !ok {
			return fmt.Sprintf("it is numeric, and the true value %q is no number", True)
		}
		a.numbers = newNumericLabel(on, false)
		return ""
	case a.kind == otherKind || len(a.Values) != 2:
		return "a label must be numeric or have two values such as {0,1}, not " + a.describe()
	}
	one, ok := table.TrueValue(a.Values)
	if True != "" {
		one, ok = int32(0), a.Values[0] == True
		if a.Values[1] == True {
			one, ok = 1, true
		}
	}
	switch {
	case !ok && True != "":
		return fmt.Sprintf("the true value %q is none of %s", True, a.Describe())
	case !ok:
		return "a label must have two values such as {0,1}, or ARFFOptions.True must name the one that means on, not " + a.Describe()
	}
	a.One = one
	return ""
}

// describe tells a's type for an error.
func (a *attribute) describe() string {
	if a.kind != nominalKind {
		return a.typeName
	}
	return a.Describe()
}

// numericLabel tells the two numbers of a numeric label apart.
type numericLabel struct {
	on    float64
	off   float64 // NaN before it is seen
	plain bool    // off has to be 0 or -1
}

func newNumericLabel(on float64, plain bool) numericLabel {
	return numericLabel{on: on, off: math.NaN(), plain: plain}
}

// value returns whether the label is on, as 0 or 1.
func (l *numericLabel) value(number float64) (uint8, error) {
	switch {
	case number == l.on:
		return 1, nil
	case math.IsNaN(l.off) && (!l.plain || number == 0 || number == -1):
		l.off = number
		return 0, nil
	case math.IsNaN(l.off):
		return 0, fmt.Errorf("%v is neither 0 nor 1; ARFFOptions.True names the number that means on", number)
	case number == l.off:
		return 0, nil
	}
	return 0, fmt.Errorf("%v beside %v and %v, but a label has two values", number, l.off, l.on)
}
