package forest

import (
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/linear"
)

// SmallLabels is the greatest number of labels of a Small.
const SmallLabels = 16

// Small predicts one row at a time on a forest of few labels. What it works in lies on the
// stack: to fetch a workspace and to give it back takes longer than both passes over the forest.
type Small struct {
	Nodes  []Node
	Scorer *linear.Scorer // by position
	Cuts   []float64      // of the scores, by position; nil: none
}

// LabelTo writes the best labeling of the row x to y, one entry for each label.
func (s *Small) LabelTo(y []uint8, x feature.Row) {
	var gain, products [SmallLabels + 1]float64
	var on [SmallLabels + 1]uint8
	n := len(s.Nodes)
	s.Scorer.ScoreTo(gain[:n+1], products[:s.Scorer.Width()], x)
	for pos, cut := range s.Cuts { // a call would move gain to the heap
		gain[pos] -= cut
	}
	Label(y, s.Nodes, gain[:n+1], on[:n+1])
}
