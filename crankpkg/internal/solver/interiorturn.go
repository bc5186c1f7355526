package solver

import (
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/internal/polytope"
	"gonum.org/v1/gonum/floats"
)

// interiorTurn says, in a solve with pairs, when it is the interior point method's turn
// (package polytope), and gives it that.
type interiorTurn struct {
	s             *Solver
	gap           float64
	step          float64 // what one step costs, in multiply-adds; +Inf where the method does not apply
	passes, calls int     // where the solve began
	method        *polytope.Method
	target        float64
	steps         int
	over          bool // it has done what it can
	doubted       bool // its dual was not that of the labelings that it was turned into
}

// When the method has its turn. Steps of first order take pairPatience first, and what
// they would still take, were their gap to fall as one over their work, has to be
// patientFactor times what the method takes: mostly they are faster than that. Where the
// method has had its turn before, at another penalty or for other pairs, as much again is
// presumed, and crawledShare of the method's work counts as done in vain.
// PERFORMANCE.md has the measurements.
const (
	pairPatience  = 2e8
	patientFactor = 3
	crawledShare  = 0.1
	// roundingGap is what rounding may leave of a gap where it leaves nothing to gain.
	roundingGap = 1e-6
)

func (s *Solver) newInteriorTurn(rule *StopRule) interiorTurn {
	t := interiorTurn{s: s, gap: rule.Gap, step: math.Inf(1), passes: s.passes, calls: s.calls, target: 0.9 * rule.Gap}
	if !s.p.loss.Squared && !s.general && s.pw.share == nil {
		t.step = polytope.StepCost(s.n, len(s.pairs.edges), s.m, s.p.x.NumCols)
	}
	t.over = math.IsInf(t.step, 1) || s.firstOrder
	return t
}

// spent returns about what the solve has taken, in multiply-adds.
func (t *interiorTurn) spent() float64 {
	s := t.s
	visits := float64(s.passes-t.passes) * float64(s.m)
	asked := float64(s.calls - t.calls)
	return visits*t.visit() + asked*(t.visit()+pairAsk*float64(len(s.pairs.edges)))
}

// visit returns about what a visit to an example takes without the oracle.
func (t *interiorTurn) visit() float64 { return 1.5*float64(t.s.n*(t.s.p.x.NumCols+1)) + pairVisit }

// What a visit to an example takes beside its scores, and the oracle for each pair.
const (
	pairVisit = 4000
	pairAsk   = 100
)

// due reports whether it is the method's turn, at these bounds; stuck says that steps of first
// order do not get there. Small problems have made all their passes before their work comes to
// pairPatience: there it is once the solve is late.
func (t *interiorTurn) due(b Bounds, stuck, late bool) bool {
	switch {
	case t.over:
		return false
	case t.method != nil, stuck && b.Gap() > roundingGap:
		return true
	}
	cost := t.step * polytope.StepsTo(t.gap)
	if late && cost <= pairPatience {
		return true
	}
	behind := behind(b, t.gap)
	if t.s.crawled {
		return (t.spent()+crawledShare*cost)*behind > cost
	}
	spent := t.spent()
	return spent >= pairPatience*math.Cbrt(max(1, 0.01/max(t.gap, 1e-12))) && spent*behind > patientFactor*cost
}

// behind returns how much more work steps of first order need, in multiples of what they have
// taken, were their gap to fall as one over it.
func behind(b Bounds, gap float64) float64 {
	return b.Width()/(max(gap, 1e-12)*max(b.Dual, 1e-3*b.Primal)) - 1
}

// hopeless reports, once the solve has made a quarter of its passes, whether it would need
// ten times as many as it has.
func (t *interiorTurn) hopeless(b Bounds, limit int) bool {
	done := t.s.passes - t.passes
	return 4*done >= limit && float64(done)*behind(b, t.gap) > 10*float64(limit)
}

// vain reports, as early, whether the gap of the solve that is to follow would need as many, and
// the method does not apply.
func (t *interiorTurn) vain(b Bounds, rule *StopRule) bool {
	done := t.s.passes - t.passes
	return t.over && rule.Next > 0 && 4*done >= rule.Passes && float64(done)*behind(b, rule.Next) > 10*float64(rule.Passes)
}

// late reports whether the solve has made half of its passes.
func (t *interiorTurn) late(limit int) bool { return 2*(t.s.passes-t.passes) >= limit }

// take runs the method until it promises the gap, and goes over to its dual point where that
// is better. It is called again where the certificate then says otherwise.
func (t *interiorTurn) take(rule *StopRule) {
	s := t.s
	s.crawled = true
	if t.method == nil {
		t.method = polytope.New(s.interiorProblem(), rule.over)
		s.passes++
	}
	before := t.steps
	for t.method.Gap() > t.target && !t.over && !t.beyond(rule) {
		t.over = t.steps >= polytope.MostSteps || !t.method.Advance()
		t.steps++
		s.passes++
	}
	s.interior += float64(t.steps-before) * t.step / (float64(s.m) * t.visit())
	t.target = t.method.Gap() / 4
	s.takeMarginals(t.method)
	t.doubted = t.doubted || t.beyond(rule) && s.dual() < rule.Beyond
	if rule.team != nil {
		rule.team.begin()
	}
}

// beyond reports whether the method's dual has come to where the solve is to end.
func (t *interiorTurn) beyond(rule *StopRule) bool {
	return rule.Beyond > 0 && !t.doubted && t.method.Dual() >= rule.Beyond*float64(t.s.m)
}

// interiorProblem returns the problem of s, without the examples that are left out.
func (s *Solver) interiorProblem() polytope.Problem {
	count := float64(s.m)
	q := polytope.Problem{
		Rows: s.p.x, Labels: s.p.y, NumLabels: s.n, Pairs: s.pairs.edges, Which: s.counted(), Lambda: count * s.pw.lambda, Beta: count * s.pw.beta,
	}
	if s.pw.shift != nil {
		q.Shift = make([]float64, len(s.pw.shift))
		floats.ScaleTo(q.Shift, count, s.pw.shift)
	}
	return q
}

// counted returns the examples that are not left out.
func (s *Solver) counted() []int {
	which := make([]int, 0, s.m)
	for m := range s.m {
		if s.left == nil || !s.left[m] {
			which = append(which, m)
		}
	}
	return which
}

// takeMarginals goes over to the dual point of the method where that is better than the
// present one, and reports whether it is.
func (s *Solver) takeMarginals(method *polytope.Method) bool {
	before, loss, examples := s.dual(), s.loss, slices.Clone(s.ex)
	unary, bias, u := slices.Clone(s.unary.w), slices.Clone(s.unary.bias), s.pw.u
	labelings := method.Labelings()
	for k, m := range s.counted() {
		atoms := append(make([]atom, 0, s.n+2), atom{}) // the true one comes first
		labelings.Of(k, func(weight float64, y, half []float64) {
			if a := s.atomOf(m, y, half); len(a.labels) == 0 {
				atoms[0].weight += weight
			} else {
				a.weight = weight
				atoms = append(atoms, a)
			}
		})
		s.ex[m] = example{atoms: atoms}
	}
	s.restoreSums()
	if s.dual() > before {
		return true
	}
	copy(s.ex, examples)
	copy(s.unary.w, unary)
	copy(s.unary.bias, bias)
	s.loss, s.pw.u = loss, u
	s.resetPairs()
	return false
}

// atomOf returns the atom of a labeling of example m, with y_ij of half where both ends of
// a pair are 1/2.
func (s *Solver) atomOf(m int, y, half []float64) (a atom) {
	truth := s.labelsOf(m)
	for i, v := range y {
		if diff := v - float64(truth[i]); diff != 0 {
			a.labels = a.labels.add(int32(i), float32(diff))
			a.loss += math.Abs(diff)
		}
	}
	if len(a.labels) == 0 {
		return a
	}
	for e, edge := range s.pairs.edges {
		product := y[edge.I] * y[edge.J]
		if product == 0.25 {
			product = half[e]
		}
		if diff := float32(product - float64(truth[edge.I]&truth[edge.J])); diff != 0 {
			a.pairs = a.pairs.add(int32(e), diff)
		}
	}
	return a
}

// restoreSums computes anew what follows from the labelings.
func (s *Solver) restoreSums() {
	clear(s.unary.w)
	clear(s.unary.bias)
	s.loss = 0
	moves := make([]float64, s.n)
	for m := range s.ex {
		clear(moves)
		for _, a := range s.ex[m].atoms {
			s.loss += a.weight * a.loss
			for t := range a.labels.all() {
				moves[t.index] += a.weight * float64(t.value)
			}
		}
		for i, v := range moves {
			if v != 0 {
				s.unary.add(int32(i), -v*s.step/s.pw.lambda, s.p.x.Row(m))
			}
		}
	}
	s.pw.u = s.residuals()
	s.resetPairs()
}
