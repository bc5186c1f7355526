package results

import (
	"context"
	"fmt"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// rulesRow is one model on the test examples: plain, with at least one label, and with the
// rules that cross-validation on the training examples chooses by each measure.
type rulesRow struct {
	Set, Method string
	Lambda      float64
	Least, Most int // labels of a training example
	Plain       crankpkg.Scores
	AtLeastOne  crankpkg.Scores
	Chosen      []ruleEntry
}

// ruleEntry is a rule that was chosen by one measure.
type ruleEntry struct {
	Measure metrics.Measure
	Kind    string
	Rule    decision.Rule
	// Powerset says which labelings the rule is for.
	Powerset crankpkg.LabelPowerset
	// HeldOut is the measure on what the folds hold out, by rules fitted to the other
	// folds, and PlainHeldOut that of the plain prediction.
	HeldOut, PlainHeldOut float64
	Scores                crankpkg.Scores
	// Gain is what the measure has more than the plain prediction on the test examples.
	Gain metrics.Difference
}

// rules makes rules.json: Empty, Full, Project and CRANK in the standing settings, as in the
// README's table of scores, and what decision rules make of them.
func (mk *maker) rules(ctx context.Context) error {
	var rows []rulesRow
	for _, set := range pick(mk, tableSets, []string{"emotions", "medical10"}) {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		for _, t := range rulesMethods(mk.gap(0.001)) {
			t = standing[set].fit(t)
			row, err := kept(ctx, mk, []string{set, t.Name()}, []any{train, test, t, choiceGap}, func() (rulesRow, error) {
				return mk.ruled(ctx, t, standing[set].lambda, train, test)
			})
			if err != nil {
				return err
			}
			row.Set = set
			rows = append(rows, row)
		}
	}
	for _, r := range rows {
		fmt.Fprintln(mk.Log, r.markdown())
	}
	return writeReport(mk, "rules.json", rows)
}

// rulesMethods are those of the README's table of scores.
func rulesMethods(gap float64) []crankpkg.Trainer {
	s := crankpkg.Settings{Gap: gap}
	return []crankpkg.Trainer{crankpkg.Empty{Settings: s}, crankpkg.Full{Settings: s}, crankpkg.Project{Settings: s}, crankpkg.CRANK{Settings: s}}
}

// ruled trains, on the folds and on all, and tests.
func (mk *maker) ruled(ctx context.Context, t crankpkg.Trainer, lambda float64, train, test *crankpkg.Dataset) (rulesRow, error) {
	search := crossval.Search{Trainer: t, Lambdas: []float64{lambda}, Gap: mk.gap(choiceGap), Workers: mk.Workers}
	held, err := search.HeldOutScores(ctx, train)
	if err != nil {
		return rulesRow{}, err
	}
	m, _, _, err := mk.train(ctx, t, train)
	if err != nil {
		return rulesRow{}, err
	}
	scores := func(r decision.Rule, seen crankpkg.LabelPowerset) (crankpkg.Scores, metrics.ExampleScores) {
		seen.Restrict(m, train)
		m.Rule = r
		y := m.PredictAll(test.X)
		return metrics.Evaluate(test.Y, y, test.NumLabels()), metrics.Evaluator{}.Examples(test.Y, y, test.NumLabels())
	}
	row := rulesRow{Method: t.Name(), Lambda: lambda, Least: held.Least, Most: held.Most}
	plain, plainEach := scores(decision.Rule{}, crankpkg.LabelPowerset{})
	row.Plain = plain
	row.AtLeastOne, _ = scores(decision.Rule{Least: 1}, crankpkg.LabelPowerset{})
	for _, measure := range metrics.PaperMeasures() {
		s, err := held.Choose(ctx, decision.Search{Measure: measure, Workers: mk.Workers})
		if err != nil {
			return rulesRow{}, err
		}
		choice := s.Best().Choice
		best := choice.Best()
		e := ruleEntry{Measure: measure, Kind: best.Kind, Rule: best.Rule, Powerset: s.Powerset(), HeldOut: best.Nested, PlainHeldOut: choice.Candidates[0].Nested}
		var each metrics.ExampleScores
		e.Scores, each = scores(best.Rule, e.Powerset)
		e.Gain = metrics.Bootstrap{Seed: 1}.Compare(each.Of(measure), plainEach.Of(measure))
		row.Chosen = append(row.Chosen, e)
	}
	return row, nil
}

// markdown is the row of the README's table: the scores in percent, and of each rule that
// was chosen the measure that it was chosen by.
func (r rulesRow) markdown() string {
	three := func(s crankpkg.Scores) string {
		return fmt.Sprintf("%.1f / %.1f / %.1f", s.HammingAccuracy, s.SubsetAccuracy, s.ExampleF1)
	}
	var chosen []string
	for _, e := range r.Chosen {
		chosen = append(chosen, fmt.Sprintf("%.1f", e.Scores.Of(e.Measure)))
	}
	return fmt.Sprintf("| %s, %s | %s | %s | %s |", r.Set, r.Method, three(r.Plain), three(r.AtLeastOne), strings.Join(chosen, " / "))
}

// gainRow is what CRANK with one start has more than Empty on random splits of a set, both with the plain prediction or both with a
// rule of decision, each chosen with lambda by cross-validation for the mean of the three measures.
type gainRow struct {
	Set     string
	Scaling crankpkg.Scaling
	Rule    bool
	Lambdas []float64 // chosen from
	Splits  []gainSplit
	// ZeroOne and MeanOfThree are CRANK less Empty, by the corrected resampled t test.
	ZeroOne, MeanOfThree metrics.Difference
}

// gainSplit is one method on one split.
type gainSplit struct {
	Split  uint64
	Method string
	Lambda float64 // chosen
	Scores crankpkg.Scores
}

// gains makes question_gains.json: does a label tree help beyond what a better cut does?
func (mk *maker) gains(ctx context.Context) error {
	var rows []gainRow
	for _, set := range pick(mk, []string{"flags", "emotions", "medical10", "scene", "yeast"}, []string{"flags", "scene"}) {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		for _, rule := range []bool{false, true} {
			name := map[bool]string{false: "plain", true: "rules"}[rule]
			s := mk.gainSweep(set, rule)
			row, err := kept(ctx, mk, []string{set, name}, []any{train, test, standing[set].scaling, s.Methods, s.Select, s.Splits}, func() (gainRow, error) {
				return gainOf(ctx, s)
			})
			if err != nil {
				return err
			}
			row.Set, row.Scaling, row.Rule = set, standing[set].scaling, rule
			rows = append(rows, row)
		}
	}
	return writeReport(mk, "question_gains.json", rows)
}

// gainSweep trains Empty and CRANK on splits of a set.
func (mk *maker) gainSweep(set string, rule bool) experiment.Sweep {
	grid := []float64{0.001, 0.01, 0.1}
	if standing[set].scaling == crankpkg.ZScore {
		grid = []float64{0.01, 0.1, 1}
	}
	sets := mk.named(set)
	sets[0].Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, standing[set].scaling) }
	return experiment.Sweep{
		Methods: []crankpkg.Trainer{crankpkg.Empty{}, crankpkg.CRANK{Restarts: 1}}, Sets: sets, Splits: seeds(pick(mk, 5, 2)),
		Select: &crossval.Search{Lambdas: pick(mk, grid, grid[:2]), Folds: 3, Gap: 0.05}, ChooseRule: rule, Workers: mk.Workers,
	}
}

// gainOf runs such a sweep.
func gainOf(ctx context.Context, s experiment.Sweep) (gainRow, error) {
	table, err := s.Run(ctx)
	if err != nil {
		return gainRow{}, err
	}
	row := gainRow{Lambdas: s.Select.Lambdas}
	for _, r := range table.Rows {
		if r.Error != "" {
			return row, fmt.Errorf("%s, split %d: %s", r.Method, r.Split, r.Error)
		}
		row.Splits = append(row.Splits, gainSplit{r.Split, r.Method, r.Lambda, r.Scores})
	}
	set := s.Sets[0].Name
	row.ZeroOne = table.EffectsOn(set, metrics.SubsetAccuracy)[0].Difference
	row.MeanOfThree = table.EffectsOn(set, metrics.MeanOfThree)[0].Difference
	return row, nil
}
