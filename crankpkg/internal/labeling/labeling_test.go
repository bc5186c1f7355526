package labeling

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// problem is one maximization under limits.
type problem struct {
	n, least, most int
	edges          []labelgraph.Edge
	weights, c     []float64
}

func (p problem) String() string {
	return fmt.Sprintf("%d to %d labels, edges %v, weights %v, scores %v", p.least, p.most, p.edges, p.weights, p.c)
}

// value returns the score of the labeling whose labels are the bits of code.
func (p problem) value(code uint) float64 {
	var sum float64
	for i, c := range p.c {
		sum += c * float64(code>>i&1)
	}
	for k, e := range p.edges {
		sum += p.weights[k] * float64((code>>e.I)&(code>>e.J)&1)
	}
	return sum
}

// best returns the largest score within the limits, and the fewest labels that have it.
func (p problem) best() (value float64, fewest int) {
	value = math.Inf(-1)
	for code := range uint(1) << p.n {
		count := bits.OnesCount(code)
		if count < p.least || count > p.most {
			continue
		}
		switch v := p.value(code); {
		case v > value:
			value, fewest = v, count
		case v == value:
			fewest = min(fewest, count)
		}
	}
	return value, fewest
}

func (p problem) nodes() []forest.Node {
	g := infer.NewPairGraph(p.n, p.edges, p.weights)
	order, _ := infer.ForestOrder(g)
	return forest.New(g, order)
}

// onForest returns the labeling of the limiter.
func (p problem) onForest(l *Limiter) []uint8 {
	nodes := p.nodes()
	y, on, c := make([]uint8, p.n), make([]uint8, p.n+1), make([]float64, p.n+1)
	for k, node := range nodes {
		c[k] = p.c[node.Label]
	}
	gain := slices.Clone(c)
	forest.Label(y, nodes, gain, on)
	l.Forest(y, nodes, c, gain, on)
	return y
}

// onGraph begins with the labels that are good by themselves.
func (p problem) onGraph(l *Limiter) (y []uint8, changed, optimal bool) {
	y = make([]uint8, p.n)
	for i, c := range p.c {
		if c > 0 {
			y[i] = 1
		}
	}
	changed, optimal = l.Graph(y, infer.NewPairGraph(p.n, p.edges, p.weights), p.c)
	return y, changed, optimal
}

func codeOf(y []uint8) (code uint) {
	for i, v := range y {
		code |= uint(v) << i
	}
	return code
}

// check compares a labeling with all others.
func (p problem) check(t *testing.T, y []uint8) {
	t.Helper()
	code := codeOf(y)
	want, _ := p.best()
	if count := bits.OnesCount(code); count < p.least || count > p.most {
		t.Fatalf("%v: %v has %d labels", p, y, count)
	}
	if got := p.value(code); got < want-1e-10*(1+testkit.SumAbs(p.c, p.weights)) {
		t.Fatalf("%v: %v has the score %v, the best is %v", p, y, got, want)
	}
}

// TestForestIsBest goes through all limits on forests of any shape, with ties and without,
// with one limiter for many problems.
func TestForestIsBest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 250 {
		p := problem{n: 1 + rng.IntN(9)}
		p.edges = testkit.RandomForest(p.n, rng.Float64()*1.3, rng)
		for p.least = range p.n + 1 {
			for p.most = max(1, p.least); p.most <= p.n; p.most++ {
				l := NewLimiter(p.n, p.least, p.most)
				for range 2 {
					p.weights, p.c = testkit.RandomNumbers(len(p.edges), rng), testkit.RandomNumbers(p.n, rng)
					shift := 4 * rng.NormFloat64()
					if rng.IntN(2) == 0 {
						shift = math.Round(shift)
					}
					for i := range p.c {
						p.c[i] += shift
					}
					p.check(t, p.onForest(l))
				}
			}
		}
	}
}

// TestTiesGoToFewLabels holds the order among equal labelings to what Limiter says.
func TestTiesGoToFewLabels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 1))
	whole := func(k int) []float64 {
		v := make([]float64, k)
		for i := range v {
			v[i] = float64(rng.IntN(5) - 2)
		}
		return v
	}
	for range 2000 {
		p := problem{n: 1 + rng.IntN(8)}
		p.edges = testkit.RandomForest(p.n, 0.8, rng)
		p.weights, p.c = whole(len(p.edges)), whole(p.n)
		p.least, p.most = 2, p.n
		if p.n < 2 {
			continue
		}
		if rng.IntN(2) == 0 {
			p.least, p.most = 0, 1+rng.IntN(p.n)
		}
		l := NewLimiter(p.n, p.least, p.most)
		free := problem{n: p.n, most: p.n, edges: p.edges, weights: p.weights, c: p.c}.onForest(NewLimiter(p.n, 0, p.n))
		if l.Meets(free) {
			continue
		}
		y := p.onForest(l)
		_, fewest := p.best()
		if got := bits.OnesCount(codeOf(y)); got != fewest && p.most < p.n || got < p.least {
			t.Fatalf("%v: %v, and %d labels are as good", p, y, fewest)
		}
	}
	// Several labels are as good as the one that has to be on.
	p := problem{n: 4, least: 1, most: 4, c: []float64{-3, -1, -1, -1}, edges: []labelgraph.Edge{{I: 2, J: 3}}, weights: []float64{-5}}
	if y := p.onForest(NewLimiter(4, 1, 4)); codeOf(y) != 1<<1 {
		t.Errorf("%v", y)
	}
}

// TestNamesOfLabelsDoNotMatter permutes the labels of problems without ties.
func TestNamesOfLabelsDoNotMatter(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 1))
	for range 500 {
		p := problem{n: 2 + rng.IntN(9)}
		p.edges, p.weights, p.c = testkit.RandomTreeProblem(p.n, rng)
		shift := 3 * rng.NormFloat64()
		for i := range p.c {
			p.c[i] += shift
		}
		p.least = rng.IntN(p.n)
		p.most = max(1, p.least+rng.IntN(p.n-p.least+1))
		to := rng.Perm(p.n)
		q := problem{n: p.n, least: p.least, most: p.most, weights: p.weights, c: make([]float64, p.n)}
		for i, c := range p.c {
			q.c[to[i]] = c
		}
		for _, e := range p.edges {
			q.edges = append(q.edges, labelgraph.NewEdge(to[e.I], to[e.J]))
		}
		own, renamed := p.onForest(NewLimiter(p.n, p.least, p.most)), q.onForest(NewLimiter(p.n, p.least, p.most))
		graph, _, _ := p.onGraph(NewLimiter(p.n, p.least, p.most))
		again, _, _ := q.onGraph(NewLimiter(p.n, p.least, p.most))
		for i, v := range own {
			if renamed[to[i]] != v || again[to[i]] != graph[i] {
				t.Fatalf("%v: %v and %v, %v and %v by %v", p, own, renamed, graph, again, to)
			}
		}
	}
}

// TestGraphIsBest goes through all limits on any graph.
func TestGraphIsBest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 1))
	changes := 0
	for range 150 {
		p := problem{n: 1 + rng.IntN(8)}
		p.edges, p.weights, p.c = testkit.RandomProblem(p.n, rng)
		for p.least = range p.n + 1 {
			for p.most = max(1, p.least); p.most <= p.n; p.most++ {
				y, changed, optimal := p.onGraph(NewLimiter(p.n, p.least, p.most))
				if changed {
					changes++
					p.check(t, y)
				}
				if changed != optimal {
					t.Fatalf("%v: changed %v, optimal %v", p, changed, optimal)
				}
			}
		}
	}
	if changes < 1000 {
		t.Errorf("only %d problems", changes)
	}
}

// TestSearchEndsWhereItMust has the most labels that are enumerable, at scores that make
// bounds useless, and many more, where limits hold all the same.
func TestSearchEndsWhereItMust(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	p := problem{n: infer.EnumerableLabels, least: 7, most: 9, edges: labelgraph.AllPairs(infer.EnumerableLabels)}
	p.c, p.weights = make([]float64, p.n), make([]float64, len(p.edges))
	for k := range p.weights {
		p.weights[k] = float64(2*rng.IntN(2) - 1)
	}
	if y, _, optimal := p.onGraph(NewLimiter(p.n, p.least, p.most)); !optimal {
		t.Error("the search has not ended")
	} else {
		p.check(t, y)
	}
	p = problem{n: 60, least: 20, most: 22, edges: labelgraph.AllPairs(60), c: make([]float64, 60)}
	for range p.edges {
		p.weights = append(p.weights, rng.NormFloat64())
	}
	l := NewLimiter(p.n, p.least, p.most)
	y, changed, optimal := p.onGraph(l)
	if !changed || optimal || !l.Meets(y) {
		t.Errorf("changed %v, optimal %v: %v", changed, optimal, y)
	}
}

// TestSearchCutsWithoutPairs counts steps where no labels are paired: the bound is then exact, so that a search that begins with the
// best labeling ends at once, also when it has had other problems before.
func TestSearchCutsWithoutPairs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 1))
	for range 50 {
		n := 2 + rng.IntN(12)
		s := newSearch(n, 0, n)
		for range 3 {
			other := problem{n: n, c: testkit.Normals(n, rng)}
			other.edges = testkit.RandomEdges(n, 0.7, rng)
			other.weights = testkit.Normals(len(other.edges), rng)
			s.labelTo(make([]uint8, n), infer.NewPairGraph(n, other.edges, other.weights), other.c)

			c, y := testkit.Normals(n, rng), make([]uint8, n)
			for i, v := range c {
				if v > 0 {
					y[i] = 1
				}
			}
			best := slices.Clone(y)
			optimal := s.labelTo(y, infer.NewPairGraph(n, nil, nil), c)
			if took := s.steps - s.left; !optimal || took != 1 || !slices.Equal(y, best) {
				t.Fatalf("scores %v: %v after %d steps, want %v after one; optimal %v", c, y, took, best, optimal)
			}
		}
	}
}

// TestBadScores has values that no labeling can be best for: some labeling comes out.
func TestBadScores(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 1))
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for range 50 {
			p := problem{n: 2 + rng.IntN(6)}
			p.edges, p.weights, p.c = testkit.RandomTreeProblem(p.n, rng)
			p.c[rng.IntN(p.n)] = bad
			p.least = rng.IntN(p.n)
			p.most = p.least + 1
			for _, y := range [][]uint8{p.onForest(NewLimiter(p.n, p.least, p.most)), firstOf(p.onGraph(NewLimiter(p.n, p.least, p.most)))} {
				if i := slices.IndexFunc(y, func(v uint8) bool { return v > 1 }); i >= 0 {
					t.Fatalf("%v: %v", p, y)
				}
			}
		}
	}
}

func firstOf(y []uint8, _, _ bool) []uint8 { return y }

func TestLimiterRefuses(t *testing.T) {
	t.Parallel()
	for _, l := range [][3]int{{3, -1, 2}, {3, 2, 1}, {3, 0, 4}, {3, 0, 0}} {
		if !testkit.Panics(func() { NewLimiter(l[0], l[1], l[2]) }) {
			t.Errorf("%d to %d of %d labels", l[1], l[2], l[0])
		}
	}
}

// benchmarkForest has trees of 14 labels whose best labeling has no label, or too many.
func benchmarkForest(b *testing.B, n, least, most int, shift float64) {
	rng := rand.New(rand.NewPCG(7, 1))
	p := problem{n: n, least: least, most: most}
	p.edges, p.weights, p.c = testkit.RandomTreeProblem(n, rng)
	nodes := p.nodes()
	c := make([]float64, n+1)
	for k, node := range nodes {
		c[k] = p.c[node.Label] + shift
	}
	y, on, gain, l := make([]uint8, n), make([]uint8, n+1), make([]float64, n+1), NewLimiter(n, least, most)
	copy(gain, c)
	forest.Label(y, nodes, gain, on)
	if l.Meets(y) == (least+n-most > 0) {
		b.Fatalf("%v is no case for the limits", y)
	}
	b.ReportAllocs()
	for b.Loop() {
		copy(gain, c)
		forest.Label(y, nodes, gain, on)
		l.Forest(y, nodes, c, gain, on)
	}
}

func BenchmarkForest(b *testing.B) {
	for _, n := range []int{14, 159} {
		b.Run(fmt.Sprintf("n=%d/free", n), func(b *testing.B) { benchmarkForest(b, n, 0, n, -9) })
		b.Run(fmt.Sprintf("n=%d/least=1", n), func(b *testing.B) { benchmarkForest(b, n, 1, n, -9) })
		b.Run(fmt.Sprintf("n=%d/least=2", n), func(b *testing.B) { benchmarkForest(b, n, 2, n, -9) })
		b.Run(fmt.Sprintf("n=%d/most=5", n), func(b *testing.B) { benchmarkForest(b, n, 0, 5, 1) })
	}
}

// TestPlaces gives the edges of forests other weights: the nodes are those of a forest made with these. What had no weight is in no
// forest, and gets none.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(31, 1))
	without := 0
	for range 100 {
		n := 2 + rng.IntN(6)
		p := problem{n: n, edges: labelgraph.RandomTree(n, rng)}
		for range p.edges {
			p.weights = append(p.weights, float64(rng.IntN(3)))
		}
		nodes := p.nodes()
		places := NewPlaces(p.edges, nodes)
		changed := make([]float64, len(p.weights))
		for e, w := range p.weights {
			if changed[e] = rng.NormFloat64(); w == 0 {
				without++
				p.weights[e] = 0
			} else {
				p.weights[e] = changed[e]
			}
		}
		places.Weigh(nodes, nil, changed)
		if want := p.nodes(); !slices.Equal(nodes, want) {
			t.Fatalf("%v: nodes %v, want %v", p, nodes, want)
		}
	}
	if without == 0 {
		t.Error("all edges have weights")
	}
}
