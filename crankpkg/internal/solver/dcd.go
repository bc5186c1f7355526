package solver

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/even"
	"github.com/crank-ml/crank/crankpkg/internal/interior"
	"github.com/crank-ml/crank/crankpkg/internal/shuffle"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
	"gonum.org/v1/gonum/floats"
)

// SVM is the training of one label without pairs,
//
//	min_w  lambda/2 |w|^2 + (1/M) sum_m max(0, 1 - t_m w . x^m),   t_m = 2 y^m - 1,
//
// by dual coordinate descent with shrinking (Hsieh et al. 2008), or the same with
// squares and costs (dcdslack.go). Its dual
// variable alpha_m in [0, 1] is the weight of the flipped label, so that the
// alphas of all labels are the marginals of a dual point of the joint problem:
//
//	w = 1/(lambda M) sum_m alpha_m t_m x^m.
//
// Steps on dense rows are in single precision as long as that serves. The
// alphas, the bias and the certificates are in double precision always: before
// a certificate, w is computed anew from alpha.
type SVM struct {
	x        *feature.Matrix
	norm     []float64  // |x^m|^2 + 1
	even     *even.Rows // nil: x is dense, or has rows of several values
	t        []int8     // by example: +1 or -1
	lambda   float64
	w        []float64 // stands still while inSingle; a zero is behind it
	bias     float64
	rows     *singleRows // nil: steps are in double precision only
	single   []float32   // w while inSingle, and zeros as in the rows
	inSingle bool
	alpha    []float64
	packed   *packedAlphas // in place of alpha, see pack
	active   []int32       // nil: all, see activateAll
	all      bool          // active has all examples, in their order
	rng      *rand.PCG
	passes   int
	bounds   Bounds
	// spent is the work since the last change of lambda, in multiply-adds of features,
	// and tried the gap for which the interior point method has had its turn since, 0: none.
	spent float64
	tried float64
	apart bool      // w, whose primal bounds has, is not that of alpha
	slack *svmSlack // nil: the plain hinge
	// touched keeps the compiler from leaving out loads that are for the caches alone.
	touched uint16
}

// signs returns t^m by example.
func (b *SVM) signs() []float64 {
	t := make([]float64, len(b.t))
	for m, v := range b.t {
		t[m] = float64(v)
	}
	return t
}

// NewSVMs returns the trainings of all labels at w = 0. Those of different labels
// share nothing that changes.
func NewSVMs(p *Problem, lambda float64, seed uint64) []*SVM {
	rows := newSingleRows(p)
	svms := make([]*SVM, p.n)
	for i := range svms {
		svms[i] = newSVM(p, rows, i, lambda, seed)
		svms[i].pack()
	}
	return svms
}

// WeightsTo writes w, d+1 values with the bias last.
func (b *SVM) WeightsTo(dst []float64) {
	copy(dst, b.w)
	dst[len(dst)-1] = b.bias
}

// State returns the certified bounds and the passes made.
func (b *SVM) State() (certified Bounds, passes int) { return b.bounds, b.passes }

// newSVM returns the training of label i, at w = 0. The rows are those of
// newSingleRows.
func newSVM(p *Problem, rows *singleRows, i int, lambda float64, seed uint64) *SVM {
	m := p.x.NumRows
	b := &SVM{
		x: p.x, norm: p.norm, even: p.even, t: make([]int8, m), lambda: lambda,
		w: make([]float64, p.x.NumCols+1)[:p.x.NumCols], alpha: zeros.take(m), rows: rows,
		rng: rand.NewPCG(seed, uint64(i)),
	}
	for m := range b.t {
		b.t[m] = 2*int8(p.y[m*p.n+i]) - 1
	}
	if rows != nil {
		b.single = make([]float32, rows.d)
	}
	b.bounds = Bounds{Primal: 1}
	if !p.loss.IsPlain() {
		b.slack = newSVMSlack(p, i)
		b.bounds.Primal = floats.Sum(b.slack.cost) / float64(m)
	}
	return b
}

// SetLambda changes lambda; the dual point stays as it is.
func (b *SVM) SetLambda(lambda float64) {
	if b.packed != nil {
		b.unpack()
		defer b.pack()
	}
	b.rejoin()
	floats.Scale(b.lambda/lambda, b.w)
	b.bias *= b.lambda / lambda
	b.lambda = lambda
	b.active = nil
	b.certify()
	b.passes = 1
	b.spent, b.tried = 0, 0
}

// activateAll makes all examples active, in their order. Between solves, nil stands for
// that, so that the machines of many labels do not keep a list each.
func (b *SVM) activateAll() {
	b.active, b.all = b.active[:0], true
	for m := range b.alpha {
		b.active = append(b.active, int32(m))
	}
}

// A certificate comes when the gaps as they were found have the gap asked for,
// after mostEpochs epochs, or when they have twice the gap after visits to
// mostVisits times all examples: where the optimum has alphas of many kinds,
// they stay above the true gap. PERFORMANCE.md has the measurements.
const (
	mostEpochs = 200
	mostVisits = 20
)

// Solve runs until the relative gap is certified, passes more passes are done,
// stop says so or nothing is left to gain.
func (b *SVM) Solve(gap float64, passes int, stop func() bool) {
	b.unpack()
	step := 1 / (b.lambda * float64(len(b.alpha)))
	worst := math.Inf(1)
	var still standstill
	var found *svmWeights
	defer func() { b.settle(found) }()
	if !(b.bounds.Gap() <= gap) {
		b.rejoin()
	}
	if b.active == nil {
		b.active = lists.take(len(b.alpha))
		b.activateAll()
	}
	defer func() {
		if b.all {
			lists.give(b.active)
			b.active = nil
		}
	}()
	certified, visits, stuck := b.passes, 0, false
	for limit := b.passes + passes; !(b.bounds.Gap() <= gap); {
		if b.crawls(gap) || stuck {
			found = b.takeInterior(gap, limit, stop)
			if b.bounds.Gap() <= gap || found.reach(gap, b.bounds.Dual) {
				return
			}
			worst, certified, visits, still, stuck = math.Inf(1), b.passes, 0, standstill{}, false
		}
		b.choosePrecision()
		visits += len(b.active)
		b.spent += float64(len(b.active)) * b.visitCost()
		var total float64
		if b.slack == nil && b.even.IsOnes() {
			total, worst = b.onesEpoch(step, worst)
		} else if b.slack == nil {
			total, worst = b.epoch(step, worst)
		} else {
			total, worst = b.slackEpoch(step, worst)
		}
		estimate := total / float64(len(b.alpha))
		primal := b.dual() + estimate
		if estimate > coarseGap*primal {
			worst *= coarseShrinking
		}
		promising := estimate <= gap*primal || (estimate <= 2*gap*primal && visits >= mostVisits*len(b.alpha))
		done := b.passes >= limit || stop()
		if done || promising || b.passes >= certified+mostEpochs || len(b.active) == 0 {
			before, single := b.bounds.Dual, b.inSingle
			b.certify()
			if single && !(b.bounds.Dual > before) {
				b.rows, still = nil, standstill{}
			}
			stuck = still.at(b.bounds.Dual)
			if done || found.reach(gap, b.bounds.Dual) || (stuck && !b.mayTry(gap)) {
				return
			}
			b.activateAll()
			worst, certified, visits = math.Inf(1), b.passes, 0
		}
	}
}

// Coordinate steps have so many passes, and this part of the interior point method's work,
// before it has its turn. PERFORMANCE.md has the measurements.
const (
	patientPasses = 100
	patientShare  = 0.3
)

// visitCost returns about how many multiply-adds a visit takes, with what else it does.
func (b *SVM) visitCost() float64 {
	return 1.5*float64(len(b.x.Value))/float64(b.x.NumRows) + 20
}

// mayTry reports whether the interior point method, where the sizes allow it, has not had its
// turn for this gap.
func (b *SVM) mayTry(gap float64) bool {
	return (b.tried == 0 || gap < b.tried) && !math.IsInf(interior.Cost(b.x.NumRows, b.x.NumCols), 1)
}

// crawls reports whether it is the interior point method's turn.
func (b *SVM) crawls(gap float64) bool {
	return b.passes >= patientPasses && b.spent > patientShare*interior.Cost(b.x.NumRows, b.x.NumCols) && b.mayTry(gap)
}

// svmWeights are weights that are not those of alpha, with their objective.
type svmWeights struct {
	w      []float64
	bias   float64
	primal float64
}

// reach reports whether the weights, with the dual of alpha, have the gap.
func (f *svmWeights) reach(gap, dual float64) bool {
	return f != nil && Bounds{Primal: f.primal, Dual: dual}.Gap() <= gap
}

// takeInterior gives the interior point method its turn, goes on from its alpha where that
// is better, and returns its weights.
func (b *SVM) takeInterior(gap float64, limit int, stop func() bool) *svmWeights {
	b.tried = max(gap, math.SmallestNonzeroFloat64)
	p := interior.New(b.x, b.signs(), b.costs(), b.lambda, stop)
	if p == nil {
		return nil
	}
	solve := p.Solve
	if b.isSquared() {
		solve = p.SolveSquared
	}
	b.passes += solve(0.9*gap, min(interior.Steps, limit-b.passes))
	b.certify()
	if p.Alpha() == nil {
		return nil
	}
	before, own := b.bounds, slices.Clone(b.alpha)
	for m, a := range p.Alpha() {
		b.alpha[m] = min(a, b.mostOf(m))
	}
	b.recompute()
	b.certify()
	if !(b.bounds.Dual > before.Dual) {
		copy(b.alpha, own)
		b.recompute()
		b.certify()
	}
	b.activateAll()
	w, d := p.Weights(), len(b.w)
	return &svmWeights{w[:d], w[d], b.primalAt(w[:d], w[d])}
}

// primalAt returns the objective at other weights.
func (b *SVM) primalAt(w []float64, bias float64) float64 {
	var hinge, size float64
	for m, t := range b.t {
		z := 1 - float64(t)*(bias+b.x.Row(m).Dot(w))
		hinge += b.hingeOf(m, z)
		size += b.slopeOf(m, z) * b.sizeAt(m, w, bias)
	}
	return b.lambda/2*(vec.Dot(w, w)+bias*bias) + (hinge+rounding*size)/float64(len(b.t))
}

// rounding times the sizes of what is added up is the allowance for rounding errors that
// bounds get where the interior point method has had its turn: there, scores and weights can
// be small differences of large numbers.
const rounding = 8 * 0x1p-52

// sizeAt returns the sum of |x_k w_k|, the bias included.
func (b *SVM) sizeAt(m int, w []float64, bias float64) float64 {
	row := b.x.Row(m)
	size := math.Abs(bias)
	for q, v := range row.Value {
		k := q
		if row.Index != nil {
			k = int(row.Index[q])
		}
		size += math.Abs(v * w[k])
	}
	return size
}

// allow widens the bounds at the weights of alpha by the allowance.
func (b *SVM) allow() {
	var size, sum float64
	for m, a := range b.alpha {
		slope := 1.0
		if b.slack != nil {
			slope = b.slopeOf(m, 1-float64(b.t[m])*b.score(int32(m)))
		}
		size += slope * b.sizeAt(m, b.w, b.bias)
		sum += a * math.Sqrt(b.norm[m])
	}
	count := float64(len(b.alpha))
	b.bounds.Primal += rounding * size / count
	// w is off by at most so much of sum alpha |x| / (lambda M), and |w|^2 by |w| times that.
	b.bounds.Dual -= rounding * math.Sqrt(vec.Dot(b.w, b.w)+b.bias*b.bias) * sum / count
}

// settle ends a solve with the better weights.
func (b *SVM) settle(f *svmWeights) {
	if f != nil && f.primal < b.bounds.Primal {
		b.apart = true
		copy(b.w, f.w)
		b.bias, b.bounds.Primal = f.bias, f.primal
	}
}

// rejoin goes back to the weights of alpha.
func (b *SVM) rejoin() {
	if b.apart {
		b.apart = false
		b.recompute()
	}
}

// While the gap looks larger than coarseGap, examples leave the active set
// beyond this part of the largest violation already. PERFORMANCE.md has the
// measurements.
const (
	coarseGap       = 0.01
	coarseShrinking = 0.6
)

// singleGap is the certified gap below which steps are in double precision. On
// Scene and Yeast, single precision takes as many epochs as double precision
// down to 1e-5; PERFORMANCE.md has the measurements.
const singleGap = 2e-5

// choosePrecision goes over to single precision where that serves. (From there
// back leads certify; where rounding is so large that the dual does not rise
// from one certificate to the next, solve gives it up for good.)
func (b *SVM) choosePrecision() {
	if b.inSingle || b.tried > 0 || b.rows == nil || !b.rows.fit(b.lambda/b.largestCost()) || b.bounds.Gap() < singleGap {
		return
	}
	toSingle(b.single, b.w)
	b.inSingle = true
}

// relaxation is the length of a coordinate step in multiples of the step to the
// coordinate's maximum: successive overrelaxation (Mangasarian and Musicant
// 1999), which raises the dual for every factor below 2. PERFORMANCE.md has the
// measurements.
const relaxation = 1.4

// leaves reports whether an alpha at a bound, 0 or most, is pushed beyond it by more than shrink.
func leaves(a, most, v, shrink float64) bool {
	return (a == 0 && v < -shrink) || (a == most && v > shrink)
}

// rests reports whether an alpha at a bound has nowhere to go.
func rests(a, most, v float64) bool { return (a == 0 && v <= 0) || (a == most && v >= 0) }

// epoch does one coordinate step for each active example, in random order. It
// returns the sum of their gaps as they were found and the largest violation.
// An example whose alpha is at a bound, and wants beyond it by more than shrink,
// leaves the active set.
func (b *SVM) epoch(step, shrink float64) (total, worst float64) {
	b.passes++
	b.all = false
	shuffle.List(b.rng, b.active)
	kept := b.active[:0]
	for i, m := range b.active {
		b.touch(i)
		t, a := float64(b.t[m]), b.alpha[m]
		v := 1 - t*b.score(m)
		if leaves(a, 1, v, shrink) {
			continue
		}
		kept = append(kept, m)
		if rests(a, 1, v) {
			continue
		}
		total += max(v, 0) - a*v
		worst = max(worst, math.Abs(v))
		next := min(max(a+relaxation*v/(step*b.norm[m]), 0), 1)
		if delta := next - a; delta != 0 {
			b.alpha[m] = next
			b.add(m, delta*t*step)
		}
	}
	b.active = kept
	return total, worst
}

// score returns w . x^m.
func (b *SVM) score(m int32) float64 {
	switch {
	case b.even != nil:
		return b.bias + b.even.Dot(m, b.w[:len(b.w)+1])
	case b.inSingle:
		return b.bias + b.rows.dot(m, b.single)
	}
	return b.bias + b.x.Row(int(m)).Dot(b.w)
}

// add adds a x^m to w.
func (b *SVM) add(m int32, a float64) {
	b.bias += a
	switch {
	case b.even != nil:
		b.even.AddScaledTo(b.w, a, m)
	case b.inSingle:
		b.rows.addScaledTo(b.single, a, m)
	default:
		b.x.Row(int(m)).AddScaledTo(b.w, a)
	}
}

func (b *SVM) dual() float64 {
	sum := floats.Sum(b.alpha)
	if b.isSquared() {
		sum -= b.slack.square(b.alpha)
	}
	return sum/float64(len(b.alpha)) - b.regularization()
}

func (b *SVM) regularization() float64 {
	squared := b.bias * b.bias
	if b.inSingle {
		squared += squaredNorm32(b.single)
	} else {
		squared += feature.Row{Value: b.w}.SquaredNorm()
	}
	return b.lambda / 2 * squared
}

// certify computes both bounds at the weights of the dual point, in double
// precision.
func (b *SVM) certify() {
	b.passes++
	if b.inSingle {
		b.inSingle = false
		b.recompute()
	}
	var hinge float64
	for m, t := range b.t {
		hinge += b.hingeOf(m, 1-float64(t)*b.score(int32(m)))
	}
	b.bounds = Bounds{Primal: b.regularization() + hinge/float64(len(b.t)), Dual: b.dual()}
	if b.tried > 0 {
		b.allow()
	}
}

// recompute computes w from alpha.
func (b *SVM) recompute() {
	clear(b.w)
	b.bias = 0
	step := 1 / (b.lambda * float64(len(b.alpha)))
	for m, a := range b.alpha {
		if a > 0 {
			b.add(int32(m), a*float64(b.t[m])*step)
		}
	}
}
