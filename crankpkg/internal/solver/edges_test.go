package solver

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// checkOrder checks that the terms of every atom are in the order of their
// indices, each listed once: differences of atoms are taken by merging.
func checkOrder(t *testing.T, what string, s *Solver) {
	t.Helper()
	for m := range s.ex {
		for k, a := range s.ex[m].atoms {
			for _, packed := range []terms{a.labels, a.pairs} {
				terms := slices.Collect(packed.all())
				if !slices.IsSortedFunc(terms, func(a, b term) int { return int(a.index) - int(b.index) }) {
					t.Fatalf("%s: example %d, atom %d: terms out of order: %v", what, m, k, terms)
				}
				for p := 1; p < len(terms); p++ {
					if terms[p].index == terms[p-1].index {
						t.Fatalf("%s: example %d, atom %d: term %d is listed twice", what, m, k, terms[p].index)
					}
				}
			}
		}
	}
}

// TestAtomsKeepTheirOrder visits, and changes edges at random: new pairs come
// before, between and after those that an atom knows.
func TestAtomsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	mixed := 0 // times that a new pair came before one that stays
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 19))
		const n = 6
		f := feature.EdgeFeatures{}
		if seed%3 == 0 {
			f.All = true
		}
		s := New(generalProblem(rng, 20, 3, n, seed%2 == 0, infer.Loss{}, f), testkit.RandomEdges(n, 0.5, rng), 0.02)
		for range 5 {
			for m := range s.m {
				s.visit(m, true)
			}
			checkOrder(t, "visits", s)
			old, edges := s.pairs.edges, testkit.RandomEdges(n, 0.7, rng)
			s.SetEdges(edges)
			checkOrder(t, "setEdges", s)
			checkState(t, s)
			for k := 1; k < len(edges); k++ {
				if slices.Contains(old, edges[k]) && !slices.Contains(old, edges[k-1]) {
					mixed++
				}
			}
			checkOrder(t, "clone", s.Clone())
		}
	}
	if mixed == 0 {
		t.Error("no new pair came before one that stays")
	}
}

// TestComponentsKeepTheOrder joins components of labels that lie between one
// another, and adds edges within them.
func TestComponentsKeepTheOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 20))
		const n = 6
		p := randomTraining(rng, 20, 3, n, false)
		parts := make([]*Component, n)
		for k, i := range rng.Perm(n) {
			parts[k] = &Component{Labels: []int{i}, Solver: New(p.selectLabels([]int{i}), nil, 0.02)}
		}
		for len(parts) > 1 {
			a, b := parts[0], parts[1]
			edge := labelgraph.NewEdge(a.Labels[rng.IntN(len(a.Labels))], b.Labels[rng.IntN(len(b.Labels))])
			joined := Join(p, a, b, &edge)
			checkOrder(t, "join", joined.Solver)
			for m := range joined.Solver.m {
				joined.Solver.visit(m, true)
			}
			checkOrder(t, "visits of a component", joined.Solver)
			checkState(t, joined.Solver)
			parts = append(parts[2:], joined)
		}
		whole := parts[0]
		for _, e := range labelgraph.AllPairs(n) {
			if !slices.Contains(whole.Solver.pairs.edges, e) {
				checkOrder(t, "edge within", whole.With(e).Solver)
			}
		}
	}
}
