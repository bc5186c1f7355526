// Package problems has what one input leaves of a label model, for the notebook on the hinge loss: the scores of the labels, the
// pairs with their weights, and the true labeling. It draws such problems at random and asks the library for their hinges; what
// the formulas say is written out in the notebook itself.
//
//	p := problems.RandomTree(rng)
//	p.Hinge(infer.NewTreeOracle) // eq. (1), by one call of the oracle
package problems

import (
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Problem is one input with n labels.
type Problem struct {
	C     []float64       // c_i, n of them
	Edges []crankpkg.Edge // pairs ij
	W     []float64       // w_ij, one for each edge
	Truth []uint8         // the true labeling y^m, n zeros and ones
}

// Random draws a problem over n labels: normal c_i, and w_ij of twice their spread on the edges.
func Random(rng *rand.Rand, n int, edges []crankpkg.Edge) Problem {
	p := Problem{C: make([]float64, n), Edges: edges, W: make([]float64, len(edges)), Truth: make([]uint8, n)}
	for i := range n {
		p.C[i], p.Truth[i] = rng.NormFloat64(), uint8(rng.IntN(2))
	}
	for k := range edges {
		p.W[k] = 2 * rng.NormFloat64()
	}
	return p
}

// RandomTree draws a problem on a tree over one to seven labels.
func RandomTree(rng *rand.Rand) Problem {
	n := 1 + rng.IntN(7)
	return Random(rng, n, labelgraph.RandomTree(n, rng))
}

// Of returns the examples of a data set as problems with the scores of a model.
func Of(m *crankpkg.Model, ds *crankpkg.Dataset) []Problem {
	all := make([]Problem, ds.Len())
	for k := range all {
		all[k] = Problem{C: m.Scores(ds.Row(k)), Edges: m.Edges, W: m.Pair, Truth: ds.Labels(k)}
	}
	return all
}

// Graph returns the pairs with their weights.
func (p Problem) Graph() *infer.PairGraph { return infer.NewPairGraph(len(p.C), p.Edges, p.W) }

// Along returns the problem p + t d: all scores and weights move by t times those of d.
func (p Problem) Along(d Problem, t float64) Problem {
	moved := Problem{C: make([]float64, len(p.C)), Edges: p.Edges, W: make([]float64, len(p.W)), Truth: p.Truth}
	for i := range moved.C {
		moved.C[i] = p.C[i] + t*d.C[i]
	}
	for k := range moved.W {
		moved.W[k] = p.W[k] + t*d.W[k]
	}
	return moved
}

// Line returns the hinge along p + t d.
func (p Problem) Line(d Problem) infer.HingeLine {
	return infer.HingeLine{Truth: p.Truth, Edges: p.Edges, Unary: p.C, Pair: p.W, UnaryStep: d.C, PairStep: d.W}
}

// Owner returns the labeling that is the maximum of eq. (1), by one call of an oracle.
func (p Problem) Owner(newOracle func(*infer.PairGraph) infer.Oracle) crankpkg.Labeling {
	y, _ := p.maximize(newOracle)
	return y
}

// Hinge returns eq. (1) by one call of an oracle: exact with infer.NewTreeOracle on a forest, relaxed with infer.NewLPOracle.
func (p Problem) Hinge(newOracle func(*infer.PairGraph) infer.Oracle) float64 {
	_, best := p.maximize(newOracle)
	return best - infer.NewLabeling(p.Truth).Value(p.Graph(), p.C)
}

// maximize returns the labeling of largest score plus loss, and what that is.
func (p Problem) maximize(newOracle func(*infer.PairGraph) infer.Oracle) (crankpkg.Labeling, float64) {
	augmented, y := make([]float64, len(p.C)), make(crankpkg.Labeling, len(p.C))
	infer.AugmentTo(augmented, p.C, p.Truth)
	return y, newOracle(p.Graph()).Maximize(y, augmented) + infer.AugmentConstant(p.Truth)
}

// Margin returns how far the truth stands above the best other labeling of zeros and ones, of which all 2^n are tried.
func (p Problem) Margin() float64 {
	g, truth := p.Graph(), infer.NewLabeling(p.Truth)
	first, best := true, 0.0
	for _, y := range infer.AllLabelings(len(p.C)) {
		if y.Loss(p.Truth) > 0 {
			if v := y.Value(g, p.C); first || v > best {
				first, best = false, v
			}
		}
	}
	return truth.Value(g, p.C) - best
}
