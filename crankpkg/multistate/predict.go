package multistate

import (
	"fmt"
	"slices"
	"sync"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
)

// Predictor is a Model made ready to predict raw rows. It
// does not see later changes of the model, and is safe for concurrent use.
//
// Where the edges form a forest the prediction is exact, by max-product. On a
// graph with cycles it is that of the linear programming relaxation, where each
// variable takes the state of largest marginal.
type Predictor struct {
	layout     *groups.Layout
	indicators *crankpkg.Predictor
	labels     sync.Pool // of *[]uint8
}

// Predictor returns m frozen for prediction. It panics when the parts of m do
// not fit together.
func (m *Model) Predictor() *Predictor {
	if err := m.Validate(); err != nil {
		panic(err.Error())
	}
	p := &Predictor{layout: m.layout(), indicators: m.Indicators.Predictor()}
	p.labels.New = func() any {
		labels := make([]uint8, p.layout.NumLabels())
		return &labels
	}
	return p
}

// PredictTo writes the states predicted for the raw row x to y, n values, and
// reports whether they are certainly optimal: on a graph with cycles, whether
// the relaxation is tight. It panics when x or y has the wrong length.
func (p *Predictor) PredictTo(y []uint8, x crankpkg.Row) (optimal bool) {
	if len(y) != p.layout.NumGroups() {
		panic("multistate: unequal numbers of variables")
	}
	labels := p.labels.Get().(*[]uint8)
	optimal = p.indicators.PredictTo(*labels, x)
	p.layout.StatesTo(y, *labels)
	p.labels.Put(labels)
	return optimal
}

// Scores are the measures of a predictor of several states on a test
// set, in percent and the larger the better.
type Scores struct {
	HammingAccuracy float64 // share of the variables with the right state
	SubsetAccuracy  float64 // share of the examples with every variable right
	Optimal         float64 // share of the examples whose prediction is certainly the model's optimum
}

// Match returns ds with the features, the variables and their states in m's order,
// found by name: ds itself where they are in that order. It returns an error that wraps
// crankpkg.ErrData and names what is missing or unknown to m.
func (m *Model) Match(ds *Dataset) (*Dataset, error) {
	if slices.Equal(ds.FeatureNames, m.Indicators.FeatureNames) && slices.Equal(ds.LabelNames, m.LabelNames) &&
		slices.EqualFunc(ds.StateNames, m.StateNames, slices.Equal[[]string]) {
		return ds, nil
	}
	if err := ds.Validate(); err != nil {
		return nil, err
	}
	matched, err := ds.Indicators().MatchNames(m.Indicators.FeatureNames, indicatorNames(m.LabelNames, m.StateNames))
	if err != nil {
		return nil, err
	}
	if !slices.Equal(matched.Groups, m.States()) {
		return nil, fmt.Errorf("%w: %s: variables of %v states for a model of %v", crankpkg.ErrData, ds.Name, matched.Groups, m.States())
	}
	layout := m.layout()
	out := &Dataset{
		Name: ds.Name, FeatureNames: matched.FeatureNames, LabelNames: slices.Clone(m.LabelNames), StateNames: slices.Clone(m.StateNames),
		X: matched.X, Y: make([]uint8, len(ds.Y)), Coding: matched.Coding, Unlabeled: matched.Unlabeled,
	}
	for k := range out.Len() {
		layout.StatesTo(out.Labels(k), matched.Labels(k))
	}
	return out, nil
}

// Evaluate returns the measures of m on test, whose rows are raw. Features, variables
// and states go by their names, in any order; see Model.Match. It panics when some are
// missing or unknown, or there is nothing to measure.
func Evaluate(m *Model, test *Dataset) Scores {
	n := m.NumLabels()
	if n == 0 || test.Len() == 0 || test.Unlabeled {
		panic("multistate: nothing to measure")
	}
	test, err := m.Match(test)
	if err != nil {
		panic(err.Error())
	}
	var right, all, optimal int
	p, y := m.Predictor(), make([]uint8, n)
	for k := range test.Len() {
		if p.PredictTo(y, test.Row(k)) {
			optimal++
		}
		correct := 0
		for i, s := range test.Labels(k) {
			if y[i] == s {
				correct++
			}
		}
		right += correct
		if correct == n {
			all++
		}
	}
	percent := 100 / float64(test.Len())
	return Scores{
		HammingAccuracy: percent * float64(right) / float64(n), SubsetAccuracy: percent * float64(all), Optimal: percent * float64(optimal),
	}
}
