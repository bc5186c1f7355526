package solver

import (
	"math"
	"slices"

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
// zero for the true labeling. Steps go along one a_ms after the other, to the maximum of
// the dual. Nearly every label has a slack, each of another size: as labelings with many
// wrong labels they would take a long chain. So an example has, beside what the oracle
// finds, labelings with one wrong label (singles), whose violations need no oracle;
// it is asked once these are settled, and finds what the pairs add. Without pairs the
// steps are those of the labels' machines (dcdslack.go), and so is the dual.

// squaredWork is what one goroutine needs beside its workspace.
type squaredWork struct {
	slack []float64 // xi_i, zero beyond the labels in which the atoms differ
	flip  []float64 // a_i of the same
	cost  []float64
	floor []float64 // slack that the singles need
	joint []float64 // slack of the other atoms
	known []bool    // labels that have a single
	hinge *infer.SlackHinge
}

func newSquaredWork(g *infer.PairGraph) *squaredWork {
	n := g.N
	return &squaredWork{
		slack: make([]float64, n), flip: make([]float64, n), cost: make([]float64, n),
		floor: make([]float64, n), joint: make([]float64, n), known: make([]bool, n), hinge: infer.NewSlackHinge(g),
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
	if callOracle {
		s.offerSingles(ws, m)
	}
	s.evaluate(ws, ex)
	sq := ws.squared
	before := sq.square(ex.varying)
	ex.gap = s.squaredGap(ws, ex)
	s.sweep(ws, m)
	if callOracle {
		s.syncGraph()
		s.calls++
		if s.askSquared(ws, m) {
			s.sweep(ws, m)
		}
	}
	s.loss -= sq.square(ex.varying) - before
	s.commit(x)
	s.evaluate(ws, ex)
	for a := range ws.values {
		ws.values[a] -= sq.slacksOf(&ex.atoms[a])
	}
	sq.clear(ex.varying)
	ws.prune(ex)
}

// beginSlacks computes the slacks of the dual point of example m.
func (s *Solver) beginSlacks(ws *workspace, m int) {
	ex, sq := &s.ex[m], ws.squared
	s.listSlacks(ws, m)
	for a := 1; a < len(ex.atoms); a++ {
		if w := ex.atoms[a].weight; w > 0 {
			sq.addFlips(&ex.atoms[a], w)
		}
	}
}

// addFlips adds weight of the atom to its labels.
func (sq *squaredWork) addFlips(a *atom, weight float64) {
	for t := range a.labels.all() {
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
	for t := range a.labels.all() {
		sum += math.Abs(float64(t.value)) * sq.slack[t.index]
	}
	return sum
}

// isSingle reports whether the atom has one wrong label.
func (a *atom) isSingle() bool {
	return a.labels.count() == 1 && math.Abs(float64(a.labels.at(0).value)) == 1
}

// offerSingles gives the example the singles that it lacks and that are violated.
func (s *Solver) offerSingles(ws *workspace, m int) {
	ex, sq, y := &s.ex[m], ws.squared, s.labelsOf(m)
	for a := range ex.atoms {
		if ex.atoms[a].isSingle() {
			sq.known[ex.atoms[a].labels.at(0).index] = true
		}
	}
	pairs := s.pairScores(ws)
	before := len(ex.atoms)
	for i, v := range y {
		ws.y[i] = 2 * v
	}
	for i, v := range y {
		if sq.known[i] {
			sq.known[i] = false
			continue
		}
		sign := 1 - 2*float64(v)
		if 1+sign*ws.c[i]+s.mostOfPairs(ws, i, y, sign) <= sq.slack[i] {
			continue
		}
		ws.y[i] = 2 - 2*v
		ws.on = ws.candidate.setLabeling(ws.y, y, s.pairs, pairs, ws.on)
		ws.y[i] = 2 * v
		if g := ws.candidate.value(ws.c, pairs) - sq.slack[i]; g > tolerance(g) {
			ws.insert(ex, &ws.candidate)
		}
	}
	if len(ex.atoms) > before {
		s.listSlacks(ws, m)
	}
}

// mostOfPairs returns the pairs' part in the value of label i's single, or more.
func (s *Solver) mostOfPairs(ws *workspace, i int, y []uint8, sign float64) float64 {
	if s.pw.k > 1 {
		return math.Inf(1)
	}
	var sum float64
	for _, arc := range ws.graph.Adj[i] {
		sum += sign * arc.Weight * float64(y[arc.To])
	}
	return sum + 1e-9*(1+math.Abs(sum))
}

// listSlacks brings the list of labels, and their costs, up to the atoms.
func (s *Solver) listSlacks(ws *workspace, m int) {
	ex, y := &s.ex[m], s.labelsOf(m)
	ws.visit++
	ws.listVarying(ex, s.n)
	for _, i := range ex.varying {
		ws.squared.cost[i] = s.p.loss.Cost(int(i), y[i])
	}
}

// sweep makes a step along each atom's weight, and one more along those of several labels.
func (s *Solver) sweep(ws *workspace, m int) {
	ex := &s.ex[m]
	kappa := s.p.norm[m] * s.step / s.pw.lambda
	for round := range squaredSweeps {
		for a := 1; a < len(ex.atoms); a++ {
			if round == 0 || !ex.atoms[a].isSingle() {
				s.stepSquared(ws, ex, a, kappa)
			}
		}
	}
}

const squaredSweeps = 2

// stepSquared moves the weight of an atom to the maximum of the dual.
func (s *Solver) stepSquared(ws *workspace, ex *example, at int, kappa float64) {
	a, sq := &ex.atoms[at], ws.squared
	g := a.value(ws.c, s.pairScores(ws)) - sq.slacksOf(a)
	if math.Abs(g) <= tolerance(g) || (g < 0 && a.weight == 0) {
		return
	}
	var curvature float64
	for t := range a.labels.all() {
		v := float64(t.value)
		curvature += v * v * (kappa + 1/(2*sq.cost[t.index]))
	}
	truth := &ex.atoms[0]
	truth.weight = math.Inf(1)
	to, from := a, truth
	if g < 0 {
		to, from = truth, a
	}
	ws.dLabels = subtract(ws.dLabels, to.labels, from.labels)
	ws.dPairs = subtract(ws.dPairs, to.pairs, from.pairs)
	most := min(from.weight, math.Abs(g)/curvature) // where the pairs add nothing
	before := a.weight
	s.moveBy(s.pw.lineSearch(ws.dPairs, math.Abs(g), curvature, s.step, most), to, from, kappa)
	truth.weight = 1
	sq.addFlips(a, a.weight-before)
}

// askSquared finds the most violated labeling and keeps it where it is violated.
func (s *Solver) askSquared(ws *workspace, m int) bool {
	ex, sq := &s.ex[m], ws.squared
	s.candidateSquared(ws, m)
	value := ws.candidate.value(ws.c, s.pairScores(ws))
	g := value - sq.slacksOf(&ws.candidate)
	if g <= tolerance(value) {
		return false
	}
	for a := range ex.atoms { // rounding may ask again for what is there
		if slices.Equal(ex.atoms[a].labels, ws.candidate.labels) && slices.Equal(ex.atoms[a].pairs, ws.candidate.pairs) {
			return true
		}
	}
	if !ws.candidate.isSingle() {
		ex.gap += sq.raiseCost(&ws.candidate, g, ws.c)
	}
	ws.insert(ex, &ws.candidate)
	s.listSlacks(ws, m)
	return true
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

// squaredGap returns the block's gap as far as the atoms tell, whose values are known: the
// hinge at slacks that violate none of them, less what the dual has of it.
func (s *Solver) squaredGap(ws *workspace, ex *example) float64 {
	sq := ws.squared
	gap := sq.square(ex.varying)
	for _, i := range ex.varying {
		sq.floor[i], sq.joint[i] = 0, 0
	}
	for k := range ex.atoms {
		a := &ex.atoms[k]
		gap -= a.weight * ws.values[k]
		if a.isSingle() {
			sq.floor[a.labels.at(0).index] = max(0, ws.values[k])
			continue
		}
		for t := range a.labels.all() {
			sq.joint[t.index] += a.weight * math.Abs(float64(t.value)) / (2 * sq.cost[t.index])
		}
	}
	for _, i := range ex.varying {
		xi := max(sq.floor[i], sq.joint[i])
		sq.joint[i] = xi
		gap += sq.cost[i] * xi * xi
	}
	worst, most := -1, 0.0
	for k := range ex.atoms {
		violation := ws.values[k]
		for t := range ex.atoms[k].labels.all() {
			violation -= math.Abs(float64(t.value)) * sq.joint[t.index]
		}
		if violation > most {
			worst, most = k, violation
		}
	}
	if worst >= 0 {
		gap += sq.raiseCost(&ex.atoms[worst], most, ws.c)
	}
	return gap
}

// raiseCost returns what it costs to raise slacks until the atom is violated no more.
func (sq *squaredWork) raiseCost(a *atom, violation float64, c []float64) (cost float64) {
	var sum float64
	for t := range a.labels.all() {
		sum += sq.alone(t, c)
	}
	for t := range a.labels.all() {
		i, by := t.index, math.Abs(float64(t.value))
		raise := violation / (by * float64(a.labels.count()))
		if sum > 0 {
			raise = violation * sq.alone(t, c) / (sum * by)
		}
		cost += sq.cost[i] * raise * (2*sq.slack[i] + raise)
	}
	return cost
}

// alone returns what a wrong label adds to g_s without its pairs, or zero.
func (sq *squaredWork) alone(t term, c []float64) float64 {
	v := float64(t.value)
	return max(0, v*c[t.index]+math.Abs(v)*(1-sq.slack[t.index]))
}

// hingeError returns the relative error of a hinge in a certificate: a part of the gap that
// is asked for or, as long as that is far, of the last one.
func (s *Solver) hingeError() float64 {
	const share, shareOfLast, least, most = 0.1, 0.02, 1e-9, 0.02
	return min(max(share*s.gapAsked, shareOfLast*s.gapSeen, least), most)
}

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
	if fresh && ws.candidate.labels.count() > 1 {
		ws.candidate.weight = 0
		sq.know(&ws.candidate, value)
	}
	s.hinges[m] = max(sq.hinge.Value(s.hingeError()), own)
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
	if a.labels.count() == 1 {
		return // the hinge sees those by itself, or has no need of them
	}
	sq.hinge.Know(value, a.weight)
	for t := range a.labels.all() {
		sq.hinge.Differ(int(t.index), math.Abs(float64(t.value)))
	}
}
