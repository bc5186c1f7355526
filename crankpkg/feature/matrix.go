package feature

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
)

// Row is one input x. It is dense when Index is nil: feature k has the value
// Value[k]. Otherwise it is sparse: feature Index[p] has the value Value[p],
// Index increases strictly and every other feature is zero. The zero Row is
// the row without any non-zero feature. A Row shares memory with the Matrix
// that it comes from.
type Row struct {
	Index []int32
	Value []float64
}

// Dot returns w . x, where w has at least as many entries as there are
// features.
func (r Row) Dot(w []float64) float64 {
	if r.Index == nil {
		return vec.Dot(r.Value, w[:len(r.Value)])
	}
	var sum float64
	for p, k := range r.Index {
		sum += r.Value[p] * w[k]
	}
	return sum
}

// AddScaledTo adds a x to dst.
func (r Row) AddScaledTo(dst []float64, a float64) {
	if r.Index == nil {
		vec.AddScaled(dst[:len(r.Value)], a, r.Value)
		return
	}
	for p, k := range r.Index {
		dst[k] += a * r.Value[p]
	}
}

// SquaredNorm returns |x|^2.
func (r Row) SquaredNorm() float64 { return vec.Dot(r.Value, r.Value) }

// Norm returns the Euclidean length |x|, without overflow.
func (r Row) Norm() float64 { return floats.Norm(r.Value, 2) }

// Matrix holds rows of inputs, either all dense or all sparse (compressed
// rows). All of its fields are exported so that gob, JSON and GoNB's cache
// carry it whole; build one with NewDense or NewSparse.
type Matrix struct {
	NumRows, NumCols int
	// Start is nil when the rows are dense. Otherwise row m is stored at the
	// positions Start[m] <= p < Start[m+1] of Index and Value.
	Start []int
	Index []int32
	// Value holds the values of the rows, one row after the other.
	Value []float64
}

// NewDense returns the matrix whose rows are rows, each of numCols values. It
// copies them and panics when a length differs.
func NewDense(numCols int, rows [][]float64) *Matrix {
	a := &Matrix{NumRows: len(rows), NumCols: numCols, Value: make([]float64, 0, len(rows)*numCols)}
	for _, r := range rows {
		if len(r) != numCols {
			panic("feature: rows of different lengths")
		}
		a.Value = append(a.Value, r...)
	}
	return a
}

// NewSparse returns an empty sparse matrix to which AppendSparse adds rows.
func NewSparse(numCols int) *Matrix {
	return &Matrix{NumCols: numCols, Start: []int{0}}
}

// AppendSparse adds a row whose feature index[p] has the value value[p]. It
// panics unless index increases strictly within [0, NumCols).
func (a *Matrix) AppendSparse(index []int32, value []float64) {
	if len(index) != len(value) {
		panic("feature: sparse row with unequal numbers of indices and values")
	}
	last := int32(-1)
	for _, k := range index {
		if k <= last || int(k) >= a.NumCols {
			panic("feature: sparse row with indices out of order or out of range")
		}
		last = k
	}
	a.Index = append(a.Index, index...)
	a.Value = append(a.Value, value...)
	a.Start = append(a.Start, len(a.Value))
	a.NumRows++
}

// Validate returns an error that wraps ErrData, and names row and position, unless
// the fields of a are what NewDense or NewSparse would have made them. It does not
// look at the values.
func (a *Matrix) Validate() error {
	if a.NumRows < 0 || a.NumCols < 0 {
		return fmt.Errorf("%w: a matrix of %d x %d", errs.ErrData, a.NumRows, a.NumCols)
	}
	if !a.IsSparse() {
		return a.validateDense()
	}
	switch {
	case len(a.Start)-1 != a.NumRows:
		return fmt.Errorf("%w: Start has %d entries for %d sparse rows, not one more", errs.ErrData, len(a.Start), a.NumRows)
	case len(a.Index) != len(a.Value):
		return fmt.Errorf("%w: %d indices for %d values", errs.ErrData, len(a.Index), len(a.Value))
	case a.Start[0] != 0 || a.Start[a.NumRows] != len(a.Value):
		return fmt.Errorf("%w: Start goes from %d to %d, not from 0 to the %d values", errs.ErrData, a.Start[0], a.Start[a.NumRows], len(a.Value))
	}
	for m := range a.NumRows {
		if lo, hi := a.Start[m], a.Start[m+1]; lo > hi || hi > len(a.Value) {
			return fmt.Errorf("%w: row %d is stored from position %d to %d of %d", errs.ErrData, m, lo, hi, len(a.Value))
		}
		if err := a.validateRow(m); err != nil {
			return err
		}
	}
	return nil
}

// validateDense divides, since a product of sizes can overflow.
func (a *Matrix) validateDense() error {
	size := len(a.Value)
	fits := size == 0 && (a.NumRows == 0 || a.NumCols == 0)
	if a.NumRows > 0 && a.NumCols > 0 {
		fits = size%a.NumCols == 0 && size/a.NumCols == a.NumRows
	}
	if !fits || len(a.Index) > 0 {
		return fmt.Errorf("%w: %d values and %d indices for %d dense rows of %d", errs.ErrData, size, len(a.Index), a.NumRows, a.NumCols)
	}
	return nil
}

// validateRow looks at the indices of a sparse row.
func (a *Matrix) validateRow(m int) error {
	last := int32(-1)
	for p := a.Start[m]; p < a.Start[m+1]; p++ {
		k := a.Index[p]
		switch {
		case k < 0 || int(k) >= a.NumCols:
			return fmt.Errorf("%w: row %d, position %d: index %d among %d features", errs.ErrData, m, p-a.Start[m], k, a.NumCols)
		case k == last:
			return fmt.Errorf("%w: row %d, position %d: index %d is there twice", errs.ErrData, m, p-a.Start[m], k)
		case k < last:
			return fmt.Errorf("%w: row %d, position %d: index %d follows %d", errs.ErrData, m, p-a.Start[m], k, last)
		}
		last = k
	}
	return nil
}

// IsSparse reports whether the rows are sparse.
func (a *Matrix) IsSparse() bool { return a.Start != nil }

// Row returns row m, which shares a's memory.
func (a *Matrix) Row(m int) Row {
	if a.Start == nil {
		return Row{Value: a.Value[m*a.NumCols : (m+1)*a.NumCols : (m+1)*a.NumCols]}
	}
	lo, hi := a.Start[m], a.Start[m+1]
	if lo == hi {
		return Row{}
	}
	return Row{Index: a.Index[lo:hi:hi], Value: a.Value[lo:hi:hi]}
}

// between returns the rows first to last-1, which share a's memory.
func (a *Matrix) between(first, last int) *Matrix {
	b := &Matrix{NumRows: last - first, NumCols: a.NumCols}
	if !a.IsSparse() {
		b.Value = a.Value[first*a.NumCols : last*a.NumCols]
		return b
	}
	lo, hi := a.Start[first], a.Start[last]
	b.Index, b.Value = a.Index[lo:hi], a.Value[lo:hi]
	for _, start := range a.Start[first : last+1] {
		b.Start = append(b.Start, start-lo)
	}
	return b
}

// Subset returns a copy of the given rows in that order. It panics when one is
// out of range.
func (a *Matrix) Subset(rows []int) *Matrix {
	stored := 0
	for _, m := range rows {
		stored += len(a.Row(m).Value)
	}
	b := &Matrix{NumRows: len(rows), NumCols: a.NumCols, Value: make([]float64, 0, stored)}
	if a.IsSparse() {
		b.Start = append(make([]int, 0, len(rows)+1), 0)
		b.Index = make([]int32, 0, stored)
	}
	for _, m := range rows {
		r := a.Row(m)
		b.Value = append(b.Value, r.Value...)
		if a.IsSparse() {
			b.Index = append(b.Index, r.Index...)
			b.Start = append(b.Start, len(b.Value))
		}
	}
	return b
}

// SelectColumns returns the matrix whose column k is column columns[k] of a, each at
// most once. It panics when one is out of range or there twice.
func (a *Matrix) SelectColumns(columns []int) *Matrix {
	place := make([]int32, a.NumCols) // plus one; 0: left out
	for k, c := range columns {
		if place[c] != 0 {
			panic("feature: a column is selected twice")
		}
		place[c] = int32(k + 1)
	}
	if a.IsSparse() {
		return a.selectSparse(place, len(columns))
	}
	b := &Matrix{NumRows: a.NumRows, NumCols: len(columns), Value: make([]float64, 0, a.NumRows*len(columns))}
	for m := range a.NumRows {
		row := a.Row(m).Value
		for _, c := range columns {
			b.Value = append(b.Value, row[c])
		}
	}
	return b
}

// selectSparse is SelectColumns for sparse rows.
func (a *Matrix) selectSparse(place []int32, count int) *Matrix {
	b := NewSparse(count)
	type entry struct {
		index int32
		value float64
	}
	var row []entry
	var index []int32
	var value []float64
	for m := range a.NumRows {
		row, index, value = row[:0], index[:0], value[:0]
		r := a.Row(m)
		for p, k := range r.Index {
			if place[k] > 0 {
				row = append(row, entry{place[k] - 1, r.Value[p]})
			}
		}
		slices.SortFunc(row, func(x, y entry) int { return cmp.Compare(x.index, y.index) })
		for _, e := range row {
			index, value = append(index, e.index), append(value, e.value)
		}
		b.AppendSparse(index, value)
	}
	return b
}

// Append returns the rows of a followed by those of b, sparse if both are. It
// panics when the numbers of columns differ.
func (a *Matrix) Append(b *Matrix) *Matrix {
	if a.NumCols != b.NumCols {
		panic("feature: matrices of different numbers of columns")
	}
	if a.IsSparse() != b.IsSparse() {
		a, b = a.Dense(), b.Dense()
	}
	c := &Matrix{
		NumRows: a.NumRows + b.NumRows, NumCols: a.NumCols,
		Index: slices.Concat(a.Index, b.Index), Value: slices.Concat(a.Value, b.Value),
	}
	if a.IsSparse() {
		c.Start = slices.Clone(a.Start)
		for _, s := range b.Start[1:] {
			c.Start = append(c.Start, len(a.Value)+s)
		}
	}
	return c
}

// Dense returns a with all values stored: a itself if it is dense.
func (a *Matrix) Dense() *Matrix {
	if !a.IsSparse() {
		return a
	}
	b := &Matrix{NumRows: a.NumRows, NumCols: a.NumCols, Value: make([]float64, a.NumRows*a.NumCols)}
	for m := range a.NumRows {
		a.Row(m).AddScaledTo(b.Row(m).Value, 1)
	}
	return b
}

// Sparse returns a with only its non-zero values stored: a itself if it is
// sparse.
func (a *Matrix) Sparse() *Matrix {
	if a.IsSparse() {
		return a
	}
	b := NewSparse(a.NumCols)
	var index []int32
	var value []float64
	for m := range a.NumRows {
		index, value = index[:0], value[:0]
		for k, v := range a.Row(m).Value {
			if v != 0 {
				index, value = append(index, int32(k)), append(value, v)
			}
		}
		b.AppendSparse(index, value)
	}
	return b
}
