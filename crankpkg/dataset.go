package crankpkg

import (
	"fmt"
	"math"
)

// Dataset is a multi-label data set: M rows x^m of d features, each with the
// values y^m in {0,1} of n labels. The constant 1 for the bias is not a
// column: models append it. All fields are exported so that gob and GoNB's
// cache carry a data set whole.
type Dataset struct {
	Name         string
	FeatureNames []string // d names
	LabelNames   []string // n names
	X            *Matrix  // M x d
	Y            []uint8  // M x n, row after row, each 0 or 1
}

// Len returns the number M of examples.
func (ds *Dataset) Len() int { return ds.X.NumRows }

// NumFeatures returns d, without the constant for the bias.
func (ds *Dataset) NumFeatures() int { return ds.X.NumCols }

// NumLabels returns n.
func (ds *Dataset) NumLabels() int { return len(ds.LabelNames) }

// Row returns the input x^m. It shares memory with ds.
func (ds *Dataset) Row(m int) Row { return ds.X.Row(m) }

// Labels returns the n label values y^m. It shares memory with ds.
func (ds *Dataset) Labels(m int) []uint8 {
	n := ds.NumLabels()
	return ds.Y[m*n : (m+1)*n : (m+1)*n]
}

// Validate returns an error that wraps ErrData, and names the row and the
// feature or label, when ds cannot be learned from.
func (ds *Dataset) Validate() error {
	if ds == nil || ds.X == nil {
		return fmt.Errorf("%w: no data set", ErrData)
	}
	n, d := ds.NumLabels(), ds.NumFeatures()
	switch {
	case ds.Len() == 0:
		return fmt.Errorf("%w: %s: no examples", ErrData, ds.Name)
	case n == 0:
		return fmt.Errorf("%w: %s: no labels", ErrData, ds.Name)
	case len(ds.Y) != ds.Len()*n:
		return fmt.Errorf("%w: %s: %d label values for %d rows of %d labels", ErrData, ds.Name, len(ds.Y), ds.Len(), n)
	case len(ds.FeatureNames) != d:
		return fmt.Errorf("%w: %s: %d feature names for %d features", ErrData, ds.Name, len(ds.FeatureNames), d)
	}
	for m := range ds.Len() {
		row := ds.Row(m)
		for p, v := range row.Value {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				k := p
				if row.Index != nil {
					k = int(row.Index[p])
				}
				return fmt.Errorf("%w: %s: row %d, feature %q: %v", ErrData, ds.Name, m, ds.FeatureNames[k], v)
			}
		}
		for i, v := range ds.Labels(m) {
			if v > 1 {
				return fmt.Errorf("%w: %s: row %d, label %q: %d is neither 0 nor 1", ErrData, ds.Name, m, ds.LabelNames[i], v)
			}
		}
	}
	return nil
}
