package infer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// listOracle maximizes over a list of labelings, one by one.
type listOracle struct {
	g    *PairGraph
	list []Labeling
}

func (o listOracle) Maximize(y Labeling, c []float64) float64 {
	best := math.Inf(-1)
	for _, candidate := range o.list {
		if v := candidate.Value(o.g, c); v > best {
			best = v
			copy(y, candidate)
		}
	}
	return best
}

func overAll(list []Labeling) func(*PairGraph) Oracle {
	return func(g *PairGraph) Oracle { return listOracle{g, list} }
}

// randomHingeLine draws a line. With whole numbers there are ties everywhere.
func randomHingeLine(rng *rand.Rand, n int, edges []labelgraph.Edge, whole bool) HingeLine {
	draw := func(count int) []float64 {
		v := make([]float64, count)
		for k := range v {
			if v[k] = rng.NormFloat64() * 2; whole {
				v[k] = float64(rng.IntN(5) - 2)
			}
		}
		return v
	}
	l := HingeLine{Truth: make([]uint8, n), Edges: edges, Unary: draw(n), UnaryStep: draw(n), Pair: draw(len(edges)), PairStep: draw(len(edges))}
	for i := range l.Truth {
		l.Truth[i] = uint8(rng.IntN(2))
	}
	return l
}

// hingeAt evaluates eq. (1) from its definition.
func hingeAt(l HingeLine, t float64, list []Labeling) float64 {
	c := make([]float64, len(l.Unary))
	for i := range c {
		c[i] = l.Unary[i] + t*l.UnaryStep[i]
	}
	w := make([]float64, len(l.Pair))
	for k := range w {
		w[k] = l.Pair[k] + t*l.PairStep[k]
	}
	g := NewPairGraph(len(c), l.Edges, w)
	best := math.Inf(-1)
	for _, y := range list {
		best = max(best, y.Value(g, c)+y.Loss(l.Truth))
	}
	return best - NewLabeling(l.Truth).Value(g, c)
}

func TestHingeLinePieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for trial := range 300 {
		n := 1 + rng.IntN(5)
		edges, list, oracle := labelgraph.AllPairs(n), AllLabelings(n), (func(*PairGraph) Oracle)(nil)
		switch trial % 3 {
		case 0: // forests, with the library's oracle
			edges, oracle = labelgraph.RandomTree(n, rng), NewTreeOracle
		case 1:
			oracle = overAll(list)
		case 2: // the relaxation
			list = AllHalfLabelings(n)
			oracle = overAll(list)
		}
		l := randomHingeLine(rng, n, edges, trial%2 == 0)
		const from, to = -2.5, 3
		pieces := l.Pieces(from, to, oracle)
		checkTiling(t, pieces, from, to)
		if t.Failed() {
			t.Fatalf("trial %d", trial)
		}
		k := 0
		for s := range 201 {
			at := from + (to-from)*float64(s)/200
			for at > pieces[k].To {
				k++
			}
			if got, want := pieces[k].At(at), hingeAt(l, at, list); !(math.Abs(got-want) <= 1e-9) {
				t.Fatalf("trial %d: %v at t = %v, by definition %v", trial, got, at, want)
			}
			if own := l.Piece(pieces[k].Owner, (pieces[k].From+pieces[k].To)/2); own.Slope != pieces[k].Slope && trial%3 != 2 {
				t.Fatalf("trial %d: the owner's slope is %v, the piece's %v", trial, own.Slope, pieces[k].Slope)
			}
		}
	}
}

func checkTiling(t *testing.T, pieces []HingePiece, from, to float64) {
	t.Helper()
	if pieces[0].From != from || pieces[len(pieces)-1].To != to {
		t.Errorf("pieces from %v to %v", pieces[0].From, pieces[len(pieces)-1].To)
	}
	for k := 1; k < len(pieces); k++ {
		a, b := pieces[k-1], pieces[k]
		if a.To != b.From || a.To <= a.From {
			t.Errorf("piece to %v, next from %v", a.To, b.From)
		}
		if a.Slope >= b.Slope {
			t.Errorf("slope %v, then %v: not convex", a.Slope, b.Slope)
		}
		if !(math.Abs(a.At(a.To)-b.At(a.To)) <= 1e-9) {
			t.Errorf("a jump at %v", a.To)
		}
	}
}

// Two labels of 20 change along the line: three pieces among a million
// labelings, found by a few calls of the oracle.
func TestHingeLineAsksLittle(t *testing.T) {
	const n = 20
	l := HingeLine{Truth: make([]uint8, n), Unary: make([]float64, n), UnaryStep: make([]float64, n)}
	for i := range n {
		l.Unary[i] = -5
	}
	l.UnaryStep[3], l.UnaryStep[7] = 3, -2
	calls := 0
	pieces := l.Pieces(-10, 10, func(g *PairGraph) Oracle { return countingOracle{NewTreeOracle(g), &calls} })
	if len(pieces) != 3 || calls > 2*len(pieces)+1 {
		t.Errorf("%d pieces by %d calls, want 3 by at most 7", len(pieces), calls)
	}
}

type countingOracle struct {
	Oracle
	calls *int
}

func (o countingOracle) Maximize(y Labeling, c []float64) float64 {
	*o.calls++
	return o.Oracle.Maximize(y, c)
}

func ExampleHingeLine_Pieces() {
	// One label that is on: the score is t, and the hinge max(0, 1 - t).
	l := HingeLine{Truth: []uint8{1}, Unary: []float64{0}, UnaryStep: []float64{1}}
	for _, p := range l.Pieces(-2, 3, NewTreeOracle) {
		fmt.Printf("from %g to %g: y = %v, %g %+g t\n", p.From, p.To, p.Owner, p.Value, p.Slope)
	}
	// Output:
	// from -2 to 1: y = 0, 1 -1 t
	// from 1 to 3: y = 1, 0 +0 t
}
