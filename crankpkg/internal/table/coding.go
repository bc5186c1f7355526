package table

import (
	"fmt"
	"math"
	"slices"
)

// Coding says what the raw columns of a table mean: how the cells of each become features.
// A reader fits it to the training file, a Dataset and a Model carry it. The zero Coding is
// that of features that are columns of numbers, each of its own name.
type Coding struct {
	// Columns are the raw columns, in the order of their features.
	Columns []Column
	// Dropped are columns that the file has and that are no features because the options of its
	// reader left them out. They are left out again where rows come with them.
	Dropped []string
	// Missing lists the texts of missing cells: UsualMissing, unless the file had others.
	Missing []string
	// DecimalComma reads 1,5 as one and a half.
	DecimalComma bool
	// IgnoreUnseen lets cells have names that are not among the Values of their column,
	// instead of refusing them: all its features are 0 then.
	IgnoreUnseen bool
	// Sparse says that the rows were sparse: what a record, or the header of a CSV file, leaves
	// out is no missing cell, but holds what a sparse row leaves out, 0 or the first of its Values.
	Sparse bool
}

// Column is a raw column of numbers, which is one feature of its name, or of names
// (nominal). Of two names one gives 1 and the other 0, as the feature's name tells; of any
// other number of names, each has a feature that is 1 for it and else 0.
type Column struct {
	Name string
	// Values are the names, in the order of their features; nil: numbers.
	Values []string
	// Fill has what stands in each of the column's features where a cell is missing; nil
	// refuses missing cells.
	Fill []float64
}

// NewCoding returns the coding of fields that are laid out as features of these names, with
// the values of an imputer that has completed them, or nil. Fields that are nil are no features.
func NewCoding(fields []*Field, names []string, imputer *Imputer) Coding {
	c := Coding{Missing: UsualMissing()}
	var fill []float64
	if imputer != nil {
		fill, _ = imputer.fillOf(names) // it was there already
	}
	for _, f := range fields {
		if f == nil {
			continue
		}
		column := Column{Name: f.Name, Values: f.Values}
		if fill != nil {
			column.Fill = slices.Clone(fill[f.Column : f.Column+f.Width])
		}
		c.Columns = append(c.Columns, column)
	}
	return c
}

// IsPlain reports whether the zero Coding would do, but for what it has Dropped.
func (c *Coding) IsPlain() bool {
	return !c.Sparse && !c.DecimalComma && !slices.ContainsFunc(c.Columns, func(f Column) bool { return f.Values != nil || f.Fill != nil })
}

// Clone returns a copy that shares no memory with c.
func (c *Coding) Clone() Coding {
	clone := *c
	clone.Columns, clone.Missing, clone.Dropped = slices.Clone(c.Columns), slices.Clone(c.Missing), slices.Clone(c.Dropped)
	for k, f := range clone.Columns {
		clone.Columns[k].Values, clone.Columns[k].Fill = slices.Clone(f.Values), slices.Clone(f.Fill)
	}
	return clone
}

// Or returns c, or the columns of numbers of these names where c has none.
func (c *Coding) Or(featureNames []string) Coding {
	if len(c.Columns) > 0 {
		return *c
	}
	plain := *c
	if plain.Missing == nil {
		plain.Missing = UsualMissing()
	}
	for _, name := range featureNames {
		plain.Columns = append(plain.Columns, Column{Name: name})
	}
	return plain
}

// fields returns the columns laid out, and the number of features.
func (c *Coding) fields() ([]Field, int) {
	fields := make([]Field, len(c.Columns))
	width := 0
	for k, column := range c.Columns {
		fields[k] = Field{Name: column.Name, Values: column.Values}
		fields[k].LayOut(width)
		width += int(fields[k].Width)
	}
	return fields, width
}

// Check returns an error unless c has no columns, or columns that become the features of
// these names.
func (c *Coding) Check(featureNames []string) error {
	if err := c.checkDropped(featureNames); err != nil {
		return err
	}
	if len(c.Columns) == 0 {
		return nil
	}
	seen := make(map[string]bool, len(c.Columns))
	at := 0
	fields, width := c.fields()
	for k := range fields {
		f, column := &fields[k], &c.Columns[k]
		if seen[f.Name] {
			return fmt.Errorf("two columns are called %q", f.Name)
		}
		seen[f.Name] = true
		if err := column.check(int(f.Width)); err != nil {
			return fmt.Errorf("column %q: %w", f.Name, err)
		}
		for place := range int(f.Width) {
			if at == len(featureNames) || !f.namesColumn(place, featureNames[at]) {
				return fmt.Errorf("column %q does not become the feature at position %d", f.Name, at)
			}
			at++
		}
	}
	if width != len(featureNames) {
		return fmt.Errorf("columns of %d features for %d", width, len(featureNames))
	}
	return nil
}

// checkDropped returns an error if a column that is dropped is one of features.
func (c *Coding) checkDropped(featureNames []string) error {
	if len(c.Dropped) == 0 {
		return nil
	}
	dropped := make(map[string]bool, len(c.Dropped))
	for _, name := range c.Dropped {
		if dropped[name] {
			return fmt.Errorf("column %q is dropped twice", name)
		}
		dropped[name] = true
	}
	if len(c.Columns) == 0 {
		for _, name := range featureNames {
			if dropped[name] {
				return fmt.Errorf("column %q is a feature, and dropped too", name)
			}
		}
	}
	for _, f := range c.Columns {
		if dropped[f.Name] {
			return fmt.Errorf("column %q is a feature, and dropped too", f.Name)
		}
	}
	return nil
}

// check returns an error unless the values and what fills in are those of a column of so
// many features.
func (c *Column) check(width int) error {
	if c.Values != nil && len(c.Values) == 0 {
		return fmt.Errorf("no values")
	}
	seen := make(map[string]bool, len(c.Values))
	for _, value := range c.Values {
		if seen[value] {
			return fmt.Errorf("value %s is there twice", Clip(value))
		}
		seen[value] = true
	}
	if c.Fill != nil && len(c.Fill) != width {
		return fmt.Errorf("%d values to fill in for %d features", len(c.Fill), width)
	}
	for _, v := range c.Fill {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%v to fill in", v)
		}
	}
	return nil
}

// Agree returns an error, which names the column, unless a raw cell means the same to c and
// to other, two codings of the same features. A coding without columns agrees with all.
func (c *Coding) Agree(other *Coding) error {
	if len(c.Columns) == 0 || len(other.Columns) == 0 {
		return nil
	}
	if len(c.Columns) != len(other.Columns) {
		return fmt.Errorf("%d and %d columns", len(c.Columns), len(other.Columns))
	}
	for k := range c.Columns {
		a, b := &c.Columns[k], &other.Columns[k]
		switch {
		case a.Name != b.Name:
			return fmt.Errorf("column %q and %q", a.Name, b.Name)
		case !sameValues(a.Values, b.Values):
			return fmt.Errorf("column %q has other values", a.Name)
		case !slices.Equal(a.Fill, b.Fill):
			return fmt.Errorf("column %q has other values for missing cells", a.Name)
		}
	}
	if !slices.Equal(c.Missing, other.Missing) || c.DecimalComma != other.DecimalComma {
		return fmt.Errorf("other missing cells or decimal commas")
	}
	return nil
}

// Joined returns the coding of the rows of both, which agree. What either has Dropped stays so unless it is a column.
func (c *Coding) Joined(other *Coding) Coding {
	joined := *c
	if len(c.Columns) == 0 {
		joined = *other
	}
	joined.Sparse = c.Sparse && other.Sparse
	joined.Dropped = nil
	for _, name := range slices.Concat(c.Dropped, other.Dropped) {
		isColumn := slices.ContainsFunc(joined.Columns, func(f Column) bool { return f.Name == name })
		if !isColumn && !slices.Contains(joined.Dropped, name) {
			joined.Dropped = append(joined.Dropped, name)
		}
	}
	return joined
}

// sameValues reports whether two columns give a feature the same values. Of two values the
// order does not matter.
func sameValues(a, b []string) bool {
	return slices.Equal(a, b) || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// Reordered returns the coding of the same features in another order, by name. It has no
// columns where the features of a column do not stay together, and is not Sparse where the
// first value of a column becomes another.
func (c *Coding) Reordered(featureNames []string) Coding {
	type owner struct{ column, place int }
	owners := make(map[string]owner, len(featureNames))
	fields, _ := c.fields()
	for k := range fields {
		for place, name := range fields[k].AppendColumnNames(nil) {
			owners[name] = owner{k, place}
		}
	}
	moved := *c
	moved.Columns = nil
	if len(fields) == 0 {
		return moved
	}
	for at := 0; at < len(featureNames); {
		first, found := owners[featureNames[at]]
		width := int(fields[first.column].Width) // of any column, where none was found
		if !found || at+width > len(featureNames) {
			return Coding{Dropped: c.Dropped}
		}
		from := c.Columns[first.column]
		column := Column{Name: from.Name, Values: slices.Clone(from.Values), Fill: slices.Clone(from.Fill)}
		for p, name := range featureNames[at : at+width] {
			own, found := owners[name]
			if !found || own.column != first.column {
				return Coding{Dropped: c.Dropped}
			}
			if width > 1 {
				column.Values[p] = from.Values[own.place]
				moved.Sparse = moved.Sparse && (p > 0 || own.place == 0)
			}
			if from.Fill != nil {
				column.Fill[p] = from.Fill[own.place]
			}
		}
		moved.Columns = append(moved.Columns, column)
		at += width
	}
	return moved
}

// Imputer returns an imputer that fills in what c does, in features of these names, or nil
// where no column has anything to fill in.
func (c *Coding) Imputer(featureNames []string) *Imputer {
	fields, width := c.fields()
	filled := false
	fill := make([]float64, width)
	for k := range fields {
		filled = filled || c.Columns[k].Fill != nil
		copy(fill[fields[k].Column:], c.Columns[k].Fill)
	}
	if !filled {
		return nil
	}
	return &Imputer{Columns: featureNames, Fill: fill}
}

// UsualMissing are the texts that files have in missing cells.
func UsualMissing() []string { return []string{"", "?", "NA", "NaN"} }

// IsMissing reports whether a text is that of a missing cell. NaN is so in any case.
func (c *Coding) IsMissing(text string) bool {
	return slices.Contains(c.Missing, text) || IsNaN([]byte(text)) && slices.Contains(c.Missing, "NaN")
}
