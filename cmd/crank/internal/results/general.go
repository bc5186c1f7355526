package results

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/internal/cputime"
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
	// Validated is the criterion on what the folds hold out, of rules fitted to the other
	// folds, and its standard error.
	Validated       float64 `json:"validated"`
	ValidatedStdErr float64 `json:"validated_stderr"`
	Lambda          float64 `json:"lambda"`
	Settings        string  `json:"settings"`
	Gap             float64 `json:"gap"` // relative, of the last convex problem
	// Mark is the test value of the peer that cross-validation chooses for the measure, and
	// MarkSource that peer's name.
	Mark       float64 `json:"mark"`
	MarkSource string  `json:"mark_source"`
	// Scalar is the value of linear CRANK without a rule, as in the README's table of scores,
	// and Difference what Value has more, with a 95 % interval and the p-value of a paired
	// bootstrap.
	Scalar     float64 `json:"scalar"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	P          float64 `json:"p_value"`
	// Candidates is how many settings cross-validation was done for on the set, and Rules how
	// many rules were tried with the one chosen. CPU are the seconds of all that was chosen
	// for CRANK on this set, for all criteria together.
	Candidates int     `json:"candidates"`
	Rules      int     `json:"rules"`
	CPU        float64 `json:"cpu"`
}

// finalGap is the relative gap of the models that are tested, which is that of Settings.
const finalGap = 0.01

// general makes general.json. All choices are made by crossval.General, on the training
// examples: for each measure by itself, and for the mean of the three. What is chosen then is
// trained on all training examples, with CRANK's tree, and, in the same scaling, kernel and
// lambda, with all pairs and without pairs, which get rules of their own by the same folds;
// the test examples are looked at just then, once.
func (mk *maker) general(ctx context.Context) error {
	marks, err := mk.marks()
	if err != nil {
		return err
	}
	var rows []generalRow
	for _, set := range pick(mk, tableSets, []string{"emotions", "medical10"}) {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		g := crossval.General{Measures: pick(mk, append(metrics.PaperMeasures(), metrics.MeanOfThree), []metrics.Measure{metrics.MeanOfThree}), Workers: mk.Workers}
		own, err := kept(ctx, mk, []string{set}, []any{train, test, g.Measures, finalGap}, func() ([]generalRow, error) {
			return (&generalSet{mk, g, set, train, test, map[string]*crossval.HeldOut{}}).rows(ctx)
		})
		if err != nil {
			return err
		}
		for _, r := range own {
			mark := marks[set+string(r.Measure)]
			r.Mark, r.MarkSource = mark.Test, mark.Peer
			rows = append(rows, r)
			if r.Method == "CRANK" {
				beside := "no peer" // where peers.json is elsewhere
				if r.MarkSource != "" {
					beside = fmt.Sprintf("%s has %.1f", r.MarkSource, r.Mark)
				}
				fmt.Fprintf(mk.Log, "%s by %s: %s %.1f (%.1f held out), %s: %s\n",
					set, r.Criterion.Label(), r.Measure.Label(), r.Value, r.Validated, beside, r.Settings)
			}
		}
	}
	return writeRows(mk, "general.json", rows)
}

// marks returns, by set and measure, the peer that cross-validation chooses, as far as
// peers.json has one.
func (mk *maker) marks() (map[string]peerRow, error) {
	peers, err := readPeersFile(mk.Out)
	if err != nil {
		return nil, err
	}
	marks := make(map[string]peerRow)
	for _, r := range peers.Best {
		marks[r.Set+string(r.Measure)] = r
	}
	return marks, nil
}

// generalSet is one set.
type generalSet struct {
	*maker
	crossval.General
	set         string
	train, test *crankpkg.Dataset
	// held has the scores of what the folds hold out, by method and point: criteria that have
	// the same point share them.
	held map[string]*crossval.HeldOut
}

// generalModel is a model that was chosen, and how.
type generalModel struct {
	method     string
	choice     decision.Choice
	model      *crankpkg.Model
	trace      *crankpkg.Trace
	settings   string
	candidates int
}

// rows chooses, trains and tests.
func (s *generalSet) rows(ctx context.Context) ([]generalRow, error) {
	scalar, _, _, err := s.maker.train(ctx, standing[s.set].fit(crankpkg.CRANK{Settings: crankpkg.Settings{Gap: s.gap(0.001)}}), s.train)
	if err != nil {
		return nil, err
	}
	base := s.examples(scalar)
	begin := cputime.Seconds()
	choice, err := s.Choose(ctx, s.train)
	if err != nil {
		return nil, err
	}
	cpu := cputime.Seconds() - begin
	var rows []generalRow
	for _, best := range choice.Chosen {
		begin = cputime.Seconds()
		m, trace, err := s.Train(ctx, choice, best.Measure, s.train)
		cpu += cputime.Seconds() - begin
		if notConverged(err) != nil {
			return nil, err
		}
		p := choice.Points[best.Point]
		models := []generalModel{{"CRANK", best.Choice, m, trace, p.Method, len(choice.Points)}}
		for _, t := range []crankpkg.Trainer{crankpkg.Full{}, crankpkg.Empty{}} {
			other, err := s.inSettings(ctx, t, p, best)
			if err != nil {
				return nil, err
			}
			other.candidates = len(choice.Points)
			models = append(models, other)
		}
		for _, model := range models {
			rows = append(rows, s.rowsOf(model, best.Measure, base)...)
		}
	}
	for k := range rows {
		rows[k].CPU = cpu
	}
	return rows, nil
}

// notConverged takes what stops short of its gap for an outcome as well.
func notConverged(err error) error {
	if errors.Is(err, crankpkg.ErrNotConverged) {
		return nil
	}
	return err
}

// inSettings trains another method in the settings of the point, with a rule of its own.
func (s *generalSet) inSettings(ctx context.Context, t crankpkg.Trainer, p crossval.GeneralPoint, best crossval.GeneralBest) (generalModel, error) {
	t = adjust(t, func(set *crankpkg.Settings) { set.Scaling, set.Kernel = p.Scaling, p.Kernel })
	key := fmt.Sprintf("%s %d", t.Name(), best.Point)
	if s.held[key] == nil {
		held, err := crossval.Search{Trainer: t, Lambdas: []float64{p.Lambda}, Workers: s.maker.Workers}.HeldOutScores(ctx, s.train)
		if err != nil {
			return generalModel{}, err
		}
		s.held[key] = held
	}
	selection, err := s.held[key].Choose(ctx, decision.Search{Measure: best.Measure, Workers: s.maker.Workers})
	if err != nil {
		return generalModel{}, err
	}
	m, trace, err := selection.Train(ctx, t, s.train)
	return generalModel{t.Name(), selection.Best().Choice, m, trace, t.Name(), 0}, notConverged(err)
}

func (s *generalSet) examples(m *crankpkg.Model) metrics.ExampleScores {
	return metrics.Evaluator{}.Examples(s.test.Y, m.PredictAll(s.test.X), s.test.NumLabels())
}

// rowsOf compares a model with scalar CRANK, by the criterion or by each of the three.
func (s *generalSet) rowsOf(g generalModel, criterion metrics.Measure, base metrics.ExampleScores) (rows []generalRow) {
	measures := []metrics.Measure{criterion}
	if criterion == metrics.MeanOfThree {
		measures = metrics.PaperMeasures()
	}
	own, best := s.examples(g.model), g.choice.Best()
	for _, m := range measures {
		values := own.Of(m)
		mean, deviation := stat.MeanStdDev(values, nil)
		d := metrics.Bootstrap{Seed: 1}.Compare(values, base.Of(m))
		rows = append(rows, generalRow{
			Set: s.set, Method: g.method, Criterion: criterion, Measure: m,
			Value: mean, StdErr: stat.StdErr(deviation, float64(len(values))),
			Validated: best.Nested, ValidatedStdErr: best.StdErr, Lambda: g.model.Lambda, Settings: g.describe(), Gap: g.trace.Gap(),
			Scalar: stat.Mean(base.Of(m), nil), Difference: d.Mean, Low: d.Low, High: d.High, P: d.P,
			Candidates: g.candidates, Rules: g.choice.Tried,
		})
	}
	return rows
}

// describe says what is not as in the paper.
func (g generalModel) describe() string {
	parts := []string{g.settings}
	if kind := g.model.Scaler.Kind; kind != crankpkg.NoScaling {
		parts = append(parts, string(kind))
	}
	best := g.choice.Best()
	parts = append(parts, fmt.Sprintf("%s kernel of gamma %.3g", g.model.Kernel.Kind, g.model.Kernel.Gamma), best.Rule.String())
	if best.Seen {
		parts = append(parts, fmt.Sprintf("seen labelings with prior %.3g", best.Prior))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "plain" }), ", ")
}
