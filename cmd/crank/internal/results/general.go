package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat"
)

// generalRow is an entry of general.json: one measure of one model on the test
// examples.
type generalRow struct {
	Set       string          `json:"set"`
	Method    string          `json:"method"`
	Criterion metrics.Measure `json:"criterion"` // what the settings were chosen by
	Measure   metrics.Measure `json:"measure"`
	Value     float64         `json:"value"`
	StdErr    float64         `json:"stderr"`
	// Validated is the mean of the criterion over the folds, and its standard error.
	Validated       float64 `json:"validated"`
	ValidatedStdErr float64 `json:"validated_stderr"`
	Lambda          float64 `json:"lambda"`
	Settings        string  `json:"settings"`
	Gap             float64 `json:"gap"` // relative, of the last convex problem
	// Mark is the best that is known from elsewhere, says MarkSource.
	Mark       float64 `json:"mark"`
	MarkSource string  `json:"mark_source"`
	// Scalar is the value of CRANK as in the paper, and Difference what Value has
	// more, with a 95 % interval and the p-value of a paired bootstrap.
	Scalar     float64 `json:"scalar"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	P          float64 `json:"p_value"`
}

// general makes general.json. All choices are made by cross-validation on the
// training examples: once for each measure, with that measure as the criterion, and
// once for the mean of the three. What is chosen then is trained on all training
// examples, with CRANK's tree, and, in the same settings, with all pairs and without
// pairs; the test examples are looked at just then, once.
func (mk *maker) general(ctx context.Context) error {
	names := pick(mk, tableSets, []string{"emotions"})
	scalar, _, err := mk.crossValidated(ctx, names, mk.methods(scoreGap)[:1])
	if err != nil {
		return err
	}
	var rows []generalRow
	for k, set := range mk.named(names...) {
		train, _, err := set.Load(0)
		if err != nil {
			return err
		}
		s := &search{mk, set.Name, train}
		e := experiment.Experiment{Sets: []experiment.Set{set}}
		var choices []found // for each trainer, with its method
		for _, criterion := range pick(mk, append(metrics.PaperMeasures(), metrics.MeanOfThree), []metrics.Measure{metrics.MeanOfThree}) {
			c, err := s.run(ctx, criterion)
			if err != nil {
				return err
			}
			for _, t := range generalMethods(c.settings) {
				e.Trainers = append(e.Trainers, crankpkg.Named(fmt.Sprintf("%s by %s", t.Name(), criterion.Label()), t.WithLambda(c.lambda)))
				c.method = t.Name()
				choices = append(choices, c)
			}
		}
		table, err := mk.experiment(ctx, "general-tests", e)
		if err != nil {
			return err
		}
		for q, c := range table.Cells {
			rows = append(rows, choices[q].rows(c, scalar.Cells[k].Examples())...)
		}
	}
	return writeRows(mk, "general.json", rows)
}

// finalGap is the relative gap of the models that are tested.
const finalGap = 0.005

// generalMethods are trained in the settings chosen.
func generalMethods(s crankpkg.Settings) []crankpkg.Trainer {
	s.Gap, s.Seed = finalGap, 1
	return []crankpkg.Trainer{crankpkg.CRANK{Restarts: 3, Settings: s}, crankpkg.Full{Settings: s}, crankpkg.Empty{Settings: s}}
}

// rows compares a model with scalar CRANK and the best elsewhere, by the criterion
// or by each of the three.
func (f found) rows(c experiment.Cell, base metrics.ExampleScores) (rows []generalRow) {
	measures := []metrics.Measure{f.criterion}
	if f.criterion == metrics.MeanOfThree {
		measures = metrics.PaperMeasures()
	}
	for _, m := range measures {
		values := c.Examples().Of(m)
		mean, deviation := stat.MeanStdDev(values, nil)
		d := metrics.Bootstrap{Seed: 1}.Compare(values, base.Of(m))
		r := generalRow{
			Set: c.Set, Method: f.method, Criterion: f.criterion, Measure: m,
			Value: mean, StdErr: stat.StdErr(deviation, float64(len(values))),
			Validated: f.mean, ValidatedStdErr: f.stdErr, Lambda: f.lambda, Settings: describe(f.settings), Gap: gapOf(c),
			Scalar: stat.Mean(base.Of(m), nil), Difference: d.Mean, Low: d.Low, High: d.High, P: d.P,
		}
		r.Mark, r.MarkSource = markOf(c.Set, m)
		rows = append(rows, r)
	}
	return rows
}
