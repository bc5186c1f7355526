package treeset

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// SharesTo writes to dst the shares z of the edges at the parameters theta: the
// probabilities of the edges in a random tree of the set, see treeMarginals.
//
// Forests with fewer than n-1 edges are spanning trees of a graph with one more
// vertex, the root, from which the edges to the root are taken off. The parameter
// that all edges to the root have is set so that the shares add up to the
// number of edges, which puts z into the convex hull of the forests. (A bound on
// the degrees does not keep z within theirs. The lower bounds hold anyway, at
// any z.)
func (t *Set) SharesTo(dst, theta []float64) {
	if t.Size == t.N-1 {
		newTreeMarginals(t.N).marginals(dst, t.Edges, theta, t.State)
		return
	}
	rooted := newRootedForest(t, theta)
	low, high := rooted.low-60, rooted.high+60
	for range 40 {
		middle := (low + high) / 2
		if rooted.edgesAt(middle) > float64(t.Size) {
			low = middle
		} else {
			high = middle
		}
	}
	rooted.edgesAt(high)
	copy(dst, rooted.shares)
}

// rootedForest computes shares of forests through a root.
type rootedForest struct {
	marginals *treeMarginals
	numPairs  int
	edges     []labelgraph.Edge // those of the set, and then those to the root
	theta     []float64
	state     []Membership
	shares    []float64
	low, high float64 // range of the parameters of free edges
}

func newRootedForest(t *Set, theta []float64) *rootedForest {
	r := &rootedForest{marginals: newTreeMarginals(t.N + 1), numPairs: len(t.Edges)}
	r.edges = append(r.edges, t.Edges...)
	r.theta = append(r.theta, theta...)
	r.state = append(r.state, t.State...)
	for i := range t.N {
		r.edges = append(r.edges, labelgraph.Edge{I: i, J: t.N})
		r.theta = append(r.theta, 0)
		r.state = append(r.state, Free)
	}
	for e, m := range t.State {
		if m == Free {
			r.low, r.high = min(r.low, theta[e]), max(r.high, theta[e])
		}
	}
	r.shares = make([]float64, len(r.edges))
	return r
}

// edgesAt computes the shares with the given parameter of the edges to the root
// and returns the expected number of the others.
func (r *rootedForest) edgesAt(root float64) float64 {
	for e := r.numPairs; e < len(r.edges); e++ {
		r.theta[e] = root
	}
	r.marginals.marginals(r.shares, r.edges, r.theta, r.state)
	var sum float64
	for _, z := range r.shares[:r.numPairs] {
		sum += z
	}
	return sum
}

// ShiftShares moves the parameters theta towards the edges with the larger
// squares. At the optimum all edges with 0 < z_e < 1 that compete have the same
// square, less what they pay for their places. Where all squares of a tree are zero
// they tell nothing, and theta stays.
func (t *Set) ShiftShares(theta, squares []float64) {
	_, total, _ := t.Heaviest(squares)
	scale := total / float64(t.Size)
	if !(scale > 0) {
		return
	}
	most := math.Inf(-1)
	for e := range squares {
		ratio := min(max(t.net(squares, e), 0)/scale, math.MaxFloat64) // an edge that is out can be of any size
		theta[e] += 0.5 * math.Log(ratio+1e-3)
		most = max(most, theta[e])
	}
	for e := range theta {
		theta[e] = max(theta[e], most-200)
	}
}
