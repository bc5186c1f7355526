package multistate

import (
	"fmt"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/groups"
	"gonum.org/v1/gonum/floats"
)

// Model is a learned predictor of n variables of several states,
//
//	score(x, y) = sum_i w_i(y_i) . x + sum_ij w_ij(y_i, y_j),   y_i in 0..k_i-1,
//
// where a constant 1 is appended to x for the bias; with EdgeFeatures each
// w_ij(s, t) is linear in z(x). All fields are exported so that gob and GoNB's
// cache carry a model whole; Save and LoadModel keep it in a file.
type Model struct {
	LabelNames []string   // n names
	StateNames [][]string // by variable: k_i names
	// Indicators is the same score over labels of zeros and ones, one for each
	// state of each variable in order: the Groups of its labels. Its pairs are the
	// entries of the tables that are not zero.
	Indicators *crankpkg.Model
}

// NumLabels returns the number n of variables.
func (m *Model) NumLabels() int { return len(m.LabelNames) }

// NumFeatures returns d, without the constant for the bias.
func (m *Model) NumFeatures() int { return m.Indicators.NumFeatures() }

// States returns the numbers of states k_i, n values.
func (m *Model) States() []int { return stateCounts(m.StateNames) }

func (m *Model) layout() *groups.Layout { return groups.New(m.States()) }

// UnaryWeights returns w_i(s), d+1 values with the bias last. It shares memory
// with m.
func (m *Model) UnaryWeights(i, s int) []float64 {
	return m.Indicators.UnaryWeights(m.layout().Start[i] + s)
}

// Edges returns the pairs of variables with a weight that is not zero, in the
// order of Edge.Index.
func (m *Model) Edges() []crankpkg.Edge {
	edges, _ := m.tablesOf(m.Indicators.Pair)
	return edges
}

// Norms returns pi_ij = |w_ij|_1 of all Edges.
func (m *Model) Norms() []float64 {
	_, tables := m.tablesOf(m.Indicators.PairNorms())
	norms := make([]float64, len(tables))
	for e, table := range tables {
		norms[e] = floats.Norm(table, 1)
	}
	return norms
}

// Tables returns the tables w_ij . z(x) of all Edges for the raw row x, k_i x k_j
// numbers each, row after row. Without EdgeFeatures they do not depend on x.
func (m *Model) Tables(x crankpkg.Row) [][]float64 {
	_, tables := m.tablesOf(m.Indicators.PairsAt(x))
	return tables
}

// tablesOf sorts numbers by pair of labels into tables by pair of variables.
func (m *Model) tablesOf(numbers []float64) (edges []crankpkg.Edge, tables [][]float64) {
	l := m.layout()
	position := make(map[crankpkg.Edge]int)
	for _, pair := range m.Indicators.Edges {
		e := l.EdgeOf(pair)
		if _, seen := position[e]; !seen {
			position[e] = 0
			edges = append(edges, e)
		}
	}
	slices.SortFunc(edges, func(a, b crankpkg.Edge) int { return a.Index() - b.Index() })
	for k, e := range edges {
		position[e] = k
		tables = append(tables, make([]float64, l.Sizes[e.I]*l.Sizes[e.J]))
	}
	for p, pair := range m.Indicators.Edges {
		e := l.EdgeOf(pair)
		tables[position[e]][(pair.I-l.Start[e.I])*l.Sizes[e.J]+pair.J-l.Start[e.J]] = numbers[p]
	}
	return edges, tables
}

// Score returns score(x, y) for the raw row x and n states.
func (m *Model) Score(x crankpkg.Row, y []uint8) float64 {
	l := m.layout()
	if len(y) != l.NumGroups() {
		panic("multistate: unequal numbers of variables")
	}
	labels := make([]uint8, l.NumLabels())
	l.OneHotTo(labels, y)
	return m.Indicators.Score(x, labels)
}

// Predict returns argmax_y score(x, y) for the raw row x, n states, as
// Predictor describes. It freezes a predictor each time; keep one, or
// use PredictAll, to predict many rows.
func (m *Model) Predict(x crankpkg.Row) []uint8 {
	y := make([]uint8, m.NumLabels())
	m.Predictor().PredictTo(y, x)
	return y
}

// PredictAll returns the states predicted for all raw rows of x, M x n, row
// after row.
func (m *Model) PredictAll(x *crankpkg.Matrix) []uint8 {
	p, n := m.Predictor(), m.NumLabels()
	y := make([]uint8, x.NumRows*n)
	for k := range x.NumRows {
		p.PredictTo(y[k*n:(k+1)*n], x.Row(k))
	}
	return y
}

// Validate returns an error that wraps ErrData, and names the part, when the
// parts of m do not fit together or a number is not finite.
func (m *Model) Validate() error {
	if err := checkStateNames(m.LabelNames, m.StateNames); err != nil {
		return fmt.Errorf("%w: model: %w", crankpkg.ErrData, err)
	}
	if m.Indicators == nil {
		return fmt.Errorf("%w: model: no weights", crankpkg.ErrData)
	}
	if err := m.Indicators.Validate(); err != nil {
		return err
	}
	if !slices.Equal(m.Indicators.Groups, m.States()) {
		return fmt.Errorf("%w: model: variables of %v states, but weights of %v", crankpkg.ErrData, m.States(), m.Indicators.Groups)
	}
	return nil
}
