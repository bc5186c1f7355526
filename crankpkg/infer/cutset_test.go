package infer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestCutsetOracleAgainstEnumeration compares with all labelings, on graphs of
// any density that change between calls.
func TestCutsetOracleAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for range 1500 {
		g, _ := randomProblem(rng.IntN(7), rng)
		oracle := NewCutsetOracle(g)
		for range 3 {
			_, c := randomProblem(g.N, rng)
			checkOracle(t, g, c, oracle, true)
			for _, e := range slices.Clone(g.Edges) {
				if rng.Float64() < 0.3 {
					g.Set(labelgraph.Edge{I: int(e.I), J: int(e.J)}, float64(rng.IntN(5)-2))
				}
			}
		}
	}
}

// fewCycles returns a random tree over n labels with some more edges.
func fewCycles(n, more int, rng *rand.Rand) []labelgraph.Edge {
	edges := labelgraph.RandomTree(n, rng)
	for range more {
		if e := labelgraph.NewEdge(rng.IntN(n-1), n-1); !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
		i := rng.IntN(n - 1)
		if e := labelgraph.NewEdge(i, i+1); !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	return edges
}

// TestCutsetOracleAgainstBranchAndBound compares the exact oracles on larger
// graphs of small circuit rank.
func TestCutsetOracleAgainstBranchAndBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	halves := 0
	for range 300 {
		n := 2 + rng.IntN(40)
		g, cs := gaussianProblem(n, fewCycles(n, rng.IntN(5), rng), 0.5, rng)
		cutset, exact := NewCutsetOracle(g), NewExactOracle(g)
		y, z := make(Labeling, n), make(Labeling, n)
		for _, c := range cs {
			a, b := cutset.Maximize(y, c), exact.Maximize(z, c)
			if math.Abs(a-b) > 1e-11*problemScale(g, c) || !y.IsIntegral() {
				t.Fatalf("%v of value %v; branch and bound finds %v of value %v", y, a, z, b)
			}
			NewLPOracle(g).Maximize(z, c)
			halves += z.Halves()
		}
	}
	if halves == 0 {
		t.Error("the relaxation is exact on all of these: they are too easy")
	}
}

// TestFeedbackVertexSet checks that no cycle is left, that each label of the set
// is needed, and that there are no more of them than the circuit rank.
func TestFeedbackVertexSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for range 2000 {
		n := rng.IntN(12)
		edges := testkit.RandomEdges(n, rng.Float64(), rng)
		set := FeedbackVertexSet(n, edges)
		without := func(set []int) (left []labelgraph.Edge) {
			for _, e := range edges {
				if !slices.Contains(set, e.I) && !slices.Contains(set, e.J) {
					left = append(left, e)
				}
			}
			return left
		}
		if !labelgraph.IsForest(n, without(set)) || len(set) > labelgraph.CircuitRank(n, edges) {
			t.Fatalf("%v for %v of circuit rank %d", set, edges, labelgraph.CircuitRank(n, edges))
		}
		for k := range set {
			if fewer := slices.Delete(slices.Clone(set), k, k+1); labelgraph.IsForest(n, without(fewer)) {
				t.Fatalf("%v of %v is enough for %v", fewer, set, edges)
			}
		}
	}
}

func TestCutsetOracleAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	g, cs := gaussianProblem(20, fewCycles(20, 4, rng), 1, rng)
	oracle := NewCutsetOracle(g)
	y := make(Labeling, g.N)
	run := func() { // the edge set changes along the way
		for k, c := range cs {
			g.Set(labelgraph.Edge{I: 0, J: 19}, float64(k%2))
			oracle.Maximize(y, c)
		}
	}
	run()
	if a := testing.AllocsPerRun(10, run); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

func BenchmarkInferCutset(b *testing.B) {
	rng := rand.New(rand.NewPCG(35, 1))
	g, cs := gaussianProblem(14, fewCycles(14, 4, rng), 1, rng)
	o := NewCutsetOracle(g)
	y := make(Labeling, g.N)
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		o.Maximize(y, cs[k%len(cs)])
	}
}

func ExampleNewCutsetOracle() {
	// Three labels that exclude one another: a cycle, where the relaxation has
	// y = 1/2 throughout.
	g := NewPairGraph(3, labelgraph.AllPairs(3), []float64{-1, -1, -1})
	c := []float64{0.6, 0.9, 0.7}
	y := make(Labeling, 3)
	fmt.Println(NewLPOracle(g).Maximize(y, c), y.Halves())
	fmt.Println(NewCutsetOracle(g).Maximize(y, c), y)
	// Output:
	// 1.1 3
	// 0.9 010
}

// isFeedbackVertexSet reports whether the graph without the labels of the set is
// a forest.
func isFeedbackVertexSet(n int, edges []labelgraph.Edge, set []int) bool {
	var left []labelgraph.Edge
	for _, e := range edges {
		if !slices.Contains(set, e.I) && !slices.Contains(set, e.J) {
			left = append(left, e)
		}
	}
	return labelgraph.IsForest(n, left)
}

// TestFeedbackVertexSetOfDenserGraphs holds the definition on graphs with sets
// of many labels, of which several were taken and are not needed.
func TestFeedbackVertexSetOfDenserGraphs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(36, 1))
	for range 1000 {
		n := 10 + rng.IntN(20)
		edges := testkit.RandomEdges(n, (2+6*rng.Float64())/float64(n-1), rng)
		if set := FeedbackVertexSet(n, edges); !isFeedbackVertexSet(n, edges, set) {
			t.Fatalf("without %v, %v keeps a cycle", set, edges)
		}
	}
}

// TestCutsetShrinks shrinks any set with which all cycles are gone: to one of
// which no label can be left out.
func TestCutsetShrinks(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(37, 1))
	returned := 0 // sets that two labels or more have left
	for range 400 {
		n := 2 + rng.IntN(14)
		edges := testkit.RandomEdges(n, rng.Float64(), rng)
		g := NewPairGraph(n, edges, slices.Repeat([]float64{1}, len(edges)))
		var s cutset
		s.choose(g)
		for i := range s.has {
			s.has[i] = s.has[i] || rng.IntN(2) == 0
		}
		s.labels = s.labels[:0]
		for i, has := range s.has {
			if has {
				s.labels = append(s.labels, int32(i))
			}
		}
		before := len(s.labels)
		s.shrink(g)
		var set []int
		for i, has := range s.has {
			if has {
				set = append(set, i)
			}
		}
		if before > len(set)+1 {
			returned++
		}
		if len(set) != len(s.labels) || !isFeedbackVertexSet(n, edges, set) {
			t.Fatalf("%v of %v is left of the set for %v", set, s.labels, edges)
		}
		for k := range set {
			if fewer := slices.Delete(slices.Clone(set), k, k+1); isFeedbackVertexSet(n, edges, fewer) {
				t.Fatalf("%v of %v is enough for %v", fewer, set, edges)
			}
		}
	}
	if returned < 100 {
		t.Errorf("two labels or more returned for %d sets: too few", returned)
	}
}

// TestCutsetOracleTies goes through the values of the set in the promised order,
// 0 before 1: the first best ones count, and outside the set what NewTreeOracle
// finds given them.
func TestCutsetOracleTies(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(38, 1))
	ties := 0
	for range 600 {
		n := 3 + rng.IntN(4)
		edges := testkit.RandomEdges(n, 0.4+0.6*rng.Float64(), rng)
		weights, c := make([]float64, len(edges)), make([]float64, n)
		for k := range weights {
			weights[k] = float64(rng.IntN(5) - 2)
		}
		for i := range c {
			c[i] = float64(rng.IntN(3) - 1)
		}
		g := NewPairGraph(n, edges, weights)
		var present []labelgraph.Edge
		for _, e := range g.Edges {
			present = append(present, labelgraph.Edge{I: int(e.I), J: int(e.J)})
		}
		want, best := make(Labeling, n), math.Inf(-1)
		set := FeedbackVertexSet(n, present)
		for code := range 1 << len(set) {
			y := conditionOn(g, c, set, code)
			switch v := y.Value(g, c); {
			case v > best:
				best, want = v, y
			case v == best:
				ties++
			}
		}
		got := make(Labeling, n)
		if NewCutsetOracle(g).Maximize(got, c); !slices.Equal(got, want) {
			t.Fatalf("%v, the first of the best is %v, for\nc = %v\ng = %v", got, want, c, g.Edges)
		}
	}
	if ties < 100 {
		t.Errorf("%d ties: too few", ties)
	}
}

// conditionOn returns the labeling with the labels of the set at the bits of
// code, the first one at the highest, and the others as the tree oracle has them
// given those.
func conditionOn(g *PairGraph, c []float64, set []int, code int) Labeling {
	fixed := make(map[int]uint8, len(set))
	for k, i := range set {
		fixed[i] = uint8(code>>(len(set)-1-k)&1) * On
	}
	given := slices.Clone(c)
	forest := NewPairGraph(g.N, nil, nil)
	for _, e := range g.Edges {
		i, j := int(e.I), int(e.J)
		vi, fixedI := fixed[i]
		vj, fixedJ := fixed[j]
		switch {
		case !fixedI && !fixedJ:
			forest.Set(labelgraph.Edge{I: i, J: j}, e.Weight)
		case !fixedI && vj == On:
			given[i] += e.Weight
		case !fixedJ && vi == On:
			given[j] += e.Weight
		}
	}
	y := make(Labeling, g.N)
	NewTreeOracle(forest).Maximize(y, given)
	for i, v := range fixed {
		y[i] = v
	}
	return y
}
