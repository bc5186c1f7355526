package crossval

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// TestHeldOutScoresByHand computes the scores of what is held out from models that it
// trains itself, with weights of pairs that depend on the example.
func TestHeldOutScoresByHand(t *testing.T) {
	t.Parallel()
	ds, _, _ := crankpkg.PlantedTree{N: 4, D: 3, Seed: 1}.Generate(40, 1)
	for _, columns := range [][]int{nil, {0, 2}} {
		method := crankpkg.ChowLiu{Settings: crankpkg.Settings{Gap: 0.01, EdgeFeatures: crankpkg.EdgeFeatures{Columns: columns}}}
		cv := Search{Trainer: method, Lambdas: []float64{0.1}, Folds: 3, Seed: 5}
		held, err := cv.HeldOutScores(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		least, most := decision.Limits(ds.Y, 4)
		if held.Least != least || held.Most != most || len(held.Points) != 1 || held.Points[0].Lambda != 0.1 || !(held.Points[0].Gap <= 0.01) {
			t.Errorf("%+v", held)
		}
		folds, err := ds.StratifiedFolds(3, 5, 1)
		if err != nil {
			t.Fatal(err)
		}
		for f, fold := range folds {
			m, _, err := method.WithLambda(0.1).Train(context.Background(), ds.Subset(fold.Train))
			if err != nil {
				t.Fatal(err)
			}
			test, part := ds.Subset(fold.Test), held.Points[0].Parts[f]
			if !slices.Equal(part.Y, test.Y) || !slices.Equal(part.Edges, m.Edges) || part.NumLabels != 4 {
				t.Fatalf("fold %d: %+v", f, part)
			}
			for k := range test.Len() {
				pairs := part.Pair
				if columns != nil {
					pairs = pairs[k*len(m.Edges) : (k+1)*len(m.Edges)]
				}
				if !near(part.Scores[4*k:4*k+4], m.Scores(test.Row(k))) || !near(pairs, m.PairsAt(test.Row(k))) {
					t.Fatalf("fold %d, example %d: %v, want %v", f, k, part.Scores[4*k:4*k+4], m.Scores(test.Row(k)))
				}
			}
		}
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}

// TestChooseRule finds on Emotions, where too few labels are predicted for F1, a rule that
// does better on the test examples, and the better lambda with it.
func TestChooseRule(t *testing.T) {
	t.Parallel()
	ds, test, err := crankpkg.LoadSplit("emotions")
	if err != nil {
		t.Fatal(err)
	}
	method := crankpkg.Trainer(crankpkg.Empty{Settings: crankpkg.Settings{Scaling: crankpkg.ZScore}})
	var first *RuleSelection
	for _, workers := range []int{1, 3} {
		s, err := Search{Trainer: method, Lambdas: []float64{30, 0.1}, Criterion: metrics.ExampleF1, Workers: workers}.ChooseRule(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s
		}
		if !reflect.DeepEqual(first, s) {
			t.Errorf("%v with one worker, %v with three", first, s)
		}
	}
	best := first.Best()
	for _, p := range first.Points {
		if plain := p.Choice.Candidates[0]; p.Choice.Best().HeldOut < plain.HeldOut || p.Choice.Best().Nested > best.Choice.Best().Nested {
			t.Errorf("%+v", p)
		}
	}
	m, trace, err := first.Train(context.Background(), method, ds)
	if err != nil || trace == nil || m.Lambda != best.Lambda || !reflect.DeepEqual(m.Rule, first.Rule()) || m.Rule.IsZero() {
		t.Fatalf("%v, %v", m, err)
	}
	plain := *m
	plain.Rule = decision.Rule{}
	if with, without := crankpkg.Evaluate(m, test), crankpkg.Evaluate(&plain, test); with.ExampleF1 < without.ExampleF1+3 {
		t.Errorf("F1 %v with the rule, %v without", with.ExampleF1, without.ExampleF1)
	}
	if text := first.String(); !strings.Contains(text, "Empty: lambda 0.1, zscore, ") || !strings.Contains(text, "F1") {
		t.Error(text)
	}
}

// TestRulesKeepLimitsOfTheTraining chooses rules for methods that train within limits, and trains with a rule that was
// chosen without: no prediction is outside the limits of the training. Limits that exclude one another are an error.
func TestRulesKeepLimitsOfTheTraining(t *testing.T) {
	t.Parallel()
	whole, test, _ := crankpkg.PlantedTree{N: 5, D: 3, Noise: 0.1, Seed: 9}.Generate(75, 100)
	loss := crankpkg.Loss{Least: 1, Most: 3}
	var rows []int
	for m := range whole.Len() {
		if (decision.Rule{Least: 1, Most: 3}).Allows(whole.Labels(m)) {
			rows = append(rows, m)
		}
	}
	ds := whole.Subset(rows)
	for _, method := range []crankpkg.Trainer{crankpkg.Empty{Settings: crankpkg.Settings{Loss: loss}}, crankpkg.ChowLiu{Settings: crankpkg.Settings{Loss: loss}}} {
		free, _ := crankpkg.Adjust(method, func(s *crankpkg.Settings) { s.Loss = crankpkg.Loss{} })
		for _, searched := range []crankpkg.Trainer{method, free} {
			for _, measure := range []metrics.Measure{metrics.HammingAccuracy, metrics.ExampleF1} {
				held, err := Search{Trainer: searched, Lambdas: []float64{0.01}, Folds: 3}.HeldOutScores(context.Background(), ds)
				if err != nil {
					t.Fatal(err)
				}
				for _, search := range []decision.Search{{}, {Most: 5, AllLabelings: true}, {Least: 2, AllLabelings: true}} {
					search.Measure = measure
					s, err := held.Choose(context.Background(), search)
					if err != nil {
						t.Fatal(err)
					}
					m, _, err := s.Train(context.Background(), method, ds)
					if expects := s.Rule().Expect != "" && s.Rule().Calibration == nil; expects {
						if !errors.Is(err, crankpkg.ErrSettings) || reflect.DeepEqual(searched, method) {
							t.Errorf("%s, %s: rule %v: %v", method.Name(), measure, s.Rule(), err)
						}
						continue
					}
					if err != nil || m.Rule.Least < 1 || m.Rule.Most < 1 || m.Rule.Most > 3 {
						t.Fatalf("%s, %s: %v, %v", method.Name(), measure, m, err)
					}
					for k := range test.Len() {
						if y := m.Predict(test.Row(k)); !(decision.Rule{Least: 1, Most: 3}).Allows(y) {
							t.Fatalf("%s, %s, rule %v: %v", method.Name(), measure, m.Rule, y)
						}
					}
				}
			}
		}
	}
	s := &RuleSelection{Points: []RulePoint{{Lambda: 0.01, Choice: decision.Choice{Candidates: []decision.Candidate{{Rule: decision.Rule{Least: 4}}}}}}}
	if m, _, err := s.Train(context.Background(), crankpkg.Empty{Settings: crankpkg.Settings{Loss: loss}}, ds); !errors.Is(err, crankpkg.ErrSettings) || m != nil {
		t.Errorf("four labels of at most three: %v, %v", m, err)
	}
	// That is said before the training, which has no time left and says so.
	over, cancel := context.WithCancel(context.Background())
	cancel()
	limited := crankpkg.Empty{Settings: crankpkg.Settings{Loss: loss}}
	for name, c := range map[string]struct {
		trainer crankpkg.Trainer
		rule    decision.Rule
		want    error
	}{
		"at least four of at most three": {limited, decision.Rule{Least: 4}, crankpkg.ErrSettings},
		"none of at least one":           {crankpkg.Empty{Settings: crankpkg.Settings{Loss: crankpkg.Loss{Least: 2}}}, decision.Rule{Most: 1}, crankpkg.ErrSettings},
		"expected, of at most three":     {limited, decision.Rule{Expect: metrics.ExampleF1, Temperature: 1}, crankpkg.ErrSettings},
		"under another name":             {crankpkg.Named("x", limited), decision.Rule{Least: 4}, crankpkg.ErrSettings},
		"three of at most three":         {limited, decision.Rule{Least: 3}, context.Canceled},
		"free":                           {crankpkg.Empty{}, decision.Rule{Least: 4}, context.Canceled},
	} {
		s.Points[0].Choice.Candidates[0].Rule = c.rule
		if m, _, err := s.Train(over, c.trainer, ds); !errors.Is(err, c.want) || (m != nil) != (c.want == context.Canceled) {
			t.Errorf("%s: %v, error %v, want %v", name, m, err, c.want)
		}
	}
}

// TestRuleSelectionTies takes the larger lambda of two that are as good, wherever it stands.
func TestRuleSelectionTies(t *testing.T) {
	t.Parallel()
	s, err := Search{Trainer: tableTrainer{}, Lambdas: []float64{0.1, 0.2, 0.3}, Criterion: metrics.HammingAccuracy}.ChooseRule(context.Background(), labeledSet(20, 14))
	if err != nil || s.Best().Lambda != 0.3 || !s.Rule().IsZero() || s.Points[0].Choice.Best().Nested != s.Best().Choice.Best().Nested {
		t.Errorf("%v, %v", s, err)
	}
}

// TestHoldOut checks that there is one training for each lambda, on what the first fold leaves, and
// that what it holds out is dealt out among the parts.
func TestHoldOut(t *testing.T) {
	t.Parallel()
	ds, _, _ := crankpkg.PlantedTree{N: 3, D: 3, Noise: 0.1, Seed: 9}.Generate(40, 1)
	search := Search{Trainer: crankpkg.Empty{}, Lambdas: []float64{0.1, 0.01}, Folds: 4}
	all, err := search.HeldOutScores(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	trained := 0
	search.HoldOut, search.Progress = true, func(p Progress) { trained = p.Total }
	one, err := search.HeldOutScores(context.Background(), ds)
	if err != nil || len(one.Points) != 2 || trained != 1 {
		t.Fatalf("%+v after %d pieces of work, %v", one, trained, err)
	}
	for k, p := range one.Points {
		want := all.Points[k].Parts[0].Divide(4)
		if len(p.Parts) != 4 || !reflect.DeepEqual(p.Parts, want) {
			t.Errorf("lambda %v: %+v, not %+v", p.Lambda, p.Parts, want)
		}
	}
	if s, err := search.Run(context.Background(), ds); !errors.Is(err, crankpkg.ErrSettings) || s != nil {
		t.Errorf("%v, %v", s, err)
	}
}

func TestChooseRuleRefuses(t *testing.T) {
	t.Parallel()
	ds := labeledSet(20, 14)
	inGroups := labeledSet(20, 20)
	inGroups.Groups = []int{2}
	seen := crankpkg.LabelPowerset{Only: true}
	for what, c := range map[string]struct {
		search Search
		ds     *crankpkg.Dataset
		want   error
	}{
		"no trainer":         {Search{}, ds, crankpkg.ErrSettings},
		"groups":             {Search{Trainer: crankpkg.Empty{}}, inGroups, crankpkg.ErrData},
		"powersets":          {Search{Trainer: crankpkg.Empty{}, Powersets: []crankpkg.LabelPowerset{{}, seen}}, ds, crankpkg.ErrSettings},
		"its own powerset":   {Search{Trainer: crankpkg.Empty{Settings: crankpkg.Settings{Powerset: seen}}}, ds, crankpkg.ErrSettings},
		"held out twice":     {Search{Trainer: crankpkg.Empty{}, HoldOut: true, Repeats: 2}, ds, crankpkg.ErrSettings},
		"one standard error": {Search{Trainer: crankpkg.Empty{}, OneStandardError: true}, ds, crankpkg.ErrSettings},
		"limits":             {Search{Trainer: crankpkg.Empty{Settings: crankpkg.Settings{Loss: crankpkg.Loss{Least: 2, Most: 1}}}}, ds, crankpkg.ErrSettings},
		"folds":              {Search{Trainer: crankpkg.Empty{}, Folds: 21}, ds, crankpkg.ErrSettings},
	} {
		if s, err := c.search.ChooseRule(context.Background(), c.ds); !errors.Is(err, c.want) || s != nil {
			t.Errorf("%s: %v, %v", what, s, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Search{Trainer: crankpkg.Empty{}}).ChooseRule(ctx, ds); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
