// Package linear scores a row for all labels at once: w_i . x with a bias for each label, on
// dense and on sparse rows.
package linear

import (
	"sync"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
)

// Scorer has the weights of n labels. It is safe for concurrent use. Where few of them are not
// zero, it keeps these alone, until a dense row comes; that changes no score.
type Scorer struct {
	panels func() *vec.Panels // for dense rows
	few    *columns           // nil: many weights are not zero
	bias   []float64
	scaler feature.Scaler // its RowFactor; the rest is in the weights

	byFeature     []float64 // weights transposed, for sparse rows
	byFeatureOnce sync.Once
}

// New returns the scorer of the weights, n x d, label after label.
func New(weights, bias []float64, d int, scaler feature.Scaler) *Scorer {
	n := len(bias)
	s := &Scorer{few: newColumns(weights, n, d), bias: bias, scaler: scaler}
	if few := s.few; few != nil {
		s.panels = sync.OnceValue(func() *vec.Panels { return vec.NewPanels(few.dense(n), n, d) })
		return s
	}
	panels := vec.NewPanels(weights, n, d)
	s.panels = func() *vec.Panels { return panels }
	return s
}

// Width returns how many products a row takes in a workspace, n or somewhat more.
func (s *Scorer) Width() int { return vec.PanelWidth(len(s.bias)) }

// ScoreTo writes the scores of x to dst, n values. Products is a workspace of Width values.
func (s *Scorer) ScoreTo(dst, products []float64, x feature.Row) {
	if x.Index == nil && len(x.Value) > 0 {
		s.panels().ProductTo(products, x.Value, 1)
		s.FinishTo(dst, products, x)
		return
	}
	n, factor := len(s.bias), s.scaler.RowFactor(x)
	copy(dst, s.bias)
	if len(x.Index) == 0 {
		return
	}
	if s.few != nil {
		for q, k := range x.Index {
			s.few.addScaledTo(dst, factor*x.Value[q], k)
		}
		return
	}
	// One run of memory for each feature of the row.
	s.byFeatureOnce.Do(func() { s.byFeature = s.panels().ByFeature(n) })
	for q, k := range x.Index {
		vec.AddScaled(dst[:n], factor*x.Value[q], s.byFeature[int(k)*n:(int(k)+1)*n])
	}
}

// MultiplyTo writes the products of dense rows, one after the other, with the weights to
// tile, rows x Width. They are those of ScoreTo to the bit.
func (s *Scorer) MultiplyTo(tile, x []float64, rows int) {
	s.panels().ProductTo(tile[:rows*s.Width()], x, rows)
}

// FinishTo writes the scores of the dense row x to dst, given its products with the weights.
func (s *Scorer) FinishTo(dst, products []float64, x feature.Row) {
	factor, products := s.scaler.RowFactor(x), products[:len(s.bias)]
	for i, bias := range s.bias {
		dst[i] = bias + float64(factor*products[i])
	}
}
