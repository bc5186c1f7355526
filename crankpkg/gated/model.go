package gated

import (
	"context"
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Model has a model for each region of the input.
type Model struct {
	Gate   Gate
	Models []*crankpkg.Model
}

// Train trains t on the examples of each region by themselves: with CRANK each region gets
// a tree of its own, with FixedGraph weights of its own on one tree. The model
// comes beside an error that wraps ErrNotConverged as with one training. Other errors name the region; one without
// examples is an error that wraps ErrData.
func Train(ctx context.Context, t crankpkg.Trainer, gate Gate, ds *crankpkg.Dataset) (*Model, error) {
	m := &Model{Gate: gate}
	var short []error
	for r, rows := range regions(gate, ds.X) {
		one, _, err := t.Train(ctx, ds.Subset(rows))
		if err != nil {
			err = fmt.Errorf("region %d of %d: %w", r, gate.Regions(), err)
		}
		if one == nil || err != nil && !errors.Is(err, crankpkg.ErrNotConverged) {
			return nil, err
		}
		m.Models, short = append(m.Models, one), append(short, err)
	}
	return m, errors.Join(short...)
}

// regions lists the rows of each region.
func regions(gate Gate, x *crankpkg.Matrix) [][]int {
	rows := make([][]int, gate.Regions())
	for m := range x.NumRows {
		r := gate.Region(x.Row(m))
		rows[r] = append(rows[r], m)
	}
	return rows
}

// PredictAll predicts each row by the model of its region: n labels for each, row after row.
func (m *Model) PredictAll(x *crankpkg.Matrix) []uint8 {
	n := m.Models[0].NumLabels()
	y := make([]uint8, x.NumRows*n)
	for r, rows := range regions(m.Gate, x) {
		of := m.Models[r].PredictAll(x.Subset(rows))
		for k, row := range rows {
			copy(y[row*n:(row+1)*n], of[k*n:(k+1)*n])
		}
	}
	return y
}

// Evaluate returns the scores of m's predictions.
func Evaluate(m *Model, test *crankpkg.Dataset) crankpkg.Scores {
	return metrics.Evaluate(test.Y, m.PredictAll(test.X), test.NumLabels())
}
