package solver

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/feature"
)

// innerSteps bounds the pairwise steps of one visit to an example. They cost
// far less than the unary scores that the visit begins with.
const innerSteps = 4

// visit improves the block of example m: pairwise Frank-Wolfe steps
// (Osokin et al. 2016) among its labelings, with a new one from the oracle
// first when asked for. All steps of a visit share one computation of the
// unary scores: along the way they change by known multiples of |x|^2.
func (s *Solver) visit(m int, callOracle bool) {
	if s.p.loss.Squared {
		s.visitSquared(m, callOracle)
		return
	}
	ex, ws := &s.ex[m], s.ws[0]
	x := s.p.x.Row(m)
	if s.left != nil && s.left[m] {
		ex.gap = 0
		return
	}
	if callOracle {
		s.unary.scoreAll(ws.c, x)
		if s.pw.k > 1 {
			s.pw.look(s.p.z.Row(m))
			s.scorePairs(ws, s.pw.z)
		}
	} else {
		if len(ex.atoms) == 1 {
			ex.gap = 0
			return
		}
		s.scoreVarying(ex, x)
		if s.pw.k > 1 {
			s.pw.look(s.p.z.Row(m))
			s.scoreVaryingPairs(ws, ex, s.pw.z)
		}
	}
	best := s.evaluate(ws, ex)
	if callOracle {
		s.syncGraph()
		s.calls++
		value := s.askOracle(ws, m)
		if value > best+tolerance(value) {
			ws.insert(ex, &ws.candidate)
			ws.values = append(ws.values, value)
			best = value
		}
	}
	ex.gap = best - ws.average(ex)
	if ex.gap <= tolerance(best) {
		ex.gap = max(ex.gap, 0)
		return
	}
	if s.isQuadratic() {
		s.improveQuadratic(ws, m)
	} else {
		s.improve(ex, m)
	}
	s.commit(x)
	ws.prune(ex)
}

// tolerance is the difference of values below which rounding decides.
func tolerance(value float64) float64 { return 1e-12 * (1 + math.Abs(value)) }

// scoreVarying computes c_i for the labels in which the atoms differ.
func (s *Solver) scoreVarying(ex *example, x feature.Row) {
	ws := s.ws[0]
	ws.visit++
	if ex.differs == notListed {
		ws.listVarying(ex, s.unary.mostListed())
	}
	if ex.differs == inMany {
		s.unary.scoreAll(ws.c, x)
		return
	}
	s.unary.scoreSome(ws.c, x, ex.varying)
}

// listVarying makes the list of the labels in which the atoms differ from y^m, unless they are
// more than most.
func (ws *workspace) listVarying(ex *example, most int) {
	list := ws.list[:0]
	for a := range ex.atoms {
		list = ex.atoms[a].labels.listNew(list, ws.seen, ws.visit)
		if len(list) > most {
			ex.differs, ws.list = inMany, list
			return
		}
	}
	if cap(ex.varying) < len(list) {
		ex.varying = make([]int32, 0, len(list)+len(list)/8)
	}
	ex.differs, ex.varying, ws.list = inListed, append(ex.varying[:0], list...), list
}

// evaluate computes the values of all atoms and returns the largest.
func (s *Solver) evaluate(ws *workspace, ex *example) float64 {
	ws.values = ws.values[:0]
	best, pairs := math.Inf(-1), s.pairScores(ws)
	for a := range ex.atoms {
		v := ex.atoms[a].value(ws.c, pairs)
		ws.values = append(ws.values, v)
		best = max(best, v)
	}
	return best
}

// average returns the value of the example's dual point.
func (ws *workspace) average(ex *example) float64 {
	var sum float64
	for a := range ex.atoms {
		sum += ex.atoms[a].weight * ws.values[a]
	}
	return sum
}

// askOracle finds the most violated labeling given the unary scores in ws.c,
// leaves it in ws.candidate and returns its value.
func (s *Solver) askOracle(ws *workspace, m int) float64 {
	y := s.labelsOf(m)
	if s.general {
		return s.askGeneral(ws, y)
	}
	for i, c := range ws.c {
		ws.caug[i] = c + 1 - 2*float64(y[i])
	}
	ws.oracle.Maximize(ws.y, ws.caug)
	ws.on = ws.candidate.setLabeling(ws.y, y, s.pairs, s.pw.w, ws.on)
	return ws.candidate.value(ws.c, s.pw.w)
}

// spareAtoms is for how many more atoms there is room when the memory of an example's grows.
const spareAtoms = 3

// insert adds a copy of a, with weight zero, to the atoms of ex.
func (ws *workspace) insert(ex *example, a *atom) {
	var fresh atom
	if k := len(ws.spare); k > 0 {
		fresh = ws.spare[k-1]
		ws.spare = ws.spare[:k-1]
	}
	fresh.weight, fresh.loss = 0, a.loss
	fresh.labels = copyTerms(fresh.labels, a.labels)
	fresh.pairs = copyTerms(fresh.pairs, a.pairs)
	if len(ex.atoms) == cap(ex.atoms) {
		ex.atoms = append(make([]atom, 0, len(ex.atoms)+spareAtoms), ex.atoms...)
	}
	ex.atoms = append(ex.atoms, fresh)
	ex.differs = notListed
}

// copyTerms returns a copy of from, in the memory of to where that fits: the first labelings of a
// training are long, and their memory would stay with the short ones that come after.
func copyTerms(to, from terms) terms {
	if cap(to) > 2*len(from)+8 {
		return slices.Clone(from)
	}
	return append(to[:0], from...)
}

// improve does pairwise steps, from the worst atom with weight to the best
// one, until little is left of the block's gap.
func (s *Solver) improve(ex *example, m int) {
	ws := s.ws[0]
	enough := 0.5 * ex.gap
	kappa := s.p.norm[m] * s.step / s.pw.lambda
	for k := range innerSteps {
		ws.copyWeights(ex)
		to, from := extremes(ws.weights, ws.values)
		gain := ws.values[to] - ws.values[from]
		if to == from || gain <= tolerance(ws.values[to]) || (k > 0 && gain <= enough) {
			return
		}
		s.move(ex, to, from, gain, kappa)
		if len(ex.atoms) == 2 {
			return // the line search has left nothing
		}
		s.evaluate(ws, ex)
	}
}

func (ws *workspace) copyWeights(ex *example) {
	ws.weights = ws.weights[:0]
	for a := range ex.atoms {
		ws.weights = append(ws.weights, ex.atoms[a].weight)
	}
}

// extremes returns the atom with the largest value and, of those with weight,
// the one with the smallest.
func extremes(weights, values []float64) (to, from int) {
	from = -1
	for a, v := range values {
		if v > values[to] {
			to = a
		}
		if weights[a] > 0 && (from < 0 || v < values[from]) {
			from = a
		}
	}
	return to, from
}

// move shifts weight from one atom to another by exact line search.
func (s *Solver) move(ex *example, to, from int, gain, kappa float64) {
	ws := s.ws[0]
	a, b := &ex.atoms[to], &ex.atoms[from]
	ws.dLabels = subtract(ws.dLabels, a.labels, b.labels)
	ws.dPairs = subtract(ws.dPairs, a.pairs, b.pairs)
	var squares float64
	for _, t := range ws.dLabels {
		squares += float64(t.value) * float64(t.value)
	}
	gamma := s.pw.lineSearch(ws.dPairs, gain, kappa*squares, s.step, b.weight)
	s.moveBy(gamma, a, b, kappa)
}

// moveBy shifts the weight gamma from b to a, with ws.dLabels and ws.dPairs between them.
func (s *Solver) moveBy(gamma float64, a, b *atom, kappa float64) {
	ws := s.ws[0]
	if gamma >= b.weight {
		gamma = b.weight
		a.weight += gamma
		b.weight = 0
	} else {
		a.weight += gamma
		b.weight -= gamma
	}
	s.loss += gamma * (a.loss - b.loss)
	for _, t := range ws.dLabels {
		delta := gamma * float64(t.value)
		ws.c[t.index] -= delta * kappa
		if ws.move[t.index] == 0 {
			ws.moved = append(ws.moved, t.index)
		}
		ws.move[t.index] += delta
	}
	if s.pw.k > 1 {
		s.movePairs(ws, gamma)
		return
	}
	for _, t := range ws.dPairs {
		s.pw.u[t.index] -= gamma * float64(t.value) * s.step
		s.setPairWeight(t.index)
	}
}

// commit brings the changes of a visit into the unary weights.
func (s *Solver) commit(x feature.Row) {
	ws := s.ws[0]
	for _, i := range ws.moved {
		if d := ws.move[i]; d != 0 {
			s.unary.add(i, -d*s.step/s.pw.lambda, x)
			ws.move[i] = 0
		}
	}
	ws.moved = ws.moved[:0]
}

// keepIdle bounds the atoms of weight zero that an example keeps. Each costs an
// evaluation at every visit: with 3 of them training takes a tenth to two fifths
// longer.
const keepIdle = 1

// prune drops, beyond keepIdle, the atoms of weight zero with the smallest
// values; the true labeling always stays.
func (ws *workspace) prune(ex *example) {
	for {
		idle, worst := 0, -1
		for a := 1; a < len(ex.atoms); a++ {
			if ex.atoms[a].weight == 0 {
				idle++
				if worst < 0 || ws.values[a] < ws.values[worst] {
					worst = a
				}
			}
		}
		if idle <= keepIdle {
			return
		}
		last := len(ex.atoms) - 1
		ws.spare = append(ws.spare, ex.atoms[worst])
		ex.atoms[worst] = ex.atoms[last]
		ex.atoms[last] = atom{}
		ex.atoms = ex.atoms[:last]
		ws.values[worst] = ws.values[last]
		ws.values = ws.values[:last]
		ex.forget(worst)
	}
}
