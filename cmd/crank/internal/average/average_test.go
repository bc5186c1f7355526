package average

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) }

// all returns the labelings of n labels.
func all(n int) (labelings [][]uint8) {
	for code := range 1 << n {
		y := make([]uint8, n)
		for i := range y {
			y[i] = uint8(code >> i & 1)
		}
		labelings = append(labelings, y)
	}
	return labelings
}

// TestOf compares what models of different trees and features say together with the mean of what each says: of every labeling, and of
// each label's margin. The plain labels have the largest mean where that is certain, and margins decide label by label.
func TestOf(t *testing.T) {
	t.Parallel()
	const n = 5
	train, test, _ := crankpkg.PlantedTree{N: n, D: 3, Noise: 0.1, Seed: 3}.Generate(60, 20)
	kernel := crankpkg.Settings{Scaling: crankpkg.ZScore, Kernel: feature.KernelFeatures{Kind: feature.Gaussian, Gamma: 0.3}}
	var models []*crankpkg.Model
	for _, trainer := range []crankpkg.Trainer{
		crankpkg.CRANK{Restarts: 1, Lambda: 0.01}, crankpkg.CRANK{Restarts: 1, Lambda: 0.01, Settings: kernel},
		crankpkg.FixedGraph{Lambda: 0.01, Edges: []crankpkg.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}, {I: 0, J: 4}}}, crankpkg.Empty{Lambda: 0.01},
	} {
		m, _, err := trainer.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	scores, margins := Of(models, train, test)
	y, certain := Labels(scores, decision.Candidate{}, train)
	single, alone := Labels(margins, decision.Candidate{}, train)
	if len(scores.Edges) <= n-1 || len(margins.Edges) > 0 || !near(certain, 1) || !near(alone, 1) {
		t.Fatalf("edges %v and %v, %v and %v of the labels certain: the test needs cycles, and all of them", scores.Edges, margins.Edges, certain, alone)
	}
	for k := range test.Len() {
		want := make([]float64, n)
		for _, m := range models {
			for i, v := range m.Predictor().Margins(test.Row(k)) {
				want[i] += v / float64(len(models))
			}
		}
		got := margins.Scores[k*n : (k+1)*n]
		if !slices.EqualFunc(want, got, near) {
			t.Fatalf("example %d: margins %v, and the models' mean is %v", k, got, want)
		}
		for i, v := range got {
			if (v > 0) != (single[k*n+i] == 1) {
				t.Errorf("example %d: label %d of margin %v is %d", k, i, v, single[k*n+i])
			}
		}
		value := func(y []uint8) (sum float64) {
			for i, on := range y {
				sum += float64(on) * scores.Scores[k*n+i]
			}
			for e, edge := range scores.Edges {
				sum += float64(y[edge.I]&y[edge.J]) * scores.Pair[e]
			}
			return sum
		}
		best := math.Inf(-1)
		for _, y := range all(n) {
			mean := 0.0
			for _, m := range models {
				mean += m.Score(test.Row(k), y) / float64(len(models))
			}
			if !near(mean, value(y)) {
				t.Fatalf("example %d: %v has %v, and the models' mean is %v", k, y, value(y), mean)
			}
			best = max(best, mean)
		}
		if got := value(y[k*n : (k+1)*n]); !near(got, best) {
			t.Errorf("example %d: the labels have %v, the best %v", k, got, best)
		}
	}
}

// TestSeen checks that a rule for seen labelings predicts none that no training example has.
func TestSeen(t *testing.T) {
	t.Parallel()
	train, test, _ := crankpkg.PlantedTree{N: 6, D: 3, Seed: 5}.Generate(15, 50)
	m, _, err := crankpkg.CRANK{Restarts: 1, Lambda: 0.01}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	scores, _ := Of([]*crankpkg.Model{m}, train, test)
	plain, _ := Labels(scores, decision.Candidate{}, train)
	if !slices.Equal(plain, m.PredictAll(test.X)) {
		t.Error("one model alone does not say what it says")
	}
	y, certain := Labels(scores, decision.Candidate{Seen: true, Prior: 0.1}, train)
	known := map[string]bool{}
	for row := range slices.Chunk(scores.Seen, 6) {
		known[string(row)] = true
	}
	unknown := 0
	for k := range test.Len() {
		if !known[string(y[k*6:(k+1)*6])] {
			t.Errorf("example %d: %v was never seen", k, y[k*6:(k+1)*6])
		}
		if !known[string(plain[k*6:(k+1)*6])] {
			unknown++
		}
	}
	if unknown == 0 || !near(certain, 1) || len(scores.Counts) != len(known) {
		t.Errorf("%d plain labelings were never seen: the test needs some; %v certain", unknown, certain)
	}
}
