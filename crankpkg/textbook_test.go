package crankpkg

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/solver"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// textbook is block-coordinate Frank-Wolfe to the letter (Lacoste-Julien et al.
// 2013, Algorithm 4), to compare the solver with. Its state is w and l and, for
// each example, that example's part w_m and l_m of them; a visit is one call of
// the oracle with w, and one step by the closed-form line search. It keeps no
// labelings and looks at nothing but w. The oracle inside is the library's own.
type textbook struct {
	x      *Matrix
	truth  []uint8 // M x n
	edges  []Edge
	lambda float64
	w      []float64 // n x (d+1) unary weights, the bias last, then w_ij by position in edges
	l      float64
	wm     [][]float64 // by example; they sum to w
	lm     []float64   // by example; they sum to l
	passes int

	graph   *infer.PairGraph
	oracle  infer.Oracle
	c, caug []float64 // w_i . x, and loss-augmented
	y       Labeling
	ws      []float64 // w_s of the labeling found
	diff    []float64
}

func newTextbook(x *Matrix, truth []uint8, n int, edges []Edge, lambda float64) *textbook {
	m := x.NumRows
	size := n*(x.NumCols+1) + len(edges)
	t := &textbook{
		x: x, truth: truth, edges: edges, lambda: lambda,
		w: make([]float64, size), wm: make([][]float64, m), lm: make([]float64, m),
		graph: infer.NewPairGraph(n, nil, nil), c: make([]float64, n), caug: make([]float64, n), y: make(Labeling, n),
		ws: make([]float64, size), diff: make([]float64, size),
	}
	t.oracle = infer.NewAutoOracle(t.graph)
	for k := range t.wm {
		t.wm[k] = make([]float64, size)
	}
	return t
}

// unary returns the part of w, w_m or w_s that belongs to label i.
func (t *textbook) unary(w []float64, i int) []float64 {
	d := t.x.NumCols + 1
	return w[i*d : (i+1)*d]
}

// pairs returns the part that belongs to the pairs.
func (t *textbook) pairs(w []float64) []float64 { return w[len(w)-len(t.edges):] }

// ask finds the most violated labeling of example m and returns its
//
//	w_s = 1/(lambda M) [phi(x, y) - phi(x, s)],   l_s = 1/M Delta(s, y),
//
// the first in t.ws.
func (t *textbook) ask(m int) (ls float64) {
	x, d := t.x.Row(m), t.x.NumCols
	n := len(t.c)
	truth := t.truth[m*n : (m+1)*n]
	for i := range t.c {
		w := t.unary(t.w, i)
		t.c[i] = floats.Dot(w[:d], x.Value) + w[d]
	}
	pair := t.pairs(t.w)
	for e, edge := range t.edges {
		t.graph.Set(edge, pair[e])
	}
	infer.AugmentTo(t.caug, t.c, truth)
	t.oracle.Maximize(t.y, t.caug)

	scale := 1 / (t.lambda * float64(len(t.wm)))
	for i, v := range t.y {
		w, dy := t.unary(t.ws, i), float64(truth[i])-float64(v)/2
		floats.ScaleTo(w[:d], scale*dy, x.Value)
		w[d] = scale * dy
	}
	ws := t.pairs(t.ws)
	for e, edge := range t.edges {
		ws[e] = scale * (float64(truth[edge.I]&truth[edge.J]) - float64(infer.PairHalves(t.y[edge.I], t.y[edge.J], pair[e]))/2)
	}
	return t.y.Loss(truth) / float64(len(t.wm))
}

// gap returns the gap of the block of example m at the labeling in t.ws.
func (t *textbook) gap(m int, ls float64) float64 {
	floats.SubTo(t.diff, t.wm[m], t.ws)
	return t.lambda*floats.Dot(t.diff, t.w) - t.lm[m] + ls
}

// visit does the step for example m and returns the block's gap as it was before.
func (t *textbook) visit(m int) float64 {
	ls := t.ask(m)
	gap := t.gap(m, ls)
	squares := floats.Dot(t.diff, t.diff)
	if gap <= 0 || squares == 0 {
		return max(gap, 0)
	}
	gamma := min(gap/(t.lambda*squares), 1)
	floats.AddScaled(t.wm[m], -gamma, t.diff)
	floats.AddScaled(t.w, -gamma, t.diff)
	t.l += gamma * (ls - t.lm[m])
	t.lm[m] += gamma * (ls - t.lm[m])
	return gap
}

func (t *textbook) dual() float64 { return t.l - t.lambda/2*floats.Dot(t.w, t.w) }

// certify returns both bounds at the current weights.
func (t *textbook) certify() solver.Bounds {
	t.passes++
	var gap float64
	for m := range t.wm {
		gap += max(t.gap(m, t.ask(m)), 0)
	}
	dual := t.dual()
	return solver.Bounds{Primal: dual + gap, Dual: dual}
}

// solve visits the examples in random order, pass after pass, until the
// relative gap is certified. It tries for a certificate only when the gaps that
// a pass has met promise it.
func (t *textbook) solve(gap float64, seed uint64) solver.Bounds {
	rng := rand.New(rand.NewPCG(seed, 1))
	for {
		t.passes++
		var met float64
		for _, m := range rng.Perm(len(t.wm)) {
			met += t.visit(m)
		}
		if met > gap*(t.dual()+met) {
			continue
		}
		if b := t.certify(); b.Gap() <= gap {
			return b
		}
	}
}

// TestTextbook holds the solver and the textbook to each other: the primal of
// either is at least the dual of the other, on forests and with all pairs.
func TestTextbook(t *testing.T) {
	rng := rand.New(rand.NewPCG(70, 1))
	for round := range 10 {
		n := 2 + rng.IntN(5)
		x, y := testkit.RandomExamples(rng, 60, 4, n, false)
		edges := labelgraph.AllPairs(n)
		if round%2 == 0 {
			edges, _ = sortEdges(labelgraph.RandomTree(n, rng), n)
		}
		lambda := math.Pow(10, -2*rng.Float64())
		a := newTextbook(x, y, n, edges, lambda).solve(1e-3, 1)
		p := solver.NewProblem(x, y, n, Loss{}, nil, nil)
		b, _ := solver.New(p, edges, lambda).Solve(context.Background(), solver.StopRule{Gap: 1e-4, Workers: 1})
		if a.Primal < b.Dual-1e-9 || b.Primal < a.Dual-1e-9 || a.Gap() > 1e-3 || b.Gap() > 1e-4 {
			t.Errorf("%d labels, %d pairs, lambda %.3g: textbook %+v, solver %+v", n, len(edges), lambda, a, b)
		}
	}
}
