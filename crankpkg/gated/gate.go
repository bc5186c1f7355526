package gated

import (
	"fmt"
	"math"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/stat"
)

// Gate says in which of its regions, from 0 to Regions() - 1, an input is.
type Gate interface {
	Regions() int
	Region(x crankpkg.Row) int
}

// Split has the inputs with x_Column > At in region 1, and the others in region 0.
type Split struct {
	Column int
	At     float64
}

// Regions returns 2.
func (s Split) Regions() int { return 2 }

// Region returns 0 or 1.
func (s Split) Region(x crankpkg.Row) int {
	if valueAt(x, s.Column) > s.At {
		return 1
	}
	return 0
}

// valueAt returns x_k.
func valueAt(x crankpkg.Row, k int) float64 {
	if x.Index == nil {
		return x.Value[k]
	}
	if p, found := slices.BinarySearch(x.Index, int32(k)); found {
		return x.Value[p]
	}
	return 0
}

// SplitByMistakes returns the feature, cut at its median, on whose two sides the mistakes of m
// on ds are correlated most differently: if labels depend on one another in two ways, what
// labels alone get wrong shows it. A mistake is y_i less the score of label i, taken
// to [0, 1] from the [-1, 1] within the margin. The strength is the mean over the pairs of
// labels of the squared difference of the correlations, each made a standard normal
// by Fisher's transformation where nothing differs: about 1 by chance for any one feature, more for
// the best of many, and more where one tree has labels yield to one another differently as x
// changes. A side has a fifth of the examples at least. The error wraps ErrData where no feature
// has such a cut.
func SplitByMistakes(ds *crankpkg.Dataset, m *crankpkg.Model) (best Split, strength float64, err error) {
	mistakes, x := mistakesOf(ds, m), ds.X.Dense()
	column, best := make([]float64, ds.Len()), Split{Column: -1}
	for k := range ds.NumFeatures() {
		for row := range column {
			column[row] = x.Row(row).Value[k]
		}
		at := stat.Quantile(0.5, stat.Empirical, slices.Sorted(slices.Values(column)), nil)
		if s := difference(mistakes, column, at); s > strength {
			best, strength = Split{k, at}, s
		}
	}
	if best.Column < 0 {
		return Split{}, 0, fmt.Errorf("gated: %w: no feature of %s divides it", crankpkg.ErrData, ds.Name)
	}
	return best, strength, nil
}

// mistakesOf returns for each label the mistakes on all examples.
func mistakesOf(ds *crankpkg.Dataset, m *crankpkg.Model) [][]float64 {
	mistakes, scores := make([][]float64, ds.NumLabels()), make([]float64, ds.NumLabels())
	p := m.Predictor()
	for row := range ds.Len() {
		p.ScoresTo(scores, ds.Row(row))
		for i, y := range ds.Labels(row) {
			mistakes[i] = append(mistakes[i], float64(y)-min(max((1+scores[i])/2, 0), 1))
		}
	}
	return mistakes
}

// difference returns how differently mistakes are correlated on the two sides of a cut; 0 where
// a side is too small.
func difference(mistakes [][]float64, column []float64, at float64) float64 {
	var sides [2][][]float64
	for _, of := range mistakes {
		var values [2][]float64
		for row, v := range of {
			side := 0
			if column[row] > at {
				side = 1
			}
			values[side] = append(values[side], v)
		}
		sides[0], sides[1] = append(sides[0], values[0]), append(sides[1], values[1])
	}
	a, b := float64(len(sides[0][0])), float64(len(sides[1][0]))
	if min(a, b) < max(5, (a+b)/5) {
		return 0
	}
	sum, pairs := 0.0, labelgraph.AllPairs(len(mistakes))
	for _, e := range pairs {
		z := math.Atanh(stat.Correlation(sides[0][e.I], sides[0][e.J], nil)) - math.Atanh(stat.Correlation(sides[1][e.I], sides[1][e.J], nil))
		if s := z * z / (1/(a-3) + 1/(b-3)); s < math.Inf(1) { // a label without mistakes has no correlation
			sum += s
		}
	}
	return sum / float64(max(len(pairs), 1))
}
