package crankpkg

import (
	"context"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// CheckRow returns an error that wraps ErrData, and names the feature, unless x is a raw
// row that p can predict: of the model's length, with finite values, and with increasing
// indices where it is sparse.
func (p *Predictor) CheckRow(x Row) error { return feature.CheckRow(x, p.featureNames) }

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
	if err := feature.CheckSize(x, p.NumFeatures()); err != nil {
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
	if err := feature.CheckSize(x, p.NumFeatures()); err != nil {
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
			edge := p.pairs.Edges[e]
			return fmt.Errorf("%w: the row is too large: the pair of %q and %q scores %v", ErrData, p.labelNames[edge.I], p.labelNames[edge.J], v)
		}
	}
	return nil
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

// EncodeRecord returns the row of features of a raw record, values by the names of their
// columns as the file had them that the model was trained on: numbers of any type, texts,
// true and false, and nil for a missing cell. It is the row that the reader of that file
// makes of the same cells. A model without a Coding takes its features by name.
//
// An error wraps ErrData and names the column: it is unknown, or missing with nothing to
// fill it in (where rows were sparse, what a record leaves out is 0), its text is no number or not among its values, unless Coding.IgnoreUnseen lets
// that pass, or its number is not finite. PredictRow, MarginsRow and the fast forms take the row.
func (p *Predictor) EncodeRecord(record map[string]any) (Row, error) {
	return p.encoder().Record(record)
}

// EncodeCells is EncodeRecord for the cells of a line, one for each column in the order of
// Model.Coding, or of the features where it has no columns.
func (p *Predictor) EncodeCells(cells []string) (Row, error) { return p.encoder().Cells(cells) }

// PredictRecord returns the names of the labels predicted for a raw record. Its errors are
// those of EncodeRecord and PredictRow.
func (p *Predictor) PredictRecord(record map[string]any) ([]string, error) {
	x, err := p.EncodeRecord(record)
	if err != nil {
		return nil, err
	}
	y, err := p.PredictRow(x)
	return p.namesOf(y), err
}

// MarginsRecord returns the margins of all labels for a raw record, in their order. Its
// errors are those of EncodeRecord and MarginsRow.
func (p *Predictor) MarginsRecord(record map[string]any) ([]float64, error) {
	x, err := p.EncodeRecord(record)
	if err != nil {
		return nil, err
	}
	return p.MarginsRow(x)
}
