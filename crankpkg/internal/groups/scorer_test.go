package groups

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestScorerAgainstEnumeration holds labels and margins to all labelings with one label of
// each group, on forests and on cycles of groups.
func TestScorerAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(111, 1))
	certain, labeled := 0, 0
	const rounds = 150
	for k := range rounds {
		sizes := []int{2 + rng.IntN(2), 2, 2 + rng.IntN(2), 2}
		l := New(sizes)
		between := testkit.RandomForest(len(sizes), 0.9, rng)
		if k%2 == 0 {
			between = labelgraph.AllPairs(len(sizes))
		}
		pairs := l.Pairs(between)
		if rng.IntN(2) == 0 {
			pairs = pairs[:len(pairs)*2/3] // a pair that is not there weighs nothing
		}
		weights, unary := testkit.RandomNumbers(len(pairs), rng), testkit.RandomNumbers(l.NumLabels(), rng)
		s := NewScorer(sizes, pairs, make([]float64, len(pairs)))
		ws := s.NewWorkspace(unary)
		if forest := k%2 == 1; (ws.tree != nil) != forest {
			t.Fatalf("a forest %v, by max-product %v", forest, ws.tree != nil)
		}
		y, margins := bytes.Repeat([]byte{7}, l.NumLabels()), make([]float64, l.NumLabels())
		optimal := s.LabelTo(y, ws, weights)
		exact := s.MarginsTo(margins, s.NewWorkspace(unary), weights)
		for i := range sizes {
			own := y[l.Start[i]:l.Start[i+1]]
			if bytes.Count(own, []byte{1}) != 1 || bytes.Count(own, []byte{0}) != len(own)-1 {
				t.Fatalf("the labels of a group are %v", own)
			}
		}
		checkShuffled(t, sizes, pairs, weights, unary, margins, rng)
		best := maximaOfStates(l, pairs, weights, unary)
		tol := 1e-6 * (1 + testkit.SumAbs(weights, unary))
		for i, v := range y {
			own := best[i]
			others := math.Inf(-1)
			for j := l.Start[l.Group[i]]; j < l.Start[l.Group[i]+1]; j++ {
				if j != i {
					others = max(others, best[j])
				}
			}
			if exact && math.Abs(margins[i]-(own-others)) > tol {
				t.Fatalf("label %d: margin %v, want %v", i, margins[i], own-others)
			}
			if optimal && v == 1 && own < others-tol {
				t.Fatalf("label %d is on, worth %v and not %v", i, own, others)
			}
		}
		if k%2 == 1 && !(optimal && exact) {
			t.Fatal("not certain on a forest")
		}
		if exact {
			certain++
		}
		if optimal {
			labeled++
		}
	}
	if labeled == rounds || labeled < rounds*3/4 {
		t.Errorf("%d of %d labelings are certainly optimal", labeled, rounds)
	}
	if certain == rounds || certain < rounds/2 {
		t.Errorf("%d of %d exact: one case is hardly tested", certain, rounds)
	}
}

// checkShuffled holds the margins, to the bit, to those with the pairs in another order.
func checkShuffled(t *testing.T, sizes []int, pairs []labelgraph.Edge, weights, unary, want []float64, rng *rand.Rand) {
	t.Helper()
	var others []labelgraph.Edge
	var theirs []float64
	for _, p := range rng.Perm(len(pairs)) {
		others, theirs = append(others, pairs[p]), append(theirs, weights[p])
	}
	s := NewScorer(sizes, others, theirs)
	got := make([]float64, len(want))
	s.MarginsTo(got, s.NewWorkspace(unary), nil)
	if !slices.Equal(got, want) {
		t.Fatalf("margins %v, %v with the pairs in another order", want, got)
	}
}

// maximaOfStates returns the best score with each label on.
func maximaOfStates(l *Layout, pairs []labelgraph.Edge, weights, unary []float64) []float64 {
	best := make([]float64, l.NumLabels())
	for i := range best {
		best[i] = math.Inf(-1)
	}
	labels := make([]uint8, l.NumLabels())
	for y := make([]int, l.NumGroups()); ; {
		clear(labels)
		for i, s := range y {
			labels[l.Start[i]+s] = 1
		}
		var score float64
		for i, v := range labels {
			score += unary[i] * float64(v)
		}
		for p, e := range pairs {
			score += weights[p] * float64(labels[e.I]*labels[e.J])
		}
		for i, v := range labels {
			if v == 1 {
				best[i] = max(best[i], score)
			}
		}
		if !testkit.NextLabeling(y, l.Sizes) {
			return best
		}
	}
}
