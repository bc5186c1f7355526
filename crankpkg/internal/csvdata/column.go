package csvdata

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/table"
)

// kind is what the cells of a column are.
type kind uint8

const (
	unknownKind kind = iota // none was there yet
	numberKind
	nameKind
)

// column is a column of features while the file is read.
type column struct {
	table.Field
	in    *file
	kind  kind
	fixed bool // Values are those of a coding
	mixed bool // numbers may be names
	full  bool // missing cells are refused
	// absent says that the file has no such column; its coding is of sparse rows.
	absent bool
	// cells has, for each row, a number or the place of a name; NaN is a missing cell,
	// unseen a name to ignore.
	cells []float64
	place map[string]int32 // of each name in Values
}

const unseen = -1

func newColumn(in *file, name string) *column {
	c := &column{Field: table.Field{Name: name}, in: in, place: make(map[string]int32), full: in.opts.Imputer == nil}
	if slices.Contains(in.opts.Nominal, name) {
		c.kind, c.mixed = nameKind, true
	}
	return c
}

// fix makes the column one of a coding.
func (c *column) fix(f table.Column) {
	c.kind, c.fixed, c.Values = numberKind, true, f.Values
	c.full = c.full && f.Fill == nil
	if f.Values != nil {
		c.kind = nameKind
	}
	for k, value := range f.Values {
		c.place[value] = int32(k)
	}
}

func (c *column) add(text string) error {
	if c.kind != numberKind {
		if k, found := c.place[text]; found {
			c.cells = append(c.cells, float64(k))
			return nil
		}
	}
	if c.in.cells.IsMissing(text) {
		if c.full {
			return errors.New("a value is missing; CSVOptions.Imputer fills it in")
		}
		c.cells = append(c.cells, math.NaN())
		return nil
	}
	number, numeric := c.parse(text)
	if c.kind == unknownKind {
		c.kind = nameKind
		if numeric {
			c.kind = numberKind
		}
	}
	switch {
	case c.kind == numberKind && numeric:
		c.cells = append(c.cells, number)
		return nil
	case c.kind == numberKind:
		return c.noNumber(text)
	}
	return c.addName(text, numeric)
}

// parse returns the number that a cell holds.
func (c *column) parse(text string) (number float64, numeric bool) {
	return table.ParseNumber([]byte(c.in.cells.Decimal(text)))
}

// noNumber is the error of a text in a column of numbers. Where these are of a coding, there is no
// option to be set.
func (c *column) noNumber(text string) error {
	what, remedy := disguised(text)
	switch {
	case what != "":
		remedy = ": " + remedy
	case looksMissing(text):
		what, remedy = "is not a finite number", "; if it stands for a missing value, list it in CSVOptions.Missing"
	default:
		what, remedy = "is not a finite number", "; if the column has names, list it in CSVOptions.Nominal"
	}
	if c.fixed {
		remedy = ""
	}
	return fmt.Errorf("%s %s%s", table.Clip(text), what, remedy)
}

// addName adds a name that was not there yet.
func (c *column) addName(text string, numeric bool) error {
	what, remedy := disguised(text)
	switch {
	case c.fixed && c.in.cells.IgnoreUnseen:
		c.cells = append(c.cells, unseen)
		return nil
	case c.fixed:
		return fmt.Errorf("%s is none of the values %s that the coding has seen; CSVOptions.IgnoreUnseen lets it pass", table.Clip(text), c.Describe())
	case !c.mixed && what != "":
		return fmt.Errorf("%s %s: %s, or list the column in CSVOptions.Nominal", table.Clip(text), what, remedy)
	case numeric && !c.mixed:
		first := table.Clip(c.Values[0])
		if len(c.Values) == 1 && looksMissing(c.Values[0]) {
			return fmt.Errorf("%s is a number, and %s before it is none: if that stands for a missing value, list it in CSVOptions.Missing", table.Clip(text), first)
		}
		return fmt.Errorf("%s is a number among names, the first of which is %s; if it is a name too, list the column in CSVOptions.Nominal", table.Clip(text), first)
	}
	c.cells = append(c.cells, float64(len(c.Values)))
	c.place[text] = int32(len(c.Values))
	c.Values = append(c.Values, text)
	return nil
}

// settle puts the names of the column in alphabetical order, so that the order of the
// rows does not matter.
func (c *column) settle() {
	if c.fixed || c.kind != nameKind {
		return
	}
	old := c.Values
	c.Values = slices.Sorted(slices.Values(old))
	moved := make([]float64, len(old))
	for k, value := range c.Values {
		moved[c.place[value]] = float64(k)
	}
	for m, cell := range c.cells {
		if !math.IsNaN(cell) {
			c.cells[m] = moved[int(cell)]
		}
	}
}
