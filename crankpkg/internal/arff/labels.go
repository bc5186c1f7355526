package arff

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// assignRoles settles which attributes are dropped, which are labels and which
// are features, and refuses those that cannot be what they have to be. labels
// are names, or nil where positions tell.
func (h *header) assignRoles(in *reader, labels []string, opts Options) error {
	var err error
	if labels != nil {
		err = h.labelsByName(in, labels, opts.XML)
	} else {
		err = h.labelsByPosition(in, opts.LabelCount)
	}
	if err != nil {
		return err
	}
	for _, name := range opts.Drop {
		k, found := h.place[name]
		if !found {
			return fmt.Errorf("%w: %s: attribute %q, which is to be dropped, is not declared", errs.ErrSettings, in.file, name)
		}
		h.attrs[k].role = droppedRole
	}
	return h.checkRoles(in)
}

func (h *header) labelsByName(in *reader, labels []string, xmlPath string) error {
	for _, name := range labels {
		k, found := h.place[name]
		switch {
		case !found && xmlPath != "":
			return fmt.Errorf("%w: %s: label %q of %s is not declared", errs.ErrData, in.file, name, xmlPath)
		case !found:
			return fmt.Errorf("%w: %s: label %q is not declared", errs.ErrSettings, in.file, name)
		}
		h.attrs[k].role = labelRole
	}
	return nil
}

func (h *header) labelsByPosition(in *reader, count int) error {
	if count == 0 {
		var err error
		if count, err = mekaCount(h.relation); err != nil {
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

// mekaCount returns k of the option "-C k" in a MEKA relation name.
func mekaCount(relation string) (int, error) {
	count := 0
	for _, match := range mekaOption.FindAllStringSubmatch(relation, -1) {
		k, err := strconv.Atoi(match[1])
		if err != nil || k == 0 {
			return 0, fmt.Errorf("the relation name has the label count %q", match[1])
		}
		if count != 0 && k != count {
			return 0, fmt.Errorf("the relation name has two label counts, -C %d and -C %d", count, k)
		}
		count = k
	}
	if count == 0 {
		return 0, fmt.Errorf("nothing tells which attributes are labels: neither an XML file, names, a count nor -C in the relation name")
	}
	return count, nil
}

// checkRoles refuses attributes that cannot be learned from, and settles what
// counts as 1 where there are two values.
func (h *header) checkRoles(in *reader) error {
	counts := [3]int{}
	for k := range h.attrs {
		a := &h.attrs[k]
		counts[a.role]++
		if a.role == droppedRole {
			continue
		}
		one, binary := trueValue(a.values)
		var problem string
		switch {
		case a.kind == otherKind:
			problem = "a " + a.typeName + " attribute cannot be learned from; drop it"
		case a.role == labelRole && !binary:
			problem = "a label must be nominal with two values such as {0,1}, not " + a.describe()
		case len(a.values) == 2 && !binary && a.values[1] > a.values[0]:
			one = 1 // the later in order, so that files which declare them in either order agree
		}
		if problem != "" {
			return fmt.Errorf("%w: %s:%d: attribute %q: %s", errs.ErrData, in.file, a.lineNo, a.name, problem)
		}
		a.one = one
	}
	switch {
	case counts[labelRole] == 0:
		return fmt.Errorf("%w: %s: no labels", errs.ErrData, in.file)
	case counts[featureRole] == 0:
		return fmt.Errorf("%w: %s: no features", errs.ErrData, in.file)
	}
	return nil
}

// describe tells a's type for an error.
func (a *attribute) describe() string {
	if a.kind != nominalKind {
		return a.typeName
	}
	return clip([]byte("{" + strings.Join(a.values[:min(len(a.values), 5)], ",") + "}"))
}

// falseTrue lists the values that read as 0 and 1.
var falseTrue = [][2]string{{"0", "1"}, {"no", "yes"}, {"n", "y"}, {"false", "true"}, {"f", "t"}}

// trueValue returns the place of the value that reads as 1 when the values are
// one of the pairs of falseTrue, in either order and any case.
func trueValue(values []string) (place int32, ok bool) {
	if len(values) != 2 {
		return 0, false
	}
	for _, pair := range falseTrue {
		for one := range int32(2) {
			if strings.EqualFold(values[1-one], pair[0]) && strings.EqualFold(values[one], pair[1]) {
				return one, true
			}
		}
	}
	return 0, false
}
