package maxflow

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/graph/network"
	"gonum.org/v1/gonum/graph/simple"
)

type pair struct {
	i, j     int
	coupling float64
}

// RandomEdges draws about the given number of different pairs, with couplings
// that are normal or, where integer is set, small integers.
func randomEdges(n, count int, integer bool, rng *rand.Rand) []pair {
	var edges []pair
	seen := map[[2]int]bool{}
	for range count {
		i, j := rng.IntN(n), rng.IntN(n)
		if i >= j || seen[[2]int{i, j}] {
			continue
		}
		seen[[2]int{i, j}] = true
		c := rng.NormFloat64()
		if integer {
			c = float64(rng.IntN(9) - 4)
		}
		edges = append(edges, pair{i, j, c})
	}
	return edges
}

func randomFields(n int, scale float64, integer bool, rng *rand.Rand) []float64 {
	h := make([]float64, n)
	for i := range h {
		h[i] = scale * rng.NormFloat64()
		if integer {
			h[i] = math.Round(h[i])
		}
	}
	return h
}

func load(s *Solver, h []float64, pairs []pair) {
	s.Reset(len(h))
	for i := range h {
		s.SetField(i, h[i])
	}
	for _, p := range pairs {
		s.AddEdge(int32(p.i), int32(p.j), p.coupling)
	}
}

// value returns what the labels are worth: a node at Half has a mean of zero,
// and a pair of them agrees or disagrees as its coupling wants.
func value(h []float64, edges []pair, labels []uint8) float64 {
	spin := map[uint8]float64{Plus: 1, Minus: -1, Half: 0}
	var v float64
	for i, l := range labels {
		v += h[i] * spin[l]
	}
	for _, e := range edges {
		a, b := labels[e.i], labels[e.j]
		if a == Half && b == Half {
			v += math.Abs(e.coupling)
		} else {
			v += e.coupling * spin[a] * spin[b]
		}
	}
	return v
}

// TestCertificate solves large networks and checks the optimum by duality: the
// flow conserves, respects the capacities and proves a bound, the sum of the
// couplings' sizes and of the excesses that remain, and the labels attain it.
func TestCertificate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var s Solver
	for round := range 400 {
		n := 2 + rng.IntN(120)
		integer := round%3 == 0
		edges := randomEdges(n, rng.IntN(n*(2+rng.IntN(10))), integer, rng)
		h := randomFields(n, math.Exp(2*rng.NormFloat64()), integer, rng)
		load(&s, h, edges)
		s.Solve()

		var bound, scale float64
		left := append([]float64(nil), h...)
		for k, e := range edges {
			size := math.Abs(e.coupling)
			bound += size
			there, back := s.residual[2*k], s.residual[2*k+1]
			if there < 0 || back < 0 || math.Abs(there+back-2*size) > 1e-12 {
				t.Fatalf("residual capacities %v and %v of an edge with coupling %v", there, back, e.coupling)
			}
			flow := size - there
			left[e.i] -= flow
			left[e.j] += math.Copysign(flow, e.coupling*flow)
		}
		for i, x := range s.excess {
			scale += math.Abs(h[i])
			bound += math.Abs(x)
			if math.Abs(left[i]-x) > 1e-10 || x*h[i] < 0 {
				t.Fatalf("node %d: excess %v, but %v less what flowed away is %v", i, x, h[i], left[i])
			}
		}
		if v := value(h, edges, s.Labels()); !(math.Abs(v-bound) <= 1e-11*(scale+bound)) {
			t.Fatalf("round %d: the labels are worth %v, the flow's bound is %v", round, v, bound)
		}
	}
}

// dinic returns the maximum flow through the doubled network, by gonum.
func dinic(h []float64, edges []pair) float64 {
	source, sink := 2*len(h), 2*len(h)+1
	g := simple.NewWeightedDirectedGraph(0, 0)
	join := func(from, to int, w float64) {
		if w > 0 {
			g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(from), simple.Node(to), w))
		}
	}
	for id := range 2*len(h) + 2 {
		g.AddNode(simple.Node(id))
	}
	for i, x := range h {
		join(source, 2*i, x)
		join(2*i+1, sink, x)
		join(source, 2*i+1, -x)
		join(2*i, sink, -x)
	}
	for _, e := range edges {
		for _, l := range []int{0, 1} {
			a, b := 2*e.i+l, 2*e.j+l
			if e.coupling < 0 {
				b ^= 1
			}
			join(a, b, math.Abs(e.coupling))
			join(b, a, math.Abs(e.coupling))
		}
	}
	return network.MaxFlowDinic(g, simple.Node(source), simple.Node(sink), 1e-12)
}

func TestAgainstDinic(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	var s Solver
	for range 100 {
		n := 2 + rng.IntN(20)
		edges := randomEdges(n, rng.IntN(n*n), true, rng)
		h := randomFields(n, 1+4*rng.Float64(), true, rng)
		load(&s, h, edges)
		s.Solve()
		var flow float64
		for i, x := range s.excess {
			flow += math.Abs(h[i]) - math.Abs(x)
		}
		if want := dinic(h, edges); !(math.Abs(flow-want) <= 1e-9) {
			t.Fatalf("flow %v, want %v", flow, want)
		}
	}
}

// TestStrangeNumbers must come to an end and, where all is finite, to an
// optimum as far as the numbers' sizes allow.
func TestStrangeNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	strange := []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 15e-324, 1e-310, 1, -1, 1e300, -1e300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	var s Solver
	for range 3000 {
		n := 2 + rng.IntN(10)
		edges := randomEdges(n, 40, false, rng)
		h := make([]float64, n)
		finite := rng.IntN(len(strange)-3) + 4
		for i := range h {
			h[i] = strange[rng.IntN(finite)]
		}
		for k := range edges {
			edges[k].coupling = strange[rng.IntN(finite)]
		}
		load(&s, h, edges)
		s.Solve()
		for i, l := range s.Labels() {
			if l != Plus && l != Minus && l != Half {
				t.Fatalf("node %d has the label %d", i, l)
			}
		}
	}
}

// dense28 is a complete network of 28 nodes.
func dense28() ([]float64, []pair) {
	rng := rand.New(rand.NewPCG(4, 1))
	var edges []pair
	for j := range 28 {
		for i := range j {
			edges = append(edges, pair{i, j, rng.NormFloat64()})
		}
	}
	return randomFields(28, 6, false, rng), edges
}

func BenchmarkDense28(b *testing.B) {
	h, edges := dense28()
	var s Solver
	b.ReportAllocs()
	for b.Loop() {
		load(&s, h, edges)
		s.Solve()
	}
}

func BenchmarkDense28Gonum(b *testing.B) {
	h, edges := dense28()
	b.ReportAllocs()
	for b.Loop() {
		dinic(h, edges)
	}
}

// TestTiesGoToMinus finds all optima of networks without negative couplings, by
// enumeration: among them is one with minus wherever any has it, and that is the
// one to be found.
func TestTiesGoToMinus(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	var s Solver
	ties := 0
	labels := make([]uint8, 0, 8)
	for range 400 {
		n := 1 + rng.IntN(7)
		edges := randomEdges(n, rng.IntN(3*n), true, rng)
		for k := range edges {
			edges[k].coupling = math.Abs(edges[k].coupling)
		}
		h := randomFields(n, 1.5, true, rng)
		load(&s, h, edges)
		s.Solve()
		best, optima := math.Inf(-1), 0
		least := 0 // the nodes at plus in every optimum, as bits
		for code := range 1 << n {
			labels = labels[:0]
			for i := range n {
				labels = append(labels, Minus-uint8(code>>i&1))
			}
			switch v := value(h, edges, labels); {
			case v > best:
				best, least, optima = v, code, 1
			case v == best:
				least &= code
				optima++
			}
		}
		if optima > 1 {
			ties++
		}
		for i, l := range s.Labels() {
			if want := Minus - uint8(least>>i&1); l != want {
				t.Fatalf("fields %v, edges %v: node %d has the label %d, want %d", h, edges, i, l, want)
			}
		}
	}
	if ties < 50 {
		t.Errorf("%d networks with several optima: too few", ties)
	}
}
