package crossval

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/vec"
)

// ChooseRule chooses a decision rule by k-fold cross-validation on the training examples
// alone, and lambda and the scaling with it: for each of these the best rule by the
// Criterion, and of all those the best. The rule costs no training of its own. Limits on
// the number of labels are on offer as far as no example of ds breaks them, and so are the
// labelings that the training examples have, with a prior; see RuleSelection.Powerset. Limits that
// the Trainer trains with, Loss.Least and Most, are kept by all rules.
//
// It is HeldOutScores and Choose in one; see there for what is refused.
func (cv Search) ChooseRule(ctx context.Context, ds *crankpkg.Dataset) (*RuleSelection, error) {
	held, err := cv.HeldOutScores(ctx, ds)
	if err != nil {
		return nil, err
	}
	return held.Choose(ctx, decision.Search{Measure: cv.Criterion, Workers: cv.Workers})
}

// HeldOut has the scores that the folds' models give to the examples that they were not
// trained on. One of it serves any number of choices. All fields are exported so that gob,
// GoNB's cache and JSON carry it whole.
type HeldOut struct {
	Method string
	Points []HeldOutPoint // the scalings in their order, for each the lambdas in increasing order
	// Least and Most are the least and the greatest number of labels of an example.
	Least, Most int
}

// HeldOutPoint has the scores for one scaling and lambda.
type HeldOutPoint struct {
	Lambda  float64
	Scaling crankpkg.Scaling
	Parts   []decision.Part // by fold, repeat after repeat
	Gap     float64         // the largest relative gap that a fold's training ended with
	Short   int             // folds whose training stopped short of the gap
}

// HeldOutScores trains on each fold with each scaling and lambda, on folds that are
// stratified where neither Stratify nor Groups says otherwise, and keeps the scores of what
// is held out. The Criterion does not matter. With HoldOut there is one training for each
// scaling and lambda, and what it scores is divided into as many parts as there are folds.
//
// It refuses, with an error that wraps ErrSettings or ErrData, what a rule cannot be chosen
// for: labels in groups, and label powersets, which are rules of another kind; and
// OneStandardError, which the choice of rules does not have.
func (cv Search) HeldOutScores(ctx context.Context, ds *crankpkg.Dataset) (*HeldOut, error) {
	if err := cv.complete(ds); err != nil {
		return nil, err
	}
	if err := cv.checkRules(ds); err != nil {
		return nil, err
	}
	if cv.Stratify == 0 && cv.Groups == nil {
		cv.Stratify = 1
	}
	folds, err := cv.folds(ds)
	if err != nil {
		return nil, err
	}
	if cv.HoldOut {
		folds = folds[:1]
	}
	held, s := &HeldOut{Method: cv.Trainer.Name()}, &Selection{}
	held.Least, held.Most = decision.Limits(ds.Y, ds.NumLabels())
	for _, scaling := range cv.Scalings {
		for _, lambda := range cv.Lambdas {
			s.Curve = append(s.Curve, Point{Lambda: lambda, Scaling: scaling})
			held.Points = append(held.Points, HeldOutPoint{Lambda: lambda, Scaling: scaling, Parts: make([]decision.Part, len(folds))})
		}
	}
	err = cv.fill(ctx, s, ds, folds, func(m *crankpkg.Model, c, fold int, data foldData) {
		part := partOf(m, data)
		part.Repeat = fold / cv.Folds
		held.Points[c].Parts[fold] = part
	})
	if err != nil {
		return nil, fmt.Errorf("held-out scores of %s: %w", held.Method, err)
	}
	for c := range held.Points {
		if cv.HoldOut {
			held.Points[c].Parts = held.Points[c].Parts[0].Divide(cv.Folds)
		}
		held.Points[c].Gap, held.Points[c].Short = s.Curve[c].Gap, s.Curve[c].Short
	}
	return held, nil
}

// checkRules checks what else Search can do.
func (cv *Search) checkRules(ds *crankpkg.Dataset) error {
	switch {
	case ds.Groups != nil:
		return fmt.Errorf("%w: %s: a rule for labels in groups", crankpkg.ErrData, ds.Name)
	case len(cv.Powersets) > 1 || cv.Powersets[0] != crankpkg.LabelPowerset{}:
		return fmt.Errorf("%w: a rule with a LabelPowerset", crankpkg.ErrSettings)
	case cv.HoldOut && cv.Repeats > 1:
		return fmt.Errorf("%w: HoldOut with Repeats", crankpkg.ErrSettings)
	case cv.OneStandardError:
		return fmt.Errorf("%w: OneStandardError in the choice of a rule", crankpkg.ErrSettings)
	}
	return nil
}

// partOf returns the scores that a model gives to the examples that a fold holds out.
func partOf(m *crankpkg.Model, data foldData) decision.Part {
	n, test := m.NumLabels(), data.test
	part := decision.Part{NumLabels: n, Scores: make([]float64, test.Len()*n), Y: test.Y, Edges: m.Edges, Pair: m.Pair, Least: m.Rule.Least, Most: m.Rule.Most}
	part.Seen, part.Counts = decision.Labelings(data.train.Y, n)
	scoresTo(part.Scores, m, test.X)
	if len(m.EdgeFeatures.Columns) > 0 && len(m.Edges) > 0 {
		part.Pair = nil
		for k := range test.Len() {
			part.Pair = append(part.Pair, m.PairsAt(test.Row(k))...)
		}
	}
	return part
}

// scoresTo writes the unary scores of all rows of x, which go through the model's map in
// blocks: that takes half the time of one at a time.
func scoresTo(scores []float64, m *crankpkg.Model, x *crankpkg.Matrix) {
	n := m.NumLabels()
	rows := feature.NewRowMap(m.Fourier, m.Kernel, m.Scaler, x.NumCols)
	if rows == nil {
		p := m.Predictor()
		for k := range x.NumRows {
			p.ScoresTo(scores[k*n:(k+1)*n], x.Row(k))
		}
		return
	}
	const block = 64
	for first := 0; first < x.NumRows; first += block {
		z := rows.Rows(x, first, min(first+block, x.NumRows))
		for k := range z.NumRows {
			for i := range n {
				w := m.UnaryWeights(i)
				scores[(first+k)*n+i] = vec.Dot(z.Row(k).Value, w[:z.NumCols]) + w[z.NumCols]
			}
		}
	}
}

// RuleSelection is the outcome of a choice of rules. All fields are exported so that gob,
// GoNB's cache and JSON carry it whole.
type RuleSelection struct {
	Method string
	Points []RulePoint // as those of HeldOut
	// Chosen is the position of the point whose rule has the best nested measure; among
	// equals that of the larger lambda, then of the earlier scaling.
	Chosen int
}

// RulePoint has the best rules for one scaling and lambda.
type RulePoint struct {
	Lambda  float64
	Scaling crankpkg.Scaling
	Choice  decision.Choice
}

// Choose chooses among the rules of s for each point, and among the points. Where s has no
// limits, those that no example breaks are on offer. With s.Calibrate, the chosen rule has
// probabilities of the labels, too. It returns the errors of decision.Search.
func (h *HeldOut) Choose(ctx context.Context, s decision.Search) (*RuleSelection, error) {
	s = h.rules(s)
	selection := &RuleSelection{Method: h.Method}
	for _, p := range h.Points {
		choice, err := s.Run(ctx, p.Parts)
		if err != nil {
			return nil, fmt.Errorf("rules of %s, lambda %.3g: %w", h.Method, p.Lambda, err)
		}
		selection.Points = append(selection.Points, RulePoint{Lambda: p.Lambda, Scaling: p.Scaling, Choice: *choice})
	}
	value := func(k int) float64 { return selection.Points[k].Choice.Best().Nested }
	for k, p := range selection.Points {
		best := selection.Chosen
		if value(k) > value(best) || value(k) == value(best) && p.Lambda > selection.Points[best].Lambda {
			selection.Chosen = k
		}
	}
	return selection, nil
}

// rules returns s with the limits that no example breaks, where it has none.
func (h *HeldOut) rules(s decision.Search) decision.Search {
	if s.Least == 0 && s.Most == 0 {
		s.Least, s.Most = h.Least, max(1, h.Most)
	}
	return s
}

// Best returns the chosen point.
func (s *RuleSelection) Best() RulePoint { return s.Points[s.Chosen] }

// Rule returns the chosen rule, which is for models of the chosen Powerset.
func (s *RuleSelection) Rule() decision.Rule { return s.Best().Choice.Rule() }

// Powerset returns the labelings that the chosen rule is for.
func (s *RuleSelection) Powerset() crankpkg.LabelPowerset {
	best := s.Best().Choice.Best()
	return crankpkg.LabelPowerset{Only: best.Seen, Prior: best.Prior}
}

// Apply returns t with the chosen lambda, scaling and labelings.
func (s *RuleSelection) Apply(t crankpkg.Trainer) crankpkg.Trainer {
	best := s.Best()
	t, _ = crankpkg.Adjust(t, func(set *crankpkg.Settings) { set.Scaling, set.Powerset = best.Scaling, s.Powerset() })
	return t.WithLambda(best.Lambda)
}

// Train trains t with the chosen lambda, scaling and labelings on all of ds, and gives the model the
// chosen rule. A model that stops short of its gap has it too, and comes with the error. The
// limits of the rule are never wider than those of t's training (Loss.Least and Most); where they
// exclude one another, the error wraps ErrSettings, and nothing is trained.
func (s *RuleSelection) Train(ctx context.Context, t crankpkg.Trainer, ds *crankpkg.Dataset) (*crankpkg.Model, *crankpkg.Trace, error) {
	var loss crankpkg.Loss
	crankpkg.Adjust(t, func(set *crankpkg.Settings) { loss = set.Loss })
	if _, err := s.Rule().Within(loss.Least, loss.Most); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t.Name(), err)
	}
	m, trace, err := crankpkg.Named(t.Name(), s.Apply(t)).Train(ctx, ds)
	if m == nil {
		return m, trace, err
	}
	rule, wrong := s.Rule().Within(m.Rule.Least, m.Rule.Most)
	if wrong != nil { // of a trainer that is not Adjustable
		return nil, nil, fmt.Errorf("%s: %w", t.Name(), wrong)
	}
	m.Rule = rule
	return m, trace, err
}

// String returns the choice in one line.
func (s *RuleSelection) String() string {
	best := s.Best()
	text := fmt.Sprintf("%s: lambda %.3g", s.Method, best.Lambda)
	if best.Scaling != crankpkg.NoScaling {
		text += ", " + string(best.Scaling)
	}
	return text + ", " + best.Choice.String()
}
