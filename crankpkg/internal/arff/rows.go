package arff

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/table"
	"github.com/crank-ml/crank/crankpkg/internal/textfile"
)

// cell is the value of one attribute in a row: a number, the place of a
// nominal value, or NaN where it is missing.
type cell struct {
	attr  int32
	value float64
}

// rows reads the rows below @data.
type rows struct {
	*reader
	header  *header
	ds      *Data
	opts    Options
	cells   []cell
	omitted []int32 // the attributes that a sparse row may omit without being 0
	sparse  bool    // the first row is
	missing []table.Gap
	// The features of the row under construction that are not zero.
	index      []int32
	value      []float64
	incomplete []int32 // the attributes missing in it
	fault      error   // what is wrong with its labels
}

func newRows(in *reader, h *header, ds *Data, opts Options) *rows {
	r := &rows{reader: in, header: h, ds: ds, opts: opts}
	for k := range h.attrs {
		a := &h.attrs[k]
		if !r.matters(a) || a.role == featureRole && a.kind == numericKind {
			continue
		}
		if _, value := a.Code(0); value != 0 || a.kind == numericKind {
			r.omitted = append(r.omitted, int32(k))
		}
	}
	return r
}

// matters reports whether the values of a are read.
func (r *rows) matters(a *attribute) bool {
	return a.role == featureRole || a.role == labelRole && !r.opts.FeaturesOnly
}

// readAll reads all rows.
func (r *rows) readAll() error {
	for {
		more, err := r.nextLine()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if err := r.readRow(); err != nil {
			return r.located(err)
		}
	}
	if r.ds.X.NumRows == 0 {
		return fmt.Errorf("%w: %s: no rows", errs.ErrData, r.file)
	}
	return nil
}

func (r *rows) readRow() error {
	r.cells = r.cells[:0]
	sparse := r.rest()[0] == '{'
	if sparse && r.ds.X.NumRows == 0 {
		r.ds.X.Start, r.sparse = []int{0}, true
	}
	var err error
	if sparse {
		err = r.sparseRow()
	} else {
		err = r.denseRow()
	}
	if err != nil {
		return err
	}
	return r.store()
}

// denseRow reads "value, value, ..." with an optional weight at the end.
func (r *rows) denseRow() error {
	comma := true // a value must follow
	for k := 0; ; {
		t, err := r.next()
		if err != nil {
			return err
		}
		switch {
		case t.isText():
			if k == len(r.header.attrs) {
				return fmt.Errorf("more values than the %d attributes", k)
			}
			if err := r.cell(k, t); err != nil {
				return err
			}
			k++
			comma = false
		case t.kind == commaToken && !comma:
			comma = true
		case t.kind == openToken && k == len(r.header.attrs):
			return r.weight()
		case t.kind == endToken && !comma && k == len(r.header.attrs):
			return nil
		case t.kind == endToken && !comma:
			return fmt.Errorf("%d values for %d attributes; %q is the first without one", k, len(r.header.attrs), r.header.attrs[k].Name)
		default:
			return r.unexpected(k, t)
		}
	}
}

// unexpected returns the error for a token in the place of attribute k.
func (r *rows) unexpected(k int, t arffToken) error {
	if k < len(r.header.attrs) {
		return fmt.Errorf("attribute %q: %v where a value is expected", r.header.attrs[k].Name, t)
	}
	return fmt.Errorf("%v after the last of %d values", t, k)
}

// sparseRow reads "{index value, index value, ...}" with an optional weight.
func (r *rows) sparseRow() error {
	if _, err := r.next(); err != nil {
		return err
	}
	for {
		t, err := r.next()
		switch {
		case err != nil:
			return err
		case t.kind == closeToken:
			return r.sparseEnd()
		case t.kind == commaToken && len(r.cells) > 0:
			continue
		case t.kind != wordToken:
			return fmt.Errorf("%v where the index of an attribute is expected", t)
		}
		k, err := strconv.ParseUint(string(t.text), 10, 64)
		if err != nil {
			return fmt.Errorf("%v where the index of an attribute is expected", t)
		}
		if k >= uint64(len(r.header.attrs)) {
			return fmt.Errorf("index %d, but the %d attributes are counted from 0", k, len(r.header.attrs))
		}
		if t, err = r.next(); err != nil {
			return err
		}
		if !t.isText() {
			return r.unexpected(int(k), t)
		}
		if err := r.cell(int(k), t); err != nil {
			return err
		}
	}
}

// sparseEnd reads what follows the cells of a sparse row, and puts these in
// order.
func (r *rows) sparseEnd() error {
	byAttr := func(a, b cell) int { return cmp.Compare(a.attr, b.attr) }
	if !slices.IsSortedFunc(r.cells, byAttr) {
		slices.SortStableFunc(r.cells, byAttr)
	}
	for p := 1; p < len(r.cells); p++ {
		if r.cells[p].attr == r.cells[p-1].attr {
			return fmt.Errorf("attribute %q: the row has two values for it", r.header.attrs[r.cells[p].attr].Name)
		}
	}
	t, err := r.next()
	if err == nil && t.kind == commaToken {
		t, err = r.next()
	}
	switch {
	case err != nil || t.kind == endToken:
		return err
	case t.kind == openToken:
		return r.weight()
	}
	return fmt.Errorf("%v after a sparse row", t)
}

// weight reads an instance weight and its closing brace.
func (r *rows) weight() error {
	t, err := r.next()
	if err != nil {
		return err
	}
	w, ok := table.ParseNumber(t.text)
	if !t.isText() || !ok || w < 0 {
		return fmt.Errorf("%v where an instance weight is expected", t)
	}
	if w != 1 && !r.opts.IgnoreWeights {
		return r.errorf(errs.ErrData, "the instance weight %v is not 1; ARFFOptions.IgnoreWeights drops weights", w)
	}
	if t, err = r.next(); err != nil {
		return err
	}
	if t.kind != closeToken {
		return fmt.Errorf("%v where the closing brace of an instance weight is expected", t)
	}
	return expectEnd(r.reader)
}

// cell adds attribute k's value.
func (r *rows) cell(k int, t arffToken) error {
	a := &r.header.attrs[k]
	if !r.matters(a) {
		r.cells = append(r.cells, cell{int32(k), 0})
		return nil
	}
	value, err := a.parse(t)
	switch {
	case err != nil:
		return r.errorf(errs.ErrData, "attribute %q: %w", a.Name, err)
	case math.IsNaN(value) && a.role == labelRole:
		return r.errorf(errs.ErrData, "attribute %q: a label is missing; ARFFOptions.FeaturesOnly reads rows to predict on", a.Name)
	case math.IsNaN(value) && r.opts.Imputer == nil:
		return r.errorf(errs.ErrData, "attribute %q: a value is missing; ARFFOptions.Imputer fills it in", a.Name)
	}
	r.cells = append(r.cells, cell{int32(k), value})
	return nil
}

var errNotNumber = errors.New("is not a finite number")

// parse returns the value of a cell; NaN stands for a missing one.
func (a *attribute) parse(t arffToken) (float64, error) {
	switch {
	case t.kind == wordToken && len(t.text) == 1 && t.text[0] == '?':
		return math.NaN(), nil
	case a.kind == numericKind:
		value, ok := table.ParseNumber(t.text)
		if !ok {
			if table.IsNaN(t.text) {
				return math.NaN(), nil
			}
			return 0, fmt.Errorf("%v %w", t, errNotNumber)
		}
		return value, nil
	}
	place, ok := a.place[string(t.text)]
	if !ok {
		place, ok = a.otherSpelling(t.text)
	}
	if !ok {
		return 0, fmt.Errorf("%v is none of the declared values %s", t, a.describe())
	}
	return float64(place), nil
}

// otherSpelling returns the place of the value that text stands for in Latin-1 or as a
// number, such as 1.0 for 1.
func (a *attribute) otherSpelling(text []byte) (place int32, ok bool) {
	if place, ok = a.place[textfile.Decode(text)]; ok {
		return place, true
	}
	number, ok := table.ParseNumber(text)
	if !ok {
		return 0, false
	}
	for k, value := range a.Values {
		if v, ok := table.ParseNumber([]byte(value)); ok && v == number {
			a.place[string(text)] = int32(k) // found at once the next time
			return int32(k), true
		}
	}
	return 0, false
}

// store adds the row in r.cells to the data set.
func (r *rows) store() error {
	n, y := len(r.ds.LabelNames), len(r.ds.Y)
	width := len(r.cells) + len(r.omitted)
	if !r.ds.X.IsSparse() {
		width = r.ds.X.NumCols
	}
	if !r.affords(y + n + 12*(len(r.ds.X.Value)+width)) {
		return r.errorf(errs.ErrData, "%d features and %d labels need too much memory for so short rows", r.ds.X.NumCols, n)
	}
	r.ds.Y = slices.Grow(r.ds.Y, n)[:y+n]
	clear(r.ds.Y[y:])
	r.index, r.value, r.incomplete = r.index[:0], r.value[:0], r.incomplete[:0]
	r.spread(r.ds.Y[y:])
	if r.fault != nil {
		return r.fault
	}
	r.storeFeatures()
	return nil
}

// spread codes the cells and those that the row omits, in the order of the
// attributes. A dense row omits none.
func (r *rows) spread(labels []uint8) {
	omitted := r.omitted
	for _, c := range r.cells {
		for len(omitted) > 0 && omitted[0] < c.attr {
			r.code(omitted[0], 0, labels)
			omitted = omitted[1:]
		}
		if len(omitted) > 0 && omitted[0] == c.attr {
			omitted = omitted[1:]
		}
		r.code(c.attr, c.value, labels)
	}
	for _, k := range omitted {
		r.code(k, 0, labels)
	}
}

func (r *rows) code(k int32, cell float64, labels []uint8) {
	a := &r.header.attrs[k]
	switch {
	case !r.matters(a):
	case a.role == labelRole && a.kind == numericKind:
		var err error
		if labels[a.Column], err = a.numbers.value(cell); err != nil && r.fault == nil {
			r.fault = r.errorf(errs.ErrData, "attribute %q: %w", a.Name, err)
		}
	case a.role == labelRole:
		_, v := a.Code(cell)
		labels[a.Column] = uint8(v)
	case math.IsNaN(cell):
		r.incomplete = append(r.incomplete, k)
		r.index, r.value = append(r.index, a.Column), append(r.value, cell)
	default:
		if column, v := a.Code(cell); v != 0 {
			r.index, r.value = append(r.index, column), append(r.value, v)
		}
	}
}

// storeFeatures adds the coded row to the matrix.
func (r *rows) storeFeatures() {
	x := r.ds.X
	base := len(x.Value)
	next := 0
	for p, v := range r.value {
		if math.IsNaN(v) {
			pos := base + p
			if !x.IsSparse() {
				pos = base + int(r.index[p])
			}
			r.missing = append(r.missing, table.Gap{Field: r.incomplete[next], Pos: pos})
			next++
		}
	}
	if x.IsSparse() {
		x.AppendSparse(r.index, r.value)
		return
	}
	x.NumRows++
	x.Value = slices.Grow(x.Value, x.NumCols)[:base+x.NumCols]
	row := x.Value[base:]
	clear(row)
	for p, k := range r.index {
		row[k] = r.value[p]
	}
}
