package envelope

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// Penalty holds the parts of the paper's regularizer (section 4) at pairwise
// weights w, with pi_ij = |w_ij|_1 and the support A = {ij : pi_ij > 0}:
//
//	F(A)  = F1(A) - F2(A)      the circuit rank, eq. (11)
//	f(pi) = f1(pi) - f2(pi)    its approximation, eq. (12)
//
// f1 and f2 are the Lovasz extensions of F1 and F2, hence the convex envelopes
// of F1(Supp(pi)) and F2(Supp(pi)) on the unit ball of the largest absolute
// value (Corollaries 4.1, 4.2).
type Penalty struct {
	Support     int // F1 = |A|, modular
	Rank        int // F2 = n - c(A), the rank of the graphic matroid, submodular
	CircuitRank int // F = |A| + c(A) - n, supermodular; 0 on a forest

	Envelope1 float64 // f1 = sum of pi_ij
	Envelope2 float64 // f2 = sum of pi_ij over the maximum spanning tree T(pi)
	// Excess is f = sum of pi_ij over the pairs outside T(pi): exactly zero
	// on a forest.
	Excess float64
}

// EvaluatePenalty returns the regularizer's parts at pairwise weights over n
// labels, each edge listed once. To evaluate often, keep a Regularizer.
func EvaluatePenalty(n int, edges []labelgraph.Edge, weights []float64) Penalty {
	var r Regularizer
	return r.Evaluate(n, edges, weights)
}

// Regularizer evaluates the regularizer and the subgradients of f2. It keeps
// its workspace, so that it allocates nothing once warm, and takes
// O(edges + support log n) for a call. The zero value is ready to use. It is
// not safe for concurrent use.
type Regularizer struct {
	// Seed chooses among the subgradients where weights are equal, as
	// MaximumSpanningForest says: 0 prefers pairs with a smaller Edge.Index,
	// any other seed a pseudorandom order of all pairs.
	Seed uint64

	spanner labelgraph.Spanner
}

// Evaluate returns the regularizer's parts at the given weights, which have to
// be finite. It panics when there are not as many weights as edges.
func (r *Regularizer) Evaluate(n int, edges []labelgraph.Edge, weights []float64) Penalty {
	p, _ := r.EvaluateTree(n, edges, weights)
	return p
}

// SubgradientTo writes to v a subgradient of f2(|w|) at w = weights
// (Proposition 4.3): v_ij = sign(w_ij) on the maximum spanning tree T(|w|) and
// zero elsewhere, so also where w_ij = 0. Then
//
//	f2(|w'|) >= f2(|w|) + v . (w' - w)   for all w'.
//
// Where absolute values are equal there can be several trees, and each gives
// another subgradient; Seed determines which. It returns the regularizer's
// parts at w, and panics when edges, weights and v differ in length.
func (r *Regularizer) SubgradientTo(v []float64, n int, edges []labelgraph.Edge, weights []float64) Penalty {
	if len(v) != len(weights) {
		panic("envelope: unequal numbers of weights and subgradient entries")
	}
	p, tree := r.EvaluateTree(n, edges, weights)
	clear(v)
	for _, k := range tree {
		v[k] = math.Copysign(1, weights[k])
	}
	return p
}

// VectorSubgradientTo is SubgradientTo for vectors w_ij, one after the other in
// weights, with pi_ij = |w_ij|_1: v_ij = sign(w_ij) entry by entry on the maximum
// spanning tree.
func (r *Regularizer) VectorSubgradientTo(v []float64, n int, edges []labelgraph.Edge, weights []float64) Penalty {
	if len(edges) == 0 || len(weights) == len(edges) {
		return r.SubgradientTo(v, n, edges, weights)
	}
	k := len(weights) / len(edges)
	p, tree := r.EvaluateTree(n, edges, VectorNorms(weights, k))
	clear(v)
	for _, e := range tree {
		for at := int(e) * k; at < (int(e)+1)*k; at++ {
			if weights[at] != 0 {
				v[at] = math.Copysign(1, weights[at])
			}
		}
	}
	return p
}

// EvaluateTree also returns the positions in edges of the maximum spanning tree of
// the support, increasing, good until the next call.
func (r *Regularizer) EvaluateTree(n int, edges []labelgraph.Edge, weights []float64) (Penalty, []int32) {
	if len(edges) != len(weights) {
		panic("envelope: unequal numbers of edges and weights")
	}
	s := &r.spanner
	s.Reset(r.Seed)
	for k, w := range weights {
		if w != 0 {
			s.Add(k, edges[k], math.Abs(w))
		}
	}
	p := Penalty{Support: s.Len()}
	tree := s.Span(n)
	p.Rank = len(tree)
	p.CircuitRank = p.Support - p.Rank
	next := 0
	for k, w := range weights {
		if next < len(tree) && int(tree[next]) == k {
			p.Envelope2 += math.Abs(w)
			next++
		} else {
			p.Excess += math.Abs(w)
		}
	}
	p.Envelope1 = p.Envelope2 + p.Excess
	return p, tree
}

// VectorNorms returns |a_ij|_1 for vectors of k entries one after the other.
func VectorNorms(a []float64, k int) []float64 {
	norms := make([]float64, len(a)/k)
	for e := range norms {
		norms[e] = floats.Norm(a[e*k:(e+1)*k], 1)
	}
	return norms
}
