package envelope_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/envelope"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// largestForest returns the size of a largest subset of edges without a cycle,
// by trying all subsets. A graph has a cycle if taking away labels with at most
// one neighbor does not end with nothing.
func largestForest(n int, edges []labelgraph.Edge) int {
	best := 0
	for code := range 1 << len(edges) {
		rest := testkit.Subset(edges, code)
		size := len(rest)
		for before := -1; before != len(rest); {
			before = len(rest)
			degree := make([]int, n)
			for _, e := range rest {
				degree[e.I]++
				degree[e.J]++
			}
			rest = slices.DeleteFunc(rest, func(e labelgraph.Edge) bool { return degree[e.I] == 1 || degree[e.J] == 1 })
		}
		if len(rest) == 0 {
			best = max(best, size)
		}
	}
	return best
}

func TestSetFunctionsOnAllGraphs(t *testing.T) {
	for n := range 5 {
		edges := labelgraph.AllPairs(n)
		for code := range 1 << len(edges) {
			a := testkit.Subset(edges, code)
			want := largestForest(n, a)
			if got := labelgraph.GraphicRank(n, a); got != want {
				t.Fatalf("F2(%v) = %d, want %d", a, got, want)
			}
			if got := labelgraph.CircuitRank(n, a); got != len(a)-want {
				t.Fatalf("F(%v) = %d, want %d", a, got, len(a)-want)
			}
		}
	}
}

// TestModularity checks the inequalities that define sub- and supermodular
// functions on every pair of edge sets of K4, and that F1 and F2 do not
// decrease.
func TestModularity(t *testing.T) {
	const n = 4
	edges := labelgraph.AllPairs(n)
	f2 := func(code int) int { return labelgraph.GraphicRank(n, testkit.Subset(edges, code)) }
	f := func(code int) int { return labelgraph.CircuitRank(n, testkit.Subset(edges, code)) }
	for a := range 1 << len(edges) {
		for b := range 1 << len(edges) {
			if f2(a)+f2(b) < f2(a|b)+f2(a&b) {
				t.Fatalf("F2 is not submodular at %b, %b", a, b)
			}
			if f(a)+f(b) > f(a|b)+f(a&b) {
				t.Fatalf("F is not supermodular at %b, %b", a, b)
			}
			if a&b == a && (f2(a) > f2(b) || f(a) > f(b)) {
				t.Fatalf("F2 or F decreases from %b to %b", a, b)
			}
		}
	}
}

// spanningTrees returns all spanning trees of the complete graph over n labels
// as sets of positions in AllPairs(n).
func spanningTrees(n int) [][]int {
	edges := labelgraph.AllPairs(n)
	var trees [][]int
	for code := range 1 << len(edges) {
		a := testkit.Subset(edges, code)
		if len(a) == n-1 && largestForest(n, a) == n-1 {
			var tree []int
			for k := range edges {
				if code>>k&1 == 1 {
					tree = append(tree, k)
				}
			}
			trees = append(trees, tree)
		}
	}
	return trees
}

func TestEnvelopesAgainstAllTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for n := 2; n <= 5; n++ {
		edges, trees := labelgraph.AllPairs(n), spanningTrees(n)
		if want := int(math.Pow(float64(n), float64(n-2))); len(trees) != want {
			t.Fatalf("%d spanning trees over %d labels, want %d", len(trees), n, want)
		}
		for range 200 {
			w := testkit.RandomNumbers(len(edges), rng)
			var heaviest, f1 float64
			support := 0
			for _, tree := range trees {
				var sum float64
				for _, k := range tree {
					sum += math.Abs(w[k])
				}
				heaviest = max(heaviest, sum)
			}
			for _, x := range w {
				f1 += math.Abs(x)
				if x != 0 {
					support++
				}
			}
			p := envelope.EvaluatePenalty(n, edges, w)
			if !testkit.Near(p.Envelope1, f1, 1e-12) || !testkit.Near(p.Envelope2, heaviest, 1e-12) || math.Abs(p.Excess-(f1-heaviest)) > 1e-12*f1 {
				t.Fatalf("weights %v: got %+v, want f1 = %v, f2 = %v", w, p, f1, heaviest)
			}
			if p.Support != support || p.CircuitRank != p.Support-p.Rank {
				t.Fatalf("weights %v: got %+v, want a support of %d", w, p, support)
			}
			var a []labelgraph.Edge
			for k, x := range w {
				if x != 0 {
					a = append(a, edges[k])
				}
			}
			if p.Rank != labelgraph.GraphicRank(n, a) || p.CircuitRank != labelgraph.CircuitRank(n, a) {
				t.Fatalf("weights %v: got %+v, want F2 = %d, F = %d", w, p, labelgraph.GraphicRank(n, a), labelgraph.CircuitRank(n, a))
			}
		}
	}
}

// lovasz returns the Lovasz extension of a set function at p >= 0 from its
// definition: sort decreasingly, add up p_k times what element k adds.
func lovasz(set func([]labelgraph.Edge) int, edges []labelgraph.Edge, p []float64) float64 {
	order := make([]int, len(edges))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	var value float64
	var chain []labelgraph.Edge
	for _, k := range order {
		before := set(chain)
		chain = append(chain, edges[k])
		value += p[k] * float64(set(chain)-before)
	}
	return value
}

// levelSets returns the integral over t > 0 of the set function at
// {e : p_e >= t}, another form of the Lovasz extension at p >= 0.
func levelSets(set func([]labelgraph.Edge) int, edges []labelgraph.Edge, p []float64) float64 {
	levels := append([]float64{0}, p...)
	slices.Sort(levels)
	var value float64
	for k := 1; k < len(levels); k++ {
		var above []labelgraph.Edge
		for e, x := range p {
			if x >= levels[k] {
				above = append(above, edges[e])
			}
		}
		value += (levels[k] - levels[k-1]) * float64(set(above))
	}
	return value
}

func TestEnvelopesAreLovaszExtensions(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for range 200 {
		n := 2 + rng.IntN(7)
		edges := labelgraph.AllPairs(n)
		p := testkit.RandomNumbers(len(edges), rng)
		for k := range p {
			p[k] = math.Abs(p[k])
		}
		got := envelope.EvaluatePenalty(n, edges, p)
		tol := 1e-12 * (1 + floats.Sum(p))
		for name, extension := range map[string]func(func([]labelgraph.Edge) int, []labelgraph.Edge, []float64) float64{"chain": lovasz, "level sets": levelSets} {
			f1 := extension(func(a []labelgraph.Edge) int { return len(a) }, edges, p)
			f2 := extension(func(a []labelgraph.Edge) int { return labelgraph.GraphicRank(n, a) }, edges, p)
			f := extension(func(a []labelgraph.Edge) int { return labelgraph.CircuitRank(n, a) }, edges, p)
			if math.Abs(got.Envelope1-f1) > tol || math.Abs(got.Envelope2-f2) > tol || math.Abs(got.Excess-f) > tol {
				t.Fatalf("%s at %v: got %+v, want %v, %v, %v", name, p, got, f1, f2, f)
			}
		}
	}
}

// TestEnvelopeIsBiconjugate computes the convex envelope of F2(Supp(pi)) on the
// unit ball of the largest absolute value from its definition, the cheapest
// way to write pi as a convex combination of points of the ball. Only the
// supports of those points count, so it is the linear program
//
//	min  sum_S a_S F2(S)   s.t.  sum_{S contains e} a_S >= pi_e,  sum_S a_S = 1,  a >= 0.
func TestEnvelopeIsBiconjugate(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	for _, n := range []int{3, 4} {
		edges := labelgraph.AllPairs(n)
		numSets := 1 << len(edges)
		cost := make([]float64, numSets+len(edges)) // the rest is the surplus of each constraint
		a := mat.NewDense(len(edges)+1, len(cost), nil)
		for s := range numSets {
			cost[s] = float64(labelgraph.GraphicRank(n, testkit.Subset(edges, s)))
			for e := range edges {
				a.Set(e, s, float64(s>>e&1))
			}
			a.Set(len(edges), s, 1)
		}
		for e := range edges {
			a.Set(e, numSets+e, -1)
		}
		for range 15 {
			w, b := make([]float64, len(edges)), make([]float64, len(edges)+1)
			for e := range edges {
				w[e] = 2*rng.Float64() - 1
				b[e] = math.Abs(w[e])
			}
			b[len(edges)] = 1
			want, _, err := lp.Simplex(cost, a, b, 1e-10, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := envelope.EvaluatePenalty(n, edges, w).Envelope2; !(math.Abs(got-want) <= 1e-7) {
				t.Errorf("n = %d at %v: f2 = %v, the envelope is %v", n, w, got, want)
			}
		}
	}
}

func TestEnvelope2IsConvex(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	for range 2000 {
		n := 2 + rng.IntN(6)
		edges := labelgraph.AllPairs(n)
		u, v := testkit.RandomNumbers(len(edges), rng), testkit.RandomNumbers(len(edges), rng)
		at := rng.Float64()
		between := make([]float64, len(edges))
		for k := range between {
			between[k] = (1-at)*u[k] + at*v[k]
		}
		fu, fv := envelope.EvaluatePenalty(n, edges, u).Envelope2, envelope.EvaluatePenalty(n, edges, v).Envelope2
		if got, bound := envelope.EvaluatePenalty(n, edges, between).Envelope2, (1-at)*fu+at*fv; got > bound+1e-12*(1+fu+fv) {
			t.Fatalf("f2 is %v between %v and %v, above the chord's %v", got, u, v, bound)
		}
	}
}

func TestSubgradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	for round := range 3000 {
		n := 2 + rng.IntN(6)
		edges := testkit.RandomEdges(n, 0.8, rng)
		r := envelope.Regularizer{Seed: uint64(round % 4)}
		w, other := testkit.RandomNumbers(len(edges), rng), testkit.RandomNumbers(len(edges), rng)
		v := make([]float64, len(edges))
		p := r.SubgradientTo(v, n, edges, w)
		if got := floats.Dot(v, w); !(math.Abs(got-p.Envelope2) <= 1e-12*(1+p.Envelope1)) {
			t.Fatalf("v . w = %v, f2 = %v", got, p.Envelope2)
		}
		if n := floats.Norm(v, 1); int(n) != p.Rank {
			t.Fatalf("v has %v entries that are not zero, the tree %d", n, p.Rank)
		}
		bound := p.Envelope2
		for k := range v {
			bound += v[k] * (other[k] - w[k])
		}
		q := envelope.EvaluatePenalty(n, edges, other)
		if q.Envelope2 < bound-1e-12*(1+p.Envelope1+q.Envelope1) {
			t.Fatalf("f2(%v) = %v is below the tangent plane's %v at %v", other, q.Envelope2, bound, w)
		}
	}
}

// TestVectorSubgradient has vectors w_ij of 1 to 3 entries: with v the tangent plane of f2(|w|_1) at w touches there and is nowhere
// above, and v is sign(w) on a maximum spanning tree of the norms, and zero elsewhere.
func TestVectorSubgradient(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(19, 1))
	for round := range 1000 {
		n, k := 2+rng.IntN(5), 1+rng.IntN(3)
		edges := testkit.RandomEdges(n, 0.8, rng)
		r := envelope.Regularizer{Seed: uint64(round % 4)}
		w, other := testkit.RandomNumbers(k*len(edges), rng), testkit.RandomNumbers(k*len(edges), rng)
		v := slices.Repeat([]float64{9}, len(w)) // what was there before is gone
		p := r.VectorSubgradientTo(v, n, edges, w)
		if want := envelope.EvaluatePenalty(n, edges, envelope.VectorNorms(w, k)); p != want {
			t.Fatalf("parts %+v, want %+v", p, want)
		}
		if got := floats.Dot(v, w); !(math.Abs(got-p.Envelope2) <= 1e-12*(1+p.Envelope1)) {
			t.Fatalf("v . w = %v, f2 = %v", got, p.Envelope2)
		}
		var tree []labelgraph.Edge
		for e, edge := range edges {
			own := v[e*k : (e+1)*k]
			if floats.Norm(own, 1) == 0 {
				continue
			}
			tree = append(tree, edge)
			for at, x := range own {
				sign := 0.0
				if w[e*k+at] != 0 {
					sign = math.Copysign(1, w[e*k+at])
				}
				if x != sign {
					t.Fatalf("v is %v at the weights %v", own, w[e*k:(e+1)*k])
				}
			}
		}
		if len(tree) != p.Rank || !labelgraph.IsForest(n, tree) {
			t.Fatalf("v is not zero on %v, want a forest of %d", tree, p.Rank)
		}
		bound := p.Envelope2
		for at := range v {
			bound += v[at] * (other[at] - w[at])
		}
		q := envelope.EvaluatePenalty(n, edges, envelope.VectorNorms(other, k))
		if q.Envelope2 < bound-1e-12*(1+p.Envelope1+q.Envelope1) {
			t.Fatalf("f2(%v) = %v is below the tangent plane's %v at %v", other, q.Envelope2, bound, w)
		}
	}
}

// TestSubgradientTies has a triangle of equal weights: three subgradients, each
// of them valid, chosen by the seed and by nothing else.
func TestSubgradientTies(t *testing.T) {
	edges, w := labelgraph.AllPairs(3), []float64{-2, 2, 2}
	at := func(seed uint64) [3]float64 {
		var v [3]float64
		r := envelope.Regularizer{Seed: seed}
		if p := r.SubgradientTo(v[:], 3, edges, w); p.Envelope2 != 4 || p.Excess != 2 {
			t.Errorf("seed %d: %+v, want f2 = 4, f = 2", seed, p)
		}
		return v
	}
	if got, want := at(0), [3]float64{-1, 1, 0}; got != want {
		t.Errorf("seed 0: got %v, want %v", got, want)
	}
	seen := map[[3]float64]bool{}
	for seed := range uint64(50) {
		v := at(seed)
		if v != at(seed) {
			t.Errorf("seed %d gives two subgradients", seed)
		}
		seen[v] = true
	}
	if len(seen) != 3 || !seen[[3]float64{-1, 1, 0}] || !seen[[3]float64{-1, 0, 1}] || !seen[[3]float64{0, 1, 1}] {
		t.Errorf("50 seeds gave %v, want all three trees of the triangle", seen)
	}
}

func TestSubgradientAtZero(t *testing.T) {
	v := []float64{1, 2, 3}
	var r envelope.Regularizer
	if p := r.SubgradientTo(v, 3, labelgraph.AllPairs(3), []float64{0, 0, 0}); p != (envelope.Penalty{}) {
		t.Errorf("penalty %+v at zero", p)
	}
	if floats.Norm(v, 1) != 0 {
		t.Errorf("subgradient %v at zero, want zeros", v)
	}
}

func TestExcessIsExactlyZeroOnForests(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	for range 50 {
		n := 2 + rng.IntN(30)
		edges := labelgraph.RandomTree(n, rng)
		w := testkit.RandomNumbers(len(edges), rng)
		if p := envelope.EvaluatePenalty(n, edges, w); p.Excess != 0 || p.CircuitRank != 0 || p.Envelope1 != p.Envelope2 {
			t.Fatalf("%+v on a forest", p)
		}
	}
}

func TestRegularizerPanics(t *testing.T) {
	var r envelope.Regularizer
	edges := labelgraph.AllPairs(3)
	if !testkit.Panics(func() { r.Evaluate(3, edges, make([]float64, 2)) }) {
		t.Error("no panic on too few weights")
	}
	if !testkit.Panics(func() { r.SubgradientTo(make([]float64, 2), 3, edges, make([]float64, 3)) }) {
		t.Error("no panic on too short a subgradient")
	}
}

func TestRegularizerAllocatesNothing(t *testing.T) {
	const n = 40
	edges := labelgraph.AllPairs(n)
	w := testkit.RandomNumbers(len(edges), rand.New(rand.NewPCG(18, 1)))
	v := make([]float64, len(edges))
	r := envelope.Regularizer{Seed: 1}
	r.Evaluate(n, edges, w)
	if a := testing.AllocsPerRun(10, func() { r.SubgradientTo(v, n, edges, w) }); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

func BenchmarkSubgradient983(b *testing.B) {
	const n = 983
	edges := labelgraph.AllPairs(n)
	rng := rand.New(rand.NewPCG(19, 1))
	w := testkit.Normals(len(edges), rng)
	v := make([]float64, len(edges))
	var r envelope.Regularizer
	r.Evaluate(n, edges, w)
	b.ReportAllocs()
	for b.Loop() {
		r.SubgradientTo(v, n, edges, w)
	}
}

func ExampleRegularizer_SubgradientTo() {
	// A triangle: its lightest edge closes the cycle.
	edges := labelgraph.AllPairs(3) // 0-1, 0-2, 1-2
	w := []float64{0.5, -2, 1}
	v := make([]float64, len(edges))
	var r envelope.Regularizer
	p := r.SubgradientTo(v, 3, edges, w)
	fmt.Println("circuit rank", p.CircuitRank)
	fmt.Println("f1, f2, f:", p.Envelope1, p.Envelope2, p.Excess)
	fmt.Println("subgradient of f2:", v)
	// Output:
	// circuit rank 1
	// f1, f2, f: 3.5 3 0.5
	// subgradient of f2: [0 -1 1]
}
