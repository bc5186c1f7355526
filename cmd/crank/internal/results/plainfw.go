package results

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// plainFW is the stochastic Frank-Wolfe method that the paper trains with, as
// Lacoste-Julien et al. (2013, Algorithm 4) have it: one random example at a
// time, one call of the oracle, one exact step; no better start and no memory of
// labelings. It shows what models look like that were stopped early.
type plainFW struct {
	ds     *crankpkg.Dataset // with dense rows
	lambda float64
	edges  []crankpkg.Edge
	unary  []float64 // n x (d+1)
	pair   []float64
	graph  *infer.PairGraph
	// mu is the dual point of each example: its labels, then its edges.
	mu     [][]float64
	oracle infer.Oracle
	rng    *rand.Rand
}

func newPlainFW(train *crankpkg.Dataset, lambda float64, edges []crankpkg.Edge, seed uint64) *plainFW {
	dense := *train
	dense.X = train.X.Dense()
	n := train.NumLabels()
	f := &plainFW{
		ds: &dense, lambda: lambda, edges: edges,
		unary: make([]float64, n*(train.NumFeatures()+1)), pair: make([]float64, len(edges)),
		graph: infer.NewPairGraph(n, edges, make([]float64, len(edges))),
		rng:   rand.New(rand.NewPCG(seed, 0)),
	}
	f.oracle = infer.NewAutoOracle(f.graph)
	for m := range train.Len() {
		mu := make([]float64, n+len(edges))
		f.pointTo(mu, infer.NewLabeling(train.Labels(m)))
		f.mu = append(f.mu, mu)
	}
	return f
}

// pointTo writes a labeling as a point of the local polytope.
func (f *plainFW) pointTo(dst []float64, y crankpkg.Labeling) {
	for i, v := range y {
		dst[i] = float64(v) / 2
	}
	for k, e := range f.edges {
		dst[len(y)+k] = float64(infer.PairHalves(y[e.I], y[e.J], f.pair[k])) / 2
	}
}

// pass makes as many steps as there are examples.
func (f *plainFW) pass() {
	n, d := f.ds.NumLabels(), f.ds.NumFeatures()+1
	c, augmented, y := make([]float64, n), make([]float64, n), make(crankpkg.Labeling, n)
	move := make([]float64, n+len(f.edges))
	for range f.ds.Len() {
		m := f.rng.IntN(f.ds.Len())
		x := f.ds.Row(m).Value
		for i := range c {
			w := f.unary[i*d : (i+1)*d]
			c[i] = floats.Dot(x, w[:d-1]) + w[d-1]
		}
		infer.AugmentTo(augmented, c, f.ds.Labels(m))
		f.oracle.Maximize(y, augmented)
		f.pointTo(move, y)
		floats.Sub(move, f.mu[m])
		gap := floats.Dot(augmented, move[:n]) + floats.Dot(f.pair, move[n:])
		size := (floats.Dot(x, x)+1)*floats.Dot(move[:n], move[:n]) + floats.Dot(move[n:], move[n:])
		if size == 0 || gap <= 0 {
			continue
		}
		scale := f.lambda * float64(f.ds.Len())
		step := min(1, gap*scale/size)
		floats.AddScaled(f.mu[m], step, move)
		for i := range n {
			w := f.unary[i*d : (i+1)*d]
			floats.AddScaled(w[:d-1], -step*move[i]/scale, x)
			w[d-1] -= step * move[i] / scale
		}
		floats.AddScaled(f.pair, -step/scale, move[n:])
		for k, e := range f.edges {
			if move[n+k] != 0 {
				f.graph.Set(e, f.pair[k])
			}
		}
	}
}

// model returns the current weights and their relative gap.
func (f *plainFW) model(method string) (*crankpkg.Model, float64) {
	m := &crankpkg.Model{
		Method: method, Lambda: f.lambda, FeatureNames: f.ds.FeatureNames, LabelNames: f.ds.LabelNames,
		Unary: slices.Clone(f.unary),
	}
	for k, e := range f.edges {
		if f.pair[k] != 0 {
			m.Edges, m.Pair = append(m.Edges, e), append(m.Pair, f.pair[k])
		}
	}
	loss := 0.0
	for k, mu := range f.mu {
		for i, v := range f.ds.Labels(k) {
			loss += max(mu[i]-float64(v), float64(v)-mu[i])
		}
	}
	dual := loss/float64(f.ds.Len()) - f.lambda/2*(floats.Dot(f.unary, f.unary)+floats.Dot(f.pair, f.pair))
	return m, (&crankpkg.Trace{Primal: crankpkg.Primal(f.ds, m, f.lambda), Dual: dual}).Gap()
}

// spanningTree returns the maximum spanning tree of |w_ij|.
func (f *plainFW) spanningTree() []crankpkg.Edge {
	sizes := make([]float64, len(f.pair))
	for k, w := range f.pair {
		sizes[k] = math.Abs(w)
	}
	var tree []crankpkg.Edge
	for _, k := range labelgraph.MaximumSpanningForest(f.ds.NumLabels(), f.edges, sizes, 0) {
		tree = append(tree, f.edges[k])
	}
	return tree
}
