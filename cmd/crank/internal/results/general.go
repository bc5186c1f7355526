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
	// Beside is, for a model of CRANK chosen by the measure itself, what Value has more than
	// others, on the same test examples.
	Beside []lead `json:"beside,omitempty"`
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
	peers, err := readPeersFile(mk.Out)
	if err != nil {
		return err
	}
	rows, err := mk.generalRows(ctx, generalPlan{
		sets:     pick(mk, tableSets, []string{"emotions", "medical10"}),
		measures: pick(mk, append(metrics.PaperMeasures(), metrics.MeanOfThree), []metrics.Measure{metrics.MeanOfThree}),
		others:   []crankpkg.Trainer{crankpkg.Full{}, crankpkg.Empty{}},
		peers:    peers,
	})
	if err != nil {
		return err
	}
	return writeRows(mk, "general.json", rows)
}

// generalExtra makes general_extra.json: the same for sets with more labels, a model for each
// measure, beside Empty, which the number of pairs does not slow down.
func (mk *maker) generalExtra(ctx context.Context) error {
	peers, err := readPeersFileNamed(mk.Out, extraPeersFile)
	if err != nil {
		return err
	}
	rows, err := mk.generalRows(ctx, generalPlan{
		sets:     pick(mk, generalExtraSets, []string{"birds", "genbase"}),
		linear:   []string{"enron", "genbase"},
		measures: pick(mk, metrics.PaperMeasures(), []metrics.Measure{metrics.ExampleF1}),
		others:   []crankpkg.Trainer{crankpkg.Empty{}},
		peers:    peers,
	})
	if err != nil {
		return err
	}
	return writeRows(mk, "general_extra.json", rows)
}

// generalExtraSets are sets of 19 to 53 labels.
var generalExtraSets = []string{"birds", "enron", "genbase"}

// extraPeersFile has the peers on these.
const extraPeersFile = "extra_peers.json"

// generalPlan says what General is tried on, and what it is set beside.
type generalPlan struct {
	sets     []string
	linear   []string // those of them that get no kernels: words, motifs
	measures []metrics.Measure
	others   []crankpkg.Trainer
	peers    *peersFile
}

// generalRows makes the rows of all sets.
func (mk *maker) generalRows(ctx context.Context, plan generalPlan) ([]generalRow, error) {
	var rows []generalRow
	for _, set := range plan.sets {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return nil, err
		}
		g := mk.chooser(crossval.General{Linear: slices.Contains(plan.linear, set), Measures: plan.measures})
		inputs := []any{train, test, g.Measures, finalGap}
		if g.Linear {
			inputs = append(inputs, "linear")
		}
		cell, err := kept(ctx, mk, []string{set}, inputs, func() (generalCell, error) {
			return (&generalSet{mk, g, set, train, test, plan.others, map[string]*crossval.HeldOut{}}).rows(ctx)
		})
		if err != nil {
			return nil, err
		}
		for _, r := range cell.Rows {
			mark, found := plan.peers.chosen(set, r.Measure)
			r.Mark, r.MarkSource = mark.Test, mark.Peer
			if y := cell.Labels[r.Measure]; found && r.Method == "CRANK" && r.Criterion == r.Measure {
				r.Beside = append(r.Beside, leadOver(mark.Peer, test.Y, y, mark.labels(), test.NumLabels(), r.Measure))
			}
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
	holmBeside(rows, len(plan.others))
	return rows, nil
}

// generalCell is what is kept of a set: the rows, and the labels that CRANK's models predict for
// the test examples, by the measure that they were chosen by.
type generalCell struct {
	Rows   []generalRow
	Labels map[metrics.Measure][]uint8
}

// generalSet is one set.
type generalSet struct {
	*maker
	crossval.General
	set         string
	train, test *crankpkg.Dataset
	others      []crankpkg.Trainer
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
func (s *generalSet) rows(ctx context.Context) (cell generalCell, err error) {
	var base *metrics.ExampleScores
	if standing[s.set].lambda > 0 {
		scalar, _, _, err := s.maker.train(ctx, standing[s.set].fit(crankpkg.CRANK{Settings: crankpkg.Settings{Gap: s.gap(0.001)}}), s.train)
		if err != nil {
			return cell, err
		}
		examples := s.examples(scalar.PredictAll(s.test.X))
		base = &examples
	}
	begin := cputime.Seconds()
	choice, err := s.Choose(ctx, s.train)
	if err != nil {
		return cell, err
	}
	trained, traces, err := s.TrainEach(ctx, choice, s.train)
	if notConverged(err) != nil {
		return cell, err
	}
	cpu := cputime.Seconds() - begin
	cell.Labels = make(map[metrics.Measure][]uint8)
	for k, best := range choice.Chosen {
		p := choice.Points[best.Point]
		models := []generalModel{{"CRANK", best.Choice, trained[k], traces[k], p.Method, len(choice.Points)}}
		for _, t := range s.others {
			other, err := s.inSettings(ctx, t, p, best)
			if err != nil {
				return cell, err
			}
			other.candidates = len(choice.Points)
			models = append(models, other)
		}
		rows := len(cell.Rows)
		var own []uint8
		for q, model := range models {
			y := model.model.PredictAll(s.test.X)
			cell.Rows = append(cell.Rows, s.rowsOf(model, best.Measure, s.examples(y), base)...)
			switch {
			case q == 0:
				own, cell.Labels[best.Measure] = y, y
			case best.Measure != metrics.MeanOfThree:
				cell.Rows[rows].Beside = append(cell.Rows[rows].Beside, leadOver(model.method, s.test.Y, own, y, s.test.NumLabels(), best.Measure))
			}
		}
	}
	for k := range cell.Rows {
		cell.Rows[k].CPU = cpu
	}
	return cell, nil
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
	t = adjust(t, func(set *crankpkg.Settings) {
		set.Scaling, set.Kernel, set.Loss.Squared = p.Scaling, p.Kernel, p.Loss.Squared
	})
	key := fmt.Sprintf("%s %d", t.Name(), best.Point)
	if s.held[key] == nil {
		held, err := crossval.Search{Trainer: t, Lambdas: []float64{p.Lambda}, Folds: s.General.Folds, Repeats: s.General.RepeatsOf(s.train), Workers: s.maker.Workers}.HeldOutScores(ctx, s.train)
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

func (s *generalSet) examples(y []uint8) metrics.ExampleScores {
	return metrics.Evaluator{}.Examples(s.test.Y, y, s.test.NumLabels())
}

// rowsOf compares a model with scalar CRANK, where there is that, by the criterion or by each of
// the three.
func (s *generalSet) rowsOf(g generalModel, criterion metrics.Measure, own metrics.ExampleScores, base *metrics.ExampleScores) (rows []generalRow) {
	measures := []metrics.Measure{criterion}
	if criterion == metrics.MeanOfThree {
		measures = metrics.PaperMeasures()
	}
	best := g.choice.Best()
	for _, m := range measures {
		values := own.Of(m)
		mean, deviation := stat.MeanStdDev(values, nil)
		r := generalRow{
			Set: s.set, Method: g.method, Criterion: criterion, Measure: m,
			Value: mean, StdErr: stat.StdErr(deviation, float64(len(values))),
			Validated: best.Nested, ValidatedStdErr: best.StdErr, Lambda: g.model.Lambda, Settings: g.describe(), Gap: g.trace.Gap(),
			Candidates: g.candidates, Rules: g.choice.Tried,
		}
		if base != nil {
			d := metrics.Bootstrap{Seed: 1}.Compare(values, base.Of(m))
			r.Scalar, r.Difference, r.Low, r.High, r.P = stat.Mean(base.Of(m), nil), d.Mean, d.Low, d.High, d.P
		}
		rows = append(rows, r)
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
	if k := g.model.Kernel; k != nil {
		parts = append(parts, fmt.Sprintf("%s kernel of gamma %.3g", k.Kind, k.Gamma))
	} else {
		parts = append(parts, "linear")
	}
	parts = append(parts, best.Rule.String())
	if best.Seen {
		parts = append(parts, fmt.Sprintf("seen labelings with prior %.3g", best.Prior))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "plain" }), ", ")
}
