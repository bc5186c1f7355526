package solver

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// generalProblem returns randomTraining with a label loss and edge features.
func generalProblem(rng *rand.Rand, m, d, n int, sparse bool, loss infer.Loss, f feature.EdgeFeatures) *Problem {
	p := randomTraining(rng, m, d, n, sparse)
	f, err := f.Resolve(d)
	if err != nil {
		panic(err)
	}
	p.loss, p.z = loss, f.Matrix(p.x)
	return p
}

// generalSettings are the label losses and edge features of the tests.
func generalSettings() (losses []infer.Loss, features []feature.EdgeFeatures) {
	return []infer.Loss{{}, {Hamming: 0.5}, {ZeroOne: 1}, {Hamming: 0.2, ZeroOne: 0.8, ExampleF1: 0.5}, {Most: 5}},
		[]feature.EdgeFeatures{{}, {All: true}, {Columns: []int{1}, Scale: 0.3}, {Columns: []int{0, 2}}, {}}
}

// TestGeneralSolverState does for all label losses and edge features what
// TestSolverState does for the Hamming loss and scalar pair weights.
func TestGeneralSolverState(t *testing.T) {
	t.Parallel()
	losses, features := generalSettings()
	for l, loss := range losses {
		for k, f := range features {
			seed := uint64(10*l + k)
			rng := rand.New(rand.NewPCG(seed, 1))
			n := 2 + rng.IntN(4)
			edges := labelgraph.AllPairs(n)
			if seed%3 == 0 {
				edges = labelgraph.RandomTree(n, rng)
			}
			s := New(generalProblem(rng, 20, 3, n, seed%2 == 0, loss, f), edges, 0.01+0.1*rng.Float64())
			checkVisits(t, s, rng, fmt.Sprintf("%v, %+v", loss, f))
			clone := s.Clone()
			checkState(t, clone)
			s.SetEdges(labelgraph.RandomTree(n, rng))
			checkState(t, s)
			s.certify(1)
			s.SetEdges(labelgraph.AllPairs(n))
			checkState(t, s)
		}
	}
}
