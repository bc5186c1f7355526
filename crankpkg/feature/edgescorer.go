package feature

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/vec"
)

// EdgeScorer computes w_ij . z(x) of all edges of a model for raw rows: the scaling
// is folded into the weights. It is safe for concurrent use.
type EdgeScorer struct {
	scaler  Scaler // its RowFactor; the rest is in the weights
	columns []int
	bias    []float64 // by edge
	weights []float64 // edges x columns
	column  []int32   // by feature: its column plus 1, or 0
}

// NewEdgeScorer returns the scorer for rows of d features that s scales, with the
// features f, resolved. For each edge, first has the weight of the constant, and rest
// those of the features, edge after edge.
func NewEdgeScorer(s Scaler, f EdgeFeatures, d int, first, rest []float64) *EdgeScorer {
	e := &EdgeScorer{scaler: Scaler{Kind: s.Kind}, columns: slices.Clone(f.Columns), bias: make([]float64, len(first)), column: make([]int32, d)}
	for c, k := range e.columns {
		e.column[k] = int32(c + 1)
	}
	w := make([]float64, d+1)
	for k, bias := range first {
		clear(w)
		for c, at := range e.columns {
			w[at] = f.Scale * rest[k*len(e.columns)+c]
		}
		w[d] = bias
		s.Fold(w)
		for _, at := range e.columns {
			e.weights = append(e.weights, w[at])
		}
		e.bias[k] = w[d]
	}
	return e
}

// ScoresTo writes w_ij . z(x) of the raw row x by edge.
func (s *EdgeScorer) ScoresTo(dst []float64, x Row) {
	copy(dst, s.bias)
	factor, k := s.scaler.RowFactor(x), len(s.columns)
	switch {
	case x.Index == nil && len(x.Value) == 0:
	case x.Index == nil && k == len(x.Value):
		for e := range dst {
			dst[e] += factor * vec.Dot(x.Value, s.weights[e*k:(e+1)*k])
		}
	case x.Index == nil:
		for e := range dst {
			var sum float64
			for c, w := range s.weights[e*k : (e+1)*k] {
				sum += w * x.Value[s.columns[c]]
			}
			dst[e] += factor * sum
		}
	default:
		for q, f := range x.Index {
			c := int(s.column[f]) - 1
			if c < 0 {
				continue
			}
			v := factor * x.Value[q]
			for e := range dst {
				dst[e] += v * s.weights[e*k+c]
			}
		}
	}
}
