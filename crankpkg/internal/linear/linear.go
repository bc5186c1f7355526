// Package linear scores a row for all labels at once: w_i . x with a bias for each label, on
// dense and on sparse rows.
package linear

import (
	"sync"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
)

// Scorer has the weights of n labels. It is safe for concurrent use.
type Scorer struct {
	panels *vec.Panels
	bias   []float64
	scaler feature.Scaler // its RowFactor; the rest is in the weights

	byFeature     []float64 // weights transposed, for sparse rows
	byFeatureOnce sync.Once
}

// New returns the scorer of the weights, n x d, label after label.
func New(weights, bias []float64, d int, scaler feature.Scaler) *Scorer {
	return &Scorer{panels: vec.NewPanels(weights, len(bias), d), bias: bias, scaler: scaler}
}

// Width returns how many products a row takes in a workspace, n or somewhat more.
func (s *Scorer) Width() int { return s.panels.Width() }

// ScoreTo writes the scores of x to dst, n values. Products is a workspace of Width values.
func (s *Scorer) ScoreTo(dst, products []float64, x feature.Row) {
	if x.Index == nil && len(x.Value) > 0 {
		s.panels.ProductTo(products, x.Value, 1)
		s.FinishTo(dst, products, x)
		return
	}
	n, factor := len(s.bias), s.scaler.RowFactor(x)
	copy(dst, s.bias)
	if len(x.Index) == 0 {
		return
	}
	// One run of memory for each feature of the row.
	s.byFeatureOnce.Do(func() { s.byFeature = s.panels.ByFeature(n) })
	for q, k := range x.Index {
		vec.AddScaled(dst[:n], factor*x.Value[q], s.byFeature[int(k)*n:(int(k)+1)*n])
	}
}

// MultiplyTo writes the products of dense rows, one after the other, with the weights to
// tile, rows x Width. They are those of ScoreTo to the bit.
func (s *Scorer) MultiplyTo(tile, x []float64, rows int) {
	s.panels.ProductTo(tile[:rows*s.Width()], x, rows)
}

// FinishTo writes the scores of the dense row x to dst, given its products with the weights.
func (s *Scorer) FinishTo(dst, products []float64, x feature.Row) {
	factor, products := s.scaler.RowFactor(x), products[:len(s.bias)]
	for i, bias := range s.bias {
		dst[i] = bias + float64(factor*products[i])
	}
}
