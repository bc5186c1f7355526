package hardness

import (
	"fmt"
	"iter"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// The reduction of theorem 3.1, executable
//
// Theorem 3.1 says that it is NP-hard to decide whether a training set is
// separable by a tree model (eq. 7). The proof turns a bounded-degree spanning
// tree problem (BDST: has G a spanning tree of maximum degree at most D?) into
// a training set. The vertices 1..n of G become variables with the values 0..n,
// and a score
//
//	S(y; x, T, w) = sum_{ij in T} theta_ij(y_i, y_j) + theta_1(y_1) + sum_i x_i(y_i)   (eq. 6)
//
// should get the parameters theta_1(0) = D (eq. 8) and, for edges of G,
// theta_ij = -n^2 where y_i != y_j, 1 where y_i = y_j is i or j, and 0
// elsewhere (eq. 9). At x = 0 a uniform labeling (u, ..., u) then scores
// deg_T(u), the labeling 0 scores D and every other labeling scores less than D.
// So one example x = y = 0 asks just that no vertex of T exceeds the degree D.
// Appendix A adds, for each parameter, a pair of examples with the same x and
// two labelings y; the two inequalities of eq. (7) are to pin the parameter.
//
// We believe the theorem, but running the appendix shows that its training set
// does not do this yet. What we found, in the order of the text:
//
//  1. w_bound multiplies 1{y_1 = 0}, so in the scores printed for it w_bound
//     belongs to (0, 2, ..., 2). With x_1(0) = 0 and x_1(1) = -D as printed the
//     pair pins w_bound = -D. Exchanging the two values gives +D.
//  2. The examples for w_off,ij let y_j choose between 0 and 1. For i = 1 (the
//     text's w.l.g.) this is right. For i != 1 the vertex 1 has y_1 = 1, and if
//     it is a neighbor of j in T then y_j = 1 also switches the edge 1j. The
//     label must be i: x_j(i) = n^2, and -gamma_j for all labels but 0 and i.
//  3. The pair for an edge at vertex 1 needs i = 1: as j, vertex 1 would gain or
//     lose w_bound between the two labelings. We take i < j.
//  4. Harmless: the printed sums over N_i and N_j should leave out the edge ij
//     and run over T; and nonuniform labelings are sure to score below zero only
//     if D < n^2 - n + 2 (they score below D for every D, which is what counts).
//  5. Both examples of a pair have the same x. They can both be right in the
//     sense of eq. (7), where ties count as right, but not if the argmax has to
//     be unique, as the theorem's wording suggests.
//  6. The one that matters: an edge ij of G that is not in T has no weight
//     (eq. 3), and nothing outweighs x_j(i) = n^2. The example with y_j = 0 then
//     loses by n^2, and the diagonal one by n^2 + 1. So the sentence "our
//     trainset realizes the same edge parameters for any possible tree" fails,
//     and the set is separable only if T holds all edges of G: G has to be a
//     tree itself, and then the question is easy.
//
// AsPrinted is the set to the letter, SlipsCorrected mends 1 to 3, and Repaired
// mends 6 as well, as follows.
//
// One weight for each edge. Its feature is the whole table (9), so w_ij = 1
// gives the parameters of the paper. (With the weights w_off and w_diag apart,
// biases alone do not seem to be enough: for the path through five vertices in
// the complete graph, going through all pairs of labelings shows that a set
// which every spanning tree satisfies with the parameters (9) leaves w_diag of
// an inner edge free to fall to 0. Features that depend on x, which eq. (2)
// allows, would be another way.)
//
// Upper bounds w_ij <= 1 come from the appendix's example with y_j = i. It
// reads n^2 (1 - w_ij) >= 0, which holds for an edge outside T too.
//
// Lower bounds cannot come from an example for the edge, because it would have
// to know whether the edge is in T. They come from n - 1 examples, one for each
// vertex v != 1, that ask whether T connects v to 1. Vertex 1 is held at 0; the
// others may be 0 or 1, without bias except x_v(1) = n^2; the right labeling is
// 0. A rival labels some set B that contains v, but not vertex 1, with 1. It
// gains n^2, loses n^2 w_e on every edge e of T that leaves B, and gets nothing
// inside B, as no edge there ends at vertex 1. So the example says
//
//	sum of w_e over the edges e of T that leave B  >=  1   for all such B.
//
// Every edge e of T is the only one that leaves the part of T that hangs from
// it. So w_e >= 1 for every edge of T, without a word about other edges.
//
// Why this proves the theorem. If T has maximum degree at most D, then w_e = 1
// on T and w_bound = D satisfy all examples: in each of them gamma_i outweighs
// all that a variable can gain by a state that it should not take. If some
// weights satisfy all examples, then w_bound <= D, w_e >= 1 on T, and the last
// example gives D >= w_bound >= sum_{e at u} w_e >= deg_T(u) for every vertex
// u. T need not even be a subgraph of G: a pair outside G has no feature, so it
// leaves a B that no weighted edge leaves. There are n + |E| + 2 examples. As
// to 5: with D + 1 in place of D in the bias x_1(0), n + 1 examples suffice,
// all with different x: (1, 2, ..., 2) for w_bound, the n - 1 connections and
// x = y = 0. A unique argmax in all of them means w_bound < D + 1, w_e > 1 and
// deg_T(u) < w_bound, hence deg_T(u) <= D; and for such a T, w_bound = D + 1/2
// and w_e slightly above 1 do it.
//
// In code, vertices are numbered from 0, as labels are everywhere in this
// package: the paper's vertex i is i-1, and the state that names it is i. Names
// and comments count as the paper does.

// ReductionVersion says which training set a Reduction holds.
type ReductionVersion int

// The versions. The comment at the top of hardness.go tells them apart.
const (
	AsPrinted      ReductionVersion = iota // appendix A to the letter
	SlipsCorrected                         // its sign and its label mended
	Repaired                               // edges outside the tree mended, too
)

// String returns the name of the constant.
func (v ReductionVersion) String() string {
	switch v {
	case AsPrinted:
		return "AsPrinted"
	case SlipsCorrected:
		return "SlipsCorrected"
	case Repaired:
		return "Repaired"
	}
	return fmt.Sprintf("ReductionVersion(%d)", int(v))
}

// Example is one training example (x^m, y^m) of a Reduction.
type Example struct {
	Name string
	// X holds the biases: X[i][s] is x_i(s), n rows of n+1 states.
	X [][]int
	// Y holds the right state of each of the n variables.
	Y []int
	// Pins says what the example is there to demand.
	Pins string
}

// Reduction is the training set that theorem 3.1 makes of a bounded-degree
// spanning tree problem. Its weights are a vector of Dim entries: w_bound, then
// those of the edges in the order of BDST.Edges, either w_off and w_diag or,
// when Repaired, a single one.
type Reduction struct {
	BDST
	Version ReductionVersion

	examples []Example
	slot     []int // by Edge.Index: position in Edges, or -1
	gamma    []int
}

// NewReduction returns the training set for the graph with vertices 0..n-1 and
// the given edges, in any order, and the degree bound d. It returns an error
// that wraps ErrData when the graph is not connected, not simple or has no
// vertex, and one that wraps ErrSettings when d < 1 or the version is unknown.
func NewReduction(n int, edges []labelgraph.Edge, d int, version ReductionVersion) (*Reduction, error) {
	if version < AsPrinted || version > Repaired {
		return nil, fmt.Errorf("%w: %v", errs.ErrSettings, version)
	}
	edges = slices.Clone(edges)
	slices.SortFunc(edges, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
	r := &Reduction{BDST: BDST{N: n, Edges: edges, D: d}, Version: version}
	if err := r.BDST.Validate(); err != nil {
		return nil, err
	}
	r.slot = make([]int, labelgraph.NumPairs(n))
	for k := range r.slot {
		r.slot[k] = -1
	}
	r.gamma = make([]int, n)
	for i := range r.gamma {
		r.gamma[i] = 1
	}
	r.gamma[0] += d
	for k, e := range edges {
		r.slot[e.Index()] = k
		r.gamma[e.I] += n*n + 1
		r.gamma[e.J] += n*n + 1
	}
	r.examples = r.build()
	return r, nil
}

// Examples returns the training set. It is the Reduction's own; do not change it.
func (r *Reduction) Examples() []Example { return r.examples }

// Gamma returns gamma_i, the penalty on the states that the vertex i (counted
// from 0) must not take: 1 + |N_i| (n^2 + 1), and D more for the first vertex.
func (r *Reduction) Gamma(i int) int { return r.gamma[i] }

// Dim returns the number of weights.
func (r *Reduction) Dim() int { return 1 + r.perEdge()*len(r.Edges) }

// perEdge returns the number of weights of an edge.
func (r *Reduction) perEdge() int {
	if r.Version == Repaired {
		return 1
	}
	return 2
}

// WeightName returns the name of weight k, with the vertices counted from 1.
func (r *Reduction) WeightName(k int) string {
	if k == 0 {
		return "w_bound"
	}
	e := r.Edges[(k-1)/r.perEdge()]
	kind := "w"
	if r.perEdge() == 2 {
		kind = [2]string{"w_off", "w_diag"}[(k-1)%2]
	}
	return fmt.Sprintf("%s(%d,%d)", kind, e.I+1, e.J+1)
}

// WeightSymbol returns weight k as the appendix writes it, in TeX: w^{bound}_1, w^{off}_{13}, w^{diag}_{13}; repaired, w_{13}.
func (r *Reduction) WeightSymbol(k int) string {
	if k == 0 {
		return "w^{bound}_1"
	}
	e := r.Edges[(k-1)/r.perEdge()]
	kind := "w"
	if r.perEdge() == 2 {
		kind = [2]string{"w^{off}", "w^{diag}"}[(k-1)%2]
	}
	if e.J+1 > 9 {
		return fmt.Sprintf("%s_{%d,%d}", kind, e.I+1, e.J+1)
	}
	return fmt.Sprintf("%s_{%d%d}", kind, e.I+1, e.J+1)
}

// Parameters returns the weights that give the parameters of eqs. (8) and (9)
// on the edges of t that are in the graph, and 0 elsewhere.
func (r *Reduction) Parameters(t []labelgraph.Edge) []float64 {
	w := make([]float64, r.Dim())
	w[0] = float64(r.D)
	for _, e := range t {
		k := r.slot[e.Index()]
		switch {
		case k < 0:
		case r.Version == Repaired:
			w[1+k] = 1
		default:
			w[1+2*k], w[2+2*k] = -float64(r.N*r.N), 1
		}
	}
	return w
}

// pairTable is theta_ij(a, b) of eq. (9).
func (r *Reduction) pairTable(e labelgraph.Edge, a, b int) int {
	switch {
	case a != b:
		return -r.N * r.N
	case a == e.I+1 || a == e.J+1:
		return 1
	}
	return 0
}

// addFeatures adds scale times the features of edge k with the states a and b
// to the weights' places in dst.
func (r *Reduction) addFeatures(dst []int64, scale, k, a, b int) {
	theta := r.pairTable(r.Edges[k], a, b)
	switch {
	case theta == 0:
	case r.Version == Repaired:
		dst[1+k] += int64(scale * theta)
	case theta < 0:
		dst[1+2*k] += int64(scale)
	default:
		dst[2+2*k] += int64(scale)
	}
}

// Features adds scale times the feature vector phi(y) of the edges of t to
// dst, which has Dim entries: the score is its product with the weights, plus
// the biases.
func (r *Reduction) Features(dst []int64, scale int, y []int, t []labelgraph.Edge) {
	if y[0] == 0 {
		dst[0] += int64(scale)
	}
	for _, e := range t {
		if k := r.slot[e.Index()]; k >= 0 {
			r.addFeatures(dst, scale, k, y[e.I], y[e.J])
		}
	}
}

// Score returns S(y; x, T, w) of eq. (6) for any edge set t; edges outside the
// graph have no weight. There is no rounding while the weights are multiples
// of a small power of two.
func (r *Reduction) Score(y []int, x [][]int, t []labelgraph.Edge, w []float64) float64 {
	if len(w) != r.Dim() {
		panic("hardness: wrong number of weights")
	}
	features := make([]int64, r.Dim())
	r.Features(features, 1, y, t)
	var score float64
	for k, f := range features {
		score += w[k] * float64(f)
	}
	return score + float64(bias(x, y))
}

// bias returns sum_i x_i(y_i).
func bias(x [][]int, y []int) int {
	sum := 0
	for i, s := range y {
		sum += x[i][s]
	}
	return sum
}

// Labelings goes through all (n+1)^n labelings. The slice is the same each time.
func (r *Reduction) Labelings() iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for y := make([]int, r.N); yield(y); {
			i := 0
			for ; i < r.N && y[i] == r.N; i++ {
				y[i] = 0
			}
			if i == r.N {
				return
			}
			y[i]++
		}
	}
}

// UniformScores returns S(u, ..., u; 0, T, w) for u = 0..n. With Parameters(t)
// these are D and the degrees of the vertices in t.
func (r *Reduction) UniformScores(t []labelgraph.Edge, w []float64) []float64 {
	scores := make([]float64, r.N+1)
	y, x := make([]int, r.N), r.noBias()
	for u := range scores {
		for i := range y {
			y[i] = u
		}
		scores[u] = r.Score(y, x, t, w)
	}
	return scores
}
