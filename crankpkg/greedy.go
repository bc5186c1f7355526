package crankpkg

import (
	"cmp"
	"context"

	"github.com/crank-ml/crank/crankpkg/internal/solver"
)

// Greedy starts from Empty and adds, one at a time, the edge that lowers the
// objective most among those that close no cycle, until none lowers it or the
// forest spans all labels. Each gain is that of training the two components
// that the edge joins together (the other labels do not see it). Edges whose
// dual bound tells that they cannot be the best are not trained; the result is
// that of training all of them.
type Greedy struct {
	Lambda float64 // l2 regularization; zero means 1/M
	// GainGap is the relative gap to which gains are computed. Zero means the
	// Gap of the settings divided by 4: gains are small next to objectives.
	GainGap float64
	Settings
}

// Name returns "Greedy".
func (Greedy) Name() string { return "Greedy" }

// WithLambda returns g with another lambda.
func (g Greedy) WithLambda(lambda float64) Trainer { g.Lambda = lambda; return g }

// Train adds the edges and solves for the weights of the forest.
func (g Greedy) Train(ctx context.Context, ds *Dataset) (*Model, *Trace, error) {
	return train(ctx, g, ds)
}

func (g Greedy) common() (float64, Settings) { return g.Lambda, g.Settings }

func (g Greedy) check() error { return checkGap("GainGap", g.GainGap) }

func (Greedy) meetsCycles(int) bool { return false }

func (g Greedy) learn(t *training) (*Model, *Trace, error) {
	c, _, _ := newCandidates(t, cmp.Or(g.GainGap, t.set.Gap/4))
	cut := false
	for {
		k := c.best()
		if k == nil || k.gain <= 0 {
			cut = k == nil && len(c.list) > 0 && t.stopped()
			break
		}
		c.add(k)
	}
	s := c.forest()
	b, status := t.solveLast(s, t.set.Gap, "forest")
	if cut && status == Converged {
		status = t.statusOf(solver.Bounds{Primal: 1}, 0, 0) // time was up before the choice
	}
	return t.finish(s, b, status)
}
