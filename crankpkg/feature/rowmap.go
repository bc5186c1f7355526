package feature

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// RowMap maps raw rows to the rows that a model's weights are of: Fourier features, or a
// kernel's values at landmarks. It is safe for concurrent use.
type RowMap struct {
	NumFeatures int // of the raw rows
	by          mapper
}

// mapper is a kind of RowMap.
type mapper interface {
	count() int // of the features of a mapped row
	// rowsTo writes the features of the raw rows first to last-1 of x, row after row. They
	// do not depend on which rows are mapped at the same time.
	rowsTo(z []float64, x *Matrix, first, last int)
}

// NewRowMap returns the map of raw rows of d features, scaled by s, to f or to k, whichever
// there is; nil where there is neither.
func NewRowMap(f FourierFeatures, k *Kernel, s Scaler, d int) *RowMap {
	switch {
	case k != nil:
		return &RowMap{NumFeatures: d, by: newKernelMap(k, s)}
	case f.Count > 0:
		return &RowMap{NumFeatures: d, by: recentFourierMap(f, s, d)}
	}
	return nil
}

// NumInputs returns the number of features of the rows that NewRowMap makes, or d where it
// makes none.
func NumInputs(f FourierFeatures, k *Kernel, d int) int {
	switch {
	case k != nil && k.Landmarks != nil:
		return k.Landmarks.NumRows
	case f.Count > 0:
		return f.Count
	}
	return d
}

// ValidateMaps returns an error unless a model of d raw features can have f and k.
func ValidateMaps(f FourierFeatures, k *Kernel, d int) error {
	if err := f.Validate(); err != nil {
		return err
	}
	switch {
	case f != f.Resolve(d):
		return fmt.Errorf("%+v", f)
	case k != nil && f.Count > 0:
		return fmt.Errorf("both Fourier features and a kernel")
	case k != nil:
		return k.Validate(d)
	}
	return nil
}

// ValidateSettings returns an error that wraps ErrSettings unless these go together.
func ValidateSettings(f FourierFeatures, k KernelFeatures, e EdgeFeatures) error {
	if err := f.Validate(); err != nil {
		return err
	}
	switch {
	case k.Kind != NoKernel && f.Count > 0:
		return fmt.Errorf("%w: both Fourier and Kernel", errs.ErrSettings)
	case k.Kind != NoKernel && (e.All || len(e.Columns) > 0):
		return fmt.Errorf("%w: EdgeFeatures with a Kernel", errs.ErrSettings)
	}
	return k.Validate()
}

// MapTraining returns the raw training rows x as the weights are to see them: scaled by s, and
// mapped by a resolved f or by k, whose basis it returns, where there is one.
func MapTraining(s Scaler, f FourierFeatures, k KernelFeatures, x *Matrix) (*Matrix, *KernelBasis, error) {
	switch {
	case f.Count > 0:
		return NewRowMap(f, nil, s, x.NumCols).Rows(x, 0, x.NumRows), nil, nil
	case k.Kind != NoKernel:
		basis, z, err := k.Fit(s.Apply(x))
		return z, basis, err
	}
	return s.Apply(x), nil, nil
}

// Row returns the features of the raw row x; without a map, x itself.
func (p *RowMap) Row(x Row) Row {
	if p == nil {
		return x
	}
	one := &Matrix{NumRows: 1, NumCols: p.NumFeatures, Index: x.Index, Value: x.Value}
	if x.Index != nil || len(x.Value) == 0 {
		one.Start = []int{0, len(x.Value)}
	}
	z := make([]float64, p.by.count())
	p.by.rowsTo(z, one, 0, 1)
	return Row{Value: z}
}

// Rows returns the features of the raw rows first to last-1 of x.
func (p *RowMap) Rows(x *Matrix, first, last int) *Matrix {
	count := p.by.count()
	z := &Matrix{NumRows: last - first, NumCols: count, Value: make([]float64, (last-first)*count)}
	p.by.rowsTo(z.Value, x, first, last)
	return z
}
