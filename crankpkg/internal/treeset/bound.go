package treeset

import (
	"cmp"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// A lower bound on the objective of every tree at once, by weak duality. For
// the tree T and any point mu of the local polytopes,
//
//	min_{w on T} l(w) >= L - lambda/2 sum_i |w_i|^2 - 1/(2 lambda) sum_{e in T} u_e^2,
//
// where L is the mean label loss of mu, u = (1/M) sum_m [phi(x^m, y^m) -
// phi(x^m, mu_m)] and w_i = u_i / lambda: what mu says about the pairs off T
// does not matter. So for any set of trees
//
//	min_T min_{w on T} l(w) >= L - lambda/2 sum_i |w_i|^2
//	                             - 1/(2 lambda) max_T sum_{e in T} u_e^2,
//
// with a maximum spanning tree on the right. Given the marginals mu_i of the
// labels, those of each pair are free within Frechet's bounds, independently
// of the other pairs, so each |u_e| may be taken at its smallest.
//
// The right side is concave in mu. Its maximum is the minimum over w of
//
//	min_z lambda/2 sum_i |w_i|^2 + lambda/2 sum_e w_e^2 / z_e + (1/M) sum_m h^m(w)
//
// over the z in the convex hull of the trees: all pairs compete for the n-1
// units of z that a tree has, and pay more the smaller their shares are. This
// is the convex hull (perspective) relaxation of the choice of a tree, above
// the bound that Full gives, where every pair has z_e = 1.

// Membership says of an edge which trees of a set have it.
type Membership uint8

const (
	Free Membership = iota // some have it, some do not
	In                     // all have it
	Out                    // none has it
)

// Set is the set of the members of a family, trees for short, that have all
// edges that are in and none that is out.
type Set struct {
	Family
	Edges []labelgraph.Edge
	State []Membership
	// price, not negative, is what each edge at a label pays for its place there
	// when degrees are bounded: Lagrange's multipliers.
	price []float64
}

func NewSet(f Family, edges []labelgraph.Edge) *Set {
	return &Set{Family: f, Edges: edges, State: make([]Membership, len(edges)), price: make([]float64, f.N)}
}

func (t *Set) Clone() *Set {
	c := *t
	c.State, c.price = slices.Clone(t.State), slices.Clone(t.price)
	return &c
}

// Heaviest returns the edges that weigh most, with an upper bound on the total
// weight of every tree of the set, or false when it sees that the set is empty.
// Without a bound on the degrees the edges are a tree of the set and the bound
// is its weight. With one, it is that of the Lagrangian relaxation,
//
//	max_F sum_{e=ij in F} (weight_e - price_i - price_j) + degree sum_i price_i,
//
// over forests F of the right size whose degrees are free. Weights are not
// negative.
func (t *Set) Heaviest(weights []float64) (chosen []int, total float64, ok bool) {
	var s labelgraph.Spanner
	s.Reset(0)
	places, required := t.places()
	for e, edge := range t.Edges {
		switch {
		case t.State[e] == In:
			s.Add(e, edge, math.Inf(1))
		case t.State[e] == Free && places[edge.I] > 0 && places[edge.J] > 0:
			s.Add(e, edge, t.net(weights, e))
		}
	}
	for _, e := range s.Span(t.N) {
		chosen = append(chosen, int(e))
	}
	if len(chosen) > t.Size {
		chosen = t.cut(chosen, weights)
	}
	for _, e := range chosen {
		total += t.net(weights, e)
		if t.State[e] == In {
			required--
		}
	}
	for i, p := range t.price {
		total += float64(t.degree) * p
		if places[i] < 0 {
			return chosen, total, false
		}
	}
	return chosen, total, len(chosen) == t.Size && required == 0
}

// net returns the weight of an edge less the prices of its two places.
func (t *Set) net(weights []float64, e int) float64 {
	return weights[e] - t.price[t.Edges[e].I] - t.price[t.Edges[e].J]
}

// places returns how many more edges each label may have beside those that are
// in, and the number of these.
func (t *Set) places() (left []int, required int) {
	left = make([]int, t.N)
	for i := range left {
		left[i] = t.degree
	}
	for e, edge := range t.Edges {
		if t.State[e] == In {
			required++
			left[edge.I]--
			left[edge.J]--
		}
	}
	return left, required
}

// cut leaves the edges of a forest that Kruskal's algorithm would take first.
func (t *Set) cut(forest []int, weights []float64) []int {
	slices.SortStableFunc(forest, func(a, b int) int {
		if x, y := t.State[a] == In, t.State[b] == In; x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Compare(t.net(weights, b), t.net(weights, a))
	})
	forest = forest[:t.Size]
	slices.Sort(forest)
	return forest
}

// priceRounds bounds the subgradient steps of reprice.
const priceRounds = 50

// Reprice lowers the bound of heaviest by subgradient steps on the prices: a
// label with more edges than it may have gets dearer, one with fewer cheaper.
// The steps are Polyak's, towards the weight of a known tree.
func (t *Set) Reprice(weights []float64) {
	if t.degree >= t.N-1 {
		return
	}
	var known float64
	for _, e := range t.Member(weights) {
		known += weights[e]
	}
	least, best := math.Inf(1), slices.Clone(t.price)
	for range priceRounds {
		chosen, total, ok := t.Heaviest(weights)
		if !ok {
			break
		}
		if total < least {
			least = total
			copy(best, t.price)
		}
		slope, norm := t.priceSlope(chosen)
		if norm == 0 || total <= known {
			break
		}
		for i := range t.price {
			t.price[i] = max(0, t.price[i]-(total-known)/norm*slope[i])
		}
	}
	copy(t.price, best)
}

// priceSlope returns the derivative of the bound by each price where it may
// move, and its squared norm.
func (t *Set) priceSlope(chosen []int) (slope []float64, norm float64) {
	slope = make([]float64, t.N)
	for i := range slope {
		slope[i] = float64(t.degree)
	}
	for _, e := range chosen {
		slope[t.Edges[e].I]--
		slope[t.Edges[e].J]--
	}
	for i, s := range slope {
		if t.price[i] == 0 && s > 0 {
			slope[i] = 0
		}
		norm += slope[i] * slope[i]
	}
	return slope, norm
}

// Member returns a tree of the family with large weights: one of the set, as far
// as the greedy choice finds one.
func (t *Set) Member(weights []float64) []int {
	rank := make([]int, len(t.Edges))
	for e, m := range t.State {
		switch m {
		case Free:
			rank[e] = 1
		case Out:
			rank[e] = 2
		}
	}
	return t.Best(t.Edges, weights, rank)
}

// Settle decides the edges that all trees or no tree of the set have, as far as
// it can be seen: an edge between two labels that forced edges join is out, and
// so is, or is in, an edge when the trees with it, or without it, have a bound
// of at least cutoff. Here base - c max_T sum_{e in T} squares_e is the bound.
// It returns false when no tree is left.
func (t *Set) Settle(base, c float64, squares []float64, cutoff float64) bool {
	for changed := true; changed; {
		changed = false
		for e := range t.Edges {
			if t.State[e] != Free {
				continue
			}
			for _, m := range []Membership{In, Out} {
				t.State[e] = m
				_, total, ok := t.Heaviest(squares)
				t.State[e] = Free
				if ok && base-c*total < cutoff {
					continue
				}
				t.State[e] = In + Out - m
				changed = true
				break
			}
		}
		if _, total, ok := t.Heaviest(squares); !ok || base-c*total >= cutoff {
			return false
		}
	}
	return true
}
