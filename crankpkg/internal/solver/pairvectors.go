package solver

import (
	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// What the solver does when there are features z(x) on the edges, so that each
// pair has a vector w_ij of k weights (the entries e*k to (e+1)*k-1 of
// PairWeights), or when the label loss is not the Hamming loss.

// vectors is the part of PairWeights that only vectors need.
type vectors struct {
	z     feature.Row // of the example under way
	zNorm float64
	open  []int32 // by edge: the number of entries of w_ij that are not zero
}

// edgeFeatures returns k, the number of entries of z(x).
func (p *Problem) edgeFeatures() int {
	if p.z == nil {
		return 1
	}
	return p.z.NumCols
}

func newPairWeights(edges, k int, lambda float64) pairWeights {
	p := pairWeights{lambda: lambda, k: k, u: make([]float64, edges*k), w: make([]float64, edges*k)}
	if k > 1 {
		p.open = make([]int32, edges)
	}
	return p
}

// vector returns the entries of edge e among those of all edges, u or w.
func (p *pairWeights) vector(of []float64, e int) []float64 { return of[e*p.k : (e+1)*p.k] }

// norms returns |a_ij|_1 by edge for the vectors in a, u or w.
func (p *pairWeights) norms(a []float64) []float64 { return envelope.VectorNorms(a, p.k) }

// look makes z that of the example under way.
func (p *pairWeights) look(z feature.Row) { p.z, p.zNorm = z, z.SquaredNorm() }

// vectorDerivative is derivative for vectors.
func (p *pairWeights) vectorDerivative(psi []term, gain, curvature, step, gamma float64) (value, slope float64) {
	value, slope = gain-gamma*curvature, curvature
	for _, t := range psi {
		first, v := t.index*int32(p.k), float64(t.value)
		for q, z := range p.z.Value {
			at := first + int32(q)
			if p.z.Index != nil {
				at = first + p.z.Index[q]
			}
			w := p.at(at, -gamma*step*v*z)
			value += v * z * (w - p.w[at])
			if w != 0 {
				slope += v * v * z * z * step * p.inverse(t.index)
			}
		}
	}
	return value, slope
}

// addVector adds a z to u_ij of edge e and recomputes w_ij.
func (p *pairWeights) addVector(e int32, a float64, z feature.Row) {
	first := e * int32(p.k)
	for q, v := range z.Value {
		at := first + int32(q)
		if z.Index != nil {
			at = first + z.Index[q]
		}
		p.u[at] += a * v
		before, w := p.w[at], p.at(at, 0)
		p.w[at] = w
		if before != 0 {
			p.open[e]--
		}
		if w != 0 {
			p.open[e]++
		}
	}
}

// resetVectors recomputes all w_ij.
func (p *pairWeights) resetVectors() {
	clear(p.open)
	for at := range p.u {
		p.w[at] = p.at(int32(at), 0)
		if p.w[at] != 0 {
			p.open[at/p.k]++
		}
	}
}

// addWorkspace adds that of one more worker.
func (s *Solver) addWorkspace() {
	g := s.graph
	if s.pw.k > 1 {
		g = infer.NewPairGraph(s.n, nil, nil) // weights differ by example
	}
	ws := newWorkspace(s.n, g)
	s.p.graph.equip(s, ws)
	if s.pw.k > 1 {
		ws.pairs = make([]float64, len(s.pairs.edges))
		ws.seenPair = make([]int32, len(s.pairs.edges))
	}
	s.ws = append(s.ws, ws)
}

// pairScores returns w_ij . z(x) by edge for the example that ws has scored.
func (s *Solver) pairScores(ws *workspace) []float64 {
	if s.pw.k > 1 {
		return ws.pairs
	}
	return s.pw.w
}

// scorePairs computes w_ij . z for all pairs.
func (s *Solver) scorePairs(ws *workspace, z feature.Row) {
	for e, open := range s.pw.open {
		ws.pairs[e] = 0
		if open > 0 {
			ws.pairs[e] = z.Dot(s.pw.vector(s.pw.w, e))
		}
	}
}

// scoreVaryingPairs computes w_ij . z for the pairs in which the atoms differ.
// It follows scoreVarying, which has begun the visit.
func (s *Solver) scoreVaryingPairs(ws *workspace, ex *example, z feature.Row) {
	for a := range ex.atoms {
		for t := range ex.atoms[a].pairs.all() {
			if ws.seenPair[t.index] != ws.visit {
				ws.seenPair[t.index] = ws.visit
				ws.pairs[t.index] = z.Dot(s.pw.vector(s.pw.w, int(t.index)))
			}
		}
	}
}

// movePairs brings a move of mass gamma along ws.dPairs into the pair weights
// and the scores of the example under way.
func (s *Solver) movePairs(ws *workspace, gamma float64) {
	for _, t := range ws.dPairs {
		s.pw.addVector(t.index, -gamma*float64(t.value)*s.step, s.pw.z)
		ws.pairs[t.index] = s.pw.z.Dot(s.pw.vector(s.pw.w, int(t.index)))
	}
}

// askGeneral is askOracle for any label loss and for features on the edges.
func (s *Solver) askGeneral(ws *workspace, y []uint8) float64 {
	pairs := s.pairScores(ws)
	if ws.groups != nil {
		return s.askGroups(ws, y, pairs)
	}
	if s.pw.k > 1 {
		for e, edge := range s.pairs.edges {
			ws.hinge.Graph.Set(edge, pairs[e])
		}
	}
	ws.hinge.Maximize(ws.y, ws.c, y)
	ws.on = ws.candidate.setLabeling(ws.y, y, s.pairs, pairs, ws.on)
	ws.candidate.loss = s.p.loss.OfLabeling(ws.y, y)
	return ws.candidate.value(ws.c, pairs)
}

// SupportSize returns the number of edges with a weight.
func (s *Solver) SupportSize() int {
	if s.p.InGroups() { // the solver's graph is not kept
		edges, _ := s.GraphSupport()
		return len(edges)
	}
	size := 0
	if s.pw.k == 1 {
		for _, w := range s.pw.w {
			if w != 0 {
				size++
			}
		}
		return size
	}
	for _, open := range s.pw.open {
		if open > 0 {
			size++
		}
	}
	return size
}

// UnaryTo writes w_i, d+1 values with the bias last.
func (s *Solver) UnaryTo(dst []float64, i int) { s.unary.copyTo(dst, i) }

// PairsOfModel returns the pairs with a weight that is not zero, in the order of
// Edge.Index, the first entry of each w_ij, and the other entries, pair after pair
// (nil without features on the edges).
func (s *Solver) PairsOfModel() (pairs []labelgraph.Edge, first, rest []float64) {
	pairs, first = s.support()
	if s.pw.k == 1 {
		return pairs, first, nil
	}
	rest = make([]float64, 0, len(pairs)*(s.pw.k-1))
	next := 0
	for e, open := range s.pw.open {
		if open > 0 {
			w := s.pw.vector(s.pw.w, e)
			first[next] = w[0]
			rest = append(rest, w[1:]...)
			next++
		}
	}
	return pairs, first, rest
}
