package crankpkg

import (
	"cmp"
	"context"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
)

// MST computes for each pair of labels how far that edge alone lowers the
// objective of Empty, takes the maximum spanning tree of these gains, and
// trains the weights of that tree.
type MST struct {
	Lambda float64 // l2 regularization; zero means 1/M
	// GainGap is the relative gap to which gains are computed. Zero means the
	// Gap of the settings divided by 4: gains are small next to objectives.
	GainGap float64
	Settings
}

// Name returns "MST".
func (MST) Name() string { return "MST" }

// WithLambda returns m with another lambda.
func (m MST) WithLambda(lambda float64) Trainer { m.Lambda = lambda; return m }

// Train computes the gains, chooses the tree and solves for its weights.
func (m MST) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, m, ds)
}

func (m MST) common() (float64, Settings) { return m.Lambda, m.Settings }

func (m MST) check() error { return checkGap("GainGap", m.GainGap) }

func (MST) meetsCycles(int) bool { return false }

func (m MST) learn(t *training) (*Model, *Trace, error) {
	c, _, _ := newCandidates(t, cmp.Or(m.GainGap, t.set.Gap/4))
	return t.solveEdges(c.spanningTree())
}

// SpanningTree is Kruskal's algorithm on the gains of single edges. An edge
// that closes a cycle needs no gain.
func (c *candidates) spanningTree() []Edge {
	var tree []Edge
	var joined unionfind.Set
	joined.Reset(len(c.of))
	for len(tree) < len(c.of)-1 {
		k := c.best()
		if k == nil {
			break
		}
		joined.Union(k.edge.I, k.edge.J)
		tree = append(tree, k.edge)
		c.list = slices.DeleteFunc(c.list, func(k *edgeGain) bool {
			return joined.Find(k.edge.I) == joined.Find(k.edge.J)
		})
	}
	slices.SortFunc(tree, func(a, b Edge) int { return a.Index() - b.Index() })
	return tree
}
