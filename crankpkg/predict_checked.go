package crankpkg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// CheckRow returns an error that wraps ErrData, and names the feature, unless x is a raw
// row that p can predict: of the model's length, with finite values, and with increasing
// indices where it is sparse.
func (p *Predictor) CheckRow(x Row) error {
	d := p.NumFeatures()
	switch {
	case x.Index == nil && len(x.Value) != d && len(x.Value) != 0:
		return fmt.Errorf("%w: a row of %d features for a model of %d", ErrData, len(x.Value), d)
	case x.Index != nil && len(x.Index) != len(x.Value):
		return fmt.Errorf("%w: a sparse row of %d indices and %d values", ErrData, len(x.Index), len(x.Value))
	}
	last := int32(-1)
	for _, k := range x.Index {
		if k < 0 || int(k) >= d {
			return fmt.Errorf("%w: a row with feature %d for a model of %d", ErrData, k, d)
		}
		if k <= last {
			return fmt.Errorf("%w: a sparse row with feature %d (%q) after feature %d", ErrData, k, p.featureNames[k], last)
		}
		last = k
	}
	for q, v := range x.Value {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			k := q
			if x.Index != nil {
				k = int(x.Index[q])
			}
			return fmt.Errorf("%w: feature %q: %v", ErrData, p.featureNames[k], v)
		}
	}
	return nil
}

// PredictRow is Predict for a row that may be anything: it returns an error that wraps
// ErrData where CheckRow does, and where the row is so large that its scores overflow.
func (p *Predictor) PredictRow(x Row) ([]uint8, error) {
	y := make([]uint8, p.numLabels)
	if err := p.predictChecked(y, x); err != nil {
		return nil, err
	}
	return y, nil
}

// MarginsRow is Margins for a row that may be anything, as PredictRow is Predict.
func (p *Predictor) MarginsRow(x Row) ([]float64, error) {
	dst := make([]float64, p.numLabels)
	if err := p.marginsChecked(dst, x); err != nil {
		return nil, err
	}
	return dst, nil
}

// PredictRows is PredictAll for rows that may be anything: it returns an error that wraps
// ErrData, and names the first row at fault, where PredictRow does.
func (p *Predictor) PredictRows(x *Matrix) ([]uint8, error) {
	if err := p.checkMatrix(x); err != nil {
		return nil, err
	}
	n := p.numLabels
	y := make([]uint8, x.NumRows*n)
	if err := eachRow(x, func(m int) error { return p.predictChecked(y[m*n:(m+1)*n], x.Row(m)) }); err != nil {
		return nil, err
	}
	return y, nil
}

// MarginsRows is MarginsAll for rows that may be anything, as PredictRows is PredictAll.
func (p *Predictor) MarginsRows(x *Matrix) ([]float64, error) {
	if err := p.checkMatrix(x); err != nil {
		return nil, err
	}
	n := p.numLabels
	dst := make([]float64, x.NumRows*n)
	if err := eachRow(x, func(m int) error { return p.marginsChecked(dst[m*n:(m+1)*n], x.Row(m)) }); err != nil {
		return nil, err
	}
	return dst, nil
}

func (p *Predictor) predictChecked(y []uint8, x Row) error {
	if err := p.CheckRow(x); err != nil {
		return err
	}
	ws, x := p.scored(x)
	defer p.workspaces.Put(ws)
	p.label(y, ws, x)
	return p.checkScores(ws)
}

func (p *Predictor) marginsChecked(dst []float64, x Row) error {
	if err := p.CheckRow(x); err != nil {
		return err
	}
	ws, x := p.scored(x)
	defer p.workspaces.Put(ws)
	p.margins(dst, ws, x)
	return p.checkScores(ws)
}

// checkScores returns an error unless the scores in a workspace, and the sums that
// max-product has made of them, are finite.
func (p *Predictor) checkScores(ws *predictWorkspace) error {
	for pos, v := range ws.gain[:p.numLabels] {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: the row is too large: label %q scores %v", ErrData, p.labelNames[p.order[pos]], v)
		}
	}
	for e, v := range ws.pairs {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			edge := p.pairs.edges[e]
			return fmt.Errorf("%w: the row is too large: the pair of %q and %q scores %v", ErrData, p.labelNames[edge.I], p.labelNames[edge.J], v)
		}
	}
	return nil
}

// checkMatrix returns an error unless the rows of x can be taken and have the model's
// length.
func (p *Predictor) checkMatrix(x *Matrix) error {
	switch {
	case x == nil:
		return fmt.Errorf("%w: no rows", ErrData)
	case x.NumCols != p.NumFeatures():
		return fmt.Errorf("%w: rows of %d features for a model of %d", ErrData, x.NumCols, p.NumFeatures())
	case !x.IsSparse() && len(x.Value) != x.NumRows*x.NumCols:
		return fmt.Errorf("%w: %d values for %d rows of %d features", ErrData, len(x.Value), x.NumRows, x.NumCols)
	case x.IsSparse() && !startsFit(x):
		return fmt.Errorf("%w: the starts of %d sparse rows do not fit %d indices and %d values", ErrData, x.NumRows, len(x.Index), len(x.Value))
	}
	return nil
}

// startsFit reports whether every row of a sparse matrix lies within its values.
func startsFit(x *Matrix) bool {
	return x.NumRows >= 0 && len(x.Start) == x.NumRows+1 && x.Start[0] >= 0 && slices.IsSorted(x.Start) &&
		x.Start[x.NumRows] <= min(len(x.Index), len(x.Value))
}

// eachRow calls do for all rows, on all processors, and returns the error of the first
// row that has one.
func eachRow(x *Matrix, do func(m int) error) error {
	failed := make([]error, (x.NumRows+batchRows-1)/batchRows) // by batch, the first
	parallel.ForEach(context.Background(), 0, len(failed), func(_, k int) {
		for m := k * batchRows; m < min((k+1)*batchRows, x.NumRows); m++ {
			if err := do(m); err != nil {
				failed[k] = fmt.Errorf("row %d: %w", m, err)
				return
			}
		}
	})
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}
