package decision

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
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

func TestZeroRuleIsPlain(t *testing.T) {
	t.Parallel()
	for _, r := range []Rule{{}, {Cuts: []float64{0, 0}}, {PairFactor: 1}} {
		if !r.IsZero() || r.String() != "plain" && r.Cuts == nil || r.LabelCuts(2) != nil || r.Factor() != 1 {
			t.Errorf("%+v is not plain: %s", r, r)
		}
	}
	for _, r := range []Rule{{Cut: 1}, {Cuts: []float64{0, -1}}, {PairFactor: 0.5}, {Least: 1}, {Most: 2}, {Expect: metrics.ExampleF1, Temperature: 1}} {
		if r.IsZero() || r.String() == "plain" {
			t.Errorf("%+v is plain", r)
		}
	}
	r := Rule{Cut: 0.5, Cuts: []float64{-0.5, 1}}
	if cuts := r.LabelCuts(2); !slices.Equal(cuts, []float64{0, 1.5}) {
		t.Errorf("%v", cuts)
	}
	if r.Clone().Cuts[1] = 9; r.Cuts[1] != 1 {
		t.Error("a clone shares memory")
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule        Rule
		least, most int
		limited     bool
	}{
		{Rule{}, 0, 3, false}, {Rule{Least: 1}, 1, 3, true}, {Rule{Most: 2}, 0, 2, true}, {Rule{Most: 3}, 0, 3, false}, {Rule{Most: 7}, 0, 3, false},
		{Rule{Least: 3, Most: 5}, 3, 3, true},
	} {
		least, most, limited := c.rule.Bounds(3)
		if least != c.least || most != c.most || limited != c.limited {
			t.Errorf("%+v: %d, %d, %v", c.rule, least, most, limited)
		}
		for code := range 8 {
			y := []uint8{uint8(code & 1), uint8(code >> 1 & 1), uint8(code >> 2)}
			if count := bits.OnesCount(uint(code)); c.rule.Allows(y) != (count >= c.least && count <= c.most) {
				t.Errorf("%+v: %v", c.rule, y)
			}
		}
	}
	if least, most := Limits([]uint8{0, 1, 1, 1, 0, 0, 1, 1, 1}, 3); least != 1 || most != 3 {
		t.Errorf("%d to %d", least, most)
	}
	for _, y := range [][]uint8{nil, {1}, {0, 1, 1}} {
		if !testkit.Panics(func() { Limits(y, 2) }) {
			t.Errorf("%v: no panic", y)
		}
	}
}

// badRules are rules that no model of three labels can have, and what the error names.
var badRules = map[string]Rule{
	"Cut is NaN":         {Cut: math.NaN()},
	"Cut is +Inf":        {Cut: math.Inf(1)},
	"Cuts has 2":         {Cuts: []float64{1, 2}},
	"Cuts has 0":         {Cuts: []float64{}},
	"Cuts[1] is NaN":     {Cuts: []float64{1, math.NaN(), 2}},
	"Cuts[2] is":         {Cut: math.MaxFloat64, Cuts: []float64{0, 0, 1.7e308}},
	"PairFactor is -1":   {PairFactor: -1},
	"PairFactor is NaN":  {PairFactor: math.NaN()},
	"PairFactor is +Inf": {PairFactor: math.Inf(1)},
	"Least is -1":        {Least: -1},
	"Least is 4 of 3":    {Least: 4},
	"at most 1":          {Least: 2, Most: 1},
	"at most -1":         {Most: -1},
	"none of the paper":  {Expect: metrics.MacroF1, Temperature: 1},
	"Temperature is 0":   {Expect: metrics.ExampleF1},
	"Temperature is NaN": {Expect: metrics.ExampleF1, Temperature: math.NaN()},
	"nothing to Expect":  {Temperature: 1},
	"limits on":          {Expect: metrics.ExampleF1, Temperature: 1, Least: 1},
}

// TestWithin joins limits: a labeling is allowed where both rules allow it. Where none is, and where a rule takes no
// limits, there is an error.
func TestWithin(t *testing.T) {
	t.Parallel()
	const n = 4
	for code := range 5 * 5 * 5 * 5 {
		r, trained := Rule{Least: code % 5, Most: code / 5 % 5, Cut: 1}, Rule{Least: code / 25 % 5, Most: code / 125}
		if r.Validate(n) != nil || trained.Validate(n) != nil {
			continue
		}
		both, err := r.Within(trained.Least, trained.Most)
		some := false
		for count := range n + 1 {
			y := append(slices.Repeat([]uint8{1}, count), make([]uint8, n-count)...)
			want := r.Allows(y) && trained.Allows(y)
			if some = some || want; err == nil && both.Allows(y) != want {
				t.Errorf("%v within %v is %v", r, trained, both)
			}
		}
		if some != (err == nil) || err != nil && !errors.Is(err, errs.ErrSettings) || err == nil && (both.Cut != 1 || both.Validate(n) != nil) {
			t.Errorf("%v within %v: %v, error %v", r, trained, both, err)
		}
	}
	expects := Rule{Expect: metrics.ExampleF1, Temperature: 1}
	if r, err := expects.Within(0, 0); err != nil || !reflect.DeepEqual(r, expects) {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := expects.Within(1, 0); !errors.Is(err, errs.ErrSettings) {
		t.Errorf("what is expected, within limits: %v", err)
	}
}

func TestBadRules(t *testing.T) {
	t.Parallel()
	for what, r := range badRules {
		err := r.Validate(3)
		if !errors.Is(err, errs.ErrSettings) || !strings.Contains(err.Error(), what) {
			t.Errorf("%+v: %v", r, err)
		}
		if _, err := NewMaximizer(r, 3, nil, nil); !errors.Is(err, errs.ErrSettings) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := NewMaximizer(Rule{Expect: metrics.ExampleF1, Temperature: 1}, 3, nil, nil); !errors.Is(err, errs.ErrSettings) {
		t.Errorf("an expectation without labelings: %v", err)
	}
	edge := []labelgraph.Edge{{I: 0, J: 1}}
	for _, edges := range [][]labelgraph.Edge{{{I: 1, J: 0}}, {{I: 1, J: 3}}, {{I: -1, J: 0}}, {{I: 2, J: 2}}, append(edge, edge...)} {
		if _, err := NewMaximizer(Rule{}, 3, edges, []float64{1}); !errors.Is(err, errs.ErrData) {
			t.Errorf("%v: %v", edges, err)
		}
	}
	o, err := NewMaximizer(Rule{}, 2, nil, nil)
	if err != nil || !testkit.Panics(func() { o.MaximizeTo(make([]uint8, 2), make([]float64, 3)) }) ||
		!testkit.Panics(func() { o.MaximizeTo(make([]uint8, 1), make([]float64, 2)) }) {
		t.Errorf("scores of another length: %v", err)
	}
}

// worth is the score of a labeling under a rule, by its definition.
func worth(r Rule, y []uint8, c []float64, edges []labelgraph.Edge, weights []float64) float64 {
	var sum float64
	for i, v := range y {
		own := c[i] - r.Cut
		if r.Cuts != nil {
			own -= r.Cuts[i]
		}
		sum += own * float64(v)
	}
	for k, e := range edges {
		sum += r.Factor() * weights[k] * float64(y[e.I]*y[e.J])
	}
	return sum
}

// bestWorth is the largest score that the rule allows, by a look at all labelings.
func bestWorth(r Rule, c []float64, edges []labelgraph.Edge, weights []float64) float64 {
	best, y := math.Inf(-1), make([]uint8, len(c))
	for code := range 1 << len(c) {
		for i := range y {
			y[i] = uint8(code >> i & 1)
		}
		if r.Allows(y) {
			best = max(best, worth(r, y, c, edges, weights))
		}
	}
	return best
}

// randomRule draws rules of all kinds, with whole numbers, which make ties, and without.
func randomRule(n int, rng *rand.Rand) Rule {
	var r Rule
	if rng.IntN(2) == 0 {
		r.Cut = testkit.RandomNumbers(1, rng)[0]
	}
	if rng.IntN(2) == 0 {
		r.Cuts = testkit.RandomNumbers(n, rng)
	}
	if rng.IntN(2) == 0 {
		r.PairFactor = []float64{0.25, 0.7, 1, 2}[rng.IntN(4)]
	}
	r.Least = rng.IntN(n + 1)
	if rng.IntN(2) == 0 {
		r.Most = max(1, r.Least+rng.IntN(n-r.Least+1))
	}
	if rng.IntN(3) == 0 {
		r.Least = min(1, r.Least)
	}
	return r
}

// TestMaximizerIsBest compares with all labelings, on forests and on other graphs.
func TestMaximizerIsBest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 3000 {
		n := 1 + rng.IntN(10)
		edges, weights, c := testkit.RandomProblem(n, rng)
		if round%3 > 0 {
			n = max(n, 2)
			edges = testkit.RandomForest(n, rng.Float64()*1.3, rng)
			weights, c = testkit.RandomNumbers(len(edges), rng), testkit.RandomNumbers(n, rng)
		}
		r := randomRule(n, rng)
		o, err := NewMaximizer(r, n, edges, weights)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]uint8, n)
		optimal := o.MaximizeTo(y, c)
		if !r.Allows(y) || labelgraph.IsForest(n, edges) && !optimal {
			t.Fatalf("%v: %v, optimal %v", r, y, optimal)
		}
		best := bestWorth(r, c, edges, weights)
		if got := worth(r, y, c, edges, weights); optimal && got < best-1e-9*(1+testkit.SumAbs(c, weights, r.Cuts)+math.Abs(r.Cut)*float64(n)) {
			t.Fatalf("%v, edges %v, weights %v, scores %v: %v has %v, the best is %v", r, edges, weights, c, y, got, best)
		}
	}
}

// TestMaximizerAllocatesNothing takes rows whose labels break the limits, and others.
func TestMaximizerAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, edges := range [][]labelgraph.Edge{labelgraph.RandomTree(9, rng), labelgraph.AllPairs(9)} {
		for _, r := range []Rule{{Least: 1}, {Cut: 0.3, Least: 2, Most: 3}, {Most: 2, PairFactor: 0.5}} {
			o, err := NewMaximizer(r, 9, edges, testkit.RandomNumbers(len(edges), rng))
			if err != nil {
				t.Fatal(err)
			}
			y, rows := make([]uint8, 9), make([][]float64, 30)
			for m := range rows {
				rows[m] = testkit.RandomNumbers(9, rng)
			}
			all := func() {
				for _, c := range rows {
					o.MaximizeTo(y, c)
				}
			}
			all()
			if count := testing.AllocsPerRun(3, all); count > 0 {
				t.Errorf("%v, %d edges: %v allocations", r, len(edges), count)
			}
		}
	}
}

func ExampleRule() {
	scores := []float64{-0.2, -0.1, -0.9}
	edges, weights := []labelgraph.Edge{{I: 0, J: 1}}, []float64{0.25}
	y := make([]uint8, 3)
	for _, r := range []Rule{{}, {Least: 1}, {Cut: -0.15}} {
		o, err := NewMaximizer(r, 3, edges, weights)
		if err != nil {
			fmt.Println(err)
			return
		}
		o.MaximizeTo(y, scores)
		fmt.Println(r, y)
	}
	// Output:
	// plain [0 0 0]
	// at least 1 [1 1 0]
	// cut -0.15 [1 1 0]
}
