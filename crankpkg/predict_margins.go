package crankpkg

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
)

// marginWorkspace is what margins need besides predictions.
type marginWorkspace struct {
	margin  []float64           // by position, and one more for the parent of the roots
	off, on []float64           // by label
	graph   *infer.MaxMarginals // for graphs with cycles
}

// MarginsTo writes the margin of each label for the raw row x to dst,
//
//	max over y with y_i = 1 of score(x, y)  -  max over y with y_i = 0 of score(x, y),
//
// and reports whether all of them are certainly exact. Margins rank the labels of a row,
// and their signs are the labels predicted where the best labeling is the only one. Of the
// model's Rule they have the cuts and the factor on the pairs, not the limits on the number
// of labels: they tell what the scores alone say. Among Labelings, they are of those within
// the limits.
//
// They are exact on a forest, in O(n), and among the Labelings of a model that has them:
// where all of those have a label, or none has, its margin is infinite. On a graph with
// cycles see infer.MaxMarginals. Of labels in groups, a label is off when another of its
// group is on; where the groups form a cycle, each of the two maxima comes from the linear
// programming relaxation. It panics when x or dst has the wrong length; every value of x
// has to be finite, which MarginsRow checks.
func (p *Predictor) MarginsTo(dst []float64, x Row) (exact bool) {
	p.checkLengths(len(dst), x)
	ws, x := p.scored(x)
	exact = p.margins(dst, ws, x)
	p.workspaces.Put(ws)
	return exact
}

// Margins returns the margin of each label for the raw row x, as MarginsTo does.
func (p *Predictor) Margins(x Row) []float64 {
	dst := make([]float64, p.numLabels)
	p.MarginsTo(dst, x)
	return dst
}

// MarginsAll returns the margins for all raw rows of x, row after row, M x n, on all
// processors.
func (p *Predictor) MarginsAll(x *Matrix) []float64 {
	dst := make([]float64, x.NumRows*p.numLabels)
	p.MarginsAllTo(dst, x, 0)
	return dst
}

// MarginsAllTo is MarginsAll into dst, on at most the given number of goroutines; zero
// means all processors. The number does not change the result. It panics when dst or the
// rows have the wrong length.
func (p *Predictor) MarginsAllTo(dst []float64, x *Matrix, workers int) {
	n := p.numLabels
	if len(dst) != x.NumRows*n || x.NumCols != p.NumFeatures() {
		panic(fmt.Sprintf("crankpkg: %d margins for %d rows of %d features and a model of %d features and %d labels",
			len(dst), x.NumRows, x.NumCols, p.NumFeatures(), n))
	}
	batches := (x.NumRows + batchRows - 1) / batchRows
	parallel.ForEach(context.Background(), workers, batches, func(_, k int) {
		for m := k * batchRows; m < min((k+1)*batchRows, x.NumRows); m++ {
			p.MarginsTo(dst[m*n:(m+1)*n], x.Row(m))
		}
	})
}

// scored returns a workspace with the scores of the raw row x, and the row that the
// weights are of.
func (p *Predictor) scored(x Row) (*predictWorkspace, Row) {
	if p.rowMap != nil {
		x = p.rowMap.Row(x)
	}
	ws := p.workspaces.Get().(*predictWorkspace)
	p.scorer.ScoreTo(ws.gain, ws.row, x)
	return ws, x
}

// margins writes the margins of the row x for the scores in ws.gain.
func (p *Predictor) margins(dst []float64, ws *predictWorkspace, x Row) (exact bool) {
	if ws.margins == nil {
		ws.margins = p.newMarginWorkspace(ws)
	}
	p.prepare(ws, x)
	mw := ws.margins
	switch {
	case p.among != nil:
		p.among.MaximaTo(mw.off, mw.on, ws.gain, ws.pairs)
		for i, on := range mw.on {
			dst[i] = on - mw.off[i]
		}
	case p.groups != nil:
		return p.groups.MarginsTo(dst, ws.group, ws.pairs)
	case p.graph != nil:
		return mw.graph.MarginsTo(dst, ws.gain[:p.numLabels])
	default:
		forest.Margins(dst, ws.nodes, ws.gain, mw.margin)
	}
	return true
}

func (p *Predictor) newMarginWorkspace(ws *predictWorkspace) *marginWorkspace {
	n := p.numLabels
	mw := &marginWorkspace{margin: make([]float64, n+1), off: make([]float64, n), on: make([]float64, n)}
	if p.graph != nil {
		mw.graph = infer.NewMaxMarginals(ws.graph)
	}
	return mw
}
