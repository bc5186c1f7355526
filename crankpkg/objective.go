package crankpkg

import (
	"context"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"gonum.org/v1/gonum/floats"
)

// Objective is what training minimizes, computed from the definitions and from
// nothing that a solver keeps: it is there to check solvers, and to compare
// models that were trained in different ways. With h^m the structured hinge of
// example m,
//
//	l(w)   = lambda/2 |w|^2 + (1/M) sum_m h^m(w)
//	h^m(w) = max_y [score(x^m, y) + Delta(y, y^m)] - score(x^m, y^m)    (eq. 1)
//	h^t(w) = l(w) + beta |w_pair|_1 - beta v . w_pair                   (Algorithm 1)
//
// where a LabelLoss with Squared has the hinge of infer.SlackHinge instead.
// The maximum is exact where the pairs with w_ij != 0 form a forest and over
// the local polytope where they do not (section 4.1). The norm |w| is that of
// all weights, the biases included: the bias is the weight of a feature that is
// constantly 1, regularized like any other.
type Objective struct {
	// Lambda is positive; Beta is zero for l(w) alone.
	Lambda, Beta float64
	// V is v by Edge.Index; nil means zero. With features on the edges it has a
	// vector for each pair, one after the other.
	V []float64
	// LabelLoss is Delta; zero means the Hamming loss.
	LabelLoss Loss
	// HingeCap, where not zero, bounds the hinges within Loss.
	HingeCap float64
	// Fourier and EdgeFeatures are as in the Settings of a training. They matter to
	// the dual; a model has its own.
	Fourier      FourierFeatures
	EdgeFeatures EdgeFeatures
	// Edges are the pairs that may have a weight, each listed once; nil means
	// all pairs. They matter to the dual; what a model may have is its own.
	Edges []Edge
	// Workers bounds the number of goroutines; zero means all processors. It
	// does not change a result.
	Workers int

	data *Dataset // with scaled rows
}

// NewObjective returns l(w) on the raw rows of ds, scaled by s.
func NewObjective(ds *Dataset, s Scaler, lambda float64) *Objective {
	scaled := *ds
	scaled.X = s.Apply(ds.X)
	return &Objective{Lambda: lambda, data: &scaled}
}

// Primal returns l(w) with the Hamming loss at the weights of m, on the raw rows
// of ds: an upper bound on the minimum of l.
func Primal(ds *Dataset, m *Model, lambda float64) float64 {
	return NewObjective(ds, m.Scaler, lambda).Loss(m)
}

// Loss returns l(w) at the weights of m.
func (o *Objective) Loss(m *Model) float64 {
	squares := m.Kernel.SquaredNorm(m.Unary) + floats.Dot(m.Pair, m.Pair) + floats.Dot(m.PairFeatures, m.PairFeatures)
	hinges := o.Hinges(m)
	if o.HingeCap > 0 {
		for k, h := range hinges {
			hinges[k] = min(h, o.HingeCap)
		}
	}
	return o.Lambda/2*squares + floats.Sum(hinges)/float64(len(hinges))
}

// Primal returns h^t(w) at the weights of m: an upper bound on its minimum.
func (o *Objective) Primal(m *Model) float64 {
	value := o.Loss(m)
	for k, e := range m.Edges {
		w := append([]float64{m.Pair[k]}, m.pairFeatures(k)...)
		for q, v := range o.slope(e, len(w)) {
			value += o.Beta * (math.Abs(w[q]) - v*w[q])
		}
	}
	return value
}

// Regularized returns l(w) + beta f(pi(w)) at the weights of m, the objective
// that CCCP decreases (section 4.3).
func (o *Objective) Regularized(m *Model) float64 {
	return o.Loss(m) + o.Beta*envelope.EvaluatePenalty(m.NumLabels(), m.Edges, m.PairNorms()).Excess
}

// slope returns v_ij, k values.
func (o *Objective) slope(e Edge, k int) []float64 {
	if o.V == nil {
		return make([]float64, k)
	}
	return o.V[e.Index()*k : (e.Index()+1)*k]
}

// Hinges returns the M structured hinges h^m(w) at the weights of m. Each is
// at least zero, up to rounding. It panics when m has other numbers of features
// or labels than the data.
func (o *Objective) Hinges(m *Model) []float64 {
	if m.NumLabels() != o.data.NumLabels() || m.NumFeatures() != o.data.NumFeatures() {
		panic(fmt.Sprintf("crankpkg: a model of %d features and %d labels for data with %d and %d",
			m.NumFeatures(), m.NumLabels(), o.data.NumFeatures(), o.data.NumLabels()))
	}
	hinges := make([]float64, o.data.Len())
	evaluators := make([]*hingeEvaluator, parallel.Workers(o.Workers))
	parallel.ForEach(context.Background(), len(evaluators), len(hinges), func(worker, k int) {
		if evaluators[worker] == nil {
			evaluators[worker] = newHingeEvaluator(o.data, m, o.LabelLoss)
		}
		hinges[k] = evaluators[worker].at(k)
	})
	return hinges
}

// hingeEvaluator evaluates hinges; one goroutine uses it.
type hingeEvaluator struct {
	data   *Dataset
	model  *Model
	graph  *infer.PairGraph
	hinge  *infer.Hinge
	rowMap *feature.RowMap // of scaled rows
	c      []float64
}

func newHingeEvaluator(ds *Dataset, m *Model, loss Loss) *hingeEvaluator {
	graph, unscaled := m.Graph(), *m
	unscaled.Scaler = Scaler{}
	return &hingeEvaluator{
		data: ds, model: m, graph: graph, hinge: infer.NewHinge(graph, resolved(loss, ds)), rowMap: unscaled.rowMap(),
		c: make([]float64, ds.NumLabels()),
	}
}

// resolved returns the loss with its costs written out. It panics where they do not fit.
func resolved(loss Loss, ds *Dataset) Loss {
	loss, err := loss.Resolve(ds.Y, ds.NumLabels())
	if err != nil {
		panic(err.Error())
	}
	return loss
}

// at returns the hinge of example k.
func (h *hingeEvaluator) at(k int) float64 {
	x := h.rowMap.Row(h.data.Row(k))
	for i := range h.c {
		h.c[i] = x.Dot(h.model.UnaryWeights(i)) + h.model.Bias(i)
	}
	h.weigh(x)
	return h.hinge.Of(h.c, h.data.Labels(k))
}

// weigh gives the edges the weights w_ij . z(x) of a scaled and mapped row.
func (h *hingeEvaluator) weigh(x Row) {
	f := h.model.EdgeFeatures
	if len(f.Columns) == 0 {
		return
	}
	z := f.Of(x)
	for k, e := range h.model.Edges {
		h.graph.Set(e, h.model.Pair[k]+floats.Dot(z[1:], h.model.pairFeatures(k)))
	}
}
