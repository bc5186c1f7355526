package crankpkg

import (
	"fmt"
	"math"
)

// LabelPowerset limits predictions to the labelings y that examples of the
// training set have, and prefers frequent ones:
//
//	y(x) = argmax over seen y of  score(x, y) + Prior log(examples with y).
//
// The maximum is found by looking at each: exact on any label graph, in time
// that grows with their number. It helps the zero-one measure most, where few of
// the 2^n labelings ever occur; what never occurred in training it cannot
// predict.
type LabelPowerset struct {
	Only bool // predict only seen labelings
	// Prior weighs how often a labeling was seen. The scores have the scale of the
	// label loss, so this has too.
	Prior float64
}

// Validate returns an error that wraps ErrSettings for a Prior without Only, or one
// that is not finite.
func (s LabelPowerset) Validate() error {
	if math.IsNaN(s.Prior) || math.IsInf(s.Prior, 0) || s.Prior != 0 && !s.Only {
		return fmt.Errorf("%w: %+v", ErrSettings, s)
	}
	return nil
}

// Restrict limits the predictions of m to the labelings of train, or frees them
// where s is zero.
func (s LabelPowerset) Restrict(m *Model, train *Dataset) {
	m.Labelings, m.LabelingScores = s.of(train)
}

// of returns the labelings of ds in the order in which they occur first, and what
// to add to their scores.
func (s LabelPowerset) of(ds *Dataset) (labelings []uint8, scores []float64) {
	if !s.Only {
		return nil, nil
	}
	at := make(map[string]int)
	var counts []int
	for m := range ds.Len() {
		y := ds.Labels(m)
		k, seen := at[string(y)]
		if !seen {
			k = len(counts)
			at[string(y)] = k
			labelings, counts = append(labelings, y...), append(counts, 0)
		}
		counts[k]++
	}
	for _, count := range counts {
		scores = append(scores, s.Prior*math.Log(float64(count)))
	}
	return labelings, scores
}

// amongScorer predicts the best of a list of labelings.
type amongScorer struct {
	n      int
	y      []uint8
	scores []float64
	// The labels that are on in labeling k, by their position, are
	// labels[labelsEnd[k-1]:labelsEnd[k]]; likewise the edges with both ends on.
	labels, edges       []int32
	labelsEnd, edgesEnd []int32
	pair                []float64 // w_ij by edge
}

func newAmongScorer(m *Model, order []int32) *amongScorer {
	n := m.NumLabels()
	s := &amongScorer{n: n, y: append([]uint8(nil), m.Labelings...), scores: append([]float64(nil), m.LabelingScores...), pair: append([]float64(nil), m.Pair...)}
	for k := range s.scores {
		y := s.labeling(k)
		for pos, i := range order {
			if y[i] == 1 {
				s.labels = append(s.labels, int32(pos))
			}
		}
		for e, edge := range m.Edges {
			if y[edge.I]&y[edge.J] == 1 {
				s.edges = append(s.edges, int32(e))
			}
		}
		s.labelsEnd, s.edgesEnd = append(s.labelsEnd, int32(len(s.labels))), append(s.edgesEnd, int32(len(s.edges)))
	}
	return s
}

func (s *amongScorer) labeling(k int) []uint8 { return s.y[k*s.n : (k+1)*s.n] }

// label writes the best labeling to y, among equals the first, given the unary
// scores by position and the w_ij . z(x) by edge, nil where those are w_ij.
func (s *amongScorer) label(y []uint8, unary, pairs []float64) {
	best, at := math.Inf(-1), 0
	scan := s.scan(unary, pairs)
	for k := range s.scores {
		if score := scan.next(); score > best {
			best, at = score, k
		}
	}
	copy(y, s.labeling(at))
}

// labelingScan scores the labelings one after the other.
type labelingScan struct {
	s              *amongScorer
	unary, pairs   []float64
	k, label, edge int32 // where the next one begins
}

func (s *amongScorer) scan(unary, pairs []float64) labelingScan {
	if pairs == nil {
		pairs = s.pair
	}
	return labelingScan{s: s, unary: unary, pairs: pairs}
}

// next returns the score of the next labeling.
func (t *labelingScan) next() float64 {
	s := t.s
	score := s.scores[t.k]
	for _, pos := range s.labels[t.label:s.labelsEnd[t.k]] {
		score += t.unary[pos]
	}
	for _, e := range s.edges[t.edge:s.edgesEnd[t.k]] {
		score += t.pairs[e]
	}
	t.label, t.edge = s.labelsEnd[t.k], s.edgesEnd[t.k]
	t.k++
	return score
}

// validateLabelings checks the labelings of a model.
func (m *Model) validateLabelings() error {
	if len(m.Labelings) != len(m.LabelingScores)*m.NumLabels() {
		return fmt.Errorf("%w: model: %d values of %d labelings of %d labels", ErrData, len(m.Labelings), len(m.LabelingScores), m.NumLabels())
	}
	for k, v := range m.Labelings {
		if v > 1 {
			return fmt.Errorf("%w: model: value %d of the labelings is %d", ErrData, k, v)
		}
	}
	return checkFinite("score of labeling", m.LabelingScores)
}
