package table

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/internal/nearest"
)

// Encoder turns raw records into rows of features. It is safe for concurrent use.
type Encoder struct {
	coding  Coding
	columns []encoderColumn
	place   map[string]int  // of each column
	left    map[string]bool // the columns that training left out
	twice   string          // a name that two columns have, if any
	width   int             // features
	sparse  bool
	named   []int // the columns of names, that a sparse record has although it leaves them out
}

type encoderColumn struct {
	Field
	fill  []float64
	place map[string]int32 // of each value of a nominal column
}

// NewEncoder returns the encoder of a coding of features of these names.
func NewEncoder(c *Coding, featureNames []string) *Encoder {
	e := &Encoder{coding: c.Or(featureNames), place: make(map[string]int), left: make(map[string]bool)}
	for _, name := range c.Dropped {
		e.left[name] = true
	}
	var fields []Field
	fields, e.width = e.coding.fields()
	e.sparse = e.coding.Sparse || e.width > SparseWidening*len(fields)
	for k, f := range fields {
		column := encoderColumn{Field: f, fill: e.coding.Columns[k].Fill}
		if f.Values != nil {
			e.named = append(e.named, k)
			column.place = make(map[string]int32, len(f.Values))
			for p, value := range f.Values {
				column.place[value] = int32(p)
			}
		}
		if _, seen := e.place[f.Name]; seen {
			e.twice = f.Name
		}
		e.place[f.Name] = k
		e.columns = append(e.columns, column)
	}
	return e
}

// Record returns the row of a record of values by the names of their columns: numbers of
// any type, texts, truth values, and nil for a missing cell. A column that the record
// leaves out is missing, unless the coding is Sparse. An error wraps errs.ErrData and names
// the column.
func (e *Encoder) Record(record map[string]any) (feature.Row, error) {
	if e.twice != "" {
		return feature.Row{}, fmt.Errorf("%w: two columns are called %q, so that names do not tell which is which", errs.ErrData, e.twice)
	}
	if e.coding.Sparse {
		return e.sparseRecord(record)
	}
	row := e.newRow()
	found := e.dropped(record)
	for k := range e.columns {
		value, there := record[e.columns[k].Name]
		if there {
			found++
		}
		if err := e.addValue(&row, k, value); err != nil {
			return feature.Row{}, err
		}
	}
	if found < len(record) {
		return feature.Row{}, e.unknown(record)
	}
	return row.Row, nil
}

// sparseRecord is Record for sparse rows: it looks at the columns of the record, and at those
// of names that the record leaves out.
func (e *Encoder) sparseRecord(record map[string]any) (feature.Row, error) {
	columns := slices.Clone(e.named)
	for name := range record {
		k, known := e.place[name]
		switch {
		case e.left[name]:
			continue
		case !known:
			return feature.Row{}, e.unknown(record)
		}
		columns = append(columns, k)
	}
	slices.Sort(columns)
	row := e.newRow()
	for _, k := range slices.Compact(columns) {
		c := &e.columns[k]
		value, there := record[c.Name]
		if !there {
			value = c.Values[0]
		}
		if err := e.addValue(&row, k, value); err != nil {
			return feature.Row{}, err
		}
	}
	return row.Row, nil
}

// addValue adds the value of column k.
func (e *Encoder) addValue(row *encodedRow, k int, value any) error {
	c := &e.columns[k]
	cell, err := e.cell(c, value)
	if err == nil {
		err = row.add(c, cell)
	}
	if err != nil {
		return fmt.Errorf("%w: column %q: %w", errs.ErrData, c.Name, err)
	}
	return nil
}

// Cells returns the row of the cells of all columns in their order, as a line of a CSV file
// has them.
func (e *Encoder) Cells(cells []string) (feature.Row, error) {
	switch have, want := len(cells), len(e.columns); {
	case have < want:
		return feature.Row{}, fmt.Errorf("%w: %d cells for %d columns; %q is the first without one", errs.ErrData, have, want, e.columns[have].Name)
	case have > want:
		return feature.Row{}, fmt.Errorf("%w: %d cells for %d columns", errs.ErrData, have, want)
	}
	row := e.newRow()
	for k := range e.columns {
		c := &e.columns[k]
		cell, err := e.text(c, cells[k])
		if err == nil {
			err = row.add(c, cell)
		}
		if err != nil {
			return feature.Row{}, fmt.Errorf("%w: column %q: %w", errs.ErrData, c.Name, err)
		}
	}
	return row.Row, nil
}

// dropped returns how many columns of a record were left out in training.
func (e *Encoder) dropped(record map[string]any) (count int) {
	if len(e.left) == 0 {
		return 0
	}
	for name := range record {
		if e.left[name] {
			count++
		}
	}
	return count
}

// unknown is the error about the first name, in their order, that no column has.
func (e *Encoder) unknown(record map[string]any) error {
	var unknown, columns []string
	for name := range record {
		if _, known := e.place[name]; !known && !e.left[name] {
			unknown = append(unknown, name)
		}
	}
	for _, c := range e.columns {
		columns = append(columns, c.Name)
	}
	name := slices.Min(unknown)
	return fmt.Errorf("%w: column %q is unknown%s", errs.ErrData, name, nearest.Hint(name, columns))
}

// numeral is a number that keeps its digits, such as json.Number.
type numeral interface {
	String() string
	Float64() (float64, error)
}

// unseen stands for a name to ignore, NaN for a missing cell.
const unseen = -1

// cell returns the number in a cell, or the place of its name.
func (e *Encoder) cell(c *encoderColumn, value any) (float64, error) {
	switch v := value.(type) {
	case nil:
		return math.NaN(), nil
	case string:
		return e.text(c, v)
	case float64:
		return e.number(c, v)
	case bool:
		return e.truth(c, v)
	case numeral:
		if k, found := c.place[v.String()]; found {
			return float64(k), nil
		}
		number, err := v.Float64()
		if err != nil {
			return 0, fmt.Errorf("%s is not a finite number", Clip(v.String()))
		}
		return e.number(c, number)
	}
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return e.number(c, float64(v.Int()))
	case v.CanUint():
		return e.number(c, float64(v.Uint()))
	case v.CanFloat():
		return e.number(c, v.Float())
	case v.Kind() == reflect.String:
		return e.text(c, v.String())
	case v.Kind() == reflect.Bool:
		return e.truth(c, v.Bool())
	}
	return 0, fmt.Errorf("a %T is neither a number nor a text", value)
}

func (e *Encoder) text(c *encoderColumn, text string) (float64, error) {
	if k, found := c.place[text]; found {
		return float64(k), nil
	}
	text = strings.TrimSpace(text)
	if k, found := c.place[text]; found {
		return float64(k), nil
	}
	if e.coding.IsMissing(text) {
		return math.NaN(), nil
	}
	if c.Values != nil {
		return e.unseen(c, text)
	}
	number, ok := ParseNumber([]byte(e.coding.Decimal(text)))
	if !ok {
		return 0, fmt.Errorf("%s is not a finite number", Clip(text))
	}
	return number, nil
}

// Decimal returns the text of a number with a point.
func (c *Coding) Decimal(text string) string {
	if c.DecimalComma {
		return strings.Replace(text, ",", ".", 1)
	}
	return text
}

func (e *Encoder) number(c *encoderColumn, number float64) (float64, error) {
	switch {
	case math.IsInf(number, 0):
		return 0, fmt.Errorf("%v is not a finite number", number)
	case math.IsNaN(number) && c.fill == nil:
		return 0, errors.New("NaN is not a finite number, and nothing fills it in")
	case math.IsNaN(number), c.Values == nil:
		return number, nil
	}
	text := strconv.FormatFloat(number, 'f', -1, 64)
	if k, found := c.place[text]; found {
		return float64(k), nil
	}
	for k, value := range c.Values {
		if v, ok := ParseNumber([]byte(value)); ok && v == number {
			return float64(k), nil
		}
	}
	return e.unseen(c, text)
}

func (e *Encoder) truth(c *encoderColumn, on bool) (float64, error) {
	if c.Values == nil {
		if on {
			return 1, nil
		}
		return 0, nil
	}
	for k, value := range c.Values {
		if truth, ok := Truth(value); ok && truth == on {
			return float64(k), nil
		}
	}
	return e.unseen(c, strconv.FormatBool(on))
}

func (e *Encoder) unseen(c *encoderColumn, text string) (float64, error) {
	if e.coding.IgnoreUnseen {
		return unseen, nil
	}
	return 0, fmt.Errorf("%s is none of the values %s", Clip(text), c.Describe())
}

// encodedRow is a row of features under construction.
type encodedRow struct {
	feature.Row
	sparse bool
}

func (e *Encoder) newRow() encodedRow {
	if e.sparse {
		size := min(len(e.columns), 64)
		return encodedRow{feature.Row{Index: make([]int32, 0, size), Value: make([]float64, 0, size)}, true}
	}
	return encodedRow{feature.Row{Value: make([]float64, e.width)}, false}
}

// add adds the features of a cell, columns in their order.
func (r *encodedRow) add(c *encoderColumn, cell float64) error {
	column, v := c.Column, cell
	missing := math.IsNaN(cell)
	switch {
	case missing && c.fill == nil:
		return errors.New("it is missing, and nothing fills it in")
	case missing && c.Width == 1:
		v = c.fill[0]
	case missing:
		column, v = column+int32(max(0, slices.Index(c.fill, 1))), 1
	case c.Values != nil && cell == unseen:
		return nil
	default:
		column, v = c.Code(cell)
	}
	switch {
	case !r.sparse:
		r.Value[column] = v
	case v != 0 || missing: // as readers have it
		r.Index, r.Value = append(r.Index, column), append(r.Value, v)
	}
	return nil
}
