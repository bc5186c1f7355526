package crankpkg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"gonum.org/v1/gonum/floats"
)

// Model is a learned predictor (section 5 of the paper)
//
//	score(x, y) = sum_i (w_i . x) y_i + sum_ij w_ij y_i y_j,   y in {0,1}^n,
//
// where a constant 1 is appended to x for the bias. With EdgeFeatures, the weight
// of a pair depends on x: w_ij . z(x) takes the place of w_ij. All fields are exported so
// that gob and GoNB's cache carry a model whole; Save and Load keep it in a
// file.
type Model struct {
	Method       string  // the Trainer's name
	Lambda       float64 // the l2 regularization it was trained with
	FeatureNames []string
	LabelNames   []string
	// Coding, where it has columns, says what raw columns the features are made of, and
	// what stands where a cell is missing; else each feature is a column of numbers. The
	// Predictor's EncodeRecord goes by it.
	Coding Coding
	// Scaler, and after it Fourier or Kernel, where there is one, map raw rows to the rows
	// that the weights are of. Predict takes raw rows.
	Scaler  Scaler
	Fourier FourierFeatures
	Kernel  *feature.Kernel
	// Unary holds w_i at [i*(d+1), (i+1)*(d+1)), the bias last; with Fourier features,
	// their Count takes the place of d, with a Kernel the number of its landmarks.
	Unary []float64
	// Edges lists the pairs with a weight that is not zero, in the order of
	// Edge.Index, and Pair their weights w_ij: with EdgeFeatures, the first entry
	// of each vector w_ij, which belongs to the constant.
	Edges []Edge
	Pair  []float64
	// EdgeFeatures, where not zero, lists the features x_k that z(x) has besides
	// the constant, and PairFeatures holds the rest of w_ij, one weight for each
	// of them, edge after edge.
	EdgeFeatures EdgeFeatures
	PairFeatures []float64
	// Labelings, where there are any, are the only ones that are predicted, n
	// values each, one after the other. LabelingScores are added to their scores.
	Labelings      []uint8
	LabelingScores []float64
	// Groups, where not nil, are those of the Dataset: exactly one label of each is
	// predicted. Pairs join labels of different groups.
	Groups []int
	// Rule says how scores become labels. The zero value predicts the labeling of the
	// largest score; see package decision for others and crossval for their choice. With
	// Groups, it has no Cut and no limits; of Labelings, those within its limits are left.
	Rule decision.Rule
}

// NumLabels returns n.
func (m *Model) NumLabels() int { return len(m.LabelNames) }

// NumFeatures returns d, without the constant for the bias.
func (m *Model) NumFeatures() int { return len(m.FeatureNames) }

// numInputs returns the number of features that the weights are of.
func (m *Model) numInputs() int { return feature.NumInputs(m.Fourier, m.Kernel, m.NumFeatures()) }

// rowMap returns the map of raw rows to those that the weights are of, or nil.
func (m *Model) rowMap() *feature.RowMap {
	return feature.NewRowMap(m.Fourier, m.Kernel, m.Scaler, m.NumFeatures())
}

// ofInputs returns m as a model of the rows that the weights are of: itself
// where rows are not mapped.
func (m *Model) ofInputs() *Model {
	if m.Fourier.Count == 0 && m.Kernel == nil {
		return m
	}
	inner := *m
	inner.FeatureNames = make([]string, m.numInputs())
	inner.Coding = Coding{}
	inner.Scaler, inner.Fourier, inner.Kernel = Scaler{}, FourierFeatures{}, nil
	return &inner
}

// ruled returns m as the Rule has it but for the cuts and, without Labelings, the limits.
func (m *Model) ruled() *Model {
	inner := *m
	inner.Pair, inner.PairFeatures = m.Rule.Weights(m.Pair), m.Rule.Weights(m.PairFeatures)
	inner.Labelings, inner.LabelingScores = m.Rule.Among(m.Labelings, m.LabelingScores, m.NumLabels())
	return &inner
}

// UnaryWeights returns w_i with the bias last. It shares memory with m.
func (m *Model) UnaryWeights(i int) []float64 {
	d := m.numInputs() + 1
	return m.Unary[i*d : (i+1)*d : (i+1)*d]
}

// Bias returns the bias of label i.
func (m *Model) Bias(i int) float64 { return m.Unary[(i+1)*(m.numInputs()+1)-1] }

// Graph returns the label graph with the weights Pair.
func (m *Model) Graph() *infer.PairGraph { return infer.NewPairGraph(m.NumLabels(), m.Edges, m.Pair) }

// GraphAt returns the label graph with the weights w_ij . z(x) of the raw row x.
func (m *Model) GraphAt(x Row) *infer.PairGraph {
	return infer.NewPairGraph(m.NumLabels(), m.Edges, m.PairsAt(x))
}

// PairsAt returns w_ij . z(x) of all Edges for the raw row x: Pair, where there are
// no EdgeFeatures.
func (m *Model) PairsAt(x Row) []float64 {
	weights := slices.Clone(m.Pair)
	if len(m.EdgeFeatures.Columns) > 0 {
		m.ofInputs().edgeScorer().ScoresTo(weights, m.rowMap().Row(x))
	}
	return weights
}

// edgeScorer returns the scorer of a model whose rows are not mapped.
func (m *Model) edgeScorer() *feature.EdgeScorer {
	return feature.NewEdgeScorer(m.Scaler, m.EdgeFeatures, m.NumFeatures(), m.Pair, m.PairFeatures)
}

// PairNorms returns pi_ij = |w_ij|_1 of all Edges.
func (m *Model) PairNorms() []float64 {
	norms := make([]float64, len(m.Edges))
	for e := range norms {
		norms[e] = math.Abs(m.Pair[e]) + floats.Norm(m.pairFeatures(e), 1)
	}
	return norms
}

// pairFeatures returns the weights of edge e on features.
func (m *Model) pairFeatures(e int) []float64 {
	k := len(m.EdgeFeatures.Columns)
	return m.PairFeatures[e*k : (e+1)*k]
}

// Scores returns the n unary scores w_i . x of the raw row x. It freezes a
// Predictor each time; keep one to score or predict many rows.
func (m *Model) Scores(x Row) []float64 {
	c := make([]float64, m.NumLabels())
	m.Predictor().ScoresTo(c, x)
	return c
}

// Score returns score(x, y) for the raw row x and n labels, zeros and ones,
// without LabelingScores and the Rule.
func (m *Model) Score(x Row, y []uint8) float64 {
	if len(y) != m.NumLabels() {
		panic("crankpkg: unequal numbers of labels")
	}
	var sum float64
	for i, c := range m.Scores(x) {
		sum += c * float64(y[i])
	}
	for _, e := range m.GraphAt(x).Edges {
		sum += e.Weight * float64(y[e.I]*y[e.J])
	}
	return sum
}

// Predict returns argmax_y score(x, y) for the raw row x, n zeros and ones, among
// the Labelings where there are any and by the Rule, as
// Predictor describes: x has to be a proper row. It freezes a Predictor each time; keep
// one, or use PredictAll, to predict many rows.
func (m *Model) Predict(x Row) []uint8 { return m.Predictor().Predict(x) }

// PredictLabels returns the names of the labels predicted for the raw row x.
func (m *Model) PredictLabels(x Row) []string { return m.Predictor().PredictLabels(x) }

// PredictAll returns the labels predicted for all raw rows of x, M x n, row
// after row.
func (m *Model) PredictAll(x *Matrix) []uint8 { return m.Predictor().PredictAll(x) }

// Validate returns an error that wraps ErrData, and names the part, when the
// parts of m do not fit together or a number is not finite.
func (m *Model) Validate() error {
	if err := feature.ValidateMaps(m.Fourier, m.Kernel, m.NumFeatures()); err != nil {
		return fmt.Errorf("%w: model: %w", ErrData, err)
	}
	n, d := m.NumLabels(), m.numInputs()
	switch {
	case len(m.Unary) != n*(d+1):
		return fmt.Errorf("%w: model: %d unary weights for %d labels and %d features", ErrData, len(m.Unary), n, d)
	case len(m.Edges) != len(m.Pair):
		return fmt.Errorf("%w: model: %d edges with %d weights", ErrData, len(m.Edges), len(m.Pair))
	case math.IsNaN(m.Lambda) || math.IsInf(m.Lambda, 0):
		return fmt.Errorf("%w: model: lambda is %v", ErrData, m.Lambda)
	}
	for k, e := range m.Edges {
		if e.I < 0 || e.I >= e.J || e.J >= n {
			return fmt.Errorf("%w: model: edge %d is (%d, %d) among %d labels", ErrData, k, e.I, e.J, n)
		}
		if k > 0 && e.Index() <= m.Edges[k-1].Index() {
			return fmt.Errorf("%w: model: edge %d, (%d, %d), is out of order", ErrData, k, e.I, e.J)
		}
	}
	if err := m.Coding.Check(m.FeatureNames); err != nil {
		return fmt.Errorf("%w: model: coding: %w", ErrData, err)
	}
	if err := checkFinite("unary weight", m.Unary); err != nil {
		return err
	}
	if err := checkFinite("pairwise weight", m.Pair); err != nil {
		return err
	}
	return errors.Join(m.validateEdgeFeatures(), m.validateScaler(), m.validateLabelings(), m.validateGroups(), m.validateRule())
}

func (m *Model) validateEdgeFeatures() error {
	f := m.EdgeFeatures
	resolved, err := f.Resolve(m.numInputs())
	switch {
	case err != nil:
		return fmt.Errorf("%w: model: %w", ErrData, err)
	case m.Kernel != nil && len(f.Columns) > 0:
		return fmt.Errorf("%w: model: EdgeFeatures with a Kernel", ErrData)
	case f.All || f.Scale != resolved.Scale:
		return fmt.Errorf("%w: model: EdgeFeatures without columns or scale", ErrData)
	case len(m.PairFeatures) != len(m.Edges)*len(f.Columns):
		return fmt.Errorf("%w: model: %d weights of %d edges with %d features", ErrData, len(m.PairFeatures), len(m.Edges), len(f.Columns))
	}
	return checkFinite("pairwise weight of a feature", m.PairFeatures)
}

func (m *Model) validateScaler() error {
	if err := m.Scaler.Validate(m.NumFeatures()); err != nil {
		return fmt.Errorf("%w: model: %w", ErrData, err)
	}
	return nil
}

func checkFinite(what string, values []float64) error {
	for k, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: model: %s %d is %v", ErrData, what, k, v)
		}
	}
	return nil
}

// validateRule checks the rule of a model whose other parts fit together.
func (m *Model) validateRule() error {
	if err := m.Rule.ValidateIn(m.NumLabels(), m.Groups != nil); err != nil {
		return fmt.Errorf("%w: model: %w", ErrData, err)
	}
	switch {
	case m.Rule.Calibrated() && len(m.LabelingScores) > 0:
		return fmt.Errorf("%w: model: rule: %s, with Labelings", ErrData, m.Rule)
	case m.Rule.Expect != "" && !m.Rule.Calibrated() && len(m.LabelingScores) == 0:
		return fmt.Errorf("%w: model: rule: %s, without Labelings", ErrData, m.Rule)
	}
	inner := m.ruled()
	if len(m.LabelingScores) > 0 && len(inner.LabelingScores) == 0 {
		return fmt.Errorf("%w: model: rule: none of the labelings has %s", ErrData, m.Rule)
	}
	return errors.Join(checkFinite("pairwise weight under the rule", inner.Pair), checkFinite("pairwise weight of a feature under the rule", inner.PairFeatures))
}

// validateGroups checks the groups of a model.
func (m *Model) validateGroups() error {
	if m.Groups == nil {
		return nil
	}
	if err := groups.Check(m.Groups, m.NumLabels()); err != nil {
		return fmt.Errorf("%w: model: %w", ErrData, err)
	}
	l := groups.New(m.Groups)
	for k, pair := range m.Edges {
		if e := l.EdgeOf(pair); e.I == e.J {
			return fmt.Errorf("%w: model: pair %d joins two labels of group %d", ErrData, k, e.I)
		}
	}
	return nil
}
