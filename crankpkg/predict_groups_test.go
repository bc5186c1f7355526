package crankpkg

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg/internal/draw"
)

// grouped returns data of three groups of 3, 2 and 3 labels that follow x.
func grouped(size int, seed uint64) *Dataset {
	rng := rand.New(rand.NewPCG(seed, 9))
	ds := &Dataset{
		Name: "groups", FeatureNames: draw.Names("x", 3), LabelNames: draw.Names("y", 8), Groups: []int{3, 2, 3},
		X: &Matrix{NumRows: size, NumCols: 3}, Y: make([]uint8, 8*size),
	}
	for m := range size {
		x := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		ds.X.Value = append(ds.X.Value, x...)
		y := ds.Labels(m)
		first := rng.IntN(3)
		if x[0] > 0 {
			first = 1
		}
		y[first], y[3+first%2], y[5+(first+rng.IntN(2))%3] = 1, 1, 1
	}
	return ds
}

// TestPredictGroups holds the predictions of labels in groups to the score by its
// definition, over all labelings with one label of each group.
func TestPredictGroups(t *testing.T) {
	train := grouped(60, 1)
	for name, method := range map[string]Trainer{
		"tree":                   CRANK{Lambda: 0.01, Restarts: 2},
		"cycle":                  Full{Lambda: 0.01},
		"edge features":          CRANK{Lambda: 0.01, Restarts: 2, Settings: Settings{EdgeFeatures: EdgeFeatures{All: true}}},
		"Fourier":                CRANK{Lambda: 0.01, Restarts: 2, Settings: Settings{Fourier: FourierFeatures{Count: 10}}},
		"Fourier, edge features": Full{Lambda: 0.01, Settings: Settings{Scaling: ZScore, Fourier: FourierFeatures{Count: 10}, EdgeFeatures: EdgeFeatures{Columns: []int{1, 7}}}},
	} {
		m, _, err := method.Train(context.Background(), train)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		test := grouped(40, 2)
		p, y := m.Predictor(), make([]uint8, 8)
		all := m.PredictAll(test.X)
		certain := 0
		for k := range test.Len() {
			x := test.Row(k)
			optimal := p.PredictTo(y, x)
			if !slices.Equal(y, all[8*k:8*k+8]) {
				t.Fatalf("%s: row %d: %v alone, %v in a batch", name, k, y, all[8*k:8*k+8])
			}
			best := math.Inf(-1)
			for _, states := range [][]int{{0, 3, 5}, {0, 3, 6}, {0, 3, 7}, {0, 4, 5}, {0, 4, 6}, {0, 4, 7}, {1, 3, 5}, {1, 3, 6}, {1, 3, 7},
				{1, 4, 5}, {1, 4, 6}, {1, 4, 7}, {2, 3, 5}, {2, 3, 6}, {2, 3, 7}, {2, 4, 5}, {2, 4, 6}, {2, 4, 7}} {
				z := make([]uint8, 8)
				for _, i := range states {
					z[i] = 1
				}
				best = max(best, m.Score(x, z))
			}
			value := m.Score(x, y)
			if optimal {
				certain++
			}
			if optimal && value < best-1e-9 || value > best+1e-9 {
				t.Fatalf("%s: row %d: %v scores %v, the best %v", name, k, y, value, best)
			}
		}
		if certain < 30 {
			t.Errorf("%s: only %d of 40 predictions are certain", name, certain)
		}
		path := filepath.Join(t.TempDir(), "model.json")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := LoadModel(path)
		if err != nil || !slices.Equal(loaded.Groups, m.Groups) || !slices.Equal(loaded.PredictAll(test.X), all) {
			t.Errorf("%s: a saved model predicts otherwise: %v", name, err)
		}
	}
}
