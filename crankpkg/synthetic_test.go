package crankpkg

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// The labels maximize the truth's score over all 2^n labelings.
func TestPlantedTreeLabels(t *testing.T) {
	for seed := range uint64(5) {
		train, _, truth := PlantedTree{N: 6, Seed: seed}.Generate(50, 0)
		g := truth.Graph()
		c := make([]float64, 6)
		y := make(Labeling, 6)
		for m := range train.Len() {
			for i := range c {
				c[i] = train.Row(m).Dot(truth.UnaryWeights(i)) + truth.Bias(i)
			}
			best := math.Inf(-1)
			for bits := range 1 << 6 {
				for i := range y {
					y[i] = uint8(bits >> i & 1 * 2)
				}
				best = max(best, y.Value(g, c))
			}
			for i, v := range train.Labels(m) {
				y[i] = 2 * v
			}
			if got := y.Value(g, c); !(math.Abs(got-best) <= 1e-12) {
				t.Fatalf("example %d scores %v, but %v is possible", m, got, best)
			}
		}
	}
}

func TestPlantedTreeTruth(t *testing.T) {
	train, test, truth := PlantedTree{Seed: 3}.Generate(100, 200)
	for _, ds := range []*Dataset{train, test} {
		if err := ds.Validate(); err != nil {
			t.Error(err)
		}
	}
	if train.Len() != 100 || test.Len() != 200 || train.NumFeatures() != 4 || train.NumLabels() != 10 {
		t.Errorf("%v and %v", train, test)
	}
	for removed := range 10 {
		_, _, truth := PlantedTree{Removed: removed, Seed: 3}.Generate(0, 0)
		if len(truth.Edges) != 9-removed || len(truth.Pair) != 9-removed || !labelgraph.IsForest(10, truth.Edges) {
			t.Errorf("%d edges removed: %v", removed, truth.Edges)
		}
	}
	for k, w := range truth.Pair {
		if size := math.Abs(w); size < 1.5 || size > 4.5 {
			t.Errorf("pair %v has weight %v", truth.Edges[k], w)
		}
	}
	if train.Row(0).Dot([]float64{1, 1, 1, 1}) == test.Row(0).Dot([]float64{1, 1, 1, 1}) {
		t.Error("training and test examples are the same")
	}
}

// The same seed gives the same data, another seed gives others, and a larger
// set begins with the smaller one.
func TestPlantedTreeSeed(t *testing.T) {
	p := PlantedTree{Noise: 0.1, Seed: 1}
	train, test, truth := p.Generate(30, 20)
	again, testAgain, truthAgain := p.Generate(50, 20)
	first := make([]int, 30)
	for m := range first {
		first[m] = m
	}
	if !reflect.DeepEqual(train, again.Subset(first)) || !reflect.DeepEqual(test, testAgain) || !reflect.DeepEqual(truth, truthAgain) {
		t.Error("the same seed gives other data")
	}
	p.Seed = 2
	other, _, otherTruth := p.Generate(30, 20)
	if reflect.DeepEqual(train.X, other.X) || reflect.DeepEqual(truth.Unary, otherTruth.Unary) {
		t.Error("another seed gives the same data")
	}
}

// No label is nearly constant, so that none can be told without x.
func TestPlantedTreeFrequencies(t *testing.T) {
	for seed := range uint64(20) {
		train, _, _ := PlantedTree{Seed: seed}.Generate(1000, 0)
		for i, count := range train.LabelCounts() {
			if count < 100 || count > 900 {
				t.Errorf("seed %d: label %d is on in %d of 1000", seed, i, count)
			}
		}
	}
}

func TestPlantedTreeNoise(t *testing.T) {
	const rows, rate = 2000, 0.2
	clean, _, _ := PlantedTree{Seed: 1}.Generate(rows, 0)
	noisy, _, truth := PlantedTree{Seed: 1, Noise: rate}.Generate(rows, 0)
	plain, _, _ := PlantedTree{Seed: 1, Noise: 1}.Generate(1, 0)
	for i, v := range plain.Labels(0) {
		if v == clean.Labels(0)[i] {
			t.Errorf("label %d is not flipped with probability 1", i)
		}
	}
	wrong := 0
	predicted := truth.Predictor().PredictAll(noisy.X)
	for p, v := range noisy.Y {
		wrong += int(v ^ predicted[p])
	}
	// 20,000 flips have a standard deviation of 57.
	if want := rate * rows * 10; !(math.Abs(float64(wrong)-want) <= 5*57) {
		t.Errorf("%d labels are flipped, want about %v", wrong, want)
	}
}

// Dependencies matter: with 100 training examples the planted tree gets far more
// examples entirely right than labels learned apart from one another.
func TestPlantedTreeStructureMatters(t *testing.T) {
	t.Parallel()
	const draws = 5
	zeroOne := func(method Trainer, train, test *Dataset) float64 {
		m, _, err := method.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		return Evaluate(m, test).SubsetAccuracy / draws
	}
	var apart, tree float64
	for seed := range uint64(draws) {
		train, test, truth := PlantedTree{Seed: seed}.Generate(100, 500)
		apart += zeroOne(Empty{Lambda: 1e-4}, train, test)
		tree += zeroOne(FixedGraph{Lambda: 1e-4, Edges: truth.Edges}, train, test)
	}
	if tree < apart+25 {
		t.Errorf("%.1f %% are right with labels apart, and %.1f %% with the tree", apart, tree)
	}
}

func TestPlantedTreePanics(t *testing.T) {
	for _, p := range []PlantedTree{{N: -1}, {D: -1}, {Removed: -1}, {Removed: 10}, {Noise: -0.1}, {Noise: 1.1}, {Noise: math.NaN()}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v generates", p)
				}
			}()
			p.Generate(1, 1)
		}()
	}
}

func BenchmarkPlantedTree(b *testing.B) {
	for b.Loop() {
		PlantedTree{N: 1000, Seed: 1}.Generate(1000, 0)
	}
}
