package decision

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

var allMeasures = append(metrics.Measures(), metrics.MeanOfThree)

// shape says what parts are like.
type shape struct {
	parts, rows, n int
	edges          func(*rand.Rand) []labelgraph.Edge
	perRow         bool // the weights of pairs depend on the example
	truth          Rule // the labels are those of this rule, but for noise
	noise          float64
	seen           bool // the parts say which labelings the others have
}

// draw returns parts of normal scores.
func (s shape) draw(rng *rand.Rand) []Part {
	parts := make([]Part, s.parts)
	for k := range parts {
		p := Part{NumLabels: s.n}
		if s.edges != nil {
			p.Edges = s.edges(rng)
		}
		p.Pair = testkit.RandomNumbers(len(p.Edges), rng)
		for i, w := range p.Pair {
			p.Pair[i] = math.Tanh(w)
		}
		if s.perRow {
			p.Pair = slices.Repeat(p.Pair, s.rows)
			for i := range p.Pair {
				p.Pair[i] += 0.3 * rng.NormFloat64()
			}
		}
		y := make([]uint8, s.n)
		p.Y = make([]uint8, s.rows*s.n) // for row
		for range s.rows * s.n {
			p.Scores = append(p.Scores, rng.NormFloat64())
		}
		o := p.maximizer(s.truth)
		for m := range s.rows {
			c, truth, weights := p.row(m)
			p.weigh(o, weights)
			noisy := slices.Clone(c)
			for i := range noisy {
				noisy[i] += s.noise * rng.NormFloat64()
			}
			o.MaximizeTo(y, noisy)
			copy(truth, y)
		}
		parts[k] = p
	}
	for k := range parts {
		if !s.seen {
			break
		}
		var others []uint8
		for q, p := range parts {
			if q != k {
				others = append(others, p.Y...)
			}
		}
		parts[k].Seen, parts[k].Counts = Labelings(others, s.n)
	}
	return parts
}

func tree(n int) func(*rand.Rand) []labelgraph.Edge {
	return func(rng *rand.Rand) []labelgraph.Edge { return labelgraph.RandomTree(n, rng) }
}

func allPairs(n int) func(*rand.Rand) []labelgraph.Edge {
	return func(*rand.Rand) []labelgraph.Edge { return labelgraph.AllPairs(n) }
}

var shapes = map[string]shape{
	"no pairs":         {parts: 3, rows: 28, n: 4, noise: 1, truth: Rule{Cut: 0.5}},
	"trees":            {parts: 3, rows: 28, n: 5, edges: tree(5), noise: 1, truth: Rule{Cut: -0.5, Least: 1}},
	"cycles":           {parts: 2, rows: 20, n: 4, edges: allPairs(4), noise: 0.5, truth: Rule{Cut: 0.3, Most: 2}},
	"by example":       {parts: 3, rows: 20, n: 4, edges: tree(4), perRow: true, noise: 1, truth: Rule{Cut: 0.5}},
	"seen":             {parts: 3, rows: 30, n: 4, edges: tree(4), noise: 1, truth: Rule{Cut: 0.7}, seen: true},
	"seen, by example": {parts: 2, rows: 16, n: 3, edges: tree(3), perRow: true, noise: 1, truth: Rule{Cut: 0.5}, seen: true},
}

// measured predicts all parts by a candidate's rule and measures with package metrics.
func measured(parts []Part, d Candidate) metrics.Scores {
	var truth, predicted []uint8
	for _, p := range parts {
		for m := range p.Len() {
			c, y, weights := p.row(m)
			own := make([]uint8, p.NumLabels)
			if d.Seen {
				copy(own, amongSeen(p, d, c, weights))
			} else {
				o := p.maximizer(d.Rule)
				p.weigh(o, weights)
				o.MaximizeTo(own, c)
			}
			truth, predicted = append(truth, y...), append(predicted, own...)
		}
	}
	return metrics.Evaluate(truth, predicted, parts[0].NumLabels)
}

// amongSeen predicts by the seen labelings, by definition: the labels of the largest
// expected measure are sought among all.
func amongSeen(p Part, d Candidate, c, weights []float64) []uint8 {
	n := p.NumLabels
	scores := make([]float64, len(p.Counts))
	for k, count := range p.Counts {
		scores[k] = worth(d.Rule, p.Seen[k*n:(k+1)*n], c, p.Edges, weights) + d.Prior*math.Log(float64(count))
	}
	best := slices.Max(scores)
	if at := slices.Index(scores, best); d.Rule.Expect == "" {
		return p.Seen[at*n : (at+1)*n]
	}
	most, y := math.Inf(-1), []uint8(nil)
	for code := range 1 << n {
		other := make([]uint8, n)
		for i := range other {
			other[i] = uint8(code >> i & 1)
		}
		var sum float64
		for k, v := range scores {
			sum += math.Exp((v-best)/d.Rule.Temperature) * metrics.Evaluate(p.Seen[k*n:(k+1)*n], other, n).Of(d.Rule.Expect)
		}
		if sum > most {
			most, y = sum, other
		}
	}
	return y
}

// TestChoice checks what every choice promises: candidates from the plain one on, none of
// them worse than it on the scores that they were fitted to, measures by their definition,
// and that of the best nested measure chosen.
func TestChoice(t *testing.T) {
	t.Parallel()
	for name, s := range shapes {
		rng := rand.New(rand.NewPCG(3, 1))
		parts := s.draw(rng)
		for _, measure := range allMeasures {
			c, err := Search{Measure: measure, Least: 1, Most: 3}.Run(context.Background(), parts)
			if err != nil {
				t.Fatal(err)
			}
			plain := c.Candidates[0]
			if !plain.Rule.IsZero() || plain.Nested != plain.HeldOut || c.Best().Kind != c.Candidates[c.Chosen].Kind || c.Tried < 60 {
				t.Errorf("%s, %s: %+v", name, measure, c)
			}
			for k, d := range c.Candidates {
				want := measured(parts, d)
				if !testkit.Near(d.HeldOut, want.Of(measure), 1e-12) || !testkit.Near(d.Scores.MacroF1, want.MacroF1, 1e-12) ||
					!testkit.Near(d.Scores.MicroF1, want.MicroF1, 1e-12) {
					t.Errorf("%s, %s, %s: %+v, measured %+v", name, measure, d.Kind, d, want)
				}
				if d.HeldOut < plain.HeldOut || d.Nested > c.Best().Nested || k < c.Chosen && !better(c.Best().Nested, d.Nested) {
					t.Errorf("%s, %s: %+v, chosen is %+v, plain %+v", name, measure, d, c.Best(), plain)
				}
				if err := d.Rule.Validate(s.n); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// TestRulesKeepLimitsOfTheTraining searches on parts of models that were trained within limits: every candidate keeps
// them, is measured with them, and predicts no labeling beyond them, whatever limits are on offer.
func TestRulesKeepLimitsOfTheTraining(t *testing.T) {
	t.Parallel()
	for name, s := range shapes {
		s.truth.Least, s.truth.Most = 1, 2
		parts := s.draw(rand.New(rand.NewPCG(3, 2)))
		for k := range parts {
			parts[k].Least, parts[k].Most = 1, 2
		}
		for _, search := range []Search{{Least: 2, Most: 3}, {Calibrate: true, Most: 1, Coarse: true}, {Least: 3, Coarse: true}, {Coarse: true, LabelCuts: true}} {
			for _, search.Measure = range []metrics.Measure{metrics.ExampleF1, metrics.HammingAccuracy} {
				c, err := search.Run(context.Background(), parts)
				if err != nil {
					t.Fatal(err)
				}
				for k, d := range c.Candidates {
					if !d.Rule.Calibrated() {
						d.Rule.Calibration = nil // which the chosen one has
					}
					if d.Rule.Least < 1 || d.Rule.Most == 0 || d.Rule.Most > 2 || d.Rule.Validate(s.n) != nil || k == 0 && !reflect.DeepEqual(d.Rule, Rule{Least: 1, Most: 2}) {
						t.Errorf("%s, %+v: %s has the rule %v", name, search, d.Kind, d.Rule)
					}
					if d.Rule.Calibrated() { // of which measured knows nothing
						continue
					}
					if want := measured(parts, d).Of(search.Measure); !testkit.Near(d.HeldOut, want, 1e-12) {
						t.Errorf("%s, %+v: %s has %v, measured %v", name, search, d.Kind, d.HeldOut, want)
					}
				}
				if seen := c.Candidates[len(c.Candidates)-1].Seen; seen != s.seen {
					t.Errorf("%s: a rule by seen labelings: %v", name, seen)
				}
			}
		}
		// Labelings that the limits leave out make no rule.
		parts[0].Seen, parts[0].Counts = append(parts[0].Seen, make([]uint8, s.n)...), append(parts[0].Counts, 1)
		if c, err := (Search{}).Run(context.Background(), parts); err != nil || c.Candidates[len(c.Candidates)-1].Seen {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

// TestRanksOfScores holds the order of margins that comes from that of scores to one that is sorted, of scores that
// are equal or become so by rounding.
func TestRanksOfScores(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 2))
	parts := shape{parts: 3, rows: 40, n: 3}.draw(rng)
	for _, p := range parts {
		for k, v := range p.Scores {
			p.Scores[k] = math.Round(v) + float64(rng.IntN(4))*1e-17
		}
	}
	for _, skip := range []int{none, 0, 1, 2} {
		f := newFitter(Search{}, parts, []metrics.Measure{metrics.HammingAccuracy})
		sorted := f.newAscent(skip, Rule{Cut: 0.3})
		f = newFitter(Search{}, parts, []metrics.Measure{metrics.HammingAccuracy})
		f.rankScores()
		ranked := f.newAscent(skip, Rule{Cut: 0.3})
		for i := range 3 {
			for _, a := range []*ascent{sorted, ranked} {
				a.cuts[i] = 0.1
				a.look(i)
				a.measure()
			}
			if !slices.Equal(ranked.order, sorted.order) || !slices.Equal(ranked.value, sorted.value) {
				t.Errorf("without part %d, label %d: %v, not %v", skip, i, ranked.order, sorted.order)
			}
		}
	}
}

// TestNestedRulesHaveNotSeenTheirPart fits with the labels of one part changed: the rules
// for that part must stay.
func TestNestedRulesHaveNotSeenTheirPart(t *testing.T) {
	t.Parallel()
	parts := shapes["trees"].draw(rand.New(rand.NewPCG(4, 1)))
	fit := func() (all []fitted) {
		s := Search{Measure: metrics.ExampleF1, Least: 1, Shrinkage: 5, Workers: 1}
		f := newFitter(s, parts, []metrics.Measure{s.Measure})
		f.points = f.points[:0]
		for _, cut := range []float64{0, -1, -0.5, 0.5, 1} { // the places of the grid depend on all parts
			f.points = append(f.points, point{cut, 1, limits{}})
		}
		f.Least = 0
		if err := f.measureGrid(context.Background()); err != nil {
			t.Fatal(err)
		}
		grid := f.onGrid(func(point) bool { return true })
		cuts, _, err := f.labelCuts(context.Background(), grid)
		if err != nil {
			t.Fatal(err)
		}
		return []fitted{grid, cuts}
	}
	before := fit()
	parts[1].Y = slices.Clone(parts[1].Y)
	for k, v := range parts[1].Y {
		parts[1].Y[k] = 1 - v
	}
	for k, after := range fit() {
		if !reflect.DeepEqual(before[k].rest[1], after.rest[1]) || reflect.DeepEqual(before[k], after) {
			t.Errorf("%+v, then %+v", before[k], after)
		}
	}
}

// TestWorkersDoNotMatter compares choices bit for bit.
func TestWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	for name, s := range shapes {
		parts := s.draw(rand.New(rand.NewPCG(5, 1)))
		var first *Choice
		for _, workers := range []int{1, 2, 5, 1} {
			c, err := Search{Measure: metrics.MacroF1, Least: 1, Workers: workers}.Run(context.Background(), parts)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = c
			}
			if !reflect.DeepEqual(first, c) {
				t.Errorf("%s, %d workers: %v, with one %v", name, workers, c, first)
			}
		}
	}
}

// TestPlantedRules has labels that a rule of each kind makes right. That kind of rule comes
// near to it, the simpler kinds do not, and none of them is chosen.
func TestPlantedRules(t *testing.T) {
	t.Parallel()
	const n = 5
	for _, c := range []struct {
		kind  string
		truth Rule
		edges func(*rand.Rand) []labelgraph.Edge
		near  float64 // to what the measure has to come
	}{
		{"plain", Rule{}, tree(n), 100},
		{"limits", Rule{Least: 2, Most: 3}, tree(n), 100},
		{"limits", Rule{Least: 2, Most: 3}, allPairs(n), 100},
		{"cut", Rule{Cut: -0.6}, nil, 90},
		{"pair factor", Rule{Cut: 0.5, PairFactor: 2.5}, tree(n), 97},
		{"label cuts", Rule{Cuts: []float64{1, -1, 0.5, -0.5, 0}}, nil, 90},
	} {
		s := shape{parts: 3, rows: 300, n: n, edges: c.edges, truth: c.truth}
		parts := s.draw(rand.New(rand.NewPCG(6, 1)))
		choice, err := Search{Measure: metrics.SubsetAccuracy, Least: c.truth.Least, Most: c.truth.Most}.Run(context.Background(), parts)
		if err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(choice.Candidates, func(d Candidate) bool { return d.Kind == c.kind })
		if choice.Chosen < k || choice.Candidates[k].Nested < c.near || k > 0 && choice.Candidates[k-1].Nested > c.near-5 {
			t.Errorf("%v: %+v", c.truth, choice)
		}
		if c.near == 100 && choice.Chosen != k {
			t.Errorf("%v: chosen is %+v", c.truth, choice.Best())
		}
	}
}

// TestLineOfCuts holds what an ascent computes for all cuts of a label at once to
// predictions with each.
func TestLineOfCuts(t *testing.T) {
	t.Parallel()
	for name, s := range shapes {
		if name == "cycles" {
			continue // where predictions are those of a relaxation
		}
		rng := rand.New(rand.NewPCG(7, 1))
		parts := s.draw(rng)
		for _, base := range []Rule{{}, {Cut: 0.2, Least: 1, Most: 2, PairFactor: 1.5}} {
			f := newFitter(Search{Shrinkage: 5}, parts, []metrics.Measure{metrics.MacroF1})
			a := f.newAscent(1, base)
			a.cuts = testkit.RandomNumbers(s.n, rng)
			for i := range a.cuts {
				a.look(i)
				a.measure()
				for p := range a.value {
					if !a.isCut(p) {
						continue
					}
					r := base
					r.Cuts = slices.Clone(a.cuts)
					r.Cuts[i] += a.between(p)
					if got := a.offAt(a.between(p)); got != p {
						t.Fatalf("%s: a cut for %d examples is one for %d", name, p, got)
					}
					want := measured(slices.Delete(slices.Clone(parts), 1, 2), Candidate{Rule: r})
					testkit.CheckNear(t, name, a.value[p], want.MacroF1)
				}
			}
		}
	}
}

// TestImproveTakesTheNearestBest goes through all cuts of a label: of those with the best measure the one taken is the nearest to
// the present cut, shrunk, and the cut stays where that is no better. Few examples make ties.
func TestImproveTakesTheNearestBest(t *testing.T) {
	t.Parallel()
	moves, ties := 0, 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(29, seed))
		parts := shape{parts: 2, rows: 12, n: 3, truth: Rule{Cuts: []float64{0.7, -0.4, 0}}, noise: 0.7}.draw(rng)
		f := newFitter(Search{Shrinkage: 2}, parts, []metrics.Measure{metrics.PaperMeasures()[seed%3]})
		a := f.newAscent(none, Rule{})
		a.single, a.off, a.on = false, make([]uint8, len(a.truth)), make([]uint8, len(a.truth))
		for i := range a.cuts {
			a.cuts[i] = rng.NormFloat64()
		}
		for i := range a.cuts {
			a.look(i)
			a.measure()
			now, was := a.offAt(0), a.cuts[i]
			best, tied := nearestBest(a, now)
			ties += tied
			want := a.share[i] * (was + a.between(best))
			if a.value[a.offAt(want-was)] <= a.value[now]+1e-9 {
				want = was
			} else if want != was {
				moves++
			}
			if moved := a.improve(i); a.cuts[i] != want || moved != (want != was) {
				t.Errorf("seed %d, label %d: from %v to %v, want %v; moved: %v", seed, i, was, a.cuts[i], want, moved)
			}
		}
	}
	if moves < 20 || ties < 20 {
		t.Errorf("%d moves and %d ties are too few to tell", moves, ties)
	}
}

// nearestBest returns the nearest of the cuts with the best measure, and how many others there are.
func nearestBest(a *ascent, now int) (best, ties int) {
	best = -1
	for p, v := range a.value {
		if !a.isCut(p) || v < slices.Max(a.value)-1e-9 {
			continue
		}
		if best >= 0 {
			ties++
		}
		if best < 0 || max(now-p, p-now) < max(now-best, best-now) {
			best = p
		}
	}
	return best, ties
}

// TestCutsOfSingleLabels holds cuts that are sought without searches, where there are no pairs, to
// those found by searches.
func TestCutsOfSingleLabels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 1))
	parts := shape{parts: 3, rows: 30, n: 4, truth: Rule{Cuts: []float64{0.7, -0.4, 0, 0.2}}, noise: 0.4}.draw(rng)
	for _, m := range append(metrics.PaperMeasures(), metrics.MicroF1) {
		for _, base := range []Rule{{}, {Cut: 0.3}} {
			f := newFitter(Search{Shrinkage: 5}, parts, []metrics.Measure{m})
			fast, slow := f.newAscent(1, base), f.newAscent(1, base)
			slow.single = false
			slow.off, slow.on = make([]uint8, len(slow.truth)), make([]uint8, len(slow.truth))
			got, want := fast.run(context.Background()), slow.run(context.Background())
			if !fast.single || fast.tried != slow.tried || len(got.Cuts) != len(want.Cuts) || m != metrics.HammingAccuracy && len(got.Cuts) == 0 {
				t.Errorf("%s: %v by %d cuts, and by searches %v by %d", m, got, fast.tried, want, slow.tried)
			}
			for i, v := range want.Cuts {
				testkit.CheckNear(t, string(m), got.Cuts[i], v)
			}
			for at, c := range fast.counts {
				if n := len(fast.cuts); c != countsOf(fast.truth[at*n:(at+1)*n], fast.y[at*n:(at+1)*n]) {
					t.Errorf("%s: example %d has the counts %+v", m, at, c)
				}
			}
		}
	}
	if f := newFitter(Search{}, parts, metrics.PaperMeasures()); f.newAscent(none, Rule{Least: 1}).single {
		t.Error("limits join labels")
	}
}

// TestDivide checks that parts of a part have its examples, each once, with what belongs to them.
func TestDivide(t *testing.T) {
	t.Parallel()
	for name, s := range shapes {
		p := s.draw(rand.New(rand.NewPCG(19, 1)))[0]
		for _, count := range []int{1, 3, p.Len() + 5} {
			parts := p.Divide(count)
			if len(parts) != min(count, p.Len()) {
				t.Errorf("%s: %d parts of %d", name, len(parts), count)
			}
			rows := 0
			for k, part := range parts {
				if err := part.validate(); err != nil {
					t.Fatal(err)
				}
				for m := range part.Len() {
					c, y, w := part.row(m)
					c0, y0, w0 := p.row(m*len(parts) + k)
					if !slices.Equal(c, c0) || !slices.Equal(y, y0) || !slices.Equal(w, w0) {
						t.Errorf("%s: row %d of part %d", name, m, k)
					}
					rows++
				}
			}
			if rows != p.Len() {
				t.Errorf("%s: %d rows of %d", name, rows, p.Len())
			}
		}
	}
}

// TestCutsShrink checks that cuts of labels with few examples stay near the common cut.
func TestCutsShrink(t *testing.T) {
	t.Parallel()
	parts := shape{parts: 2, rows: 200, n: 2, truth: Rule{Cuts: []float64{1, 1}}}.draw(rand.New(rand.NewPCG(8, 1)))
	var widest []float64
	for _, shrinkage := range []float64{1e-6, 50, 1e6} {
		c, err := Search{Measure: metrics.MicroF1, Shrinkage: shrinkage}.Run(context.Background(), parts)
		if err != nil {
			t.Fatal(err)
		}
		last := c.Candidates[len(c.Candidates)-1].Rule
		widest = append(widest, 0)
		for _, v := range last.Cuts {
			widest[len(widest)-1] = max(widest[len(widest)-1], math.Abs(v))
		}
	}
	if widest[0] < widest[1] || widest[1] < widest[2] || widest[2] > 1e-3 {
		t.Errorf("cuts up to %v", widest)
	}
}

func TestSearchEndsWithContext(t *testing.T) {
	t.Parallel()
	parts := shapes["trees"].draw(rand.New(rand.NewPCG(9, 1)))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if c, err := (Search{}).Run(ctx, parts); !errors.Is(err, context.Canceled) || c != nil {
		t.Errorf("%v, %v", c, err)
	}
	f := newFitter(Search{}, parts, []metrics.Measure{metrics.MicroF1})
	if _, _, err := f.labelCuts(ctx, fitted{rest: make([]setting, len(parts))}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	good := func() []Part { return shapes["trees"].draw(rand.New(rand.NewPCG(10, 1))) }
	for _, s := range []Search{{Measure: "x"}, {Shrinkage: -1}, {Shrinkage: math.NaN()}, {Shrinkage: math.Inf(1)}, {Least: 6}, {Least: 2, Most: 1}, {Most: -1}} {
		if _, err := s.Run(context.Background(), good()); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	wrong := good()
	wrong[0].Most = -1
	if _, err := (Search{}).Run(context.Background(), wrong); !errors.Is(err, errs.ErrSettings) {
		t.Errorf("limits of the training: %v", err)
	}
	if _, err := (Search{}).Run(context.Background(), good()[:1]); !errors.Is(err, errs.ErrSettings) {
		t.Error(err)
	}
	for what, spoil := range map[string]func(p *Part){
		"no labels":       func(p *Part) { p.NumLabels = 0 },
		"no examples":     func(p *Part) { p.Y, p.Scores = nil, nil },
		"a score less":    func(p *Part) { p.Scores = p.Scores[1:] },
		"half a row":      func(p *Part) { p.Scores, p.Y = p.Scores[1:], p.Y[1:] },
		"NaN":             func(p *Part) { p.Scores[7] = math.NaN() },
		"infinite":        func(p *Part) { p.Pair[0] = math.Inf(1) },
		"a label of 2":    func(p *Part) { p.Y[3] = 2 },
		"a weight less":   func(p *Part) { p.Pair = p.Pair[1:] },
		"a labeling of 2": func(p *Part) { p.Seen, p.Counts = []uint8{2, 0, 0, 0, 0}, []int{1} },
		"half a labeling": func(p *Part) { p.Seen, p.Counts = []uint8{1, 0}, []int{1} },
		"seen by none":    func(p *Part) { p.Seen, p.Counts = make([]uint8, 5), []int{0} },
		"other limits":    func(p *Part) { p.Least = 1 },
		"an edge of none": func(p *Part) { p.Edges[0].J = 9 },
		"other labels": func(p *Part) {
			p.NumLabels, p.Edges, p.Pair = 4, nil, nil
			p.Scores, p.Y = p.Scores[:4], p.Y[:4]
		},
	} {
		parts := good()
		spoil(&parts[1])
		if _, err := (Search{}).Run(context.Background(), parts); !errors.Is(err, errs.ErrData) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestSeenLabelings has truths that are among four labelings, as all examples': a rule that
// knows them beats all others, for each measure, and a prior pays where one is frequent.
func TestSeenLabelings(t *testing.T) {
	t.Parallel()
	const n = 5
	rng := rand.New(rand.NewPCG(11, 1))
	few := testkit.RandomLabels(rng, 4*n)
	parts := make([]Part, 4)
	for k := range parts {
		p := Part{NumLabels: n}
		for range 60 {
			at := max(0, rng.IntN(8)-4)
			p.Y = append(p.Y, few[at*n:(at+1)*n]...)
		}
		for _, v := range p.Y {
			p.Scores = append(p.Scores, float64(v)-0.5+rng.NormFloat64())
		}
		parts[k] = p
	}
	for k := range parts {
		parts[k].Seen, parts[k].Counts = Labelings(parts[(k+1)%4].Y, n)
	}
	for _, m := range allMeasures {
		c, err := Search{Measure: m}.Run(context.Background(), parts)
		if err != nil {
			t.Fatal(err)
		}
		best := c.Best()
		if !best.Seen || !strings.HasPrefix(best.Kind, "seen labelings") || m == metrics.SubsetAccuracy && !(best.Prior > 0) || best.Rule.Validate(n) != nil {
			t.Errorf("%s: %+v", m, best)
		}
	}
	for k := range parts {
		parts[k].Seen, parts[k].Counts = nil, nil
	}
	c, err := Search{}.Run(context.Background(), parts)
	if err != nil || slices.ContainsFunc(c.Candidates, func(d Candidate) bool { return d.Seen }) {
		t.Errorf("%v, %v", c, err)
	}
}

func TestLabelings(t *testing.T) {
	t.Parallel()
	y, counts := Labelings([]uint8{0, 1, 1, 1, 0, 1, 0, 0, 0, 1}, 2)
	if !slices.Equal(y, []uint8{0, 1, 1, 1, 0, 0}) || !slices.Equal(counts, []int{3, 1, 1}) {
		t.Errorf("%v, %v", y, counts)
	}
}

// TestRunEach compares with runs for one measure each, and a coarse search with a whole one.
func TestRunEach(t *testing.T) {
	t.Parallel()
	parts := shapes["seen"].draw(rand.New(rand.NewPCG(12, 1)))
	for _, coarse := range []bool{false, true} {
		s := Search{Most: 3, Coarse: coarse}
		each, err := s.RunEach(context.Background(), parts, allMeasures...)
		if err != nil || len(each) != len(allMeasures) {
			t.Fatalf("%v, %v", each, err)
		}
		for k, m := range allMeasures {
			s.Measure = m
			one, err := s.Run(context.Background(), parts)
			if err != nil || !reflect.DeepEqual(one, each[k]) {
				t.Errorf("coarse %v, %s: %v alone, %v with others, %v", coarse, s.Measure, one, each[k], err)
			}
		}
	}
	if _, err := (Search{}).RunEach(context.Background(), parts, metrics.ExampleF1, "x"); !errors.Is(err, errs.ErrSettings) {
		t.Errorf("%v", err)
	}
}

// TestSearchLeavesOutRepeats checks that a second division of the examples, which is the first
// once more, changes no choice among rules that do not depend on the scores: were what is left
// out of one seen in the other, rules would win by it.
func TestSearchLeavesOutRepeats(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 3))
	for range 2 {
		parts := shape{parts: 3, rows: 15, n: 4, edges: tree(4), truth: Rule{Cut: 0.3}, noise: 0.7, seen: true}.draw(rng)
		again := slices.Clone(parts)
		for _, p := range parts {
			p.Repeat = 1
			again = append(again, p)
		}
		for _, m := range metrics.PaperMeasures() {
			one, err := Search{Measure: m}.Run(context.Background(), parts)
			if err != nil {
				t.Fatal(err)
			}
			two, err := Search{Measure: m}.Run(context.Background(), again)
			if err != nil {
				t.Fatal(err)
			}
			fixed := 0
			for k, c := range one.Candidates {
				if c.Kind != "plain" && !c.Seen { // cuts are quantiles of the scores
					continue
				}
				fixed++
				d := two.Candidates[k]
				if !reflect.DeepEqual(c.Rule, d.Rule) || c.Prior != d.Prior || math.Abs(c.HeldOut-d.HeldOut) > 1e-9 || math.Abs(c.Nested-d.Nested) > 1e-9 {
					t.Errorf("%s: %+v, and with repeats %+v", m, c, d)
				}
				if c.StdErr > 0 && !(d.StdErr < c.StdErr && d.StdErr > 0.8*c.StdErr) { // sqrt(4/5): five degrees of freedom in place of two
					t.Errorf("%s: %+v, and with repeats %+v", m, c, d)
				}
			}
			if fixed != 3 {
				t.Errorf("%d kinds in %+v", fixed, one)
			}
		}
	}
	parts := shape{parts: 3, rows: 5, n: 2}.draw(rng)
	parts[2].Repeat = 1
	if c, err := (Search{}).Run(context.Background(), parts); !errors.Is(err, errs.ErrSettings) || c != nil {
		t.Errorf("a repeat of one part: %v, %v", c, err)
	}
}

// TestCoarseLabelCuts checks that a coarse search has cuts for each label where they are asked for
// and nothing joins labels.
func TestCoarseLabelCuts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edges func(*rand.Rand) []labelgraph.Edge
		cuts  bool
		want  bool
	}{{nil, true, true}, {nil, false, false}, {tree(4), true, false}} {
		parts := shape{parts: 2, rows: 40, n: 4, edges: c.edges, truth: Rule{Cuts: []float64{1, -1, 0.5, 0}}}.draw(rand.New(rand.NewPCG(23, 1)))
		choice, err := Search{Measure: metrics.ExampleF1, Coarse: true, LabelCuts: c.cuts}.Run(context.Background(), parts)
		if err != nil {
			t.Fatal(err)
		}
		if got := choice.Candidates[len(choice.Candidates)-1].Kind == "label cuts"; got != c.want {
			t.Errorf("%+v: %+v", c.cuts, choice.Candidates)
		}
	}
}

// TestSeenLists holds what is tried on seen labelings to what the search says of it: the plainest rule comes first, as of rules that are
// equally good the first is taken, a coarse search tries a part of what a whole one does, and leaves no wide gap.
func TestSeenLists(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]seenRules{"fine": seenFine, "coarse": seenCoarse} {
		if try.priors[0] != 0 || try.shares[0] != 0 || try.cuts[0] != 0 {
			t.Errorf("%s: the plain rule is not first in %+v", name, try)
		}
		for what, list := range map[string][]float64{"priors": try.priors, "shares": try.shares, "temperatures": try.temperatures} {
			for k, v := range list {
				if v < 0 || k > 0 && v <= list[k-1] {
					t.Errorf("%s: %s %v do not grow", name, what, list)
				}
			}
		}
		if try.temperatures[0] <= 0 {
			t.Errorf("%s: temperature %v", name, try.temperatures[0])
		}
		for k, v := range try.cuts {
			if k > 0 && math.Abs(v) < math.Abs(try.cuts[k-1]) || slices.Contains(try.cuts[:k], v) {
				t.Errorf("%s: cuts %v", name, try.cuts)
			}
		}
	}
	within := func(what string, coarse, fine []float64) {
		for _, v := range coarse {
			if !slices.Contains(fine, v) {
				t.Errorf("%s: %v is in no whole search", what, v)
			}
		}
	}
	within("priors", seenCoarse.priors, seenFine.priors)
	within("temperatures", seenCoarse.temperatures, seenFine.temperatures)
	within("shares", seenCoarse.shares, seenFine.shares)
	within("cuts", seenCoarse.cuts, seenFine.cuts)
	for k, v := range seenCoarse.priors[1:] {
		if gap := v - seenCoarse.priors[k]; gap > 0.4+1e-9 {
			t.Errorf("no prior is tried between %v and %v", seenCoarse.priors[k], v)
		}
	}
	for k, v := range seenCoarse.temperatures[1:] {
		if times := v / seenCoarse.temperatures[k]; times > 2.4 {
			t.Errorf("no temperature is tried between %v and %v", seenCoarse.temperatures[k], v)
		}
	}
	if !(slices.Min(seenCoarse.cuts) < 0) { // F1 asks for more labels than have the largest score
		t.Errorf("no cut of %v has more labels", seenCoarse.cuts)
	}
}
