package solver

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// atom is a labeling s of one example as the solver needs it: the sparse
// difference psi(s) = phi(s) - phi(y^m) over labels and pairs, and the label
// loss. The true labeling is the atom without any term. The hinge of eq. (1)
// is the largest value loss + w . psi(s), and an example's dual variables
// are the weights of its atoms.
type atom struct {
	weight float64
	loss   float64
	labels terms // by label
	pairs  terms // by position in the solver's edge list
}

// value returns Delta(s, y) + w . [phi(x, s) - phi(x, y)], given the unary
// scores c of the example and the pair weights w.
func (a *atom) value(c, w []float64) float64 {
	if a.labels.wide() || a.pairs.wide() {
		return a.pairs.dot(a.labels.dot(a.loss, c), w)
	}
	sum := a.loss
	for _, word := range a.labels {
		sum += values[word&codeMask] * c[word>>valueBits]
	}
	for _, word := range a.pairs {
		sum += values[word&codeMask] * w[word>>valueBits]
	}
	return sum
}

// setLabeling makes a the atom of the labeling s of an example with the labels
// y. An end of one half counts with the pair's current weight (PairHalves).
// The buffer on holds the labels that are on in s or in y.
func (a *atom) setLabeling(s infer.Labeling, y []uint8, pairs *pairIndex, w []float64, on []int32) []int32 {
	a.loss, a.labels, a.pairs = 0, a.labels[:0], a.pairs[:0]
	on = on[:0]
	for i, v := range s {
		diff := int(v) - 2*int(y[i])
		if diff != 0 {
			value := float32(diff) / 2
			a.labels = a.labels.add(int32(i), value)
			a.loss += math.Abs(float64(value))
		}
		if v != 0 || y[i] != 0 {
			on = append(on, int32(i))
		}
	}
	if len(a.labels) == 0 || len(pairs.edges) == 0 {
		return on
	}
	if pairs.complete {
		a.addAllPairs(s, y, w, on)
	} else {
		a.addListedPairs(s, y, pairs, w, on)
	}
	return on
}

func (a *atom) addAllPairs(s infer.Labeling, y []uint8, w []float64, on []int32) {
	for q, j := range on {
		base := j * (j - 1) / 2
		sj, yj := s[j], y[j]
		if sj == 2*yj {
			// Only partners that differ from y can change this pair.
			for _, i := range on[:q] {
				if s[i] != 2*y[i] {
					a.addPair(base+i, s[i], sj, y[i]&yj, w)
				}
			}
			continue
		}
		for _, i := range on[:q] {
			a.addPair(base+i, s[i], sj, y[i]&yj, w)
		}
	}
}

func (a *atom) addListedPairs(s infer.Labeling, y []uint8, pairs *pairIndex, w []float64, on []int32) {
	for _, j := range on {
		for _, p := range pairs.lower(j) {
			a.addPair(p.edge, s[p.label], s[j], y[p.label]&y[j], w)
		}
	}
}

func (a *atom) addPair(e int32, si, sj, truth uint8, w []float64) {
	if diff := pairDifference(si, sj, truth, w[e]); diff != 0 {
		a.pairs = a.pairs.add(e, diff)
	}
}

// pairDifference returns y_ij of a labeling less that of the true one.
func pairDifference(si, sj, truth uint8, w float64) float32 {
	return float32(int(infer.PairHalves(si, sj, w))-2*int(truth)) / 2
}

// pairIndex is the set of pairs that a solver may use, in the order of
// Edge.Index.
type pairIndex struct {
	edges    []labelgraph.Edge
	complete bool           // all pairs: the position of an edge is its Edge.Index
	tables   *groups.Tables // of the edges, where labels come in groups
	start    []int32
	lowers   []lowerArc // by higher end, then by lower end
}

type lowerArc struct{ label, edge int32 }

func newPairIndex(n int, edges []labelgraph.Edge) *pairIndex {
	x := &pairIndex{edges: edges, complete: len(edges) == labelgraph.NumPairs(n), start: make([]int32, n+1)}
	for _, e := range edges {
		x.start[e.J+1]++
	}
	for j := range n {
		x.start[j+1] += x.start[j]
	}
	for k, e := range edges {
		x.lowers = append(x.lowers, lowerArc{int32(e.I), int32(k)})
	}
	return x
}

// lower returns the arcs from label j to labels below it.
func (x *pairIndex) lower(j int32) []lowerArc { return x.lowers[x.start[j]:x.start[j+1]] }
