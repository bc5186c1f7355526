package crossval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/floats"
)

// General goes from raw data to a model for a measure in one procedure: scaling, kernel and its
// width, label loss, lambda and decision rule are all chosen by k-fold cross-validation on the
// training examples. Its zero fields mean the documented defaults.
//
// First Empty, which trains fast, scouts for a kernel, a scaling and a width, with several lambdas
// and up to 1000 landmarks: with each of the Kernels, without scaling, and with z-scores or, of
// sparse rows, rows of length one and features weighed by their Relevance, with the default Gamma
// (of a Gaussian kernel scikit-learn's "scale"), then with the best of these at twice its Gamma for
// as long as that is better, or else at half of it; of sparse rows then without a kernel, too. Each of the
// Trainers is trained where scouting with a kernel was best, with landmarks as for a model, and
// the best of these at half the lambda; and, of sparse rows, where scouting without one was
// best, at all of its lambdas. What is better a coarse search for rules
// tells, by the mean of the measures. For each measure, the best of what the Trainers have
// trained gets a whole search.
//
// Scalings are fitted to the examples of each fold that are trained on. The default Gamma alone is
// that of all training examples, with Relevance after their labels: one number that the search
// goes on from.
type General struct {
	// Trainers are what is chosen among. Empty means CRANK with one start, for the Hamming loss
	// and for its sum with the zero-one loss, in place of which there is the squared hinge for
	// more than infer.EnumerableLabels labels; where Linear, for the squared hinge alone.
	Trainers []crankpkg.Trainer
	// Linear leaves out the kernels, as for texts: scouting is for a scaling, without Relevance, and
	// a lambda, with the label loss of the first of the Trainers.
	Linear bool
	// Kernels are those that are scouted. Empty means Gaussian and, of dense rows, Laplace. On
	// features of zeros and ones, as sparse rows often have before any scaling, these two are the same. Where Linear,
	// they do not matter.
	Kernels []feature.KernelKind
	// Measures are those to choose by, each for itself. Empty means MeanOfThree.
	Measures []metrics.Measure
	// Calibrate gives each rule a Calibration, fitted to the held-out scores that it is chosen by, so
	// that the models tell probabilities of their labels:
	//
	//	m.Rule.Calibration.Probabilities(m.Predictor().Margins(row))
	//
	// Rules that go by these probabilities are on offer then, such as the labels of the largest
	// expected F1. Rules for seen labelings are not, from scouting on: they have no probabilities
	// of single labels. Choice.LogLoss of each of the Chosen tells how good the probabilities are.
	Calibrate bool
	// Folds, Repeats, Seed and Workers are as in Search, but that Repeats of zero mean 2 for
	// less than 1000 examples, of which one division into folds says little.
	Folds, Repeats int
	Seed           uint64
	Workers        int
}

// GeneralChoice is the outcome of General. All fields are exported so that gob, GoNB's cache
// and JSON carry it whole.
type GeneralChoice struct {
	// Points are all that was trained on the folds, scouting first, and Scouted how many of
	// them are scouting.
	Points  []GeneralPoint
	Scouted int
	Chosen  []GeneralBest // by measure
}

// GeneralPoint is one method in one setting.
type GeneralPoint struct {
	Method  string
	Loss    crankpkg.Loss
	Scaling crankpkg.Scaling
	Kernel  feature.KernelFeatures
	Lambda  float64
	// Nested has the nested measure of the best rule of a coarse search, by measure.
	Nested []float64
	Short  int // folds whose training stopped short of its gap

	trainer int
	parts   []decision.Part
}

// GeneralBest is what was chosen by one measure.
type GeneralBest struct {
	Measure metrics.Measure
	Point   int // among the Points
	Choice  decision.Choice
	Trainer int // among the Trainers
}

// Choose chooses for each measure. It returns the errors of Search.HeldOutScores.
func (g General) Choose(ctx context.Context, ds *crankpkg.Dataset) (*GeneralChoice, error) {
	g.complete(ds)
	s := &scout{General: g, ctx: ctx, ds: ds, choice: new(GeneralChoice)}
	if err := s.look(); err != nil {
		return nil, err
	}
	s.choice.Scouted = len(s.choice.Points)
	if err := s.try(); err != nil {
		return nil, err
	}
	return s.choice, s.decide()
}

// complete fills in the defaults.
func (g *General) complete(ds *crankpkg.Dataset) {
	tree := crankpkg.CRANK{Restarts: 1}
	squared, both := tree, tree
	squared.Loss = crankpkg.Loss{Squared: true}
	both.Loss, both.Path = crankpkg.Loss{Hamming: 1, ZeroOne: 1}, crankpkg.ShrinkBeta // which sees fewer cycles, over which this loss takes long
	many := ds.NumLabels() > infer.EnumerableLabels
	if many {
		tree.Path, squared.Path = crankpkg.ShrinkBeta, crankpkg.ShrinkBeta
	}
	switch {
	case len(g.Trainers) > 0:
	case g.Linear:
		g.Trainers = []crankpkg.Trainer{squared}
	case many:
		g.Trainers = []crankpkg.Trainer{tree, crankpkg.Named("CRANK, squared hinge", squared)}
	default:
		g.Trainers = []crankpkg.Trainer{tree, crankpkg.Named("CRANK, Hamming + zero-one", both)}
	}
	if len(g.Kernels) == 0 {
		g.Kernels = []feature.KernelKind{feature.Gaussian}
		if !ds.X.IsSparse() {
			g.Kernels = append(g.Kernels, feature.Laplace)
		}
	}
	if len(g.Measures) == 0 {
		g.Measures = []metrics.Measure{metrics.MeanOfThree}
	}
	g.Repeats = g.RepeatsOf(ds)
}

// RepeatsOf returns how often the examples of ds are divided into folds.
func (g General) RepeatsOf(ds *crankpkg.Dataset) int {
	if g.Repeats == 0 && ds.Len() < fewExamples {
		return fewRepeats
	}
	return max(g.Repeats, 1)
}

// fewExamples are too few for one division into folds.
const fewExamples, fewRepeats = 1000, 2

// Train trains what was chosen by the measure on all of ds, as Choose was given them, and
// gives the model its rule. A model that stops short of its gap has it too, and comes with
// the error.
func (g General) Train(ctx context.Context, choice *GeneralChoice, measure metrics.Measure, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	g.complete(ds)
	k := slices.IndexFunc(choice.Chosen, func(b GeneralBest) bool { return b.Measure == measure })
	if k < 0 {
		return nil, nil, fmt.Errorf("%w: nothing was chosen by %s", crankpkg.ErrSettings, measure.Label())
	}
	m, trace, err := g.trainPoint(ctx, choice, choice.Chosen[k], ds)
	if m != nil {
		choice.Chosen[k].rule(m, ds)
	}
	return m, trace, err
}

// TrainEach is Train for each of the measures, in their order: those that have chosen the same
// method and setting share the training, and models of that their weights.
func (g General) TrainEach(ctx context.Context, choice *GeneralChoice, ds *crankpkg.Dataset) ([]*crankpkg.Model, []*crankpkg.Trace, error) {
	g.complete(ds)
	models, traces := make([]*crankpkg.Model, len(choice.Chosen)), make([]*crankpkg.Trace, len(choice.Chosen))
	var short error
	for k, best := range choice.Chosen {
		same := slices.IndexFunc(choice.Chosen[:k], func(b GeneralBest) bool { return b.Point == best.Point })
		if same >= 0 {
			m := *models[same]
			models[k], traces[k] = &m, traces[same]
		} else {
			var err error
			models[k], traces[k], err = g.trainPoint(ctx, choice, best, ds)
			if models[k] == nil || err != nil && !errors.Is(err, crankpkg.ErrNotConverged) {
				return nil, nil, err
			}
			short = cmp.Or(short, err)
		}
		best.rule(models[k], ds)
	}
	return models, traces, short
}

// trainPoint trains a point without its rule.
func (g General) trainPoint(ctx context.Context, choice *GeneralChoice, best GeneralBest, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	if best.Trainer >= len(g.Trainers) || best.Point >= len(choice.Points) {
		return nil, nil, fmt.Errorf("%w: a choice among other Trainers", crankpkg.ErrSettings)
	}
	return choice.Points[best.Point].in(g.Trainers[best.Trainer]).Train(ctx, ds)
}

// rule gives a model the rule.
func (b GeneralBest) rule(m *crankpkg.Model, ds *crankpkg.Dataset) {
	c := b.Choice.Best()
	crankpkg.LabelPowerset{Only: c.Seen, Prior: c.Prior}.Restrict(m, ds)
	m.Rule = c.Rule.Clone()
}

// in returns t in the settings of the point.
func (p GeneralPoint) in(t crankpkg.Trainer) crankpkg.Trainer {
	t, _ = crankpkg.Adjust(t, func(set *crankpkg.Settings) { set.Scaling, set.Kernel = p.Scaling, p.Kernel })
	return t.WithLambda(p.Lambda)
}

// String returns the choices, a line for each measure.
func (c *GeneralChoice) String() string {
	text := ""
	for _, b := range c.Chosen {
		p := c.Points[b.Point]
		rows := "linear"
		if p.Kernel.Kind != feature.NoKernel {
			rows = fmt.Sprintf("%s kernel of gamma %.3g", p.Kernel.Kind, p.Kernel.Gamma)
		}
		text += fmt.Sprintf("%s: %s, scaling %q, %s, lambda %.3g, %v\n", b.Measure.Label(), p.Method, p.Scaling, rows, p.Lambda, b.Choice)
	}
	return text
}

// What scouting tries.
var (
	generalLambdas = []float64{0.002, 0.0005, 0.000125}
	linearLambdas  = []float64{0.1, 0.03, 0.01, 0.003, 0.001, 0.0003}
)

// scoutLandmarks is the number of landmarks while scouting.
const scoutLandmarks = 1000

// scoutGap is the relative gap of scouting with kernels, whose settings are many.
const scoutGap = 0.03

// generalSteps is how often a width may be doubled, or halved.
const generalSteps = 3

// scout is a General at work.
type scout struct {
	General
	ctx    context.Context
	ds     *crankpkg.Dataset
	choice *GeneralChoice
}

// look scouts.
func (s *scout) look() error {
	scalings := []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore}
	if s.ds.X.IsSparse() {
		scalings[1] = crankpkg.UnitRows
	}
	if s.Linear {
		var empty crankpkg.Empty
		crankpkg.Adjust(s.Trainers[0], func(set *crankpkg.Settings) { empty.Loss = set.Loss })
		return s.lookLinear(empty, scalings)
	}
	if s.ds.X.IsSparse() {
		scalings = append(scalings, feature.Relevance)
	}
	best := scouted{value: -1}
	for _, kind := range s.Kernels {
		for _, scaling := range scalings {
			if err := s.visit(kind, scaling, 1, &best); err != nil {
				return err
			}
		}
	}
	for _, factor := range []float64{2, 0.5} {
		if best.width != 1 {
			break // twice the default was better
		}
		for range generalSteps {
			from := best.width
			if err := s.visit(best.kind, best.scaling, factor*from, &best); err != nil {
				return err
			}
			if best.width == from {
				break
			}
		}
	}
	if s.ds.X.IsSparse() {
		return s.lookLinear(crankpkg.Empty{}, scalings)
	}
	return nil
}

// lookLinear scouts without kernels.
func (s *scout) lookLinear(empty crankpkg.Empty, scalings []crankpkg.Scaling) error {
	for _, scaling := range scalings {
		if err := s.measure(GeneralPoint{Scaling: scaling}, empty, linearLambdas, -1); err != nil {
			return err
		}
	}
	return nil
}

// scouted is the best that was scouted, by the mean of the measures.
type scouted struct {
	kind         feature.KernelKind
	scaling      crankpkg.Scaling
	width, value float64
}

// visit trains Empty on the folds with a kernel, unless it has before. The width is a factor on
// the default Gamma for all examples, the same in all folds.
func (s *scout) visit(kind feature.KernelKind, scaling crankpkg.Scaling, width float64, best *scouted) error {
	scaler, err := feature.FitScalerTo(scaling, s.ds.X, s.ds.Y)
	if err != nil {
		return err
	}
	kernel := feature.KernelFeatures{Kind: kind}.Resolve(scaler.Apply(s.ds.X))
	kernel.Gamma *= width
	kernel.Landmarks = scoutLandmarks
	p := GeneralPoint{Scaling: scaling, Kernel: kernel}
	if slices.ContainsFunc(s.choice.Points, func(o GeneralPoint) bool { return o.Scaling == scaling && o.Kernel == kernel }) {
		return nil
	}
	if err := s.measure(p, crankpkg.Empty{}, generalLambdas, -1); err != nil {
		return err
	}
	if p := s.choice.Points[s.bestMean(0, true)]; p.mean() > best.value {
		*best = scouted{kind, scaling, width, p.mean()}
	}
	return nil
}

// mean is that of the measures.
func (p GeneralPoint) mean() float64 { return floats.Sum(p.Nested) / float64(len(p.Nested)) }

// bestMean returns the position of the best of the points from the given one on, by the mean of
// the measures: of those with a kernel, or of those without; -1 where there are none.
func (s *scout) bestMean(from int, kernel bool) int {
	at := -1
	for k, p := range s.choice.Points {
		if k >= from && (p.Kernel.Kind != feature.NoKernel) == kernel && (at < 0 || p.mean() > s.choice.Points[at].mean()) {
			at = k
		}
	}
	return at
}

// best returns the position of the best of what the Trainers have trained, by a measure.
func (s *scout) best(m int) int {
	at := s.choice.Scouted
	for k, p := range s.choice.Points[at:] {
		if p.Nested[m] > s.choice.Points[at].Nested[m] {
			at = s.choice.Scouted + k
		}
	}
	return at
}

// measure trains t on the folds in the settings of p, at each lambda, and adds the points.
func (s *scout) measure(p GeneralPoint, t crankpkg.Trainer, lambdas []float64, trainer int) error {
	search := Search{Trainer: p.in(t), Lambdas: lambdas, Folds: s.Folds, Repeats: s.Repeats, Seed: s.Seed, Workers: s.Workers}
	if trainer < 0 && p.Kernel.Kind != feature.NoKernel {
		search.Gap = scoutGap
	}
	crankpkg.Adjust(t, func(set *crankpkg.Settings) { p.Loss = set.Loss })
	held, err := search.HeldOutScores(s.ctx, s.ds)
	if err != nil {
		return err
	}
	rules := held.rules(decision.Search{Coarse: true, AllLabelings: s.Calibrate, Workers: s.Workers})
	for _, h := range held.Points {
		choices, err := rules.RunEach(s.ctx, h.Parts, s.Measures...)
		if err != nil {
			return err
		}
		p.Method, p.Lambda, p.Short, p.Nested, p.trainer = held.Method, h.Lambda, h.Short, nil, trainer
		for _, c := range choices {
			p.Nested = append(p.Nested, c.Best().Nested)
		}
		if p.parts = nil; trainer >= 0 {
			p.parts = h.Parts
		}
		s.choice.Points = append(s.choice.Points, p)
	}
	return nil
}

// try trains what is chosen among: where scouting with a kernel was best, and where it was best
// without.
func (s *scout) try() error {
	for _, kernel := range []bool{true, false} {
		at := s.bestMean(0, kernel)
		if at < 0 {
			continue
		}
		p := s.choice.Points[at]
		p.Kernel.Landmarks = 0
		lambdas := []float64{p.Lambda}
		beside := !kernel && !s.Linear
		if beside {
			lambdas = linearLambdas
		}
		for k, t := range s.Trainers {
			if err := s.measure(p, t, lambdas, k); err != nil {
				return err
			}
		}
		if beside {
			continue
		}
		k := s.choice.Points[s.bestMean(s.choice.Scouted, kernel)].trainer
		if err := s.measure(p, s.Trainers[k], []float64{p.Lambda / 2}, k); err != nil {
			return err
		}
	}
	return nil
}

// decide searches for the rules of the best. Measures that have the same best share the
// search.
func (s *scout) decide() error {
	least, most := decision.Limits(s.ds.Y, s.ds.NumLabels())
	search := decision.Search{Least: least, Most: max(1, most), Calibrate: s.Calibrate, AllLabelings: s.Calibrate, Workers: s.Workers}
	s.choice.Chosen = make([]GeneralBest, len(s.Measures))
	of := make(map[int][]int) // measures by point
	for m := range s.Measures {
		at := s.best(m)
		of[at] = append(of[at], m)
	}
	for at, p := range s.choice.Points {
		var measures []metrics.Measure
		for _, m := range of[at] {
			measures = append(measures, s.Measures[m])
		}
		if len(measures) == 0 {
			continue
		}
		choices, err := search.RunEach(s.ctx, p.parts, measures...)
		if err != nil {
			return err
		}
		for k, m := range of[at] {
			s.choice.Chosen[m] = GeneralBest{Measure: s.Measures[m], Point: at, Choice: *choices[k], Trainer: p.trainer}
		}
	}
	return nil
}
