package crankpkg

import (
	"context"
	"fmt"
	"math"
)

// ConvexStep is one outer step of the convex-concave procedure (Algorithm 1) by
// itself: it minimizes
//
//	h^t(w) = l(w) + beta |w_pair|_1 - beta v . w_pair
//
// over all weights, with a v that the caller has linearized f2 with (see
// Regularizer.SubgradientTo). CRANK takes many such steps, each from the dual
// point of the one before; this one sets out from w = 0. It is there to look at
// a step closely, and to try other rules for v and beta. The primal and dual
// bounds in its Trace are those of h^t.
type ConvexStep struct {
	Lambda float64 // l2 regularization; zero means 1/M
	Beta   float64 // weight of the tree regularizer
	// V is v by Edge.Index, for all pairs, one vector after the other with
	// features on the edges. Nil means zero: then beta is the weight of an l1
	// norm.
	V []float64
	Settings
}

// Name returns "CCCP step".
func (ConvexStep) Name() string { return "CCCP step" }

// WithLambda returns c with another lambda.
func (c ConvexStep) WithLambda(lambda float64) Trainer { c.Lambda = lambda; return c }

// Adjust returns c with changed settings.
func (c ConvexStep) Adjust(change func(*Settings)) Trainer { change(&c.Settings); return c }

// Train minimizes h^t to the relative gap of the settings.
func (c ConvexStep) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, c, ds)
}

func (c ConvexStep) common() (float64, Settings) { return c.Lambda, c.Settings }

func (c ConvexStep) check() error {
	if !(c.Beta >= 0) || math.IsInf(c.Beta, 0) {
		return fmt.Errorf("%w: Beta %v", ErrSettings, c.Beta)
	}
	for k, v := range c.V {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: V[%d] = %v", ErrSettings, k, v)
		}
	}
	return nil
}

func (ConvexStep) meetsCycles(int) bool { return true }

func (ConvexStep) takesGroups() error { return freeLabelsOnly("CCCP step") }

func (c ConvexStep) learn(t *training) (*Model, *Trace, error) {
	edges := AllPairs(t.problem.numLabels())
	if c.V != nil && len(c.V) != len(edges)*t.edges.size() {
		return nil, nil, fmt.Errorf("%s: %w: V has %d entries for %d pairs", c.Name(), ErrSettings, len(c.V), len(edges))
	}
	s := newSolver(t.problem, edges, t.lambda)
	s.setPenalty(c.Beta, c.V)
	b, status := t.solve(s, t.set.Gap, fmt.Sprintf("beta %.3g", c.Beta))
	return t.finish(s, b, status)
}
