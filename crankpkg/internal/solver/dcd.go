package solver

import (
	"math"
	"math/rand/v2"

	"github.com/crank-ml/crank/crankpkg/feature"
	"gonum.org/v1/gonum/floats"
)

// SVM is the training of one label without pairs,
//
//	min_w  lambda/2 |w|^2 + (1/M) sum_m max(0, 1 - t_m w . x^m),   t_m = 2 y^m - 1,
//
// by dual coordinate descent with shrinking (Hsieh et al. 2008). Its dual
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
	norm     []float64 // |x^m|^2 + 1
	t        []float64 // by example: +1 or -1
	lambda   float64
	w        []float64 // stands still while inSingle
	bias     float64
	rows     *singleRows // nil: steps are in double precision only
	single   []float32   // w while inSingle
	inSingle bool
	alpha    []float64
	active   []int32
	rng      *rand.Rand
	passes   int
	bounds   Bounds
}

// NewSVMs returns the trainings of all labels at w = 0. Those of different labels
// share nothing that changes.
func NewSVMs(p *Problem, lambda float64, seed uint64) []*SVM {
	rows := newSingleRows(p)
	svms := make([]*SVM, p.n)
	for i := range svms {
		svms[i] = newSVM(p, rows, i, lambda, seed)
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
		x: p.x, norm: p.norm, t: make([]float64, m), lambda: lambda,
		w: make([]float64, p.x.NumCols), alpha: make([]float64, m), rows: rows,
		rng: rand.New(rand.NewPCG(seed, uint64(i))),
	}
	for m := range b.t {
		b.t[m] = 2*float64(p.y[m*p.n+i]) - 1
	}
	if rows != nil {
		// gonum's single precision kernels add in an order that depends on whether w
		// begins at a multiple of 16 bytes: it does where the capacity is one of 32.
		b.single = make([]float32, rows.d, (rows.d+7)&^7)
	}
	b.activateAll()
	b.bounds = Bounds{Primal: 1}
	return b
}

// SetLambda changes lambda; the dual point stays as it is.
func (b *SVM) SetLambda(lambda float64) {
	floats.Scale(b.lambda/lambda, b.w)
	b.bias *= b.lambda / lambda
	b.lambda = lambda
	b.activateAll()
	b.certify()
	b.passes = 1
}

func (b *SVM) activateAll() {
	b.active = b.active[:0]
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
	step := 1 / (b.lambda * float64(len(b.alpha)))
	worst := math.Inf(1)
	var still standstill
	certified, visits := b.passes, 0
	for limit := b.passes + passes; !(b.bounds.Gap() <= gap); {
		b.choosePrecision()
		visits += len(b.active)
		var total float64
		total, worst = b.epoch(step, worst)
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
			if done || still.at(b.bounds.Dual) {
				return
			}
			b.activateAll()
			worst, certified, visits = math.Inf(1), b.passes, 0
		}
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
	if b.inSingle || b.rows == nil || !b.rows.fit(b.lambda) || b.bounds.Gap() < singleGap {
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

// epoch does one coordinate step for each active example, in random order. It
// returns the sum of their gaps as they were found and the largest violation.
// An example whose alpha is at a bound, and wants beyond it by more than shrink,
// leaves the active set.
func (b *SVM) epoch(step, shrink float64) (total, worst float64) {
	b.passes++
	b.rng.Shuffle(len(b.active), func(i, j int) { b.active[i], b.active[j] = b.active[j], b.active[i] })
	kept := b.active[:0]
	for _, m := range b.active {
		t, a := b.t[m], b.alpha[m]
		v := 1 - t*b.score(m)
		if (a == 0 && v < -shrink) || (a == 1 && v > shrink) {
			continue
		}
		kept = append(kept, m)
		if (a == 0 && v <= 0) || (a == 1 && v >= 0) {
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
	if b.inSingle {
		return b.bias + b.rows.dot(m, b.single)
	}
	return b.bias + b.x.Row(int(m)).Dot(b.w)
}

// add adds a x^m to w.
func (b *SVM) add(m int32, a float64) {
	b.bias += a
	if b.inSingle {
		b.rows.addScaledTo(b.single, a, m)
		return
	}
	b.x.Row(int(m)).AddScaledTo(b.w, a)
}

func (b *SVM) dual() float64 {
	return floats.Sum(b.alpha)/float64(len(b.alpha)) - b.regularization()
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
		hinge += max(0, 1-t*b.score(int32(m)))
	}
	b.bounds = Bounds{Primal: b.regularization() + hinge/float64(len(b.t)), Dual: b.dual()}
}

// recompute computes w from alpha.
func (b *SVM) recompute() {
	clear(b.w)
	b.bias = 0
	step := 1 / (b.lambda * float64(len(b.alpha)))
	for m, a := range b.alpha {
		if a > 0 {
			b.add(int32(m), a*b.t[m]*step)
		}
	}
}
