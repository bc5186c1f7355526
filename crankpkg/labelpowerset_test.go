package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// TestSeenLabelings compares predictions with the best of the training labelings
// by Score, on forests and on graphs with cycles, with and without features on
// the edges, alone, in a batch and after loading.
func TestSeenLabelings(t *testing.T) {
	t.Parallel()
	train, test := planted(t, 5, 15, 6)
	counts := map[string]int{}
	for m := range train.Len() {
		counts[string(train.Labels(m))]++
	}
	for _, prior := range []float64{0, 0.7} {
		for _, f := range []EdgeFeatures{{}, {All: true}} {
			set := Settings{Gap: 0.05, EdgeFeatures: f, Powerset: LabelPowerset{Only: true, Prior: prior}}
			for _, tr := range trainers(set) {
				m, _, err := tr.Train(context.Background(), train)
				if err != nil {
					t.Fatal(err)
				}
				if len(m.LabelingScores) != len(counts) {
					t.Fatalf("%s: %d labelings, %d in training", tr.Name(), len(m.LabelingScores), len(counts))
				}
				path := filepath.Join(t.TempDir(), "model.json")
				if err := m.Save(path); err != nil {
					t.Fatal(err)
				}
				loaded, err := LoadModel(path)
				if err != nil {
					t.Fatal(err)
				}
				all := loaded.PredictAll(test.X)
				for k := range 20 {
					x, got := test.Row(k), all[k*5:(k+1)*5]
					value := func(y []uint8) float64 {
						if counts[string(y)] == 0 {
							return math.Inf(-1)
						}
						return m.Score(x, y) + prior*math.Log(float64(counts[string(y)]))
					}
					best := math.Inf(-1)
					for y := range counts {
						best = max(best, value([]uint8(y)))
					}
					if value(got) < best-1e-9 {
						t.Fatalf("%s: row %d: %v has %v, the best %v", tr.Name(), k, got, value(got), best)
					}
					if alone := m.Predict(x); !reflect.DeepEqual(alone, got) {
						t.Fatalf("%s: row %d: %v alone, %v in a batch", tr.Name(), k, alone, got)
					}
				}
			}
		}
	}
}

func TestSeenLabelingsAllocateNothing(t *testing.T) {
	m := randomModel(5, 3, labelgraph.RandomTree(5, rand.New(rand.NewPCG(1, 1))), rand.New(rand.NewPCG(2, 1)))
	m.Labelings, m.LabelingScores = make([]uint8, 10), make([]float64, 2)
	p, y, x := m.Predictor(), make([]uint8, 5), Row{Value: []float64{1, 2, 3}}
	if allocs := testing.AllocsPerRun(100, func() { p.PredictTo(y, x) }); allocs > 0 && !raceEnabled {
		t.Errorf("%v allocations", allocs)
	}
}

func TestSeenLabelingsRefused(t *testing.T) {
	train := noisy(t, 3, 20, 1)
	for _, s := range []LabelPowerset{{Prior: 1}, {Only: true, Prior: math.NaN()}} {
		if _, _, err := (Full{Settings: Settings{Powerset: s}}).Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v", s, err)
		}
	}
}

// Neither both labels nor none of them were seen, so that one of the two is
// predicted for every row.
func ExampleLabelPowerset() {
	train := &Dataset{
		FeatureNames: []string{"x"}, LabelNames: []string{"cat", "dog"},
		X: feature.NewDense(1, [][]float64{{-1}, {1}, {2}}), Y: []uint8{1, 0, 0, 1, 0, 1},
	}
	set := Settings{Powerset: LabelPowerset{Only: true, Prior: 0.1}}
	m, _, err := Full{Lambda: 0.1, Settings: set}.Train(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range []float64{-5, 5} {
		fmt.Println(x, m.PredictLabels(Row{Value: []float64{x}}))
	}
	// Output:
	// -5 [cat]
	// 5 [dog]
}

// TestSeenLabelingsTies has whole scores, so that several labelings share the
// best one: the first of them counts, wherever the others stand.
func TestSeenLabelingsTies(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 24))
	ties := 0
	for range 300 {
		n := 1 + rng.IntN(5)
		edges := labelgraph.RandomTree(n, rng)
		if rng.IntN(2) == 0 {
			edges = labelgraph.AllPairs(n)
		}
		m := randomModel(n, 0, edges, rng)
		for _, w := range [][]float64{m.Unary, m.Pair} {
			for k := range w {
				w[k] = float64(rng.IntN(3) - 1)
			}
		}
		for range 1 + rng.IntN(8) {
			m.Labelings = append(m.Labelings, testkit.RandomLabels(rng, n)...)
			m.LabelingScores = append(m.LabelingScores, float64(rng.IntN(2)))
		}
		first, best := -1, math.Inf(-1)
		for k, prior := range m.LabelingScores {
			switch v := prior + scoreByDefinition(m, Row{}, m.Labelings[k*n:(k+1)*n]); {
			case v > best:
				first, best = k, v
			case v == best:
				ties++
			}
		}
		if got, want := m.Predict(Row{}), m.Labelings[first*n:(first+1)*n]; !reflect.DeepEqual(got, want) {
			t.Fatalf("of %v with the scores %v: predicted %v, the first of the best is %v", m.Labelings, m.LabelingScores, got, want)
		}
	}
	if ties < 50 {
		t.Errorf("%d ties: too few", ties)
	}
}
