package crankpkg

import (
	"context"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/internal/information"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// ChowLiu trains the weights of the tree that Chow and Liu (1968) choose: the
// maximum spanning tree of the labels' empirical mutual information, which is
// the maximum likelihood tree when inputs are left out of account. It is the
// generative contrast to the paper's methods.
type ChowLiu struct {
	Lambda float64 // l2 regularization; zero means 1/M
	Settings
}

// Name returns "Chow-Liu".
func (ChowLiu) Name() string { return "Chow-Liu" }

// WithLambda returns c with another lambda.
func (c ChowLiu) WithLambda(lambda float64) Trainer { c.Lambda = lambda; return c }

// Train chooses the tree and solves for its weights.
func (c ChowLiu) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, c, ds)
}

func (c ChowLiu) common() (float64, Settings) { return c.Lambda, c.Settings }

func (ChowLiu) meetsCycles(int) bool { return false }

func (ChowLiu) learn(t *training) (*Model, *Trace, error) {
	n := t.problem.NumVertices()
	return t.solveEdges(labelgraph.MaximumSpanningEdges(n, labelgraph.AllPairs(n), MutualInformation(t.ds), t.set.Seed))
}

// MutualInformation returns, for all pairs of labels (of groups, where labels come
// in groups) in the order of Edge.Index, the mutual information of their empirical
// joint distribution, in nats. It is never negative.
func MutualInformation(ds *Dataset) []float64 {
	if ds.Groups != nil {
		return information.OfGroups(ds.Y, groups.New(ds.Groups))
	}
	return information.OfLabels(ds.Y, ds.NumLabels())
}
