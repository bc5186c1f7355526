package crossval

import (
	"context"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/floats"
)

// General goes from raw data to a model for a measure in one procedure: scaling, width of a
// Gaussian kernel, label loss, lambda and decision rule are all chosen by k-fold
// cross-validation on the training examples. Its zero fields mean the documented defaults.
//
// First Empty, which trains fast, scouts for a scaling and a width, with several lambdas and
// up to 1000 landmarks: without scaling, and with z-scores or, of sparse rows, rows of length
// one, with scikit-learn's "scale" and a quarter of it as Gamma, then with twice and half the
// best for as long as that is better. Then each of the Trainers is trained where scouting was
// best, with landmarks as for a model, and the best of these at half the lambda, too. What is better a coarse search for rules tells, by the mean of the measures. For
// each measure, the best of what the Trainers have trained gets a whole search.
type General struct {
	// Trainers are what is chosen among. Empty means CRANK with one start, for the Hamming
	// loss and for its sum with the zero-one loss, or, where Linear, for the squared hinge.
	Trainers []crankpkg.Trainer
	// Linear leaves out the kernels, as for texts: scouting is for a scaling and a lambda,
	// with the label loss of the first of the Trainers.
	Linear bool
	// Measures are those to choose by, each for itself. Empty means MeanOfThree.
	Measures []metrics.Measure
	// Folds, Seed and Workers are as in Search.
	Folds   int
	Seed    uint64
	Workers int
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
	g.complete()
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
func (g *General) complete() {
	switch {
	case len(g.Trainers) > 0:
	case g.Linear:
		g.Trainers = []crankpkg.Trainer{crankpkg.CRANK{Restarts: 1, Settings: crankpkg.Settings{Loss: crankpkg.Loss{Squared: true}}}}
	default:
		tree := crankpkg.CRANK{Restarts: 1}
		both := tree
		both.Loss = crankpkg.Loss{Hamming: 1, ZeroOne: 1}
		g.Trainers = []crankpkg.Trainer{tree, crankpkg.Named("CRANK, Hamming + zero-one", both)}
	}
	if len(g.Measures) == 0 {
		g.Measures = []metrics.Measure{metrics.MeanOfThree}
	}
}

// Train trains what was chosen by the measure on all of ds, as Choose was given them, and
// gives the model its rule. A model that stops short of its gap has it too, and comes with
// the error.
func (g General) Train(ctx context.Context, choice *GeneralChoice, measure metrics.Measure, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	g.complete()
	k := slices.IndexFunc(choice.Chosen, func(b GeneralBest) bool { return b.Measure == measure })
	if k < 0 || choice.Chosen[k].Trainer >= len(g.Trainers) {
		return nil, nil, fmt.Errorf("%w: nothing was chosen by %s", crankpkg.ErrSettings, measure.Label())
	}
	best := choice.Chosen[k]
	p, rule := choice.Points[best.Point], best.Choice.Best()
	t := p.in(g.Trainers[best.Trainer])
	t, _ = crankpkg.Adjust(t, func(set *crankpkg.Settings) {
		set.Powerset = crankpkg.LabelPowerset{Only: rule.Seen, Prior: rule.Prior}
	})
	m, trace, err := t.Train(ctx, ds)
	if m != nil {
		m.Rule = rule.Rule.Clone()
	}
	return m, trace, err
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
		text += fmt.Sprintf("%s: %s, scaling %q, gamma %.3g, lambda %.3g, %v\n", b.Measure.Label(), p.Method, p.Scaling, p.Kernel.Gamma, p.Lambda, b.Choice)
	}
	return text
}

// What scouting tries. Widths are factors on the default Gamma.
var (
	generalLambdas = []float64{0.002, 0.0005, 0.000125, 0.00003125}
	generalWidths  = []float64{1, 0.25}
	linearLambdas  = []float64{0.1, 0.03, 0.01, 0.003, 0.001, 0.0003}
)

// scoutLandmarks is the number of landmarks while scouting.
const scoutLandmarks = 1000

// generalSteps is how often a width may be doubled or halved.
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
	second := crankpkg.ZScore
	if s.ds.X.IsSparse() {
		second = crankpkg.UnitRows
	}
	if s.Linear {
		return s.lookLinear(second)
	}
	best := scouted{value: -1}
	for _, scaling := range []crankpkg.Scaling{crankpkg.NoScaling, second} {
		for _, width := range generalWidths {
			if err := s.visit(scaling, width, &best); err != nil {
				return err
			}
		}
	}
	for range generalSteps {
		from := best.width
		for _, factor := range []float64{0.5, 2} {
			if err := s.visit(best.scaling, factor*from, &best); err != nil {
				return err
			}
		}
		if best.width == from {
			break
		}
	}
	return nil
}

// lookLinear scouts without kernels.
func (s *scout) lookLinear(second crankpkg.Scaling) error {
	var empty crankpkg.Empty
	crankpkg.Adjust(s.Trainers[0], func(set *crankpkg.Settings) { empty.Loss = set.Loss })
	for _, scaling := range []crankpkg.Scaling{crankpkg.NoScaling, second} {
		if err := s.measure(GeneralPoint{Scaling: scaling}, empty, linearLambdas, -1); err != nil {
			return err
		}
	}
	return nil
}

// scouted is the best that was scouted, by the mean of the measures.
type scouted struct {
	scaling      crankpkg.Scaling
	width, value float64
}

// visit trains Empty on the folds with a kernel, unless it has before.
func (s *scout) visit(scaling crankpkg.Scaling, width float64, best *scouted) error {
	scaler, err := feature.FitScaler(scaling, s.ds.X)
	if err != nil {
		return err
	}
	kernel := feature.KernelFeatures{Kind: feature.Gaussian}.Resolve(scaler.Apply(s.ds.X))
	kernel.Gamma *= width
	kernel.Landmarks = scoutLandmarks
	p := GeneralPoint{Scaling: scaling, Kernel: kernel}
	if slices.ContainsFunc(s.choice.Points, func(o GeneralPoint) bool { return o.Scaling == scaling && o.Kernel == kernel }) {
		return nil
	}
	if err := s.measure(p, crankpkg.Empty{}, generalLambdas, -1); err != nil {
		return err
	}
	if p := s.choice.Points[s.bestMean(0)]; p.mean() > best.value {
		*best = scouted{scaling, width, p.mean()}
	}
	return nil
}

// mean is that of the measures.
func (p GeneralPoint) mean() float64 { return floats.Sum(p.Nested) / float64(len(p.Nested)) }

// bestMean returns the position of the best point by the mean of the measures, from the given
// one on.
func (s *scout) bestMean(from int) int {
	return s.first(from, func(p GeneralPoint) float64 { return p.mean() })
}

// first returns the position of the first of the best points, from the given one on.
func (s *scout) first(from int, value func(GeneralPoint) float64) int {
	at := from
	for k, p := range s.choice.Points[from:] {
		if value(p) > value(s.choice.Points[at]) {
			at = from + k
		}
	}
	return at
}

// measure trains t on the folds in the settings of p, at each lambda, and adds the points.
func (s *scout) measure(p GeneralPoint, t crankpkg.Trainer, lambdas []float64, trainer int) error {
	search := Search{Trainer: p.in(t), Lambdas: lambdas, Folds: s.Folds, Seed: s.Seed, Workers: s.Workers}
	held, err := search.HeldOutScores(s.ctx, s.ds)
	if err != nil {
		return err
	}
	rules := held.rules(decision.Search{Coarse: true, Workers: s.Workers})
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

// try trains what is chosen among.
func (s *scout) try() error {
	p := s.choice.Points[s.bestMean(0)]
	p.Kernel.Landmarks = 0
	for k, t := range s.Trainers {
		if err := s.measure(p, t, []float64{p.Lambda}, k); err != nil {
			return err
		}
	}
	best := s.choice.Points[s.bestMean(s.choice.Scouted)]
	return s.measure(p, s.Trainers[best.trainer], []float64{p.Lambda / 2}, best.trainer)
}

// decide searches for the rules of the best. Measures that have the same best share the
// search.
func (s *scout) decide() error {
	least, most := decision.Limits(s.ds.Y, s.ds.NumLabels())
	search := decision.Search{Least: least, Most: max(1, most), Workers: s.Workers}
	s.choice.Chosen = make([]GeneralBest, len(s.Measures))
	of := make(map[int][]int) // measures by point
	for m := range s.Measures {
		at := s.first(s.choice.Scouted, func(p GeneralPoint) float64 { return p.Nested[m] })
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
