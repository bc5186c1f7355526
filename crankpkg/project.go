package crankpkg

import (
	"cmp"
	"context"
)

// Project trains Full, keeps the maximum spanning tree of its |w_ij|, and
// trains the weights of that tree again: CRANK from Full's weights with one
// large beta.
type Project struct {
	Lambda float64 // l2 regularization; zero means 1/M
	// FullGap is the relative gap to which Full is solved. Zero means the Gap
	// of the settings.
	FullGap float64
	Settings
}

// Name returns "Project".
func (Project) Name() string { return "Project" }

// WithLambda returns p with another lambda.
func (p Project) WithLambda(lambda float64) Trainer { p.Lambda = lambda; return p }

// Train solves the full problem, then that of the tree.
func (p Project) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, p, ds)
}

func (p Project) common() (float64, Settings) { return p.Lambda, p.Settings }

func (p Project) check() error { return checkGap("FullGap", p.FullGap) }

func (p Project) learn(t *training) (*Model, *Trace, error) {
	full, _, status := t.allPairs(cmp.Or(p.FullGap, t.set.Gap), false)
	if t.stalled(status) {
		return t.abandon(full)
	}
	s := full.Clone()
	s.SetEdges(s.SpanningTree(t.set.Seed))
	b, status := t.solveLast(s, t.set.Gap, "tree")
	return t.finish(s, b, status)
}
