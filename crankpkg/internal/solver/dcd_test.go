package solver

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"gonum.org/v1/gonum/floats"
)

func never() bool { return false }

// checkSVM checks the weights and the bounds of b against alpha, by the
// definitions, and that the gap is certified.
func checkSVM(t *testing.T, b *SVM, gap float64) {
	t.Helper()
	m := float64(len(b.alpha))
	w, bias, sum := make([]float64, len(b.w)), 0.0, 0.0
	for k, a := range b.alpha {
		if !(a >= 0 && a <= 1) {
			t.Fatalf("alpha[%d] = %v", k, a)
		}
		b.x.Row(k).AddScaledTo(w, a*float64(b.t[k])/(b.lambda*m))
		bias += a * float64(b.t[k]) / (b.lambda * m)
		sum += a
	}
	// Where lambda is tiny, the weights of alpha are small differences of large numbers.
	var size float64
	for k, a := range b.alpha {
		size += a * math.Sqrt(b.norm[k]) / (b.lambda * m)
	}
	// In double precision, w is alpha's up to the rounding of every step, unless it is that
	// of the interior point method.
	off, most := math.Hypot(floats.Distance(w, b.w, 2), bias-b.bias), 1e-11*math.Hypot(floats.Norm(w, 2), bias)+0x1p-52*size
	if !b.apart && !(off <= most) {
		t.Fatalf("w is %v from that of alpha", off)
	}
	squared := floats.Dot(b.w, b.w) + b.bias*b.bias
	ofAlpha := squared
	if b.apart {
		ofAlpha = floats.Dot(w, w) + bias*bias
	}
	var hinge float64
	for k, label := range b.signs() {
		hinge += max(0, 1-label*(b.x.Row(k).Dot(b.w)+b.bias))
	}
	primal, allowed := b.lambda/2*squared+hinge/m, 0.0
	if b.tried > 0 {
		for k := range b.t {
			allowed += 2 * 8 * 0x1p-52 * b.sizeAt(k, b.w, b.bias) / m
		}
	}
	if !(b.bounds.Primal >= primal*(1-1e-10) && b.bounds.Primal <= primal*(1+1e-10)+allowed) {
		t.Fatalf("primal: %v, want %v", b.bounds.Primal, primal)
	}
	rounding := 4e-15 * b.lambda * size * (math.Sqrt(ofAlpha) + size)
	if want := sum/m - b.lambda/2*ofAlpha; !(math.Abs(b.bounds.Dual-want) <= 1e-9*max(1, math.Abs(want))+rounding) {
		t.Errorf("dual: %v, want %v", b.bounds.Dual, want)
	}
	if !(b.bounds.Gap() <= gap) {
		t.Errorf("gap %v after %d passes, %v wanted", b.bounds.Gap(), b.passes, gap)
	}
}

// scaleFeatures multiplies feature k by 10^(k mod 4 - 2) and moves it.
func scaleFeatures(p *Problem) *Problem {
	for m := range p.x.NumRows {
		row := p.x.Row(m).Value
		for k := range row {
			row[k] = row[k]*math.Pow(10, float64(k%4-2)) + math.Pow(10, float64(k%3-2))
		}
	}
	return NewProblem(p.x, p.y, p.n, infer.Loss{}, nil, nil)
}

func TestBinarySVM(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 3))
	problems := map[string]*Problem{
		"dense":  randomTraining(rng, 200, 30, 3, false),
		"sparse": randomTraining(rng, 200, 30, 3, true),
		"scaled": scaleFeatures(randomTraining(rng, 200, 30, 3, false)),
		"narrow": randomTraining(rng, 150, 1, 1, false),
	}
	for name, p := range problems {
		t.Run(name, func(t *testing.T) {
			for i := range p.n {
				b := newSVM(p, newSingleRows(p), i, 1, 1)
				for _, gap := range []float64{0.1, 1e-2, 1e-4, 1e-6, 1e-9} {
					b.Solve(gap, 20000, never)
					checkSVM(t, b, gap)
				}
				b.SetLambda(0.5)
				checkSVM(t, b, 1)
				b.Solve(1e-3, 20000, never)
				checkSVM(t, b, 1e-3)
			}
		})
	}
}

// TestBinarySVMWrongRows trains with rows in single precision that are wrong by
// far more than rounding: bounds stay true, and the gap is reached.
func TestBinarySVMWrongRows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 4))
	for range 20 {
		p := randomTraining(rng, 100, 10, 1, false)
		for _, noise := range []float64{0.01, 1, 100} {
			rows := newSingleRows(p)
			for k := range rows.value {
				rows.value[k] += float32(noise * rng.NormFloat64())
			}
			b := newSVM(p, rows, 0, 0.1, 1)
			b.Solve(1e-6, 50000, never)
			checkSVM(t, b, 1e-6)
		}
	}
}

// TestBinarySVMRange trains on inputs up to and beyond the range of single
// precision. With lambda in proportion to |x|^2, they are all one problem but
// for the bias.
func TestBinarySVMRange(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	p := randomTraining(rng, 60, 8, 1, false)
	for exponent := -60; exponent <= 100; exponent += 8 {
		for _, ratio := range []float64{1, 1e-3} { // of lambda to |x|^2
			scale := math.Pow(10, float64(exponent))
			x := feature.NewDense(8, nil)
			x.NumRows = 60
			for _, v := range p.x.Value {
				x.Value = append(x.Value, v*scale)
			}
			q := NewProblem(x, p.y, 1, infer.Loss{}, nil, nil)
			b := newSVM(q, newSingleRows(q), 0, ratio*scale*scale, 1)
			gap, passes := 1e-3, 20000
			if scale < 1 { // the bias is all that counts, and lambda is tiny beside it
				gap, passes = math.Inf(1), 300
			}
			b.Solve(min(gap, 1e-3), passes, never)
			checkSVM(t, b, gap)
			if floats.Max(b.alpha) == 0 {
				t.Errorf("|x| about %v, lambda %v: no step", scale, b.lambda)
			}
		}
	}
	// lambda is small beside |x|^2 here: the largest weights that still fit.
	for lambda := 1e-6; lambda > 1e-36; lambda /= 10 {
		b := newSVM(p, newSingleRows(p), 0, lambda, 1)
		b.Solve(0.9, 300, never)
		checkSVM(t, b, 1)
		for _, w := range b.single {
			if v := float64(w); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("lambda %v: weight %v", lambda, v)
			}
		}
	}
}

// TestBinarySVMPrecision checks which steps are in single precision.
func TestBinarySVMPrecision(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for _, sparse := range []bool{false, true} {
		p := randomTraining(rng, 200, 20, 1, sparse)
		b := newSVM(p, newSingleRows(p), 0, 0.01, 1)
		for _, gap := range []float64{1e-2, 1e-3, 1e-6} {
			b.Solve(gap, 10000, never)
			if b.inSingle {
				t.Error("the end is in single precision")
			}
			b.choosePrecision()
			if want := !sparse && gap > singleGap; b.inSingle != want {
				t.Errorf("sparse %v, gap %v reached: single precision %v, want %v", sparse, gap, b.inSingle, want)
			}
			b.certify()
		}
		b.SetLambda(0.1)
		b.choosePrecision()
		if b.inSingle == sparse {
			t.Errorf("sparse %v, another lambda: single precision %v", sparse, b.inSingle)
		}
		for k, v := range b.single[:min(len(b.single), len(b.w))] {
			if v != float32(b.w[k]) {
				t.Fatalf("feature %d begins in single precision at %v, not at %v", k, v, b.w[k])
			}
		}
	}
	if r := (&singleRows{norm: 1e12}); r.fit(1e-19) || !r.fit(1e-17) || (&singleRows{norm: 1e80}).fit(1e80) {
		t.Error("the range of single precision")
	}
}

func TestEpochAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for _, sparse := range []bool{false, true} {
		p := randomTraining(rng, 100, 20, 1, sparse)
		b := newSVM(p, newSingleRows(p), 0, 0.01, 1)
		step := 1 / (b.lambda * 100)
		got := testing.AllocsPerRun(20, func() {
			b.choosePrecision()
			b.epoch(step, math.Inf(1))
			b.certify()
			b.activateAll()
		})
		if got > 0 {
			t.Errorf("sparse %v: %v allocations in an epoch and a certificate", sparse, got)
		}
	}
}
