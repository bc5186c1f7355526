package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"github.com/crank-ml/crank/internal/cputime"
)

// manyLabelsRow is one measure of a model for a set with many labels.
type manyLabelsRow struct {
	Set, Method string
	Measure     metrics.Measure
	Lambda      float64
	Rule        string
	HeldOut     float64 // the measure on a fifth of the training examples, of rules fitted to others of them
	Test        float64
	Candidates  int // lambdas, and Rules that were tried with the one chosen
	Rules       int
	// CPU are the seconds for the choices by all measures and for this model.
	CPU float64
	// Peer is the peer with the best held-out value, if there are any, PeerTest what it reaches and PeerCPU its seconds for all measures.
	Peer              string  `json:",omitempty"`
	PeerTest, PeerCPU float64 `json:",omitempty"`
}

// manyLabelsSets have 159 and 983 labels.
var manyLabelsSets = []string{"bibtex", "delicious"}

// manyLabels makes general_large.json: Empty with the squared hinge on rows of length one, a
// model for each measure. Lambda and rule are chosen on a fifth of the training examples, the
// rest of which train; the model then is trained on all.
func (mk *maker) manyLabels(ctx context.Context) error {
	peers, err := readPeersFileNamed(mk.Out, manyPeersFile)
	if err != nil {
		return err
	}
	var rows []manyLabelsRow
	for _, set := range pick(mk, manyLabelsSets, []string{"bibtex", "corel5k"}) {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		own, err := kept(ctx, mk, []string{set}, []any{train, test, manyLabelsLambdas, finalGap}, func() ([]manyLabelsRow, error) {
			return mk.withManyLabels(ctx, set, train, test)
		})
		if err != nil {
			return err
		}
		for k := range own {
			r := &own[k]
			r.beside(peers)
			fmt.Fprintf(mk.Log, "%s, %s: %.1f (%.1f held out), lambda %g, %s, %.1f CPU seconds; %s %.1f, %.1f\n",
				set, r.Measure.Label(), r.Test, r.HeldOut, r.Lambda, r.Rule, r.CPU, r.Peer, r.PeerTest, r.PeerCPU)
		}
		rows = append(rows, own...)
	}
	return writeReport(mk, "general_large.json", rows)
}

// beside puts the peer with the best held-out value beside a row.
func (r *manyLabelsRow) beside(peers *peersFile) {
	for _, p := range peers.Best {
		if p.Set == r.Set && p.Measure == r.Measure {
			r.Peer, r.PeerTest, r.PeerCPU = p.Peer, p.Test, p.CPUSeconds
		}
	}
}

// manyLabelsLambdas are tried.
var manyLabelsLambdas = []float64{0.001, 0.0003, 0.0001}

func (mk *maker) withManyLabels(ctx context.Context, set string, train, test *crankpkg.Dataset) (rows []manyLabelsRow, err error) {
	t := crankpkg.Empty{Settings: crankpkg.Settings{Scaling: crankpkg.UnitRows, Loss: crankpkg.Loss{Squared: true}}}
	best, lambdas, choosing, err := mk.heldOutRules(ctx, t, manyLabelsLambdas, true, train)
	if err != nil {
		return nil, err
	}
	for k, m := range metrics.PaperMeasures() {
		c := best[k].Best()
		model, _, seconds, err := mk.train(ctx, t.WithLambda(lambdas[k]), train)
		if err != nil {
			return nil, err
		}
		crankpkg.LabelPowerset{Only: c.Seen, Prior: c.Prior}.Restrict(model, train)
		model.Rule = c.Rule
		rows = append(rows, manyLabelsRow{
			Set: set, Method: t.Name(), Measure: m, Lambda: lambdas[k], Rule: ruleText(c), HeldOut: c.Nested,
			Test: crankpkg.Evaluate(model, test).Of(m), Candidates: len(manyLabelsLambdas), Rules: best[k].Tried, CPU: choosing + seconds,
		})
	}
	return rows, nil
}

// heldOutRules chooses a lambda and a rule for each of the paper's measures on a fifth of the training examples, the rest of
// which train. It returns the CPU seconds of that, too. With byLabel, cuts of the single labels and what is expected by calibrated ones are on offer, too.
func (mk *maker) heldOutRules(ctx context.Context, t crankpkg.Trainer, grid []float64, byLabel bool, train *crankpkg.Dataset) (
	best []decision.Choice, lambdas []float64, cpu float64, err error) {
	begin := cputime.Seconds()
	held, err := crossval.Search{Trainer: t, Lambdas: grid, HoldOut: true, Gap: 0.02, Workers: mk.Workers}.HeldOutScores(ctx, train)
	if err != nil {
		return nil, nil, 0, err
	}
	best, lambdas = make([]decision.Choice, len(metrics.PaperMeasures())), make([]float64, len(metrics.PaperMeasures()))
	search := decision.Search{Least: held.Least, Coarse: true, LabelCuts: byLabel, Workers: mk.Workers}
	for _, p := range held.Points {
		choices, err := chooseEach(ctx, search, p.Parts)
		if err != nil {
			return nil, nil, 0, err
		}
		for k, c := range choices {
			if lambdas[k] == 0 || c.Best().Nested > best[k].Best().Nested {
				best[k], lambdas[k] = *c, p.Lambda
			}
		}
	}
	return best, lambdas, cputime.Seconds() - begin, nil
}

// chooseEach chooses a rule for each of the paper's measures. Where there are cuts of the labels, what is expected by calibrated
// ones is tried for F1 alone: for the others it is such cuts again, or a search for labelings that takes long.
func chooseEach(ctx context.Context, s decision.Search, parts []decision.Part) ([]*decision.Choice, error) {
	if !s.LabelCuts {
		return s.RunEach(ctx, parts, metrics.PaperMeasures()...)
	}
	choices, err := s.RunEach(ctx, parts, metrics.HammingAccuracy, metrics.SubsetAccuracy)
	if err != nil {
		return nil, err
	}
	s.Measure, s.Calibrate = metrics.ExampleF1, true
	f1, err := s.Run(ctx, parts)
	return append(choices, f1), err
}
