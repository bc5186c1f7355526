package mrf

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"gonum.org/v1/gonum/floats"
)

// randomMultiStateLP returns a solver in the midst of a call, at random numbers
// delta.
func randomMultiStateLP(t *testing.T, n int, density float64, rng *rand.Rand) *LP {
	t.Helper()
	states, edges, unary, pair := randomTables(n, 4, density, rng)
	o, err := NewLP(states, edges)
	if err != nil {
		t.Fatal(err)
	}
	o.unary, o.pair = unary, pair
	for k := range o.delta {
		o.delta[k] = rng.NormFloat64()
	}
	o.setBeliefs()
	return o
}

// boundByDefinition sums the maxima of the bound over variables and edges.
func (o *LP) boundByDefinition() float64 {
	belief := make([][]float64, len(o.states))
	for i := range belief {
		belief[i] = slices.Clone(o.unary[i])
	}
	var sum float64
	for e, edge := range o.edges {
		ki, kj, at := o.states[edge.I], o.states[edge.J], o.deltaAt[e]
		most := math.Inf(-1)
		for s := range ki {
			belief[edge.I][s] += o.delta[at+s]
			for u := range kj {
				most = max(most, o.pair[e][s*kj+u]-o.delta[at+s]-o.delta[at+ki+u])
			}
		}
		for u := range kj {
			belief[edge.J][u] += o.delta[at+ki+u]
		}
		sum += most
	}
	for i := range belief {
		sum += floats.Max(belief[i])
	}
	return sum
}

// TestUpdateEdgeMinimizes checks that a step of the descent minimizes the bound
// over the numbers of its edge: it falls or stays, no others of many make it
// lower, and the beliefs go along.
func TestUpdateEdgeMinimizes(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(47, 1))
	fell := 0
	for range 60 {
		o := randomMultiStateLP(t, 2+rng.IntN(4), 0.8, rng)
		for range 8 {
			if len(o.edges) == 0 {
				break
			}
			e := rng.IntN(len(o.edges))
			before := o.boundByDefinition()
			o.updateEdge(e)
			after := o.boundByDefinition()
			if after > before+1e-12*(1+math.Abs(before)) {
				t.Fatalf("the bound rose from %v to %v", before, after)
			}
			if after < before-1e-9 {
				fell++
			}
			testkit.CheckNear(t, "bound", o.bound(), after)
			beliefs := slices.Clone(o.belief)
			if o.setBeliefs(); !floats.EqualApprox(o.belief, beliefs, 1e-12) {
				t.Fatalf("beliefs %v, by definition %v", beliefs, o.belief)
			}
			checkLowest(t, o, e, after, rng)
		}
	}
	if fell < 100 {
		t.Errorf("%d steps lowered the bound: too few", fell)
	}
}

// checkLowest draws other numbers delta for edge e, near and far: none gives a
// lower bound.
func checkLowest(t *testing.T, o *LP, e int, bound float64, rng *rand.Rand) {
	t.Helper()
	di, dj, _, _ := o.ends(e)
	at := o.deltaAt[e]
	delta := o.delta[at : at+len(di)+len(dj)]
	found := slices.Clone(delta)
	for range 30 {
		size := math.Pow(10, float64(rng.IntN(4)-3))
		for k := range delta {
			delta[k] = found[k] + size*rng.NormFloat64()
		}
		if b := o.boundByDefinition(); b < bound-1e-12*(1+math.Abs(bound)) {
			t.Fatalf("edge %d: the bound is %v, but %v at %v from there", e, bound, b, size)
		}
	}
	copy(delta, found)
	o.setBeliefs()
}

// TestDecodeTakesLargestBeliefs compares with the largest belief of each variable,
// the first among equals.
func TestDecodeTakesLargestBeliefs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(48, 1))
	ties := 0
	for round := range 100 {
		o := randomMultiStateLP(t, 1+rng.IntN(6), 0.5, rng)
		if round%2 == 0 {
			for k := range o.belief {
				o.belief[k] = float64(rng.IntN(3))
			}
		}
		value := o.decode()
		for i, k := range o.states {
			belief := o.belief[o.unaryAt[i] : o.unaryAt[i]+k]
			most := floats.Max(belief)
			if want := slices.Index(belief, most); o.tried[i] != want {
				t.Fatalf("state %d of the beliefs %v, want %d", o.tried[i], belief, want)
			}
			if floats.Count(func(v float64) bool { return v == most }, belief) > 1 {
				ties++
			}
		}
		testkit.CheckNear(t, "value", value, multiStateValue(o.tried, o.states, o.edges, o.unary, o.pair))
	}
	if ties < 20 {
		t.Errorf("%d ties: too few", ties)
	}
}

// TestDescentSolvesWhatUnaryTermsDecide has pairs that seldom matter: descent
// alone has to end at a labeling that meets its bound, so that the far more
// expensive interior-point method is not needed.
func TestDescentSolvesWhatUnaryTermsDecide(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(49, 1))
	const problems = 100
	solved := 0
	for range problems {
		o := randomMultiStateLP(t, 5, 0.8, rng)
		for _, table := range o.pair {
			floats.Scale(0.1, table)
		}
		o.Maximize(o.unary, o.pair)
		if o.interior == nil {
			solved++
		}
	}
	if solved < problems*9/10 {
		t.Errorf("descent alone solves %d of %d", solved, problems)
	}
}

// TestDescentEndsWhereItStalls adds a large number to all labelings, of which the tolerance is a part: then it is seen where the bound
// falls by less than that between two looks, above the value. Descent ends there, and not before; so does one sweep after the other here.
func TestDescentEndsWhereItStalls(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(50, 1))
	stalls := map[int]int{} // by sweeps
	for range 60 {
		o := randomMultiStateLP(t, 6, 0.9, rng)
		for _, table := range o.pair {
			floats.Scale(40, table)
		}
		floats.AddConst(1e9, o.unary[0]) // the tolerance is about 10
		value, bound := o.descend()
		if bound-value <= o.Tolerance(bound) {
			continue
		}
		clear(o.delta)
		o.setBeliefs()
		before, k := math.Inf(1), 0
		for ; k < sweeps; k++ {
			for e := range o.edges {
				o.updateEdge(e)
			}
			if k%decodeEvery == 0 {
				now := o.bound()
				if before-now <= o.Tolerance(now) {
					before = now
					break
				}
				before = now
			}
		}
		stalls[k]++
		if !(math.Abs(before-bound) <= 1e-3) {
			t.Errorf("descent ends at the bound %v, and %v is where it stalls, after %d sweeps", bound, before, k+1)
		}
	}
	if len(stalls) < 2 {
		t.Errorf("stalls by sweeps %v: the test wants several", stalls)
	}
}
