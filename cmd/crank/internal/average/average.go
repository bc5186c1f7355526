// Package average has what several models say of the same examples on average, each with a label graph of its own, and the labels
// that a rule makes of it.
package average

import (
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// Of returns two means over the models, of the examples of test, in the form in which rules are chosen for them: of the scores of labels
// and the weights of pairs, in a graph with the pairs of all models; and of the margins of labels, without pairs. Both have
// the labelings of train. Models have no features on their pairs.
func Of(models []*crankpkg.Model, train, test *crankpkg.Dataset) (scores, margins decision.Part) {
	n := test.NumLabels()
	scores = decision.Part{NumLabels: n, Scores: make([]float64, len(test.Y)), Y: test.Y}
	scores.Seen, scores.Counts = decision.Labelings(train.Y, n)
	margins = scores
	margins.Scores = make([]float64, len(test.Y))
	share := 1 / float64(len(models))
	pairs := map[labelgraph.Edge]float64{}
	for _, m := range models {
		for e, edge := range m.Edges {
			pairs[edge] += share * m.Pair[e]
		}
		add(scores.Scores, margins.Scores, share, m, test)
	}
	for e := range pairs {
		scores.Edges = append(scores.Edges, e)
	}
	slices.SortFunc(scores.Edges, func(a, b labelgraph.Edge) int { return a.Index() - b.Index() })
	for _, e := range scores.Edges {
		scores.Pair = append(scores.Pair, pairs[e])
	}
	return scores, margins
}

// add adds the share of one model.
func add(allScores, allMargins []float64, share float64, m *crankpkg.Model, test *crankpkg.Dataset) {
	n := test.NumLabels()
	p, marginals := m.Predictor(), infer.NewMaxMarginals(m.Graph())
	scores, margins := make([]float64, n), make([]float64, n)
	for k := range test.Len() {
		p.ScoresTo(scores, test.Row(k))
		marginals.MarginsTo(margins, scores)
		floats.AddScaled(allScores[k*n:(k+1)*n], share, scores)
		floats.AddScaled(allMargins[k*n:(k+1)*n], share, margins)
	}
}

// Labels returns what a rule makes of scores, by a model whose features are the scores, and the share of examples whose
// labeling certainly is the best that the rule allows: with more pairs than a forest has, the relaxation need not be tight.
func Labels(part decision.Part, best decision.Candidate, train *crankpkg.Dataset) (y []uint8, certain float64) {
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
