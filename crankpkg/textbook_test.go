package crankpkg

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// textbook is block-coordinate Frank-Wolfe as the textbooks have it
// (Lacoste-Julien et al. 2013, Algorithm 4, for a linear model of labels and
// pairs), to compare the solver with: one average labeling for each example,
// one oracle call and one step with a closed-form line search for each visit.
// There are no cached labelings, no pairwise steps and no shortcuts; the oracle
// is the library's own.
type textbook struct {
	p      *problem
	edges  []Edge
	lambda float64
	w      []float64 // n x (d+1), the bias last
	pair   []float64 // w_ij by position in edges
	// The average labeling of each example: y_i, y_ij and the label loss.
	labels, pairs [][]float64
	loss          []float64

	graph  *PairGraph
	oracle Oracle
	c      []float64 // w_i . x
	caug   []float64
	y      Labeling
	dLabel []float64 // oracle's labeling - average
	dPair  []float64
	passes int
}

func newTextbook(p *problem, edges []Edge, lambda float64) *textbook {
	m, n := p.x.NumRows, p.n
	t := &textbook{
		p: p, edges: edges, lambda: lambda,
		w: make([]float64, n*(p.x.NumCols+1)), pair: make([]float64, len(edges)),
		labels: make([][]float64, m), pairs: make([][]float64, m), loss: make([]float64, m),
		graph: NewPairGraph(n, nil, nil), c: make([]float64, n), caug: make([]float64, n), y: make(Labeling, n),
		dLabel: make([]float64, n), dPair: make([]float64, len(edges)),
	}
	t.oracle = NewAutoOracle(t.graph)
	for k := range m {
		t.labels[k], t.pairs[k] = make([]float64, n), make([]float64, len(edges))
		for i, v := range t.truth(k) {
			t.labels[k][i] = float64(v)
		}
		for e, edge := range edges {
			t.pairs[k][e] = t.labels[k][edge.I] * t.labels[k][edge.J]
		}
	}
	return t
}

func (t *textbook) truth(m int) []uint8 { return t.p.y[m*t.p.n : (m+1)*t.p.n] }

func (t *textbook) unary(i int) []float64 {
	d := t.p.x.NumCols + 1
	return t.w[i*d : (i+1)*d]
}

// ask calls the oracle for example m, leaves what distinguishes its labeling
// from the average in dLabel and dPair, and returns the block's gap times M and
// the label loss of the oracle's labeling.
func (t *textbook) ask(m int) (gap, loss float64) {
	x, truth, d := t.p.x.Row(m), t.truth(m), t.p.x.NumCols
	for i := range t.c {
		w := t.unary(i)
		t.c[i] = floats.Dot(w[:d], x.Value) + w[d]
	}
	AugmentTo(t.caug, t.c, truth)
	t.oracle.Maximize(t.y, t.caug)
	loss = t.y.Loss(truth)
	gap = loss - t.loss[m]
	for i, v := range t.y {
		t.dLabel[i] = float64(v)/2 - t.labels[m][i]
		gap += t.c[i] * t.dLabel[i]
	}
	for e, edge := range t.edges {
		t.dPair[e] = float64(PairHalves(t.y[edge.I], t.y[edge.J], t.pair[e]))/2 - t.pairs[m][e]
		gap += t.pair[e] * t.dPair[e]
	}
	return gap, loss
}

// visit does one Frank-Wolfe step for example m and returns the block's gap
// times M as it was before.
func (t *textbook) visit(m int) float64 {
	gap, loss := t.ask(m)
	scale := 1 / (t.lambda * float64(t.p.x.NumRows))
	curvature := scale * (t.p.norm[m]*floats.Dot(t.dLabel, t.dLabel) + floats.Dot(t.dPair, t.dPair))
	if gap <= 0 || curvature == 0 {
		return max(gap, 0)
	}
	gamma := min(gap/curvature, 1)
	x, d := t.p.x.Row(m), t.p.x.NumCols
	for i, v := range t.dLabel {
		if v != 0 {
			w := t.unary(i)
			floats.AddScaled(w[:d], -gamma*scale*v, x.Value)
			w[d] -= gamma * scale * v
		}
	}
	floats.AddScaled(t.labels[m], gamma, t.dLabel)
	floats.AddScaled(t.pairs[m], gamma, t.dPair)
	t.loss[m] += gamma * (loss - t.loss[m])
	for e, v := range t.dPair {
		if v != 0 {
			t.pair[e] -= gamma * scale * v
			t.graph.Set(t.edges[e], t.pair[e])
		}
	}
	return gap
}

func (t *textbook) dual() float64 {
	squares := floats.Dot(t.w, t.w) + floats.Dot(t.pair, t.pair)
	return floats.Sum(t.loss)/float64(len(t.loss)) - t.lambda/2*squares
}

// certify returns both bounds at the current weights.
func (t *textbook) certify() bounds {
	t.passes++
	var gap float64
	for m := range t.loss {
		g, _ := t.ask(m)
		gap += max(g, 0)
	}
	dual := t.dual()
	return bounds{primal: dual + gap/float64(len(t.loss)), dual: dual}
}

// solve visits the examples in random order, pass after pass, until the
// relative gap is certified. It tries for a certificate only when the gaps that
// a pass has met promise it.
func (t *textbook) solve(gap float64, seed uint64) bounds {
	rng := rand.New(rand.NewPCG(seed, 1))
	for {
		t.passes++
		var met float64
		for _, m := range rng.Perm(len(t.loss)) {
			met += t.visit(m)
		}
		met /= float64(len(t.loss))
		if met > gap*(t.dual()+met) {
			continue
		}
		if b := t.certify(); b.gap() <= gap {
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
		p := randomTraining(rng, 60, 4, n, false)
		edges := AllPairs(n)
		if round%2 == 0 {
			edges, _ = sortEdges(RandomTree(n, rng), n)
		}
		lambda := math.Pow(10, -2*rng.Float64())
		a := newTextbook(p, edges, lambda).solve(1e-3, 1)
		b, _ := newSolver(p, edges, lambda).solve(context.Background(), stopRule{gap: 1e-4, workers: 1})
		if a.primal < b.dual-1e-9 || b.primal < a.dual-1e-9 || a.gap() > 1e-3 || b.gap() > 1e-4 {
			t.Errorf("%d labels, %d pairs, lambda %.3g: textbook %+v, solver %+v", n, len(edges), lambda, a, b)
		}
	}
}
