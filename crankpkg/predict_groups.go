package crankpkg

import (
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/mrf"
)

// groupScorer predicts labels in groups of which exactly one is on: by
// max-product where the edges between groups form a forest; elsewhere by the
// linear programming relaxation, of which each group takes the state of largest
// marginal.
type groupScorer struct {
	layout *groups.Layout
	edges  []Edge      // between groups
	pair   [][]float64 // their tables, row after row
	// By pair of labels: its table, and its position there.
	table, position []int32
	forest          bool
}

// groupWorkspace is what one goroutine needs.
type groupWorkspace struct {
	unary [][]float64 // by group, in the workspace's scores
	pair  [][]float64
	tree  *mrf.Tree // nil: lp
	lp    *mrf.LP
	y     []int
}

func newGroupScorer(m *Model) *groupScorer {
	s := &groupScorer{layout: groups.New(m.Groups)}
	for _, pair := range m.Edges {
		if e := s.layout.EdgeOf(pair); !slices.Contains(s.edges, e) {
			s.edges = append(s.edges, e)
		}
	}
	slices.SortFunc(s.edges, func(a, b Edge) int { return a.Index() - b.Index() })
	number := make(map[Edge]int32)
	for k, e := range s.edges {
		number[e] = int32(k)
		s.pair = append(s.pair, make([]float64, s.layout.Sizes[e.I]*s.layout.Sizes[e.J]))
	}
	for p, pair := range m.Edges {
		e := s.layout.EdgeOf(pair)
		at := (pair.I-s.layout.Start[e.I])*s.layout.Sizes[e.J] + pair.J - s.layout.Start[e.J]
		s.table, s.position = append(s.table, number[e]), append(s.position, int32(at))
		s.pair[number[e]][at] = m.Pair[p]
	}
	s.forest = labelgraph.IsForest(len(s.layout.Sizes), s.edges)
	return s
}

// newWorkspace returns one that reads its unary scores from gain, and has tables
// of its own for those that depend on x.
func (s *groupScorer) newWorkspace(gain []float64) *groupWorkspace {
	ws := &groupWorkspace{y: make([]int, s.layout.NumGroups())}
	for _, table := range s.pair {
		ws.pair = append(ws.pair, slices.Clone(table))
	}
	for i := range s.layout.Sizes {
		ws.unary = append(ws.unary, gain[s.layout.Start[i]:s.layout.Start[i+1]])
	}
	var err error
	if s.forest {
		ws.tree, err = mrf.NewTree(s.layout.Sizes, s.edges)
	} else {
		ws.lp, err = mrf.NewLP(s.layout.Sizes, s.edges)
	}
	if err != nil {
		panic(err.Error()) // the model is valid
	}
	return ws
}

// label writes the best labels of the scores in ws, given w_ij . z(x) by pair of
// labels (nil where those are w_ij), and reports whether they are certainly
// optimal.
func (s *groupScorer) label(y []uint8, ws *groupWorkspace, pairs []float64) (optimal bool) {
	s.setTables(ws, pairs)
	optimal = true
	if ws.tree != nil {
		ws.tree.Maximize(ws.y, ws.unary, ws.pair)
	} else {
		value, bound := ws.lp.Maximize(ws.unary, ws.pair)
		ws.lp.LabelingTo(ws.y)
		optimal = ws.lp.Integral() && bound-value <= 10*ws.lp.Tolerance(bound)
	}
	clear(y)
	for i, state := range ws.y {
		y[s.layout.Start[i]+state] = 1
	}
	return optimal
}

// setTables puts w_ij . z(x) into the tables, where it depends on x.
func (s *groupScorer) setTables(ws *groupWorkspace, pairs []float64) {
	for p, v := range pairs {
		ws.pair[s.table[p]][s.position[p]] = v
	}
}

// validateGroups checks the groups of a model.
func (m *Model) validateGroups() error {
	if m.Groups == nil {
		return nil
	}
	if err := groups.Check(m.Groups, m.NumLabels()); err != nil {
		return fmt.Errorf("%w: model: %w", ErrData, err)
	}
	l := groups.New(m.Groups)
	for k, pair := range m.Edges {
		if e := l.EdgeOf(pair); e.I == e.J {
			return fmt.Errorf("%w: model: pair %d joins two labels of group %d", ErrData, k, e.I)
		}
	}
	return nil
}
