package labelgraph

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/unionfind"
)

// MaximumSpanningForest returns the positions in edges, increasing, of a
// spanning forest of greatest total weight. It spans: an edge that closes no
// cycle is taken whatever the sign of its weight.
//
// Where weights are equal there can be several such forests. Seed 0 prefers
// the edge with the smaller Edge.Index; any other seed prefers by a pseudorandom
// order of all pairs that depends on nothing but the seed. Either way the
// forest does not depend on the order in which the edges are given, and it is
// the one that Kruskal's algorithm finds when it takes the edges in that order.
func MaximumSpanningForest(n int, edges []Edge, weights []float64, seed uint64) []int {
	if len(edges) != len(weights) {
		panic("labelgraph: unequal numbers of edges and weights")
	}
	s := Spanner{candidates: make([]candidate, 0, len(edges))}
	s.Reset(seed)
	for k, e := range edges {
		s.Add(k, e, weights[k])
	}
	var forest []int
	for _, k := range s.Span(n) {
		forest = append(forest, int(k))
	}
	return forest
}

// MaximumSpanningEdges returns the edges, in the order given, of the forest of
// MaximumSpanningForest.
func MaximumSpanningEdges(n int, edges []Edge, weights []float64, seed uint64) []Edge {
	var forest []Edge
	for _, k := range MaximumSpanningForest(n, edges, weights, seed) {
		forest = append(forest, edges[k])
	}
	return forest
}

// Spanner finds maximum spanning forests and allocates nothing once warm. It
// works by Boruvka's algorithm: in each round every component takes its best
// edge to another one, and edges within a component drop out. The number of
// components at least halves in a round, so that takes O(edges log n) at
// worst, without the sorting of all edges that Kruskal's algorithm needs. With
// ties broken by a strict order there is just one maximum spanning forest, and
// both algorithms find it.
type Spanner struct {
	seed       uint64
	candidates []candidate
	sets       unionfind.Set
	best       []int32 // by component: position of its best edge, or -1
	forest     []int32
}

type candidate struct {
	weight   float64
	i, j, at int32
}

// Reset forgets the edges added before. The seed decides between equal weights, as
// MaximumSpanningForest says.
func (s *Spanner) Reset(seed uint64) { s.seed, s.candidates = seed, s.candidates[:0] }

// Len returns the number of edges added.
func (s *Spanner) Len() int { return len(s.candidates) }

// Add adds the edge e, which span will call at.
func (s *Spanner) Add(at int, e Edge, weight float64) {
	s.candidates = append(s.candidates, candidate{weight, int32(e.I), int32(e.J), int32(at)})
}

// Span returns the edges of the forest over n labels by the names that add
// gave them, increasing. The result is good until the next call; the added
// edges are used up.
func (s *Spanner) Span(n int) []int32 {
	s.sets.Reset(n)
	if cap(s.best) < n {
		s.best = make([]int32, n)
	}
	s.best = s.best[:n]
	s.forest = s.forest[:0]
	for s.sets.Count() > 1 && len(s.candidates) > 0 {
		s.findBest()
		for _, k := range s.best {
			if k < 0 {
				continue
			}
			if c := &s.candidates[k]; s.sets.Union(int(c.i), int(c.j)) {
				s.forest = append(s.forest, c.at)
			}
		}
	}
	slices.Sort(s.forest)
	return s.forest
}

// findBest finds the best edge that leaves each component and drops the edges
// that leave none.
func (s *Spanner) findBest() {
	for k := range s.best {
		s.best[k] = -1
	}
	kept := s.candidates[:0]
	for _, c := range s.candidates {
		a, b := s.sets.Find(int(c.i)), s.sets.Find(int(c.j))
		if a == b {
			continue
		}
		k := int32(len(kept))
		kept = append(kept, c)
		for _, component := range [2]int{a, b} {
			if old := s.best[component]; old < 0 || s.before(&c, &kept[old]) {
				s.best[component] = k
			}
		}
	}
	s.candidates = kept
}

// before reports whether Kruskal's algorithm would take a first.
func (s *Spanner) before(a, b *candidate) bool {
	if a.weight != b.weight {
		return a.weight > b.weight
	}
	return s.tie(a) < s.tie(b)
}

func (s *Spanner) tie(c *candidate) uint64 {
	index := uint64(Edge{int(c.i), int(c.j)}.Index())
	if s.seed == 0 {
		return index
	}
	return mix(index ^ mix(s.seed))
}

// mix is the output function of the generator SplitMix64, a bijection whose
// results look random.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// OutsideForest returns the edges, in the order given, that are not in the
// forest of MaximumSpanningForest with seed 0: as many as the circuit rank, and
// without them no cycle is left.
func OutsideForest(n int, edges []Edge, weights []float64) (outside []Edge) {
	forest := MaximumSpanningForest(n, edges, weights, 0)
	for k, e := range edges {
		if len(forest) > 0 && forest[0] == k {
			forest = forest[1:]
			continue
		}
		outside = append(outside, e)
	}
	return outside
}
