package feature

import (
	"cmp"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
)

// FitScalerTo is FitScaler for rows with labels, which Relevance needs: y has those of the
// rows of x, M x n, row after row, each 0 or 1. It returns an error that wraps ErrData where
// their number is not a multiple of that of the rows.
func FitScalerTo(kind Scaling, x *Matrix, y []uint8) (Scaler, error) {
	if kind != Relevance {
		return FitScaler(kind, x)
	}
	s, err := FitScaler(ZScore, x)
	if err != nil {
		return Scaler{}, err
	}
	if len(y)%x.NumRows != 0 {
		return Scaler{}, fmt.Errorf("%w: %d values of labels for %d rows", errs.ErrData, len(y), x.NumRows)
	}
	s.Kind = Relevance
	for k, r := range s.relevances(x, y) {
		weight := math.Sqrt(r)
		if !x.IsSparse() {
			weight *= s.Factor[k]
		}
		s.Factor[k] = weight
	}
	return s, nil
}

// relevances returns, for each feature that s makes z-scores of, the root of the mean square
// of its correlations with the labels, of which those that never change do not count. Where
// all are like that, nothing tells the features apart: they are all 1.
//
// A label has few of the examples, so that sums over these take little time.
func (s Scaler) relevances(x *Matrix, y []uint8) []float64 {
	n, count := len(y)/x.NumRows, float64(x.NumRows)
	squares, varying := make([]float64, x.NumCols), 0.0
	means := s.scaledMeans(x)
	sums := make([]float64, x.NumCols)
	for i := range n {
		clear(sums)
		on := 0.0
		for m := range x.NumRows {
			if y[m*n+i] == 1 {
				on++
				eachValue(x.Row(m), func(k int, v float64) { sums[k] += s.scaled(k, v) })
			}
		}
		if on == 0 || on == count {
			continue
		}
		varying++
		for k, sum := range sums {
			r := (sum - on*means[k]) / math.Sqrt(on*(count-on))
			squares[k] += min(r*r, 1)
		}
	}
	for k, square := range squares {
		squares[k] = math.Sqrt(square / cmp.Or(varying, 1))
		if varying == 0 {
			squares[k] = 1
		}
	}
	return squares
}

// scaled returns what s makes of the value v of feature k.
func (s Scaler) scaled(k int, v float64) float64 {
	if s.Shift != nil {
		v -= s.Shift[k]
	}
	return v * s.Factor[k]
}

// scaledMeans returns the mean of each scaled feature: zero where it was shifted by that.
func (s Scaler) scaledMeans(x *Matrix) []float64 {
	means := make([]float64, x.NumCols)
	if s.Shift != nil {
		return means
	}
	for m := range x.NumRows {
		eachValue(x.Row(m), func(k int, v float64) { means[k] += s.scaled(k, v) / float64(x.NumRows) })
	}
	return means
}
