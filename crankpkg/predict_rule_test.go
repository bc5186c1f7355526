package crankpkg

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// modelsOfAllKinds returns random models of five labels.
func modelsOfAllKinds(rng *rand.Rand) map[string]*Model {
	const n, d = 5, 4
	model := func(edges []Edge) *Model { return randomModel(n, d, edges, rng) }
	tree := labelgraph.RandomTree(n, rng)
	models := map[string]*Model{
		"no pairs": model(nil), "forest": model(testkit.RandomForest(n, 0.6, rng)), "tree": model(tree), "cycles": model(labelgraph.AllPairs(n)),
	}
	for name, edges := range map[string][]Edge{"edge features": tree, "edge features, cycles": labelgraph.AllPairs(n)} {
		m := model(edges)
		m.EdgeFeatures = EdgeFeatures{Columns: []int{0, 2}, Scale: 0.5}
		m.PairFeatures = testkit.RandomNumbers(2*len(edges), rng)
		models[name] = m
	}
	fourier := model(tree)
	fourier.Fourier = FourierFeatures{Count: 6, Gamma: 0.3, Seed: 1}
	fourier.Unary = testkit.RandomNumbers(n*7, rng)
	models["Fourier"] = fourier
	for name, edges := range map[string][]Edge{"labelings": tree, "labelings, cycles": labelgraph.AllPairs(n)} {
		m := model(edges)
		for range 9 {
			m.Labelings = append(m.Labelings, testkit.RandomLabels(rng, n)...)
			m.LabelingScores = append(m.LabelingScores, rng.NormFloat64())
		}
		m.Labelings = append(m.Labelings, 1, 0, 1, 0, 0)
		m.LabelingScores = append(m.LabelingScores, 0)
		models[name] = m
	}
	return models
}

// ruledScore returns what scores the labelings of x under the model's rule, without limits, by its definition.
func ruledScore(m *Model, x Row) func(y []uint8) float64 {
	scores, pairs := m.Scores(x), m.PairsAt(x)
	return func(y []uint8) float64 {
		var sum float64
		for i, c := range scores {
			c -= m.Rule.Cut
			if m.Rule.Cuts != nil {
				c -= m.Rule.Cuts[i]
			}
			sum += c * float64(y[i])
		}
		for k, w := range pairs {
			sum += m.Rule.Factor() * w * float64(y[m.Edges[k].I]*y[m.Edges[k].J])
		}
		return sum
	}
}

// checkRule holds predictions and margins of a model to their definitions, in all forms in
// which rows come.
func checkRule(t *testing.T, name string, m *Model, dense, sparse *Matrix) {
	t.Helper()
	p, n := m.Predictor(), m.NumLabels()
	batch, sparseBatch := p.PredictAll(dense), p.PredictAll(sparse)
	checked, err := p.PredictRows(sparse)
	if err != nil {
		t.Fatal(err)
	}
	labelings, extra := labelingsOf(m)
	y, margins := make([]uint8, n), make([]float64, n)
	for r := range dense.NumRows {
		x := dense.Row(r)
		optimal := p.PredictTo(y, x)
		for _, other := range [][]uint8{batch, sparseBatch, checked} {
			if own := other[r*n : (r+1)*n]; optimal && !slices.Equal(own, y) {
				t.Fatalf("%s, %s: row %d: %v and %v", name, m.Rule, r, y, own)
			}
		}
		if !m.Rule.Allows(y) {
			t.Fatalf("%s, %s: %v", name, m.Rule, y)
		}
		best, got := math.Inf(-1), math.Inf(-1)
		off, on := make([]float64, n), make([]float64, n)
		for i := range n {
			off[i], on[i] = math.Inf(-1), math.Inf(-1)
		}
		scoreOf := ruledScore(m, x)
		for k, s := range labelings {
			if len(m.Labelings) > 0 && !m.Rule.Allows(s) {
				continue
			}
			score := scoreOf(s) + extra[k]
			for i, v := range s {
				if v == 1 {
					on[i] = max(on[i], score)
				} else {
					off[i] = max(off[i], score)
				}
			}
			if m.Rule.Allows(s) {
				best = max(best, score)
			}
			if slices.Equal(s, y) {
				got = max(got, score)
			}
		}
		if optimal && got < best-1e-9*(1+math.Abs(best)) {
			t.Fatalf("%s, %s: row %d: %v has %v, the best is %v", name, m.Rule, r, y, got, best)
		}
		if exact := p.MarginsTo(margins, x); !exact {
			continue
		}
		for i, v := range margins {
			if want := on[i] - off[i]; v != want && math.Abs(v-want) > 1e-9*(1+math.Abs(best)) {
				t.Fatalf("%s, %s: row %d: margin %v of label %d, want %v", name, m.Rule, r, v, i, want)
			}
		}
	}
}

func TestRulesOfAllModels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(51, 1))
	for range 3 {
		models := modelsOfAllKinds(rng)
		dense, sparse := randomRows(12, 4, rng)
		for _, rule := range []decision.Rule{
			{Least: 1}, {Cut: 1.5, Least: 1}, {Least: 2}, {Most: 2}, {Cut: -0.7, Least: 2, Most: 3, PairFactor: 0.5},
			{Cuts: []float64{1, -1, 2, 0, -3}}, {Cut: 4, PairFactor: 2}, {Cut: 0.2, Cuts: []float64{0, 0, 1, 0, -1}, Least: 1, Most: 2, PairFactor: 3},
		} {
			for name, m := range models {
				m.Rule = rule
				checkRule(t, name, m, dense, sparse)
			}
		}
	}
}

// TestRuleThatChangesNothing compares bits with those of a model without a rule.
func TestRuleThatChangesNothing(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 1))
	dense, _ := randomRows(30, 4, rng)
	for name, m := range modelsOfAllKinds(rng) {
		y, margins := m.PredictAll(dense), m.Predictor().MarginsAll(dense)
		m.Rule = decision.Rule{Cuts: make([]float64, 5), PairFactor: 1, Most: 5}
		if !slices.Equal(y, m.PredictAll(dense)) || !slices.Equal(margins, m.Predictor().MarginsAll(dense)) {
			t.Errorf("%s: other predictions", name)
		}
	}
}

// TestRuleLikeMaximizer compares with what package decision makes of the same scores, which
// choices of rules go by.
func TestRuleLikeMaximizer(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(53, 1))
	for range 5 {
		dense, _ := randomRows(20, 4, rng)
		for name, m := range modelsOfAllKinds(rng) {
			if len(m.Labelings) > 0 {
				continue
			}
			m.Rule = decision.Rule{Cut: rng.NormFloat64(), Least: 1, Most: 3, PairFactor: 1.3}
			p, y, c := m.Predictor(), make([]uint8, 5), make([]float64, 5)
			for r := range dense.NumRows {
				x := dense.Row(r)
				o, err := decision.NewMaximizer(m.Rule, 5, m.Edges, m.PairsAt(x))
				if err != nil {
					t.Fatal(err)
				}
				p.ScoresTo(c, x)
				optimal := o.MaximizeTo(y, c)
				own := make([]uint8, 5)
				if p.PredictTo(own, x) != optimal || !slices.Equal(own, y) {
					t.Fatalf("%s, %s: %v, and %v by the scores", name, m.Rule, own, y)
				}
			}
		}
	}
}

// TestExpectationOfAllModels compares with all labelings by the definition of the expectation,
// in all forms in which rows come.
func TestExpectationOfAllModels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(55, 1))
	dense, sparse := randomRows(12, 4, rng)
	for name, m := range modelsOfAllKinds(rng) {
		m.Rule = decision.Rule{Cut: 0.3, Cuts: []float64{0, 1, 0, -1, 0}, PairFactor: 0.7, Expect: metrics.ExampleF1, Temperature: 0.8}
		if len(m.Labelings) == 0 {
			if err := m.Validate(); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "without Labelings") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		for _, m.Rule.Expect = range metrics.PaperMeasures() {
			p := m.Predictor()
			batch, sparseBatch := p.PredictAll(dense), p.PredictAll(sparse)
			for r := range dense.NumRows {
				y := p.Predict(dense.Row(r))
				if !slices.Equal(y, batch[r*5:r*5+5]) || !slices.Equal(y, sparseBatch[r*5:r*5+5]) {
					t.Fatalf("%s: row %d: %v, in a batch %v, sparse %v", name, r, y, batch[r*5:r*5+5], sparseBatch[r*5:r*5+5])
				}
				expected := expectedUnderRule(m, dense.Row(r))
				got := expected(y)
				for code := range 32 {
					other := []uint8{uint8(code & 1), uint8(code >> 1 & 1), uint8(code >> 2 & 1), uint8(code >> 3 & 1), uint8(code >> 4)}
					if want := expected(other); want > got+1e-9 {
						t.Fatalf("%s, %s: row %d: %v has %v, %v has %v", name, m.Rule, r, y, got, other, want)
					}
				}
			}
		}
	}
}

// expectedUnderRule returns what the rule expects of a prediction for x; of subset accuracy, its score.
func expectedUnderRule(m *Model, x Row) func(y []uint8) float64 {
	labelings, extra := labelingsOf(m)
	scores, scoreOf := make([]float64, len(labelings)), ruledScore(m, x)
	for k, s := range labelings {
		scores[k] = scoreOf(s) + extra[k]
	}
	return func(y []uint8) float64 {
		var sum, total float64
		most := math.Inf(-1)
		for k, s := range labelings {
			p := math.Exp(scores[k] / m.Rule.Temperature)
			total += p
			sum += p * metrics.Evaluate(s, y, len(y)).Of(m.Rule.Expect)
			if slices.Equal(s, y) {
				most = max(most, scores[k])
			}
		}
		if m.Rule.Expect == metrics.SubsetAccuracy {
			return most
		}
		return sum / total
	}
}

func TestRulesAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 1))
	const n, d = 8, 4
	dense, sparse := randomRows(70, d, rng)
	y := make([]uint8, 70*n)
	for _, edges := range [][]Edge{labelgraph.RandomTree(n, rng), labelgraph.AllPairs(n)} {
		m := randomModel(n, d, edges, rng)
		for _, m.Rule = range []decision.Rule{{Cut: 2, Least: 2, Most: 3, PairFactor: 0.5}, {Expect: metrics.HammingAccuracy, Temperature: 1}, {Expect: metrics.ExampleF1, Temperature: 1}} {
			if m.Rule.Expect != "" {
				m.Labelings, m.LabelingScores = testkit.RandomLabels(rng, 20*n), make([]float64, 20)
			}
			p := m.Predictor()
			for name, f := range map[string]func(){
				"row": func() { p.PredictTo(y[:n], sparse.Row(2)) }, "batch": func() { p.PredictAllTo(y, dense, 1) },
			} {
				f()
				if a := testing.AllocsPerRun(20, f); a != 0 && !raceEnabled {
					t.Errorf("%s with %d pairs, %s: %v allocations", name, len(edges), m.Rule, a)
				}
			}
		}
	}
}

// TestRuleOfGroups has what makes sense there, cuts of labels and the factor, and refuses
// what does not.
func TestRuleOfGroups(t *testing.T) {
	t.Parallel()
	train := grouped(60, 1)
	m, _, err := CRANK{Lambda: 0.01, Restarts: 1}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	m.Rule = decision.Rule{Cuts: []float64{0.5, -1, 0.2, 0, 0.1, -0.4, 0, 1}, PairFactor: 0.6}
	p, y := m.Predictor(), make([]uint8, 8)
	labelings, _ := labelingsOf(m)
	for k := range train.Len() {
		x := train.Row(k)
		if !p.PredictTo(y, x) {
			continue
		}
		scoreOf := ruledScore(m, x)
		got := scoreOf(y)
		for _, s := range labelings {
			if want := scoreOf(s); want > got+1e-9 {
				t.Fatalf("row %d: %v has %v, %v has %v", k, y, got, s, want)
			}
		}
	}
	for _, r := range []decision.Rule{{Cut: 1}, {Least: 1}, {Most: 4}, {Expect: metrics.ExampleF1, Temperature: 1}} {
		m.Rule = r
		if err := m.Validate(); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "groups") {
			t.Errorf("%s: %v", r, err)
		}
	}
}

func TestRuleThatNoLabelingMeets(t *testing.T) {
	t.Parallel()
	m := generalModel()
	m.Rule.Least = 3
	if err := m.Validate(); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "at least 3") || !testkit.Panics(func() { m.Predictor() }) {
		t.Errorf("%v", err)
	}
}
