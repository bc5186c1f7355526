package forest_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/forest"
	"github.com/crank-ml/crank/crankpkg/internal/linear"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"gonum.org/v1/gonum/floats"
)

// Up to the greatest number of labels, on dense and on sparse rows, with cuts and without, the
// labels are those of Label for the scores less the cuts, and nothing is allocated.
func TestSmallIsLabel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 24))
	for n := 1; n <= forest.SmallLabels; n++ {
		for try := range 20 {
			d := 1 + rnd.IntN(30)
			edges := labelgraph.RandomTree(n, rnd)
			g := infer.NewPairGraph(n, edges, testkit.Normals(len(edges), rnd))
			order, _ := infer.ForestOrder(g)
			s := &forest.Small{
				Nodes:  forest.New(g, order),
				Scorer: linear.New(testkit.Normals(n*d, rnd), testkit.Normals(n, rnd), d, feature.Scaler{}),
			}
			if try%2 == 1 {
				s.Cuts = testkit.Normals(n, rnd)
			}
			x := feature.Row{Value: testkit.Normals(d, rnd)}
			if try%4 > 1 {
				x = feature.Row{Index: []int32{int32(rnd.IntN(d))}, Value: []float64{rnd.NormFloat64()}}
			}
			gain := make([]float64, n+1)
			s.Scorer.ScoreTo(gain, make([]float64, s.Scorer.Width()), x)
			if s.Cuts != nil {
				floats.Sub(gain[:n], s.Cuts)
			}
			want, got := make([]uint8, n), make([]uint8, n)
			forest.Label(want, s.Nodes, gain, make([]uint8, n+1))
			if allocs := testing.AllocsPerRun(3, func() { s.LabelTo(got, x) }); allocs > 0 {
				t.Fatalf("%d labels: %v allocations", n, allocs)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d labels, row %v, cuts %v: %v, want %v", n, x, s.Cuts, got, want)
			}
		}
	}
}
