// Package testkit has what the tests of several packages share.
package testkit

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
)

// Near reports whether a and b agree to a relative error of tol.
func Near(a, b, tol float64) bool {
	return math.Abs(a-b) <= tol*math.Max(math.Abs(a), math.Abs(b))
}

// CheckNear stops the test unless got and want agree to an absolute or a relative
// error of 1e-10.
func CheckNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !scalar.EqualWithinAbsOrRel(got, want, 1e-10, 1e-10) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// Panics reports whether f panics.
func Panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}

// RandomLabels returns labels of which about a quarter are 1, so that empty
// rows and columns are common.
func RandomLabels(rng *rand.Rand, size int) []uint8 {
	y := make([]uint8, size)
	for k := range y {
		if rng.IntN(4) == 0 {
			y[k] = 1
		}
	}
	return y
}

// RandomEdges returns each pair of n labels with probability p.
func RandomEdges(n int, p float64, rng *rand.Rand) []labelgraph.Edge {
	var edges []labelgraph.Edge
	for _, e := range labelgraph.AllPairs(n) {
		if rng.Float64() < p {
			edges = append(edges, e)
		}
	}
	return edges
}

// RandomForest returns a random tree over n labels without some of its edges.
func RandomForest(n int, keep float64, rng *rand.Rand) []labelgraph.Edge {
	var edges []labelgraph.Edge
	for _, e := range labelgraph.RandomTree(n, rng) {
		if rng.Float64() < keep {
			edges = append(edges, e)
		}
	}
	return edges
}

// RandomNumbers returns k numbers of one of several kinds: normal, small
// integers with many ties and zeros, or of very different sizes.
func RandomNumbers(k int, rng *rand.Rand) []float64 {
	v := make([]float64, k)
	kind := rng.IntN(3)
	for i := range v {
		switch kind {
		case 0:
			v[i] = rng.NormFloat64()
		case 1:
			v[i] = float64(rng.IntN(7) - 3)
		case 2:
			v[i] = rng.NormFloat64() * math.Exp(3*rng.NormFloat64())
		}
	}
	return v
}

// RandomProblem draws scores of the pairs and of the labels of a problem over n
// labels: any density, any balance of signs, unary terms from much smaller to much
// larger than the pairs.
func RandomProblem(n int, rng *rand.Rand) (edges []labelgraph.Edge, weights, c []float64) {
	edges = RandomEdges(n, rng.Float64()*1.2, rng)
	weights, c = RandomNumbers(len(edges), rng), RandomNumbers(n, rng)
	floats.Scale([]float64{0, 0.5, 1, 2, 4}[rng.IntN(5)], c)
	positive := rng.Float64()
	for k := range weights {
		if rng.Float64() < positive {
			weights[k] = math.Abs(weights[k])
		}
	}
	return edges, weights, c
}

// RandomTreeProblem draws normal scores of the pairs of a random tree and of its
// labels.
func RandomTreeProblem(n int, rng *rand.Rand) (edges []labelgraph.Edge, weights, c []float64) {
	edges = labelgraph.RandomTree(n, rng)
	return edges, Normals(len(edges), rng), Normals(n, rng)
}

// Normals draws k numbers of the standard normal distribution.
func Normals(k int, rng *rand.Rand) []float64 {
	v := make([]float64, k)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// SumAbs returns the sum of the absolute values, which rounding errors of a sum
// of these terms are proportional to.
func SumAbs(terms ...[]float64) (sum float64) {
	for _, v := range terms {
		sum += floats.Norm(v, 1)
	}
	return sum
}

// SharedEdges counts the edges of b that a has, too.
func SharedEdges(a, b []labelgraph.Edge) (count int) {
	for _, e := range b {
		if slices.Contains(a, e) {
			count++
		}
	}
	return count
}

// Subset returns the edges whose bit is set in code.
func Subset(edges []labelgraph.Edge, code int) []labelgraph.Edge {
	var s []labelgraph.Edge
	for k, e := range edges {
		if code>>k&1 == 1 {
			s = append(s, e)
		}
	}
	return s
}

// NextLabeling counts y up as a number with mixed radices, and reports false
// after the last one.
func NextLabeling(y, states []int) bool {
	for i := range y {
		if y[i]++; y[i] < states[i] {
			return true
		}
		y[i] = 0
	}
	return false
}

// NeedData skips the test unless CRANK_DATA names a folder of data sets. It is for
// tests on sets that are not built in; "LargerSets" in their names lets them run alone.
func NeedData(t testing.TB) {
	t.Helper()
	if os.Getenv("CRANK_DATA") == "" {
		t.Skip("CRANK_DATA names no folder of data sets")
	}
}

// DenseRows returns all values of a matrix.
func DenseRows(x *feature.Matrix) [][]float64 {
	rows := make([][]float64, x.NumRows)
	for m := range rows {
		rows[m] = x.Dense().Row(m).Value
	}
	return rows
}

func Median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
