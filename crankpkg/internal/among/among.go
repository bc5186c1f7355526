// Package among predicts among a list of labelings: a look at each finds the best one
// (LabelTo), and the best with each label on and with it off (MaximaTo). An Expecter makes
// probabilities of their scores.
package among

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Scorer predicts the best of a list of labelings. It is safe for concurrent use.
type Scorer struct {
	n      int
	y      []uint8
	scores []float64
	order  []int32
	// The labels that are on in labeling k, by their position, are
	// labels[labelsEnd[k-1]:labelsEnd[k]]; likewise the edges with both ends on.
	labels, edges       []int32
	labelsEnd, edgesEnd []int32
	pair                []float64 // w_ij by edge
}

// New returns the scorer of the labelings y, one after the other, to each of which scores
// adds a number, with the weights pair of edges. Position p of unary scores belongs to the
// label order[p].
func New(y []uint8, scores []float64, order []int32, edges []labelgraph.Edge, pair []float64) *Scorer {
	s := &Scorer{n: len(order), y: slices.Clone(y), scores: slices.Clone(scores), order: slices.Clone(order), pair: slices.Clone(pair)}
	for k := range s.scores {
		y := s.labeling(k)
		for pos, i := range order {
			if y[i] == 1 {
				s.labels = append(s.labels, int32(pos))
			}
		}
		for e, edge := range edges {
			if y[edge.I]&y[edge.J] == 1 {
				s.edges = append(s.edges, int32(e))
			}
		}
		s.labelsEnd, s.edgesEnd = append(s.labelsEnd, int32(len(s.labels))), append(s.edgesEnd, int32(len(s.edges)))
	}
	return s
}

func (s *Scorer) labeling(k int) []uint8 { return s.y[k*s.n : (k+1)*s.n] }

// Size returns the number of labels that are on in labeling k.
func (s *Scorer) Size(k int) int {
	if k == 0 {
		return int(s.labelsEnd[0])
	}
	return int(s.labelsEnd[k] - s.labelsEnd[k-1])
}

// ScoresTo writes the scores of all labelings, for what LabelTo takes.
func (s *Scorer) ScoresTo(dst, unary, pairs []float64) {
	scan := s.scan(unary, pairs)
	for k := range dst {
		dst[k] = scan.next()
	}
}

// LabelTo writes the best labeling to y, among equals the first, given the unary
// scores by position and the w_ij . z(x) by edge, nil where those are w_ij.
func (s *Scorer) LabelTo(y []uint8, unary, pairs []float64) {
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
	s              *Scorer
	unary, pairs   []float64
	k, label, edge int32 // where the next one begins
}

func (s *Scorer) scan(unary, pairs []float64) labelingScan {
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

// MaximaTo writes the best score of a labeling with each label off, and on, -Inf where
// there is none.
func (s *Scorer) MaximaTo(off, on, unary, pairs []float64) {
	for i := range off {
		off[i], on[i] = math.Inf(-1), math.Inf(-1)
	}
	scan := s.scan(unary, pairs)
	for k := range s.scores {
		score := scan.next()
		for i, v := range s.labeling(k) {
			if v == 1 {
				on[i] = max(on[i], score)
			} else {
				off[i] = max(off[i], score)
			}
		}
	}
}
