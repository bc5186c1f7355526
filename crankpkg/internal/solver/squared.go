package solver

import (
	"math"

	"github.com/crank-ml/crank/crankpkg/infer"
)

// What the solver does where slacks are squared, label by label (infer.SlackHinge):
//
//	min_w  lambda/2 |w|^2 + (1/M) sum_m min over xi of sum_i c_mi xi_i^2
//
// such that no labeling s of example m violates score(y^m) - score(s) >= sum over its
// wrong labels of 1 - xi_i. With the multipliers a_ms >= 0 of these constraints as the
// weights of labelings, which have no bound on their sum, and a_mi = sum_s a_ms |s_i - y_i|,
//
//	D(a) = (1/M) sum_mi [a_mi - a_mi^2 / (4 c_mi)] - lambda/2 |w(u)|^2,
//	u    = -(1/M) sum_ms a_ms psi_m(s),   xi_mi = a_mi / (2 c_mi),
//
// and w(u) as ever. The derivative of M D by a_ms is the value of s less its slacks,
//
//	g_s = Delta(s, y) + w . psi(s) - sum_i |s_i - y_i| xi_i,
//
// zero for the true labeling, which stands for the mass that is not in use: it may give
// any amount. Steps are pairwise as for the plain hinge. Without pairs, a_mi is all that
// counts, and the dual is the sum of those of the labels' machines (dcdslack.go).

// squaredWork is what one goroutine needs beside its workspace.
type squaredWork struct {
	slack []float64 // xi_i, zero beyond the labels in which the atoms differ
	flip  []float64 // a_i of the same
	cost  []float64
	grad  []float64 // by atom: g_s
	row   []float64 // by label, zero between uses
	hinge *infer.SlackHinge
}

func newSquaredWork(g *infer.PairGraph) *squaredWork {
	n := g.N
	return &squaredWork{
		slack: make([]float64, n), flip: make([]float64, n), cost: make([]float64, n), row: make([]float64, n),
		hinge: infer.NewSlackHinge(g),
	}
}

// visitSquared is visit where slacks are squared.
func (s *Solver) visitSquared(m int, callOracle bool) {
	ex, ws := &s.ex[m], s.ws[0]
	x := s.p.x.Row(m)
	switch {
	case callOracle:
		s.unary.scoreAll(ws.c, x)
	case len(ex.atoms) == 1:
		ex.gap = 0
		return
	default:
		s.scoreVarying(ex, x)
	}
	if s.pw.k > 1 {
		s.pw.look(s.p.z.Row(m))
		if callOracle {
			s.scorePairs(ws, s.pw.z)
		} else {
			s.scoreVaryingPairs(ws, ex, s.pw.z)
		}
	}
	s.beginSlacks(ws, m)
	s.evaluate(ws, ex)
	if callOracle {
		s.syncGraph()
		s.calls++
		s.askSquared(ws, m)
	}
	sq := ws.squared
	before := sq.square(ex.varying)
	sq.gradients(ws, ex)
	ex.gap = s.squaredGap(ws, ex)
	if to, _ := ex.squaredExtremes(sq.grad); to >= 0 {
		if s.isQuadratic() {
			s.improveQuadraticSquared(ws, m)
		} else {
			s.improveSquared(ws, m)
		}
		s.loss -= sq.square(ex.varying) - before
		s.commit(x)
	}
	sq.clear(ex.varying)
	copy(ws.values, sq.grad)
	ws.prune(ex)
}

// beginSlacks computes the slacks of the dual point of example m.
func (s *Solver) beginSlacks(ws *workspace, m int) {
	ex, sq := &s.ex[m], ws.squared
	if len(ex.varying) == 0 {
		ws.visit++
		ws.listVarying(ex)
	}
	y := s.labelsOf(m)
	for _, i := range ex.varying {
		sq.cost[i] = s.p.loss.Cost(int(i), y[i])
	}
	for a := 1; a < len(ex.atoms); a++ {
		if w := ex.atoms[a].weight; w > 0 {
			sq.addFlips(&ex.atoms[a], w)
		}
	}
}

// addFlips adds weight of the atom to its labels.
func (sq *squaredWork) addFlips(a *atom, weight float64) {
	for _, t := range a.labels {
		i := t.index
		sq.flip[i] += weight * math.Abs(float64(t.value))
		sq.slack[i] = sq.flip[i] / (2 * sq.cost[i])
	}
}

// square returns sum_i a_i^2 / (4 c_i).
func (sq *squaredWork) square(labels []int32) float64 {
	var sum float64
	for _, i := range labels {
		sum += sq.flip[i] * sq.slack[i] / 2
	}
	return sum
}

func (sq *squaredWork) clear(labels []int32) {
	for _, i := range labels {
		sq.slack[i], sq.flip[i] = 0, 0
	}
}

// slacksOf returns sum_i |s_i - y_i| xi_i.
func (sq *squaredWork) slacksOf(a *atom) float64 {
	var sum float64
	for _, t := range a.labels {
		sum += math.Abs(float64(t.value)) * sq.slack[t.index]
	}
	return sum
}

// gradients computes g_s of all atoms.
func (sq *squaredWork) gradients(ws *workspace, ex *example) {
	sq.grad = sq.grad[:0]
	for a := range ex.atoms {
		sq.grad = append(sq.grad, ws.values[a]-sq.slacksOf(&ex.atoms[a]))
	}
}

// askSquared finds the most violated labeling and keeps it, where it is more violated
// than those that the example has.
func (s *Solver) askSquared(ws *workspace, m int) {
	ex, sq := &s.ex[m], ws.squared
	s.candidateSquared(ws, m)
	best, pairs := 0.0, s.pairScores(ws)
	for a := range ex.atoms {
		best = max(best, ws.values[a]-sq.slacksOf(&ex.atoms[a]))
	}
	value := ws.candidate.value(ws.c, pairs)
	if g := value - sq.slacksOf(&ws.candidate); g <= best+tolerance(g) {
		return
	}
	ws.insert(ex, &ws.candidate)
	ws.values = append(ws.values, value)
	ws.visit++
	ws.listVarying(ex)
	y := s.labelsOf(m)
	for _, t := range ws.candidate.labels {
		sq.cost[t.index] = s.p.loss.Cost(int(t.index), y[t.index])
	}
}

// candidateSquared leaves the labeling of largest g_s in ws.candidate.
func (s *Solver) candidateSquared(ws *workspace, m int) {
	y, pairs := s.labelsOf(m), s.pairScores(ws)
	if s.pw.k > 1 {
		for e, edge := range s.pairs.edges {
			ws.graph.Set(edge, pairs[e])
		}
	}
	for i, c := range ws.c {
		ws.caug[i] = c + (1-ws.squared.slack[i])*(1-2*float64(y[i]))
	}
	ws.oracle.Maximize(ws.y, ws.caug)
	ws.on = ws.candidate.setLabeling(ws.y, y, s.pairs, pairs, ws.on)
}

// squaredGap estimates the block's gap: what the hinge is at most, with the slacks raised
// so that the worst atom is not violated any more, less what the dual has of it.
func (s *Solver) squaredGap(ws *workspace, ex *example) float64 {
	sq := ws.squared
	var gap float64
	worst, most := -1, 0.0
	for a := 1; a < len(ex.atoms); a++ {
		g := sq.grad[a]
		gap -= ex.atoms[a].weight * g
		if g > most {
			worst, most = a, g
		}
	}
	if worst < 0 {
		return gap
	}
	var sum float64
	labels := ex.atoms[worst].labels
	for _, t := range labels {
		sum += sq.alone(t, ws.c)
	}
	for _, t := range labels {
		i, by := t.index, math.Abs(float64(t.value))
		raise := most / (by * float64(len(labels)))
		if sum > 0 {
			raise = most * sq.alone(t, ws.c) / (sum * by)
		}
		gap += sq.cost[i] * raise * (2*sq.slack[i] + raise)
	}
	return gap
}

// alone returns what a wrong label adds to g_s without its pairs, or zero.
func (sq *squaredWork) alone(t term, c []float64) float64 {
	v := float64(t.value)
	return max(0, v*c[t.index]+math.Abs(v)*(1-sq.slack[t.index]))
}

// squaredExtremes returns the atoms between which weight moves: to that of largest g_s,
// from the one of those with weight, or the true labeling, that has the smallest. Where
// there is nothing to gain, to is -1.
func (ex *example) squaredExtremes(grad []float64) (to, from int) {
	for a, g := range grad {
		if g > grad[to] {
			to = a
		}
		if g < grad[from] && ex.atoms[a].weight > 0 {
			from = a
		}
	}
	if grad[to]-grad[from] <= tolerance(grad[to]) {
		to = -1
	}
	return to, from
}

// squaredSteps bounds the steps of a visit; they end when a step gains this share of what
// the first one did, per weight.
const (
	squaredSteps = 12
	squaredShare = 0.1
)

// improveSquared does pairwise steps with a line search along w.
func (s *Solver) improveSquared(ws *workspace, m int) {
	ex, sq := &s.ex[m], ws.squared
	kappa := s.p.norm[m] * s.step / s.pw.lambda
	enough := 0.0
	for k := range squaredSteps {
		to, from := ex.squaredExtremes(sq.grad)
		if to < 0 || sq.grad[to]-sq.grad[from] <= enough {
			return
		}
		gain := sq.grad[to] - sq.grad[from]
		if k == 0 {
			enough = squaredShare * gain
		}
		s.moveSquared(ws, ex, to, from, gain, kappa)
		s.evaluate(ws, ex)
		sq.gradients(ws, ex)
	}
}

// moveSquared is move where slacks are squared.
func (s *Solver) moveSquared(ws *workspace, ex *example, to, from int, gain, kappa float64) {
	a, b, sq := &ex.atoms[to], &ex.atoms[from], ws.squared
	ws.dLabels = subtract(ws.dLabels, a.labels, b.labels)
	ws.dPairs = subtract(ws.dPairs, a.pairs, b.pairs)
	curvature := sq.curvature(a, b)
	for _, t := range ws.dLabels {
		curvature += kappa * float64(t.value) * float64(t.value)
	}
	most := gain / curvature // where the pairs add nothing
	if from != 0 {
		most = min(most, b.weight)
	}
	gamma := s.pw.lineSearch(ws.dPairs, gain, curvature, s.step, most)
	if from != 0 && gamma >= b.weight*(1-1e-12) {
		gamma = b.weight
	}
	ex.atoms[0].weight = math.Inf(1)
	s.moveBy(gamma, a, b, kappa)
	ex.atoms[0].weight = 1
	sq.addFlips(a, gamma)
	sq.addFlips(b, -gamma)
}

// curvature returns the part of the slacks in the second derivative along a - b,
// sum_i (|a_i - y_i| - |b_i - y_i|)^2 / (2 c_i).
func (sq *squaredWork) curvature(a, b *atom) float64 {
	for _, t := range a.labels {
		sq.row[t.index] = math.Abs(float64(t.value))
	}
	var sum float64
	for _, t := range b.labels {
		by := math.Abs(float64(t.value)) - sq.row[t.index]
		sq.row[t.index] = 0
		sum += by * by / (2 * sq.cost[t.index])
	}
	for _, t := range a.labels {
		by := sq.row[t.index]
		sq.row[t.index] = 0
		sum += by * by / (2 * sq.cost[t.index])
	}
	return sum
}

// improveQuadraticSquared does the same steps for a quadratic dual, without a look at w.
func (s *Solver) improveQuadraticSquared(ws *workspace, m int) {
	s.completeInner(ws, m)
	ex, sq := &s.ex[m], ws.squared
	ws.copyWeights(ex)
	scale, enough := s.step/s.pw.lambda, 0.0
	for k := range squaredSteps {
		to, from := ex.squaredExtremes(sq.grad)
		if to < 0 || sq.grad[to]-sq.grad[from] <= enough {
			break
		}
		gain := sq.grad[to] - sq.grad[from]
		if k == 0 {
			enough = squaredShare * gain
		}
		a, b := &ex.atoms[to], &ex.atoms[from]
		gamma := gain / (scale*(a.inner[to]-2*a.inner[from]+b.inner[from]) + sq.curvature(a, b))
		if from != 0 && gamma >= b.weight {
			gamma, b.weight = b.weight, 0
		} else if from != 0 {
			b.weight -= gamma
		}
		if to != 0 {
			a.weight += gamma
		}
		sq.addFlips(a, gamma)
		sq.addFlips(b, -gamma)
		for l := range ws.values {
			ws.values[l] -= gamma * scale * (a.inner[l] - b.inner[l])
		}
		sq.gradients(ws, ex)
	}
	for k := 1; k < len(ex.atoms); k++ {
		a := &ex.atoms[k]
		if delta := a.weight - ws.weights[k]; delta != 0 {
			s.shift(ws, a, delta)
		}
	}
}

// squaredCertificate is the relative error of a hinge in a certificate.
const squaredCertificate = 1e-5

// certifySquared computes the hinge of example m, whose labels and pairs are scored, and
// its gap.
func (s *Solver) certifySquared(ws *workspace, m int, keep bool) {
	ex, sq := &s.ex[m], ws.squared
	s.beginSlacks(ws, m)
	s.evaluate(ws, ex)
	s.candidateSquared(ws, m)
	y, pairs := s.labelsOf(m), s.pairScores(ws)
	own := -sq.square(ex.varying)
	for a := range ex.atoms[1:] {
		own += ex.atoms[a+1].weight * ws.values[a+1]
	}
	value := ws.candidate.value(ws.c, pairs)
	fresh := value-sq.slacksOf(&ws.candidate) > tolerance(value)
	sq.clear(ex.varying)
	s.p.loss.CostsTo(sq.cost, y)
	sq.hinge.Begin(ws.c, y, sq.cost)
	for a := range ex.atoms[1:] {
		sq.know(&ex.atoms[a+1], ws.values[a+1])
	}
	if fresh {
		ws.candidate.weight = 0
		sq.know(&ws.candidate, value)
	}
	s.hinges[m] = max(sq.hinge.Value(squaredCertificate), own)
	if !keep {
		return
	}
	if fresh {
		ws.insert(ex, &ws.candidate)
	}
	ex.gap = s.hinges[m] - own
}

// know tells the hinge of an atom.
func (sq *squaredWork) know(a *atom, value float64) {
	sq.hinge.Know(value, a.weight)
	for _, t := range a.labels {
		sq.hinge.Differ(int(t.index), math.Abs(float64(t.value)))
	}
}
