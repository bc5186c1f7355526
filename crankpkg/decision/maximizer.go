package decision

import (
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
	"github.com/crank-ml/crank/crankpkg/internal/labeling"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Maximizer finds the labels that a Rule predicts from unary scores, under one label
// graph. It is exact on forests, as Predictor of crankpkg describes. It owns its
// workspace: it allocates nothing once warm, and each goroutine needs its own.
type Maximizer struct {
	n       int
	places  *labeling.Places // of the edges
	weights []float64        // of the edges, with the factor
	factor  float64
	cuts    []float64 // by label; nil: none
	limiter *labeling.Limiter

	graph   *infer.PairGraph
	nodes   []forest.Node // nil: a graph with cycles
	c, gain []float64     // adjusted scores: by position on a forest, else by label
	on      []uint8
	oracle  infer.Oracle
	y       infer.Labeling
}

// NewMaximizer returns one for the rule and a graph over n labels whose edges have the
// given weights. It returns an error that wraps ErrSettings or ErrData when they do not
// fit together.
func NewMaximizer(r Rule, n int, edges []labelgraph.Edge, weights []float64) (*Maximizer, error) {
	if err := r.Validate(n); err != nil {
		return nil, err
	}
	if r.Expect != "" {
		return nil, fmt.Errorf("%w: rule: %s of a Maximizer, which has no labelings to choose from", errs.ErrSettings, r)
	}
	if err := checkEdges(n, edges, len(weights)); err != nil {
		return nil, err
	}
	// With weights of 1, the graph has all edges, whatever their weights are later.
	ones := slices.Repeat([]float64{1}, len(edges))
	o := &Maximizer{
		n: n, weights: make([]float64, len(edges)), graph: infer.NewPairGraph(n, edges, ones),
		c: make([]float64, n+1), gain: make([]float64, n+1), on: make([]uint8, n+1),
	}
	if order, ok := infer.ForestOrder(o.graph); ok {
		o.nodes = forest.New(o.graph, order)
	} else {
		o.y, o.oracle = make(infer.Labeling, n), infer.NewLPOracle(o.graph)
	}
	o.places = labeling.NewPlaces(edges, o.nodes)
	o.setRule(r)
	o.setWeights(weights)
	return o, nil
}

func checkEdges(n int, edges []labelgraph.Edge, weights int) error {
	if len(edges) != weights {
		return fmt.Errorf("%w: %d edges with %d weights", errs.ErrData, len(edges), weights)
	}
	for k, e := range edges {
		if e.I < 0 || e.I >= e.J || e.J >= n {
			return fmt.Errorf("%w: edge %d is (%d, %d) among %d labels", errs.ErrData, k, e.I, e.J, n)
		}
	}
	return nil
}

// setRule changes the rule; the weights have to be set anew where the factor changes.
func (o *Maximizer) setRule(r Rule) {
	o.factor, o.cuts, o.limiter = r.Factor(), r.LabelCuts(o.n), nil
	if least, most, limited := r.Bounds(o.n); limited {
		o.limiter = labeling.NewLimiter(o.n, least, most)
	}
}

// setWeights changes the weights of the edges.
func (o *Maximizer) setWeights(weights []float64) {
	for e, w := range weights {
		o.weights[e] = w * o.factor
	}
	if o.nodes != nil {
		o.places.Weigh(o.nodes, nil, o.weights)
	} else {
		o.places.Weigh(nil, o.graph, o.weights)
	}
}

// MaximizeTo writes the labels for the unary scores c to y, n zeros and ones, and reports
// whether they are certainly the best that the rule allows: always on a forest, and on a
// graph with cycles where the relaxation is tight or the search within limits has ended.
// It panics when y or c has the wrong length.
func (o *Maximizer) MaximizeTo(y []uint8, c []float64) (optimal bool) {
	if len(y) != o.n || len(c) != o.n {
		panic("decision: unequal numbers of labels")
	}
	optimal = o.free(y, c)
	if o.limiter == nil {
		return optimal
	}
	return o.limit(o.limiter, y, optimal)
}

// free writes the labels without limits.
func (o *Maximizer) free(y []uint8, c []float64) (optimal bool) {
	if o.nodes == nil {
		for i, v := range c {
			o.c[i] = v
			if o.cuts != nil {
				o.c[i] -= o.cuts[i]
			}
		}
		o.oracle.Maximize(o.y, o.c[:o.n])
		o.y.RoundTo(y, o.c)
		return o.y.IsIntegral()
	}
	for k := range o.nodes {
		i := o.nodes[k].Label
		o.c[k] = c[i]
		if o.cuts != nil {
			o.c[k] -= o.cuts[i]
		}
	}
	copy(o.gain, o.c)
	forest.Label(y, o.nodes, o.gain, o.on)
	return true
}

// limit changes what free has left in y.
func (o *Maximizer) limit(l *labeling.Limiter, y []uint8, optimal bool) bool {
	if o.nodes != nil {
		l.Forest(y, o.nodes, o.c, o.gain, o.on)
		return true
	}
	if changed, best := l.Graph(y, o.graph, o.c[:o.n]); changed {
		return best
	}
	return optimal
}
