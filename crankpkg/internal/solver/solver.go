package solver

import (
	"fmt"
	"math"
	"time"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/even"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// Problem is the training data as solvers see it: scaled rows with their
// squared norms (constant included).
type Problem struct {
	x     *feature.Matrix
	y     []uint8 // M x n
	n     int
	norm  []float64  // |x^m|^2 + 1
	even  *even.Rows // nil: x is dense, or has rows of several values
	loss  infer.Loss
	z     *feature.Matrix // features on the edges, M x k; nil: z(x) = 1
	graph vertices        // of the graph to learn
}

// NewProblem returns the problem of the rows x and the labels y, M x n, with the
// label loss and with features z on the edges (nil: none). Where groupSizes is not
// nil, it has the sizes of groups of labels of which exactly one is on.
func NewProblem(x *feature.Matrix, y []uint8, n int, loss infer.Loss, z *feature.Matrix, groupSizes []int) *Problem {
	p := &Problem{x: x, y: y, n: n, norm: make([]float64, x.NumRows), loss: loss, z: z, graph: freeLabels(n)}
	if groupSizes != nil {
		p.graph = labelGroups{groups.New(groupSizes)}
	}
	p.even = even.New(x)
	for m := range p.norm {
		p.norm[m] = x.Row(m).SquaredNorm() + 1
	}
	return p
}

// Rows returns the scaled rows.
func (p *Problem) Rows() *feature.Matrix { return p.x }

// NumLabels returns n.
func (p *Problem) NumLabels() int { return p.n }

// NumVertices returns the number of vertices of the graph to learn: labels, or
// groups of them.
func (p *Problem) NumVertices() int { return p.graph.count() }

// CheckLoss returns an error when the label loss cannot be trained, with cycles in
// the graph if so.
func (p *Problem) CheckLoss(cycles bool) error {
	if p.InGroups() && !p.loss.IsPlain() {
		return fmt.Errorf("%w: Loss: Squared and Costs take labels without groups only", errs.ErrSettings)
	}
	if p.InGroups() && (p.loss.Least > 0 || p.loss.Most > 0) {
		return fmt.Errorf("%w: Loss: Least and Most take labels without groups only", errs.ErrSettings)
	}
	return p.graph.checkLoss(p.loss, cycles)
}

// InGroups reports whether the labels come in groups.
func (p *Problem) InGroups() bool { return p.graph.inGroups() }

// IsSumOfLabels reports whether without pairs the objective is a sum over the
// labels, so that each can be trained by itself.
func (p *Problem) IsSumOfLabels() bool { return p.loss.IsHamming() && !p.InGroups() }

// SplitsByComponent reports whether the objective is a sum over the components of the
// graph, which a Component may be trained as.
func (p *Problem) SplitsByComponent() bool { return p.IsSumOfLabels() && !p.loss.Squared }

// Solver minimizes, by block-coordinate Frank-Wolfe steps on the dual
// (Lacoste-Julien et al. 2013), one convex problem of the family
//
//	min_w  lambda/2 |w|^2 + beta |w_pair|_1 - beta v . w_pair + (1/M) sum_m h^m(w)
//
// over the weights of all labels and of the pairs in edges. Its state is a
// point of the dual: for each example a few labelings with weights that sum to
// one. The state stays feasible when lambda, beta, v or the edges change, so
// each solve starts from where the last one ended. The dual function, with
// u = (1/M) sum_m [phi(x^m, y^m) - phi(x^m, mu_m)], is
//
//	D(mu) = (1/M) sum_m Delta(mu_m, y^m) - lambda/2 |w(u)|^2,
//	w_i = u_i / lambda,   w_ij = soft(u_ij + beta v_ij, beta) / lambda.
//
// Where slacks are squared the weights of an example's labelings have no bound on their
// sum: see squared.go.
type Solver struct {
	p       *Problem
	n, m    int     // labels, examples
	step    float64 // 1/M
	pairs   *pairIndex
	unary   *unaryWeights
	pw      pairWeights
	graph   *infer.PairGraph // the pairs with w_ij != 0, for the oracle
	dirty   []int32          // edges whose weight graph does not have yet
	isDirty []bool
	left    []bool // examples that are left out, see capHinges; nil: none
	general bool   // the label loss is not plain Hamming, the edges have features, or labels come in groups
	// prefetches says that visits ask for the memory of those that follow.
	prefetches bool
	// firstOrder says that the interior point method never has its turn, for benchmarks beside it.
	firstOrder bool

	ex   []example
	loss float64 // sum of the label losses of the dual point (with squares, less sum_mi a_mi^2 / (4 cost))

	ws     []*workspace // one for each worker; steps use the first
	order  []int32
	hinges []float64 // by example, of the last certificate
	shards *shards   // nil unless a solve has asked for them
	passes int       // passes over the data
	calls  int       // oracle calls
	// gapAsked is the gap of the rule of the last solve, gapSeen that of the last certificate.
	gapAsked, gapSeen float64
	// crawled says that the interior point method has had its turn.
	crawled  bool
	interior float64 // work of that method, in passes without the oracle
	// lastGap is the sum of the examples' gaps in the last pass.
	lastGap float64
	// offClock is the time spent on bounds for the trace alone.
	offClock time.Duration
}

// example is one block of the dual.
type example struct {
	// atoms[0] is the true labeling. Atoms of weight zero are kept for a while:
	// what was violated once often is again.
	atoms []atom
	// gap is the block's gap as it was last seen, times M.
	gap float64
	// varying lists the labels in which the atoms differ; empty when the atoms
	// have changed since, and where they differ in so many that all are scored.
	varying []int32
	// inner has the inner products of the first atoms, known of them, with each other and
	// themselves: those of atom k with atoms 0 to k come k-th. See completeInner.
	inner   []float64
	known   int32
	differs differences
}

// differences says in how many labels the atoms of an example differ.
type differences uint8

const (
	notListed differences = iota
	inListed              // in those of the list
	inMany                // in more than are listed
)

// workspace is what one goroutine needs to look at an example.
type workspace struct {
	c, caug   []float64
	pairs     []float64    // w_ij . z(x) by edge, with features on the edges
	groups    *groupOracle // where labels come in groups
	slack     float64      // how far the hinge may exceed the value of the oracle's labeling
	seenPair  []int32
	hinge     *infer.LossOracle
	y         infer.Labeling
	on        []int32
	graph     *infer.PairGraph
	oracle    infer.Oracle
	candidate atom
	seen      []int32 // by label: the visit that listed it last
	visit     int32
	list      []int32
	values    []float64
	dLabels   []term
	dPairs    []term
	moved     []int32
	move      []float64
	// of one atom, see completeInner
	labelTerms, pairTerms []float64
	weights               []float64 // of the atoms of an example
	spare                 []atom    // atoms whose memory is free for reuse
	squared               *squaredWork
}

func newWorkspace(n int, g *infer.PairGraph) *workspace {
	return &workspace{
		c: make([]float64, n), caug: make([]float64, n), y: make(infer.Labeling, n),
		on: make([]int32, 0, n), graph: g, oracle: infer.NewAutoOracle(g), seen: make([]int32, n),
		move: make([]float64, n), labelTerms: make([]float64, n),
	}
}

// New returns a solver of the weights on the given edges, in the order of
// Edge.Index, at the dual point mu_m = y^m, where w = 0.
func New(p *Problem, edges []labelgraph.Edge, lambda float64) *Solver {
	return newPairSolver(p, p.graph.pairsOf(edges), lambda)
}

// newPairSolver is New for pairs of labels.
func newPairSolver(p *Problem, edges []labelgraph.Edge, lambda float64) *Solver {
	m := p.x.NumRows
	s := &Solver{
		p: p, n: p.n, m: m, step: 1 / float64(m), prefetches: m*p.n > cachedEntries,
		pairs:   p.graph.index(edges),
		unary:   newUnaryWeights(p.n, p.x.NumCols, p.x.IsSparse()),
		pw:      newPairWeights(len(edges), p.edgeFeatures(), lambda),
		graph:   infer.NewPairGraph(p.n, nil, nil),
		isDirty: make([]bool, len(edges)),
		gapSeen: 1,
		general: p.z != nil || !p.SplitsByComponent(),
		ex:      make([]example, m),
		order:   make([]int32, m),
		hinges:  make([]float64, m),
	}
	for m := range s.ex {
		s.ex[m].atoms = append(make([]atom, 0, 3), atom{weight: 1})
		s.ex[m].gap = math.Inf(1)
		s.order[m] = int32(m)
	}
	s.addWorkspace()
	return s
}

// Counts returns the passes over the data and the oracle calls made.
func (s *Solver) Counts() (passes, calls int) { return s.passes, s.calls }

// ResetCounts makes them zero.
func (s *Solver) ResetCounts() { s.passes, s.calls = 0, 0 }

// OffTheClock returns the time that was spent on bounds for the trace alone.
func (s *Solver) OffTheClock() time.Duration { return s.offClock }

// labelsOf returns y^m.
func (s *Solver) labelsOf(m int) []uint8 { return s.p.y[m*s.n : (m+1)*s.n] }

// setPairWeight recomputes w_ij from u_ij.
func (s *Solver) setPairWeight(e int32) {
	w := s.pw.at(e, 0)
	if w == s.pw.w[e] {
		return
	}
	s.pw.w[e] = w
	if !s.isDirty[e] {
		s.isDirty[e] = true
		s.dirty = append(s.dirty, e)
	}
}

// syncGraph brings the oracle's graph up to date.
func (s *Solver) syncGraph() {
	if s.p.InGroups() {
		return
	}
	for _, e := range s.dirty {
		s.graph.Set(s.pairs.edges[e], s.pw.w[e])
		s.isDirty[e] = false
	}
	s.dirty = s.dirty[:0]
}

// SetPenalty changes beta and v (nil for zero, else by edge); the dual point
// stays as it is.
func (s *Solver) SetPenalty(beta float64, v []float64) {
	s.pw.beta = beta
	if v == nil {
		s.pw.shift = nil
	} else {
		if s.pw.shift == nil {
			s.pw.shift = make([]float64, len(s.pw.u))
		}
		for e := range v {
			s.pw.shift[e] = beta * v[e]
		}
	}
	s.resetPairs()
}

// SetLambda changes lambda; the dual point stays as it is.
func (s *Solver) SetLambda(lambda float64) {
	s.unary.scale(s.pw.lambda / lambda)
	s.pw.lambda = lambda
	s.resetPairs()
}

func (s *Solver) resetPairs() {
	s.setPairWeights()
	for m := range s.ex {
		s.ex[m].gap = math.Inf(1)
	}
}

// setPairWeights recomputes all w_ij.
func (s *Solver) setPairWeights() {
	if s.pw.k > 1 {
		s.pw.resetVectors()
		return
	}
	for e := range s.pw.u {
		s.setPairWeight(int32(e))
	}
}

// dual returns the value of the dual function at the current point.
func (s *Solver) dual() float64 {
	return s.loss*s.step - s.pw.lambda/2*s.squaredNorm()
}

// squaredNorm returns |w|^2, the pairs weighted by their ridges.
func (s *Solver) squaredNorm() float64 {
	return s.unary.squaredNorm() + s.pw.squaredNorm()
}

// regularization returns the terms of the primal that do not depend on the
// data.
func (s *Solver) regularization() float64 {
	sum := s.pw.lambda / 2 * s.squaredNorm()
	if s.pw.beta != 0 {
		for e, w := range s.pw.w {
			sum += s.pw.beta * math.Abs(w)
			if s.pw.shift != nil {
				sum -= s.pw.shift[e] * w
			}
		}
	}
	return sum
}
