package csvdata

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/internal/nearest"
)

// numberColumns names the columns of a file without a header. Rows to predict on may lack
// the label columns of the file that the coding was fitted to.
func (in *file) numberColumns(width int) {
	if in.fitted != nil && in.opts.FeaturesOnly && width < len(in.fitted.Columns) {
		for _, name := range in.fitted.Columns {
			if !slices.Contains(in.fitted.Labels, name) && name != in.opts.LabelColumn {
				in.header = append(in.header, name)
			}
		}
		if len(in.header) == width {
			return
		}
		in.header = nil
	}
	for k := range width {
		in.header = append(in.header, fmt.Sprintf("column%d", k+1))
	}
}

// settingsError returns an error about the options, or about the file where a fitted
// coding says what it must have.
func (in *file) settingsError(format string, args ...any) error {
	kind := errs.ErrSettings
	if in.fitted != nil {
		kind = errs.ErrData
	}
	return fmt.Errorf("%w: %s: %w", kind, in.name, fmt.Errorf(format, args...))
}

// assignRoles settles which columns are dropped, labels and features.
func (in *file) assignRoles() error {
	in.listDrops()
	place, err := in.checkHeader()
	if err != nil {
		return err
	}
	in.roles = make([]filler, len(in.header))
	taken := make([]bool, len(in.header))
	for _, name := range in.opts.Drop {
		if _, found := place[name]; !found && in.fitted == nil {
			return in.settingsError("column %q, which is to be dropped, is not there%s", name, in.instead(name))
		}
	}
	for k, name := range in.header {
		if taken[k] = in.drops[name]; taken[k] && place[name] == k {
			in.dropped = append(in.dropped, name)
		}
	}
	if err := in.assignLabels(place, taken); err != nil {
		return err
	}
	if in.fitted != nil {
		return in.fittedFeatures(place, taken)
	}
	for _, name := range in.opts.Nominal {
		if _, found := place[name]; !found {
			return in.settingsError("column %q, which is to be nominal, is not there%s", name, in.instead(name))
		}
	}
	for k, name := range in.header {
		if !taken[k] {
			in.addFeature(k, newColumn(in, name))
		}
	}
	if len(in.features) == 0 {
		return fmt.Errorf("%w: %s: no features; %s", errs.ErrData, in.name, in.describe())
	}
	return nil
}

// listDrops lists the columns to leave out, where they are there.
func (in *file) listDrops() {
	names := in.opts.Drop
	if in.fitted != nil {
		names = slices.Concat(names, in.fitted.Features.Dropped)
	}
	in.drops = make(map[string]bool, len(names))
	for _, name := range names {
		in.drops[name] = true
	}
}

// checkHeader returns the place of each column. Only columns that are dropped may have no name, or
// the same.
func (in *file) checkHeader() (map[string]int, error) {
	place := make(map[string]int, len(in.header))
	for k, name := range in.header {
		first, twice := place[name]
		switch {
		case in.drops[name]:
		case name == "":
			return nil, fmt.Errorf("%w: %s: column %d has no name; give it one, or drop the empty name", errs.ErrData, in.name, k+1)
		case twice:
			return nil, fmt.Errorf("%w: %s: columns %d and %d are both called %q%s", errs.ErrData, in.name, first+1, k+1, name, in.rowForHeader(name))
		}
		place[name] = k
	}
	return place, nil
}

// rowForHeader ends an error about a name in the header that rather is a cell of a row.
func (in *file) rowForHeader(name string) string {
	if !in.opts.NoHeader && (isNumber(name) || in.cells.IsMissing(name)) {
		return "; if the first line is a row, set CSVOptions.NoHeader"
	}
	return ""
}

// instead ends an error about a column that is not there: with the names that are near, or with
// the first columns.
func (in *file) instead(name string) string {
	if hint := nearest.Hint(name, in.header); hint != "" {
		return hint
	}
	return "; " + in.describe()
}

// describe tells the first columns, for an error about one that is not there.
func (in *file) describe() string {
	const most = 5
	if len(in.header) == 1 {
		return fmt.Sprintf("there is one column: %s%s", table.Clip(in.header[0]), in.otherComma())
	}
	more := ""
	if len(in.header) > most {
		more = ", ..."
	}
	return fmt.Sprintf("there are %d columns: %s%s", len(in.header), table.Clip(strings.Join(in.header[:min(most, len(in.header))], ", ")), more)
}

// otherComma tells what seems to separate the cells of a header that is one cell, if anything.
func (in *file) otherComma() string {
	for _, comma := range ";\t|," {
		if strings.ContainsRune(in.header[0], comma) {
			return fmt.Sprintf("; %q seems to stand between cells: set CSVOptions.Comma to %[1]q", comma)
		}
	}
	return ""
}

// assignLabels finds the label columns among those that are not dropped.
func (in *file) assignLabels(place map[string]int, taken []bool) error {
	if list := in.opts.LabelColumn; list != "" {
		k, found := place[list]
		if !found && !in.opts.FeaturesOnly {
			return in.settingsError("there is no column %q of labels%s", list, in.instead(list))
		}
		in.listed = newLabelLists(in)
		if found {
			taken[k] = true
			if !in.opts.FeaturesOnly {
				in.roles[k] = in.listed
			}
		}
		return nil
	}
	names, err := in.labelNames(taken)
	if err != nil {
		return err
	}
	for _, name := range names {
		k, there := place[name]
		found := there && !taken[k] // a column that the first file dropped is not its label of that name
		switch {
		case in.opts.FeaturesOnly:
		case there && slices.Contains(in.opts.Drop, name):
			return in.settingsError("label %q is dropped too", name)
		case there && !found:
			return in.settingsError("there is no label column %q: the column of that name is left out, as in the first file%s", name, in.listMeant(place))
		case !found:
			return in.settingsError("there is no label column %q%s%s", name, in.instead(name), in.listMeant(place))
		}
		c := newColumn(in, name)
		in.labels = append(in.labels, c)
		if found {
			taken[k] = true
			if !in.opts.FeaturesOnly {
				in.roles[k] = (*labelColumn)(c)
			}
		}
	}
	return nil
}

// listMeant ends an error about labels of a coding that are no columns, where one may list them.
func (in *file) listMeant(place map[string]int) string {
	if in.fitted == nil {
		return ""
	}
	for _, name := range in.fitted.Labels {
		if _, found := place[name]; found && !in.drops[name] {
			return ""
		}
	}
	return "; if a column lists the labels, set CSVOptions.LabelColumn"
}

// labelNames returns the names of the label columns, in their order in the file.
func (in *file) labelNames(taken []bool) ([]string, error) {
	o := &in.opts
	var names []string
	switch {
	case in.fitted != nil:
		return in.fitted.Labels, nil
	case o.Labels != nil:
		for _, name := range in.header {
			if slices.Contains(o.Labels, name) {
				names = append(names, name)
			}
		}
		for _, name := range o.Labels {
			if !slices.Contains(names, name) {
				names = append(names, name) // not there
			}
		}
	case o.LabelPrefix != "" || o.LabelSuffix != "":
		for k, name := range in.header {
			if !taken[k] && strings.HasPrefix(name, o.LabelPrefix) && strings.HasSuffix(name, o.LabelSuffix) {
				names = append(names, name)
			}
		}
	case o.LabelCount != 0:
		size := len(in.header)
		if o.LabelCount > size || o.LabelCount < -size {
			return nil, in.settingsError("%d labels among %d columns", max(o.LabelCount, -o.LabelCount), size)
		}
		names = in.header[:max(o.LabelCount, 0)]
		if o.LabelCount < 0 {
			names = in.header[size+o.LabelCount:]
		}
	}
	if len(names) == 0 && !o.FeaturesOnly {
		return nil, in.settingsError("no column is a label%s; %s", in.noneSo(), in.describe())
	}
	return names, nil
}

// noneSo says what no column is called like.
func (in *file) noneSo() string {
	switch prefix, suffix := in.opts.LabelPrefix, in.opts.LabelSuffix; {
	case prefix != "" && suffix != "":
		return fmt.Sprintf(": no name begins with %q and ends with %q", prefix, suffix)
	case prefix != "":
		return fmt.Sprintf(": no name begins with %q", prefix)
	case suffix != "":
		return fmt.Sprintf(": no name ends with %q", suffix)
	}
	return ""
}

// fittedFeatures finds the features of the coding by name. Where it is of sparse rows, the file
// may lack some.
func (in *file) fittedFeatures(place map[string]int, taken []bool) error {
	for _, f := range in.fitted.Features.Columns {
		k, found := place[f.Name]
		c := newColumn(in, f.Name)
		if !found && in.cells.Sparse {
			c.fix(f)
			c.absent = true
			in.features = append(in.features, c)
			continue
		}
		if !found {
			return in.settingsError("column %q of the file that the coding was fitted to is missing%s", f.Name, in.instead(f.Name))
		}
		if taken[k] {
			return in.settingsError("column %q is a feature of the file that the coding was fitted to, and cannot be dropped", f.Name)
		}
		taken[k] = true
		c.fix(f)
		in.addFeature(k, c)
	}
	for k, name := range in.header {
		if !taken[k] {
			return in.settingsError("column %q is no feature of the file that the coding was fitted to; drop it%s", name, nearest.Hint(name, in.absent()))
		}
	}
	return nil
}

// absent returns the features that the file lacks.
func (in *file) absent() (names []string) {
	for _, c := range in.features {
		if c.absent {
			names = append(names, c.Name)
		}
	}
	return names
}

func (in *file) addFeature(k int, c *column) {
	in.features = append(in.features, c)
	in.roles[k] = c
}
