package crossval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/parallel"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Search chooses lambda, and where wanted scaling and LabelPowerset, of a Trainer by
// k-fold cross-validation on the training examples alone. Its zero fields mean
// the documented defaults. The same fields and data give the same Selection,
// whatever the number of workers.
type Search struct {
	Trainer crankpkg.Trainer
	// Lambdas are the values to try. Empty means DefaultLambdas.
	Lambdas []float64
	// Scalings are tried with each lambda. Empty means the trainer's own.
	Scalings []crankpkg.Scaling
	// Powersets are tried with each model. They cost no training. Empty means the
	// trainer's own.
	Powersets []crankpkg.LabelPowerset
	// Folds is the number k of folds. Zero means 5.
	Folds int
	// HoldOut holds out the first of the folds alone: for sets so large that it tells enough.
	// Run does not have it.
	HoldOut bool
	// Repeats is how often the examples are divided anew. The means are over all
	// of the divisions, which makes the choice depend less on chance. Zero means 1.
	Repeats int
	// Stratify, where not zero, divides the examples so that each fold has its share of
	// each label (1) or of each pair of labels, too (2); see Dataset.StratifiedFolds. Zero
	// means at random. It steadies what depends on rare labels: over seeds, macro-F1 on
	// Medical has a standard deviation of 0.3 instead of 1.5. The lambda that it chooses
	// was no better on Emotions, Flags and Medical, so it is not the default.
	Stratify int
	// Groups, where not nil, has a number for each example; examples of the same number
	// stay in the same fold, see Dataset.GroupedFolds. It excludes Stratify.
	Groups []int
	// Criterion is what the choice maximizes. Empty means MeanOfThree.
	Criterion metrics.Measure
	// OneStandardError prefers simplicity: it takes the largest lambda that, with
	// the scaling and LabelPowerset of the best point, comes within one standard
	// error of the best.
	OneStandardError bool
	// Gap and MaxPasses, where not zero, replace those of the trainer's Settings
	// in the folds: a choice needs less precision than a model.
	Gap       float64
	MaxPasses int
	// Seed determines the folds.
	Seed uint64
	// Workers bounds the number of trainings at a time. Zero means all processors.
	Workers int
	// Progress, where not nil, is told of each training that ends, from one
	// goroutine at a time.
	Progress func(Progress)
}

// DefaultLambdas returns the grid of Search, from 1 down to 0.0003 in
// half decades.
func DefaultLambdas() []float64 {
	return []float64{1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003}
}

// Progress tells how far the trainings are.
type Progress = parallel.Progress

// Selection is the outcome of a cross-validation. All fields are exported so
// that gob, GoNB's cache and JSON carry it whole.
type Selection struct {
	Method    string
	Criterion metrics.Measure
	Folds     int
	Repeats   int
	// Curve has a point for each scaling, lambda and LabelPowerset: the scalings in
	// their order, for each the lambdas in increasing order, and for each of those
	// the LabelPowerset in their order.
	Curve []Point
	// Best is the position in Curve of the best mean criterion; among equals the
	// larger lambda, then the earlier scaling. Chosen is the same, or what the
	// one-standard-error rule makes of it.
	Best, Chosen int
}

// Point is what the folds tell of one scaling, lambda and LabelPowerset.
type Point struct {
	Lambda   float64
	Scaling  crankpkg.Scaling
	Powerset crankpkg.LabelPowerset
	Folds    []crankpkg.Scores // on the held-out part of each fold, repeat after repeat
	Repeats  int               // how many there are
	Mean     crankpkg.Scores   // over the folds
	// StdErr is the standard error of Mean: the standard deviation over the folds,
	// divided by the square root of the number of folds in one repeat. Repeats do
	// not lower it: they are of the same examples.
	StdErr crankpkg.Scores
	// Gap is the largest relative gap that a fold's training ended with.
	Gap float64
	// Short is the number of folds whose training stopped short of its gap.
	Short int `json:",omitempty"`
}

// Lambda returns the chosen lambda.
func (s *Selection) Lambda() float64 { return s.Curve[s.Chosen].Lambda }

// Scaling returns the chosen scaling.
func (s *Selection) Scaling() crankpkg.Scaling { return s.Curve[s.Chosen].Scaling }

// Powerset returns the chosen LabelPowerset.
func (s *Selection) Powerset() crankpkg.LabelPowerset { return s.Curve[s.Chosen].Powerset }

// Apply returns t with the chosen lambda, scaling and LabelPowerset.
func (s *Selection) Apply(t crankpkg.Trainer) crankpkg.Trainer {
	t, _ = crankpkg.Adjust(t, func(set *crankpkg.Settings) { set.Scaling, set.Powerset = s.Scaling(), s.Powerset() })
	return t.WithLambda(s.Lambda())
}

// String returns the choice in one line, and how many trainings stopped short.
func (s *Selection) String() string {
	p := s.Curve[s.Chosen]
	text := fmt.Sprintf("%s: lambda %.3g", s.Method, p.Lambda)
	if p.Scaling != crankpkg.NoScaling {
		text += ", " + string(p.Scaling)
	}
	mean, stdErr := p.Of(s.Criterion)
	text = fmt.Sprintf("%s (%s %.2f +- %.2f in %d x %d folds)", text, s.Criterion.Label(), mean, stdErr, s.Repeats, s.Folds)
	short, gap := 0, 0.0
	for _, p := range s.Curve {
		if p.Short > 0 {
			short, gap = short+p.Short, max(gap, p.Gap)
		}
	}
	if short > 0 {
		text += fmt.Sprintf("; %d of %d trainings stopped short, at gaps up to %.2g", short, len(s.Curve)*s.Folds*s.Repeats, gap)
	}
	return text
}

// Run trains on each fold with each scaling and lambda. It returns an error
// that wraps ErrSettings or ErrData when it cannot, and one that wraps ctx.Err()
// when ctx ends the work early.
func (cv Search) Run(ctx context.Context, ds *crankpkg.Dataset) (*Selection, error) {
	if err := cv.complete(ds); err != nil {
		return nil, err
	}
	if cv.HoldOut {
		return nil, fmt.Errorf("%w: cross-validation with HoldOut", crankpkg.ErrSettings)
	}
	folds, err := cv.folds(ds)
	if err != nil {
		return nil, err
	}
	s := &Selection{Method: cv.Trainer.Name(), Criterion: cv.Criterion, Folds: cv.Folds, Repeats: cv.Repeats}
	for _, scaling := range cv.Scalings {
		for _, lambda := range cv.Lambdas {
			for _, seen := range cv.Powersets {
				s.Curve = append(s.Curve, Point{Lambda: lambda, Scaling: scaling, Powerset: seen, Repeats: cv.Repeats, Folds: make([]crankpkg.Scores, len(folds))})
			}
		}
	}
	if err := cv.fill(ctx, s, ds, folds, cv.evaluate(s)); err != nil {
		return nil, fmt.Errorf("cross-validation of %s: %w", s.Method, err)
	}
	for c := range s.Curve {
		s.Curve[c].summarize()
	}
	s.choose(cv.OneStandardError)
	return s, nil
}

// folds returns the folds of all repeats.
func (cv *Search) folds(ds *crankpkg.Dataset) ([]crankpkg.Fold, error) {
	var all []crankpkg.Fold
	for r := range cv.Repeats {
		folds, err := cv.divide(ds, cv.Seed+uint64(r)<<32)
		if err != nil {
			return nil, err
		}
		all = append(all, folds...)
	}
	return all, nil
}

// divide returns the folds of one repeat.
func (cv *Search) divide(ds *crankpkg.Dataset, seed uint64) ([]crankpkg.Fold, error) {
	switch {
	case cv.Groups != nil:
		return ds.GroupedFolds(cv.Groups, cv.Folds, seed)
	case cv.Stratify != 0:
		return ds.StratifiedFolds(cv.Folds, seed, cv.Stratify)
	}
	return ds.Folds(cv.Folds, seed)
}

// Validate returns an error that wraps ErrSettings where the fields make no sense, whatever the data.
func (cv Search) Validate() error { return cv.defaults() }

// complete checks the fields and fills in the defaults.
func (cv *Search) complete(ds *crankpkg.Dataset) error {
	if err := ds.Validate(); err != nil {
		return err
	}
	if cv.Folds == 0 {
		cv.Folds = min(5, ds.Len())
	}
	return cv.defaults()
}

// defaults checks the fields and fills in the defaults, but for the number of folds.
func (cv *Search) defaults() error {
	if cv.Trainer == nil {
		return fmt.Errorf("%w: cross-validation without a Trainer", crankpkg.ErrSettings)
	}
	if len(cv.Lambdas) == 0 {
		cv.Lambdas = DefaultLambdas()
	}
	cv.Lambdas = slices.Clone(cv.Lambdas)
	slices.Sort(cv.Lambdas)
	cv.Lambdas = slices.Compact(cv.Lambdas)
	if first, last := cv.Lambdas[0], cv.Lambdas[len(cv.Lambdas)-1]; !(first > 0) || math.IsInf(last, 0) {
		return fmt.Errorf("%w: cross-validation over the lambdas %v", crankpkg.ErrSettings, cv.Lambdas)
	}
	if cv.Folds == 1 || cv.Folds < 0 {
		return fmt.Errorf("%w: %d folds", crankpkg.ErrSettings, cv.Folds)
	}
	if cv.Groups != nil && cv.Stratify != 0 {
		return fmt.Errorf("%w: cross-validation with both Groups and Stratify", crankpkg.ErrSettings)
	}
	if cv.Repeats < 0 {
		return fmt.Errorf("%w: %d repeats of the cross-validation", crankpkg.ErrSettings, cv.Repeats)
	}
	cv.Repeats = cmp.Or(cv.Repeats, 1)
	if cv.Stratify < 0 || cv.Stratify > 2 {
		return fmt.Errorf("%w: cross-validation with Stratify %d, which is neither 1 nor 2", crankpkg.ErrSettings, cv.Stratify)
	}
	if !(cv.Gap >= 0 && cv.Gap < 1) {
		return fmt.Errorf("%w: cross-validation with a Gap of %v, which is not in [0, 1)", crankpkg.ErrSettings, cv.Gap)
	}
	if cv.Criterion == "" {
		cv.Criterion = metrics.MeanOfThree
	}
	if !cv.Criterion.Valid() {
		return fmt.Errorf("%w: no measure is called %q; there are %v", crankpkg.ErrSettings, string(cv.Criterion), append(metrics.Measures(), metrics.MeanOfThree))
	}
	var own crankpkg.Settings
	_, adjustable := crankpkg.Adjust(cv.Trainer, func(set *crankpkg.Settings) { own = *set })
	if len(cv.Scalings)+len(cv.Powersets) > 0 && !adjustable {
		return fmt.Errorf("%w: the settings of %s cannot be chosen: it is not Adjustable", crankpkg.ErrSettings, cv.Trainer.Name())
	}
	if err := own.Loss.Validate(); err != nil {
		return fmt.Errorf("%s: %w", cv.Trainer.Name(), err)
	}
	if len(cv.Scalings) == 0 {
		cv.Scalings = []crankpkg.Scaling{own.Scaling}
	}
	if len(cv.Powersets) == 0 {
		cv.Powersets = []crankpkg.LabelPowerset{own.Powerset}
	}
	for _, s := range cv.Scalings {
		if !slices.Contains(feature.Scalings(), s) {
			return fmt.Errorf("%w: no scaling is called %q", crankpkg.ErrSettings, string(s))
		}
	}
	for _, s := range cv.Powersets {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// use takes what it needs of a model that was trained on a fold, for the first of the points
// of the curve that share it. It is called by several goroutines at once.
type use func(m *crankpkg.Model, point, fold int, data foldData)

// fill trains and lets the models be used: the folds, scalings and lambdas are shared out
// among the workers, and each result has a place of its own.
func (cv *Search) fill(ctx context.Context, s *Selection, ds *crankpkg.Dataset, folds []crankpkg.Fold, use use) error {
	parts := make([]foldData, len(folds))
	for f, fold := range folds {
		parts[f] = foldData{train: ds.Subset(fold.Train), test: ds.Subset(fold.Test)}
	}
	pieces := cv.pieces(len(folds))
	ends := make([][]ending, len(folds))
	for f := range ends {
		ends[f] = make([]ending, len(s.Curve))
	}
	failed := make([]error, len(pieces))
	inner, stop := context.WithCancel(ctx)
	defer stop()
	group := parallel.Group{Workers: cv.Workers, Progress: cv.Progress}
	err := group.Run(inner, len(pieces), func(k int) string {
		p := pieces[k]
		begin := time.Now()
		if err := cv.train(inner, s, p, parts[p.fold], ends[p.fold], use); err != nil {
			failed[k] = err
			stop()
		}
		return fmt.Sprintf("fold %d of %d, %s (%.1fs)", p.fold+1, len(folds), p.describe(s), time.Since(begin).Seconds())
	})
	for _, e := range failed {
		if e != nil && !errors.Is(e, context.Canceled) {
			return e
		}
	}
	if err != nil {
		return err
	}
	for c := range s.Curve {
		for f := range ends {
			s.Curve[c].Gap = max(s.Curve[c].Gap, ends[f][c].gap)
			if ends[f][c].short {
				s.Curve[c].Short++
			}
		}
	}
	return nil
}

// ending is how a training ended: with which gap, and whether for want of passes or time.
type ending struct {
	gap   float64
	short bool
}

// foldData is the data of one fold.
type foldData struct{ train, test *crankpkg.Dataset }

// cvPiece is one piece of work: points of the curve on one fold.
type cvPiece struct {
	fold   int
	points []int // positions in the curve, lambdas decreasing, each the first of its LabelPowerset
}

func (p cvPiece) describe(s *Selection) string {
	first, last := s.Curve[p.points[0]].Lambda, s.Curve[p.points[len(p.points)-1]].Lambda
	if first == last {
		return fmt.Sprintf("lambda %.3g", first)
	}
	return fmt.Sprintf("lambda %.3g to %.3g", first, last)
}

// pieces lists the work, small lambdas, which take longest, first. A path over
// all lambdas is one piece.
func (cv *Search) pieces(folds int) []cvPiece {
	path := crankpkg.WarmPath(cv.Trainer)
	var pieces []cvPiece
	for l := range cv.Lambdas {
		for scaling := range cv.Scalings {
			for fold := range folds {
				first := scaling * len(cv.Lambdas) * len(cv.Powersets)
				piece := cvPiece{fold: fold, points: []int{first + l*len(cv.Powersets)}}
				if path {
					piece.points = nil
					for k := len(cv.Lambdas) - 1; k >= 0; k-- {
						piece.points = append(piece.points, first+k*len(cv.Powersets))
					}
				}
				pieces = append(pieces, piece)
			}
		}
		if path {
			break
		}
	}
	return pieces
}

// train trains for one piece and keeps how the trainings ended.
func (cv *Search) train(ctx context.Context, s *Selection, p cvPiece, data foldData, ends []ending, use use) error {
	t, _ := crankpkg.Adjust(cv.Trainer, func(set *crankpkg.Settings) {
		set.Workers, set.Progress = 1, nil
		set.Scaling = s.Curve[p.points[0]].Scaling
		set.Gap, set.MaxPasses = cmp.Or(cv.Gap, set.Gap), cmp.Or(cv.MaxPasses, set.MaxPasses)
	})
	lambdas := make([]float64, len(p.points))
	for k, c := range p.points {
		lambdas[k] = s.Curve[c].Lambda
	}
	models, traces, err := crankpkg.TrainPath(ctx, t, data.train, lambdas)
	if err != nil && !errors.Is(err, crankpkg.ErrNotConverged) {
		return fmt.Errorf("fold %d, %s: %w", p.fold+1, p.describe(s), err)
	}
	for k, first := range p.points {
		for q := range cv.Powersets {
			ends[first+q] = ending{traces[k].Gap(), traces[k].Short()}
		}
		use(models[k], first, p.fold, data)
	}
	return nil
}

// evaluate returns what measures a model with each LabelPowerset.
func (cv *Search) evaluate(s *Selection) use {
	_, adjustable := cv.Trainer.(crankpkg.Adjustable)
	return func(m *crankpkg.Model, first, fold int, data foldData) {
		predicted := make([]uint8, len(data.test.Y))
		for q, seen := range cv.Powersets {
			if adjustable {
				seen.Restrict(m, data.train)
			}
			m.Predictor().PredictAllTo(predicted, data.test.X, 1)
			s.Curve[first+q].Folds[fold] = metrics.Evaluate(data.test.Y, predicted, data.test.NumLabels())
		}
	}
}

// summarize fills in mean and standard error.
func (p *Point) summarize() {
	for _, m := range metrics.Measures() {
		mean, stdErr := p.Of(m)
		p.Mean.Set(m, mean)
		p.StdErr.Set(m, stdErr)
	}
}

// choose sets Best and Chosen.
func (s *Selection) choose(oneStandardError bool) {
	value := func(c int) float64 { return s.Curve[c].Mean.Of(s.Criterion) }
	for c := range s.Curve {
		better := value(c) > value(s.Best)
		if value(c) == value(s.Best) {
			better = s.Curve[c].Lambda > s.Curve[s.Best].Lambda
		}
		if better {
			s.Best = c
		}
	}
	s.Chosen = s.Best
	if !oneStandardError {
		return
	}
	best := s.Curve[s.Best]
	_, stdErr := best.Of(s.Criterion)
	bound := value(s.Best) - stdErr
	for c := range s.Curve {
		if p := s.Curve[c]; p.Scaling == best.Scaling && p.Powerset == best.Powerset && p.Lambda > s.Curve[s.Chosen].Lambda && value(c) >= bound {
			s.Chosen = c
		}
	}
}

// Of returns the mean of a measure over the folds and its standard error. For
// MeanOfThree that is the error of the folds' means of three, which is not the
// mean of the three errors.
func (p *Point) Of(m metrics.Measure) (mean, stdErr float64) {
	values := make([]float64, len(p.Folds))
	for f, s := range p.Folds {
		values[f] = s.Of(m)
	}
	mean, stdErr = metrics.MeanStdErr(values)
	return mean, stdErr * math.Sqrt(float64(max(1, p.Repeats)))
}
