package groups

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/mrf"
)

// Scorer predicts labels in groups of which exactly one is on: by
// max-product where the edges between groups form a forest; elsewhere by the
// linear programming relaxation, of which each group takes the state of largest
// marginal.
type Scorer struct {
	layout *Layout
	edges  []labelgraph.Edge // between groups
	pair   [][]float64       // their tables, row after row
	// By pair of labels: its table, and its position there.
	table, position []int32
	forest          bool
}

// Workspace is what one goroutine needs.
type Workspace struct {
	unary [][]float64 // by group, in the workspace's scores
	pair  [][]float64
	tree  *mrf.Tree // nil: lp
	lp    *mrf.LP
	y     []int

	maxima [][]float64 // by group; nil until margins are asked for
}

// NewScorer returns the scorer for groups of these sizes, with the weights of these pairs
// of labels of different groups.
func NewScorer(sizes []int, pairs []labelgraph.Edge, weights []float64) *Scorer {
	s := &Scorer{layout: New(sizes)}
	for _, pair := range pairs {
		if e := s.layout.EdgeOf(pair); !slices.Contains(s.edges, e) {
			s.edges = append(s.edges, e)
		}
	}
	slices.SortFunc(s.edges, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
	number := make(map[labelgraph.Edge]int32)
	for k, e := range s.edges {
		number[e] = int32(k)
		s.pair = append(s.pair, make([]float64, s.layout.Sizes[e.I]*s.layout.Sizes[e.J]))
	}
	for p, pair := range pairs {
		e := s.layout.EdgeOf(pair)
		at := (pair.I-s.layout.Start[e.I])*s.layout.Sizes[e.J] + pair.J - s.layout.Start[e.J]
		s.table, s.position = append(s.table, number[e]), append(s.position, int32(at))
		s.pair[number[e]][at] = weights[p]
	}
	s.forest = labelgraph.IsForest(len(s.layout.Sizes), s.edges)
	return s
}

// NewWorkspace returns one that reads its unary scores from gain, and has tables
// of its own for those that depend on x.
func (s *Scorer) NewWorkspace(gain []float64) *Workspace {
	ws := &Workspace{y: make([]int, s.layout.NumGroups())}
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

// LabelTo writes the best labels of the scores in ws, given w_ij . z(x) by pair of
// labels (nil where those are w_ij), and reports whether they are certainly
// optimal.
func (s *Scorer) LabelTo(y []uint8, ws *Workspace, pairs []float64) (optimal bool) {
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
func (s *Scorer) setTables(ws *Workspace, pairs []float64) {
	for p, v := range pairs {
		ws.pair[s.table[p]][s.position[p]] = v
	}
}

// MarginsTo writes, for each label, the best score with it on less the best with another
// label of its group on, and reports whether all of them are certainly exact; ws and pairs
// are as for LabelTo.
func (s *Scorer) MarginsTo(dst []float64, ws *Workspace, pairs []float64) (exact bool) {
	s.setTables(ws, pairs)
	if ws.maxima == nil {
		for _, k := range s.layout.Sizes {
			ws.maxima = append(ws.maxima, make([]float64, k))
		}
	}
	exact = true
	if ws.tree != nil {
		ws.tree.MaxMarginalsTo(ws.maxima, ws.unary, ws.pair)
	} else {
		exact = ws.lp.MaxMarginalsTo(ws.maxima, ws.unary, ws.pair)
	}
	for i, maxima := range ws.maxima {
		marginsOfGroup(dst[s.layout.Start[i]:s.layout.Start[i+1]], maxima)
	}
	return exact
}

// marginsOfGroup writes how much better than the best of the others each label is.
func marginsOfGroup(dst, maxima []float64) {
	best, second := math.Inf(-1), math.Inf(-1)
	at := 0
	for s, v := range maxima {
		if v > best {
			best, second, at = v, best, s
		} else {
			second = max(second, v)
		}
	}
	for s, v := range maxima {
		dst[s] = v - best
	}
	dst[at] = best - second
}
