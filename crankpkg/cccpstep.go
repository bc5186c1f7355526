package crankpkg

import (
	"context"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// CCCPStep is one outer step of the convex-concave procedure (Algorithm 1) by
// itself: it minimizes
//
//	h^t(w) = l(w) + beta |w_pair|_1 - beta v . w_pair
//
// over all weights, with a v that the caller has linearized f2 with (see
// Regularizer.SubgradientTo). CRANK takes many such steps, each from the dual
// point of the one before; this one sets out from w = 0. It is there to look at
// a step closely, and to try other rules for v and beta. The primal and dual
// bounds in its Trace are those of h^t.
type CCCPStep struct {
	Lambda float64 // l2 regularization; zero means 1/M
	Beta   float64 // weight of the tree regularizer
	// V is v by Edge.Index, for all pairs, one vector after the other with
	// features on the edges. Nil means zero: then beta is the weight of an l1
	// norm.
	V []float64
	Settings
}

// Name returns "CCCP step".
func (CCCPStep) Name() string { return "CCCP step" }

// WithLambda returns c with another lambda.
func (c CCCPStep) WithLambda(lambda float64) Trainer { c.Lambda = lambda; return c }

// Adjust returns c with changed settings.
func (c CCCPStep) Adjust(change func(*Settings)) Trainer { change(&c.Settings); return c }

// Train minimizes h^t to the relative gap of the settings.
func (c CCCPStep) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, c, ds)
}

func (c CCCPStep) common() (float64, Settings) { return c.Lambda, c.Settings }

func (c CCCPStep) check() error {
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

func (CCCPStep) takesGroups() error { return freeLabelsOnly("CCCP step") }

func (c CCCPStep) learn(t *training) (*Model, *Trace, error) {
	edges := labelgraph.AllPairs(t.problem.NumLabels())
	if c.V != nil && len(c.V) != len(edges)*t.edges.Size() {
		return nil, nil, fmt.Errorf("%s: %w: V has %d entries for %d pairs", c.Name(), ErrSettings, len(c.V), len(edges))
	}
	s := solver.New(t.problem, edges, t.lambda)
	s.SetPenalty(c.Beta, c.V)
	b, status := t.solve(s, t.set.Gap, fmt.Sprintf("beta %.3g", c.Beta))
	return t.finish(s, b, status)
}
