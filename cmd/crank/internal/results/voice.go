package results

import (
	"context"
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/floats"
)

// voice has what the trees of a company say of some examples on average: the scores of the labels, the weights
// of all pairs that some tree has, and the margins of the labels.
type voice struct{ scores, margins decision.Part }

// repeat says which division into folds the examples are of.
func (v *voice) repeat(r int) { v.scores.Repeat, v.margins.Repeat = r, r }

// of returns the part of that name.
func (v voice) of(averaged string) decision.Part {
	if averaged == ofMargins {
		return v.margins
	}
	return v.scores
}

// voiceOf trains the company and has it score other examples.
func (mk *maker) voiceOf(ctx context.Context, c company, train, test *crankpkg.Dataset) (v voice, err error) {
	n := test.NumLabels()
	v.scores = decision.Part{NumLabels: n, Scores: make([]float64, len(test.Y)), Y: test.Y}
	v.scores.Seen, v.scores.Counts = decision.Labelings(train.Y, n)
	v.margins = v.scores
	v.margins.Scores = make([]float64, len(test.Y))
	pairs := map[labelgraph.Edge]float64{}
	share := 1 / float64(c.count)
	for k := range c.count {
		t, own := c.member(k, train)
		m, _, _, err := mk.train(ctx, t, own)
		if err != nil {
			return v, fmt.Errorf("%s %d: %w", c.name, k+1, err)
		}
		for e, edge := range m.Edges {
			pairs[edge] += share * m.Pair[e]
		}
		addTo(v, share, m, test)
	}
	for e := range pairs {
		v.scores.Edges = append(v.scores.Edges, e)
	}
	slices.SortFunc(v.scores.Edges, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
	for _, e := range v.scores.Edges {
		v.scores.Pair = append(v.scores.Pair, pairs[e])
	}
	return v, nil
}

// addTo adds the share of one tree.
func addTo(v voice, share float64, m *crankpkg.Model, test *crankpkg.Dataset) {
	n := test.NumLabels()
	p, marginals := m.Predictor(), infer.NewMaxMarginals(m.Graph())
	scores, margins := make([]float64, n), make([]float64, n)
	for k := range test.Len() {
		p.ScoresTo(scores, test.Row(k))
		marginals.MarginsTo(margins, scores)
		floats.AddScaled(v.scores.Scores[k*n:(k+1)*n], share, scores)
		floats.AddScaled(v.margins.Scores[k*n:(k+1)*n], share, margins)
	}
}

// decided chooses a rule for each measure by what the folds hold out, and applies it to the test examples. It returns the
// labels by measure too.
func (mk *maker) decided(ctx context.Context, c company, averaged string, folds []voice, last voice, train, test *crankpkg.Dataset) (
	entries []companyEntry, labels map[metrics.Measure][]uint8, err error) {
	parts := make([]decision.Part, len(folds))
	for k, v := range folds {
		parts[k] = v.of(averaged)
	}
	least, most := decision.Limits(train.Y, train.NumLabels())
	choices, err := decision.Search{Least: least, Most: max(1, most), Workers: mk.Workers}.RunEach(ctx, parts, metrics.PaperMeasures()...)
	if err != nil {
		return nil, nil, err
	}
	labels = map[metrics.Measure][]uint8{}
	for k, m := range metrics.PaperMeasures() {
		best, part := choices[k].Best(), last.of(averaged)
		y, certain := labelsOf(part, best, train)
		labels[m] = y
		entries = append(entries, companyEntry{
			Members: c.name, Count: c.count, Averaged: averaged, Measure: m, Rule: ruleText(best), Edges: len(part.Edges), Certain: certain,
			HeldOut: best.Nested, Test: metrics.Evaluate(test.Y, y, test.NumLabels()).Of(m),
		})
	}
	return entries, labels, nil
}

// labelsOf returns what a rule makes of scores, by a model whose features are the scores, and the share of examples whose
// labeling certainly is the best that the rule allows: with more pairs than a forest has, the relaxation need not be tight.
func labelsOf(part decision.Part, best decision.Candidate, train *crankpkg.Dataset) (y []uint8, certain float64) {
	n := part.NumLabels
	m := &crankpkg.Model{FeatureNames: train.LabelNames, LabelNames: train.LabelNames, Unary: make([]float64, n*(n+1)), Edges: part.Edges, Pair: part.Pair, Rule: best.Rule}
	for i := range n {
		m.Unary[i*(n+1)+i] = 1
	}
	crankpkg.LabelPowerset{Only: best.Seen, Prior: best.Prior}.Restrict(m, train)
	p, x := m.Predictor(), crankpkg.Matrix{NumRows: part.Len(), NumCols: n, Value: part.Scores}
	y = make([]uint8, len(part.Y))
	for k := range part.Len() {
		if p.PredictTo(y[k*n:(k+1)*n], x.Row(k)) {
			certain += 1 / float64(part.Len())
		}
	}
	return y, certain
}

// ruleText describes a rule, and the labelings that it is for.
func ruleText(c decision.Candidate) string {
	if c.Seen {
		return fmt.Sprintf("%s, seen labelings with prior %.3g", c.Rule, c.Prior)
	}
	return c.Rule.String()
}
