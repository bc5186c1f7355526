package gated

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"gonum.org/v1/gonum/stat"
)

func empty(t *testing.T, ds *crankpkg.Dataset) *crankpkg.Model {
	t.Helper()
	m, _, err := crankpkg.Empty{Lambda: 0.01}.Train(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSplitByMistakes finds the feature that the tree changes with, near zero, and finds less where nothing changes.
func TestSplitByMistakes(t *testing.T) {
	t.Parallel()
	strengths := map[Kind]float64{}
	for _, kind := range []Kind{OneTree, TwoTrees} {
		for seed := range uint64(3) {
			train, _, _ := Planted{Tree: crankpkg.PlantedTree{N: 6, Seed: seed}, Kind: kind}.Generate(600, 0)
			split, strength, err := SplitByMistakes(train, empty(t, train))
			if err != nil {
				t.Fatal(err)
			}
			if kind == TwoTrees && (split.Column != 0 || split.At < -0.2 || split.At > 0.2) {
				t.Errorf("seed %d: %+v", seed, split)
			}
			strengths[kind] += strength
		}
	}
	if strengths[TwoTrees] < 1.5*strengths[OneTree] {
		t.Errorf("strengths %v", strengths)
	}
}

// TestSplitBySparseMistakes takes the same data, sparse, for the same.
func TestSplitBySparseMistakes(t *testing.T) {
	t.Parallel()
	train, _, _ := Planted{Tree: crankpkg.PlantedTree{N: 4, Seed: 1}, Kind: TwoTrees}.Generate(200, 0)
	m := empty(t, train)
	dense, a, err := SplitByMistakes(train, m)
	if err != nil {
		t.Fatal(err)
	}
	train.X = train.X.Sparse()
	sparse, b, err := SplitByMistakes(train, m)
	if err != nil || dense != sparse || math.Abs(a-b) > 1e-9 {
		t.Errorf("%+v of %v, sparse %+v of %v, %v", dense, a, sparse, b, err)
	}
	for row := range train.Len() {
		if x := train.Row(row); dense.Region(x) != dense.Region(train.X.Dense().Row(row)) {
			t.Fatalf("row %d is in another region", row)
		}
	}
}

func TestSplitByMistakesRefuses(t *testing.T) {
	t.Parallel()
	train, _, _ := Planted{Tree: crankpkg.PlantedTree{N: 3, D: 1, Seed: 1}}.Generate(50, 0)
	m := empty(t, train)
	for row := range 45 {
		train.Row(row).Value[0] = 1 // 5 of 50 have another value: too few for a side
	}
	if _, _, err := SplitByMistakes(train, m); !errors.Is(err, crankpkg.ErrData) {
		t.Errorf("error %v", err)
	}
}

// TestClusters finds two far groups of rows, whatever the units, and says the same of rows that it has not seen.
func TestClusters(t *testing.T) {
	t.Parallel()
	x := crankpkg.Matrix{NumRows: 40, NumCols: 2}
	for m := range 40 {
		x.Value = append(x.Value, float64(m%2)+0.01*float64(m%7), 1000*float64(m%2)+float64(m%5))
	}
	c, err := NewClusters(&x, 2, 1)
	if err != nil || c.Regions() != 2 {
		t.Fatalf("%d regions, %v", c.Regions(), err)
	}
	for m := range 40 {
		if got, first := c.Region(x.Row(m)), c.Region(x.Row(m%2)); got != first {
			t.Errorf("row %d is in region %d, row %d in %d", m, got, m%2, first)
		}
	}
	if a, b := c.Region(x.Row(0)), c.Region(x.Row(1)); a == b {
		t.Error("both groups are one region")
	}
	again, _ := NewClusters(&x, 2, 1)
	if !slices.EqualFunc(c.Centers, again.Centers, slices.Equal) {
		t.Error("the same seed gives other centers")
	}
	one, err := NewClusters(&x, 1, 1)
	if err != nil || one.Centers[0][0] > 1e-9 || one.Centers[0][0] < -1e-9 {
		t.Errorf("one center of z-scored rows is at %v, %v", one.Centers, err)
	}
	for _, k := range []int{0, 41} {
		if _, err := NewClusters(&x, k, 1); !errors.Is(err, crankpkg.ErrSettings) {
			t.Errorf("%d clusters: %v", k, err)
		}
	}
	same := crankpkg.Matrix{NumRows: 3, NumCols: 1, Value: []float64{2, 2, 2}}
	if c, err := NewClusters(&same, 2, 1); err != nil || c.Regions() != 2 || c.Region(same.Row(0)) != 0 {
		t.Errorf("equal rows: %+v, %v", c, err)
	}
}

// constant is a gate of two regions with all inputs in the first.
type constant struct{}

func (constant) Regions() int              { return 2 }
func (constant) Region(x crankpkg.Row) int { return 0 }

// TestTrain compares the models of a gated one, and their predictions, with those of its regions trained by hand.
func TestTrain(t *testing.T) {
	t.Parallel()
	p := Planted{Tree: crankpkg.PlantedTree{N: 4, Noise: 0.05, Seed: 2}, Kind: TwoTrees}
	train, test, truths := p.Generate(200, 100)
	method := crankpkg.CRANK{Lambda: 0.01, Restarts: 1}
	m, err := Train(context.Background(), method, p.Gate(), train)
	if err != nil || len(m.Models) != 2 {
		t.Fatal(err)
	}
	predicted := m.PredictAll(test.X)
	for side := range 2 {
		var rows []int
		for row := range train.Len() {
			if (train.Row(row).Value[0] > 0) == (side == 1) {
				rows = append(rows, row)
			}
		}
		own, _, err := method.Train(context.Background(), train.Subset(rows))
		if err != nil {
			t.Fatal(err)
		}
		for row := range test.Len() {
			if x := test.Row(row); (x.Value[0] > 0) == (side == 1) && !slices.Equal(own.Predict(x), predicted[row*4:(row+1)*4]) {
				t.Errorf("row %d has other labels than its region's model", row)
			}
		}
	}
	one, _, err := method.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := NewClusters(train.X, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := Train(context.Background(), method, whole, train); err != nil || !slices.Equal(same.PredictAll(test.X), one.PredictAll(test.X)) {
		t.Errorf("one region has other predictions than its model, error %v", err)
	}
	if own, all := Evaluate(m, test).SubsetAccuracy, crankpkg.Evaluate(one, test).SubsetAccuracy; own < all+5 {
		t.Errorf("zero-one %v with two trees, %v with one", own, all)
	}
	if slices.Equal(truths[0].Edges, truths[1].Edges) {
		t.Error("the two trees are one")
	}
	if _, err := Train(context.Background(), method, constant{}, train); !errors.Is(err, crankpkg.ErrData) || !strings.HasPrefix(err.Error(), "region 1 of 2: ") {
		t.Errorf("an empty region: %v", err)
	}
	if _, err := Train(context.Background(), crankpkg.CRANK{Lambda: -1}, p.Gate(), train); !errors.Is(err, crankpkg.ErrSettings) {
		t.Errorf("lambda -1: %v", err)
	}
	short := crankpkg.CRANK{Lambda: 0.001, Settings: crankpkg.Settings{Gap: 1e-9, MaxPasses: 1}}
	if m, err := Train(context.Background(), short, p.Gate(), train); m == nil || !errors.Is(err, crankpkg.ErrNotConverged) {
		t.Errorf("one pass: %v, %v", m, err)
	}
}

// TestPlanted checks that the labels are those of the truth in each region, that fewer examples are the beginning of
// more, and that one tree is what crankpkg plants.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for kind := OneTree; kind <= Linear; kind++ {
		p := Planted{Tree: crankpkg.PlantedTree{N: 5, Seed: 3}, Kind: kind}
		train, test, truths := p.Generate(30, 20)
		few, _, _ := p.Generate(10, 0)
		if !slices.Equal(few.Y, train.Y[:50]) || train.Name != kind.String() {
			t.Errorf("%v: fewer examples are others", kind)
		}
		for row := range test.Len() {
			truth := truths[0]
			if x := test.Row(row); len(truths) == 2 && x.Value[0] > 0 {
				truth = truths[1]
			}
			if !slices.Equal(truth.Predict(test.Row(row)), test.Labels(row)) {
				t.Errorf("%v: row %d is not what the truth predicts", kind, row)
			}
		}
		plain, _, _ := p.Tree.Generate(30, 0)
		if same := slices.Equal(plain.Y, train.Y); same != (kind == OneTree) || !slices.Equal(plain.X.Value, train.X.Value) {
			t.Errorf("%v: labels as planted without a gate: %v", kind, same)
		}
		p.Tree.Noise = 1
		if flipped, _, _ := p.Generate(30, 0); slices.ContainsFunc(flipped.Y, func(y uint8) bool { return y > 1 }) || flipped.Y[0] == train.Y[0] || flipped.Y[7] == train.Y[7] {
			t.Errorf("%v: noise 1 does not flip all", kind)
		}
		for _, m := range truths {
			if err := m.Validate(); err != nil {
				t.Errorf("%v: %v", kind, err)
			}
		}
	}
}

// TestLinear looks at the pairs of the bent truth: weights change their sign at x_0 = -1/4.
func TestLinear(t *testing.T) {
	t.Parallel()
	_, test, truths := Planted{Tree: crankpkg.PlantedTree{N: 5, Seed: 3}, Kind: Linear}.Generate(0, 50)
	_, _, plain := crankpkg.PlantedTree{N: 5, Seed: 3}.Generate(0, 0)
	for row := range test.Len() {
		x := test.Row(row)
		for k, w := range truths[0].PairsAt(x) {
			if want := plain.Pair[k] * (0.25 + x.Value[0]); w < want-1e-9 || w > want+1e-9 {
				t.Fatalf("pair %d weighs %v, and not %v", k, w, want)
			}
		}
	}
}

func TestPlantedPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("kind 3 was planted")
		}
	}()
	Planted{Kind: 3}.Generate(1, 1)
}

// TestDifferenceIsFishers compares with Fisher's test of two correlations: the mean over the pairs of the squared difference of their
// z-transforms over its variance, 1/(a-3) + 1/(b-3) of a and b examples. The sides are as unequal as they may be.
func TestDifferenceIsFishers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 1))
	for _, sizes := range [][2]int{{10, 40}, {40, 10}, {6, 6}, {9, 41}, {4, 4}} {
		var column []float64
		mistakes := make([][]float64, 3)
		for side, size := range sizes {
			for range size {
				column = append(column, float64(side))
				common := rng.NormFloat64()
				for i := range mistakes {
					mistakes[i] = append(mistakes[i], common+rng.NormFloat64())
				}
			}
		}
		var want float64
		if least := min(sizes[0], sizes[1]); least >= 5 && 5*least >= len(column) {
			for _, e := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
				var z, variance float64
				for side, from := range []int{0, sizes[0]} {
					to := from + sizes[side]
					r := stat.Correlation(mistakes[e[0]][from:to], mistakes[e[1]][from:to], nil)
					z += float64(1-2*side) * 0.5 * math.Log((1+r)/(1-r))
					variance += 1 / float64(sizes[side]-3)
				}
				want += z * z / variance / 3
			}
		}
		if got := difference(mistakes, column, 0.5); !(math.Abs(got-want) <= 1e-9*(1+want)) {
			t.Errorf("sides of %v examples: %v, want %v", sizes, got, want)
		}
	}
}

// TestDifferenceLeavesOutWhatIsInfinite has two labels with the same mistakes on one side, whose correlation has no z-transform: their
// pair counts as nothing, and the other pairs count.
func TestDifferenceLeavesOutWhatIsInfinite(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 2))
	const size = 16 // whose root is exact, so that the correlation is 1
	column, mistakes := make([]float64, 2*size), make([][]float64, 3)
	for i := range mistakes {
		for row := range column {
			column[row] = float64(row / size)
			mistakes[i] = append(mistakes[i], rng.NormFloat64())
			if i < 2 && row < size {
				mistakes[i][row] = float64(1 - row%2*2)
			}
		}
	}
	got := difference(mistakes, column, 0.5)
	for row := range size { // with a finite correlation, the pair counts
		mistakes[0][row] += 1e-3 * rng.NormFloat64()
	}
	if more := difference(mistakes, column, 0.5); !(got > 0 && got < more && !math.IsInf(more, 0)) {
		t.Errorf("%v, with mistakes that are not quite the same %v", got, more)
	}
}
