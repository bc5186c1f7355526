package decision

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// partOf returns a part without pairs, whose margins are its scores.
func partOf(n int, scores []float64, y []uint8) Part { return Part{NumLabels: n, Scores: scores, Y: y} }

// TestPlattLikeScikitLearn compares single labels, without shrinkage, with scikit-learn 1.9.1:
//
//	a, b = sklearn.calibration._sigmoid_calibration(margins, y)   # slope -a, offset -b
func TestPlattLikeScikitLearn(t *testing.T) {
	t.Parallel()
	margins := []float64{-2.5, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3}
	for _, c := range []struct {
		y             []uint8
		slope, offset float64
	}{
		{[]uint8{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1}, 0.9549585907725263, 0.07108045489604785},
		{[]uint8{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 0.659763469160546, -2.558439137840214},
		{make([]uint8, 16), 0, -2.833213344056216},
		{slices.Repeat([]uint8{1}, 16), 0, 2.833213344056216},
	} {
		got, err := Calibrate([]Part{partOf(1, margins, c.y)}, Rule{}, 0)
		if err != nil || math.Abs(got.Slope[0]-c.slope) > 1e-5 || math.Abs(got.Offset[0]-c.offset) > 1e-5 {
			t.Errorf("%v: %+v, error %v, want %v and %v", c.y, got, err, c.slope, c.offset)
		}
	}
	// Where scikit-learn's slope is negative, -0.666, ours is zero, and the probability that
	// of the mean target.
	y := []uint8{1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0}
	got, err := Calibrate([]Part{partOf(1, margins, y)}, Rule{}, 0)
	mean := (6*7./8 + 10*1./12) / 16
	if err != nil || got.Slope[0] != 0 || math.Abs(got.Probability(0, 5)-mean) > 1e-9 {
		t.Errorf("%+v, error %v", got, err)
	}
}

// planted draws margins of labels of which each has a line of its own, and the labels by it.
func planted(rng *rand.Rand, lines []line, rows int) (p Part, truth []float64) {
	n := len(lines)
	p.NumLabels = n
	for range rows {
		for _, l := range lines {
			margin := 1.5 * rng.NormFloat64()
			q := sigmoid(l.slope*margin + l.offset)
			y := uint8(0)
			if rng.Float64() < q {
				y = 1
			}
			p.Scores, p.Y, truth = append(p.Scores, margin), append(p.Y, y), append(truth, q)
		}
	}
	return p, truth
}

// TestCalibrationOfPlantedLabels holds the log-loss on rows that were not fitted to near that
// of the truth, and below that of the sigmoid of the margin; shrinkage helps where there are few
// rows, and none at all and very much of it are its limits.
func TestCalibrationOfPlantedLabels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 1))
	lines := []line{{0.5, -1}, {0.6, -2.5}, {0.4, -4}, {0.6, 0.5}, {0.5, -3}, {0.45, -5}}
	test, truth := planted(rng, lines, 2000)
	raw := make([]float64, len(test.Scores))
	for k, m := range test.Scores {
		raw[k] = sigmoid(m)
	}
	loss := func(lines []line, test Part, rows int, shrinkage float64) (sum float64) {
		for range 10 {
			fold, _ := planted(rng, lines, rows)
			c, err := Calibrate([]Part{fold}, Rule{}, shrinkage)
			if err != nil {
				t.Fatal(err)
			}
			sum += LogLoss(c.Probabilities(test.Scores), test.Y) / 10
		}
		return sum
	}
	least, plain := LogLoss(truth, test.Y), LogLoss(raw, test.Y)
	many, few := loss(lines, test, 1000, 0), loss(lines, test, 30, 0)
	if !(many < least+0.01 && many < few && few < plain) {
		t.Errorf("log-loss: truth %.4f, raw sigmoid %.4f; of 1000 rows %.4f, of 30 %.4f", least, plain, many, few)
	}
	alike := []line{{1, -2}, {1.1, -2.1}, {0.9, -2}, {1, -1.9}, {1, -2.2}, {0.9, -1.8}}
	test, _ = planted(rng, alike, 4000)
	if few, shrunk := loss(alike, test, 30, 0), loss(alike, test, 30, 5); !(shrunk < few-0.002) {
		t.Errorf("log-loss of labels alike: of 30 rows %.4f, shrunk %.4f", few, shrunk)
	}
	fold, _ := planted(rng, lines, 50)
	c, err := Calibrate([]Part{fold}, Rule{}, 1e9)
	if err != nil {
		t.Fatal(err)
	}
	common, err := Calibrate([]Part{partOf(1, fold.Scores, fold.Y)}, Rule{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		if math.Abs(c.Slope[i]-common.Slope[0]) > 1e-5 || math.Abs(c.Offset[i]-common.Offset[0]) > 1e-5 {
			t.Errorf("label %d: slope %v and offset %v, the common ones are %v and %v", i, c.Slope[i], c.Offset[i], common.Slope[0], common.Offset[0])
		}
	}
}

// TestCalibrationIsMonotone fits to all sorts of labels: larger margins never have smaller
// probabilities, all of these are probabilities, and labels that are never or always on are safe.
func TestCalibrationIsMonotone(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 2))
	for round := range 300 {
		const n = 4
		rows := 1 + rng.IntN(40)
		p := Part{NumLabels: n}
		scale := math.Pow(10, float64(rng.IntN(9)-4))
		for range rows {
			for i := range n {
				margin := scale * rng.NormFloat64()
				if round%5 == 0 {
					margin = scale // the same everywhere
				}
				y := uint8(rng.IntN(2))
				switch {
				case i == 1:
					y = 0
				case i == 2:
					y = 1
				case i == 3 && margin > 0 || round%7 == 0:
					y = uint8(round % 2)
				}
				p.Scores, p.Y = append(p.Scores, margin), append(p.Y, y)
			}
		}
		for _, shrinkage := range []float64{0, 1, 20} {
			c, err := Calibrate([]Part{p}, Rule{}, shrinkage)
			if err != nil || c.validate(n) != nil {
				t.Fatalf("round %d: %+v, error %v", round, c, err)
			}
			for i := range n {
				last := -1.0
				for _, margin := range []float64{math.Inf(-1), -1e9, -3 * scale, -scale, 0, scale, 3 * scale, 1e9, math.Inf(1)} {
					q := c.Probability(i, margin)
					if !(q >= last && q >= 0 && q <= 1) {
						t.Fatalf("round %d, label %d: %v after %v at %v of %+v", round, i, q, last, margin, c)
					}
					last = q
				}
			}
			never, always := c.Probability(1, 0), c.Probability(2, 0)
			if shrinkage == 0 && (never > 0.5 || always < 0.5) {
				t.Errorf("round %d: never on %v, always on %v", round, never, always)
			}
		}
	}
}

// TestMarginsOfParts holds them to enumeration under rules, with weights of each example too.
func TestMarginsOfParts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 3))
	for _, edges := range []func(*rand.Rand) []labelgraph.Edge{nil, tree(4), allPairs(4)} {
		for _, perRow := range []bool{false, true} {
			p := shape{parts: 1, rows: 6, n: 4, edges: edges, perRow: perRow}.draw(rng)[0]
			r := Rule{Cut: 0.3, Cuts: []float64{0, 0.2, -1, 0}, PairFactor: 0.7}
			got := p.margins(r)
			for m := range p.Len() {
				c, _, weights := p.row(m)
				for i := range 4 {
					best := [2]float64{math.Inf(-1), math.Inf(-1)}
					for code := range 16 {
						y := []uint8{uint8(code & 1), uint8(code >> 1 & 1), uint8(code >> 2 & 1), uint8(code >> 3)}
						best[y[i]] = max(best[y[i]], worth(r, y, c, p.Edges, weights))
					}
					if want := best[1] - best[0]; !(math.Abs(got[4*m+i]-want) <= 1e-9) {
						t.Fatalf("example %d, label %d: margin %v, want %v", m, i, got[4*m+i], want)
					}
				}
			}
		}
	}
}

// TestDeciderIsBest compares with all labelings within the limits, by their expected measure
// over all truths of independent labels.
func TestDeciderIsBest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 4))
	for range 300 {
		n := 1 + rng.IntN(6)
		r := Rule{Calibration: &Calibration{Slope: make([]float64, n), Offset: make([]float64, n)}}
		for i := range n {
			r.Calibration.Slope[i], r.Calibration.Offset[i] = rng.ExpFloat64(), rng.NormFloat64()-float64(rng.IntN(3))
		}
		r.Least = rng.IntN(n + 1)
		if rng.IntN(2) == 0 {
			r.Most = max(1, r.Least+rng.IntN(n-r.Least+1))
		}
		margins := make([]float64, n)
		for i := range margins {
			margins[i] = 3 * rng.NormFloat64()
		}
		p := r.Calibration.Probabilities(margins)
		for _, r.Expect = range metrics.PaperMeasures() {
			d := NewDecider(r, n)
			copy(d.Margins, margins)
			y := make([]uint8, n)
			d.LabelTo(y)
			expected := func(y []uint8) (sum float64) {
				for code := range 1 << n {
					truth, share := make([]uint8, n), 1.0
					for i := range n {
						if truth[i] = uint8(code >> i & 1); truth[i] == 1 {
							share *= p[i]
						} else {
							share *= 1 - p[i]
						}
					}
					own := newTally(n, false)
					own.add(truth, y, 1)
					sum += share * own.ofMeasure(r.Expect)
				}
				return sum
			}
			best := math.Inf(-1)
			for code := range 1 << n {
				other := make([]uint8, n)
				for i := range other {
					other[i] = uint8(code >> i & 1)
				}
				if r.Allows(other) {
					best = max(best, expected(other))
				}
			}
			if got := expected(y); !r.Allows(y) || got < best-1e-6 {
				t.Fatalf("%v of %v: %v has %v, the best is %v", r, p, y, got, best)
			}
		}
	}
}

// TestDeciderOfManyLabels compares with the plain distributions of numbers of labels.
func TestDeciderOfManyLabels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 5))
	const n = 70
	r := Rule{Expect: metrics.ExampleF1, Calibration: &Calibration{Slope: slices.Repeat([]float64{1}, n), Offset: slices.Repeat([]float64{-3}, n)}}
	for _, r.Least = range []int{0, 1, 30, n} {
		d, y := NewDecider(r, n), make([]uint8, n)
		for i := range d.Margins {
			d.Margins[i] = 6 * rng.NormFloat64()
		}
		d.LabelTo(y)
		p := r.Calibration.Probabilities(d.Margins)
		slices.SortFunc(p, func(a, b float64) int { return -int(math.Copysign(1, a-b)) })
		distribution := func(p []float64) []float64 {
			number := append([]float64{1}, make([]float64, len(p))...)
			for _, q := range p {
				for k := len(p); k >= 0; k-- {
					number[k] *= 1 - q
					if k > 0 {
						number[k] += q * number[k-1]
					}
				}
			}
			return number
		}
		best, count := math.Inf(-1), 0
		for k := r.Least; k <= n; k++ {
			var v float64
			for a, top := range distribution(p[:k]) {
				for b, rest := range distribution(p[k:]) {
					if k == 0 && b == 0 {
						v += rest
					} else if a > 0 {
						v += top * rest * 2 * float64(a) / float64(k+a+b)
					}
				}
			}
			if v > best+1e-10 {
				best, count = v, k
			}
		}
		if countOn(y) != count {
			t.Errorf("at least %d: %d labels, want %d", r.Least, countOn(y), count)
		}
	}
}

func TestDeciderAllocatesNothing(t *testing.T) {
	const n = 60
	r := Rule{Expect: metrics.ExampleF1, Calibration: &Calibration{Slope: slices.Repeat([]float64{1}, n), Offset: make([]float64, n)}}
	d, y := NewDecider(r, n), make([]uint8, n)
	for i := range d.Margins {
		d.Margins[i] = math.Sin(float64(i))
	}
	if allocs := testing.AllocsPerRun(20, func() { d.LabelTo(y) }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestCalibratedChoice runs searches with calibrated rules: measures and nested measures are
// what a computation apart from the search gives, the number of workers does not matter, and
// the chosen rule has a calibration of its own margins.
func TestCalibratedChoice(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 6))
	parts := shape{parts: 3, rows: 16, n: 4, edges: tree(4), truth: Rule{Cut: 0.4, Least: 1}, noise: 0.7}.draw(rng)
	for _, measure := range []metrics.Measure{metrics.ExampleF1, metrics.MacroF1} {
		s := Search{Measure: measure, Least: 1, Calibrate: true, Workers: 1}
		choice, err := s.Run(context.Background(), parts)
		if err != nil {
			t.Fatal(err)
		}
		s.Workers = 3
		if again, err := s.Run(context.Background(), parts); err != nil || !reflect.DeepEqual(again, choice) {
			t.Errorf("%s: three workers choose %v, one %v, error %v", measure, again, choice, err)
		}
		best := choice.Rule()
		want, err := Calibrate(parts, Rule{Cut: best.Cut, Cuts: best.Cuts, PairFactor: best.PairFactor}, 2)
		if err != nil || !reflect.DeepEqual(best.Calibration, want) {
			t.Errorf("%s: calibration %+v, want %+v, error %v", measure, best.Calibration, want, err)
		}
		k := slices.IndexFunc(choice.Candidates, func(c Candidate) bool { return c.Kind == "calibrated labels" })
		c := choice.Candidates[k]
		var own tally
		for q, p := range parts {
			margins := p.margins(Rule{})
			d, y, sum := NewDecider(c.Rule, 4), make([]uint8, 4), newTally(4, true)
			for m := range p.Len() {
				copy(d.Margins, margins[4*m:4*m+4])
				d.LabelTo(y)
				sum.add(p.Y[4*m:4*m+4], y, 1)
			}
			if q == 0 {
				own = sum
			} else {
				own.merge(sum)
			}
		}
		if got := own.scores(); got != c.Scores || c.HeldOut != got.Of(measure) {
			t.Errorf("%s: %+v, want %+v", measure, c.Scores, got)
		}
		var file bytes.Buffer
		var read Choice
		if err := errors.Join(gob.NewEncoder(&file).Encode(choice), gob.NewDecoder(&file).Decode(&read)); err != nil || !reflect.DeepEqual(read.Rule(), best) {
			t.Errorf("%s: by gob %+v, error %v", measure, read.Rule(), err)
		}
	}
	plain, err := Search{Measure: metrics.ExampleF1, Least: 1}.Run(context.Background(), parts)
	if err != nil || plain.Rule().Calibration != nil {
		t.Errorf("%v, error %v", plain, err)
	}
}

// TestCalibratedRulesHaveNotSeenTheirPart changes the labels of one part: the rule that is
// measured on it stays.
func TestCalibratedRulesHaveNotSeenTheirPart(t *testing.T) {
	t.Parallel()
	parts := shape{parts: 3, rows: 25, n: 3, noise: 0.5}.draw(rand.New(rand.NewPCG(13, 7)))
	fit := func() fitted {
		f := newFitter(Search{Measure: metrics.ExampleF1, Shrinkage: 20, Most: 2}, parts, []metrics.Measure{metrics.ExampleF1})
		rules, _ := f.calibrated()
		return rules
	}
	before := fit()
	parts[1].Y = slices.Clone(parts[1].Y)
	for k := range parts[1].Y {
		parts[1].Y[k] = 1 - parts[1].Y[k]
	}
	after := fit()
	if !reflect.DeepEqual(before.rest[1], after.rest[1]) {
		t.Errorf("the rule for part 1 is %v, with other labels there %v", before.rest[1], after.rest[1])
	}
	if reflect.DeepEqual(before.rest[0], after.rest[0]) || reflect.DeepEqual(before.all, after.all) {
		t.Error("other rules have not seen the labels")
	}
}

// TestBadCalibrations refuses them by what is wrong.
func TestBadCalibrations(t *testing.T) {
	t.Parallel()
	one := func(slope, offset float64) *Calibration {
		return &Calibration{Slope: []float64{slope}, Offset: []float64{offset}}
	}
	for _, r := range []Rule{
		{Calibration: &Calibration{}}, {Calibration: one(-1, 0)}, {Calibration: one(math.NaN(), 0)}, {Calibration: one(math.Inf(1), 0)},
		{Calibration: one(1, math.NaN())}, {Calibration: one(1, math.Inf(-1))}, {Calibration: one(1, 0), Temperature: 1},
		{Calibration: one(1, 0), Expect: metrics.ExampleF1, Temperature: 1}, {Calibration: one(1, 0), Expect: metrics.MicroF1},
		{Calibration: &Calibration{Slope: []float64{1}}},
	} {
		if err := r.Validate(1); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%+v: error %v", r.Calibration, err)
		}
	}
	good := Rule{Calibration: one(1, 0)}
	if good.IsZero() || good.Validate(1) != nil || good.ValidateIn(1, true) == nil {
		t.Errorf("%v", good)
	}
	p := partOf(1, []float64{1, 2}, []uint8{0, 1})
	for _, c := range []struct {
		parts     []Part
		rule      Rule
		shrinkage float64
	}{
		{nil, Rule{}, 0}, {[]Part{p}, Rule{}, -1}, {[]Part{p}, Rule{}, math.NaN()}, {[]Part{p}, Rule{Least: 2}, 0},
		{[]Part{p, partOf(2, []float64{1, 2}, []uint8{0, 1})}, Rule{}, 0}, {[]Part{{NumLabels: 1}}, Rule{}, 0},
	} {
		if _, err := Calibrate(c.parts, c.rule, c.shrinkage); !errors.Is(err, errs.ErrSettings) && !errors.Is(err, errs.ErrData) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// Probabilities of labels from held-out margins.
func ExampleCalibrate() {
	rng := rand.New(rand.NewPCG(1, 1))
	fold := Part{NumLabels: 1}
	for range 2000 {
		margin := 2 * rng.NormFloat64()
		y := uint8(0)
		if rng.Float64() < 1/(1+math.Exp(1-margin)) {
			y = 1
		}
		fold.Scores, fold.Y = append(fold.Scores, margin), append(fold.Y, y)
	}
	c, err := Calibrate([]Part{fold}, Rule{}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", c.Probabilities([]float64{-2, 0, 2}))
	// Output:
	// [0.06 0.28 0.71]
}

// TestLookIsItsDefinition holds what a fit minimizes to its sum, term by term, and its derivatives to differences; there are more
// samples than logarithms are taken of at once.
func TestLookIsItsDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(41, 1))
	var s samples
	for range 2*together + 17 {
		s.margin, s.y = append(s.margin, 3*rng.NormFloat64()), append(s.y, uint8(rng.IntN(2)))
	}
	s.margin[5], s.margin[9] = 800, -800 // whose exponentials are zero
	p := prior{at: line{0.4, -0.3}, info: [3]float64{3, 0.5, 2}}
	targets := s.targets()
	loss := func(at line) float64 {
		d := line{at.slope - p.at.slope, at.offset - p.at.offset}
		sum := (3*d.slope*d.slope + 2*0.5*d.slope*d.offset + 2*d.offset*d.offset) / 2
		for k, m := range s.margin {
			z := at.slope*m + at.offset
			sum += max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - targets[s.y[k]]*z
		}
		return sum
	}
	const h = 1e-5
	for range 20 {
		at := line{rng.NormFloat64(), rng.NormFloat64()}
		v := s.look(at, p, targets)
		near := func(name string, got, want, tolerance float64) {
			if math.Abs(got-want) > tolerance*(1+math.Abs(want)) {
				t.Errorf("at %v: %s is %v, by definition %v", at, name, got, want)
			}
		}
		near("loss", v.loss, loss(at), 1e-12)
		slopes := func(a line) line { return s.look(a, p, targets).gradient }
		near("slope", v.gradient.slope, (loss(line{at.slope + h, at.offset})-loss(line{at.slope - h, at.offset}))/(2*h), 1e-5)
		near("offset", v.gradient.offset, (loss(line{at.slope, at.offset + h})-loss(line{at.slope, at.offset - h}))/(2*h), 1e-5)
		right, left := slopes(line{at.slope + h, at.offset}), slopes(line{at.slope - h, at.offset})
		up, down := slopes(line{at.slope, at.offset + h}), slopes(line{at.slope, at.offset - h})
		near("slope by slope", v.info[0], (right.slope-left.slope)/(2*h), 1e-4)
		near("slope by offset", v.info[1], (up.slope-down.slope)/(2*h), 1e-4)
		near("offset by offset", v.info[2], (up.offset-down.offset)/(2*h), 1e-4)
	}
}

// TestRulesShareTheirRanking checks that a Decider which goes from rule to rule on the same margins decides as one that is new to
// each of them.
func TestRulesShareTheirRanking(t *testing.T) {
	t.Parallel()
	const n = 12
	rng := rand.New(rand.NewPCG(42, 1))
	c := &Calibration{Slope: make([]float64, n), Offset: make([]float64, n)}
	for i := range n {
		c.Slope[i], c.Offset[i] = 2*rng.Float64(), rng.NormFloat64()-1
	}
	var rules []Rule
	for _, expect := range []metrics.Measure{metrics.ExampleF1, metrics.HammingAccuracy} {
		for _, l := range []limits{{0, 0}, {3, 0}, {0, 2}, {1, 4}} {
			rules = append(rules, Rule{Calibration: c, Expect: expect, Least: l.least, Most: l.most})
		}
	}
	p := Part{NumLabels: n, Y: make([]uint8, 30*n)}
	var margins []float64
	for k := range p.Y {
		p.Y[k] = uint8(rng.IntN(2))
		margins = append(margins, rng.NormFloat64())
	}
	for _, order := range [][]Rule{rules, {rules[7], rules[2], rules[4], rules[0]}} {
		for k, got := range p.calibratedTallies(order, margins, true) {
			want, y := newTally(n, true), make([]uint8, n)
			for m := range p.Len() {
				d := NewDecider(order[k], n)
				copy(d.Margins, margins[m*n:(m+1)*n])
				d.LabelTo(y)
				want.add(p.Y[m*n:(m+1)*n], y, 1)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v after others: %+v, by itself %+v", order[k], got, want)
			}
		}
	}
}
