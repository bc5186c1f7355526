package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/gated"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat"
)

// inputRow has the test scores of one way to let the pairs depend on the input.
type inputRow struct {
	Set    string // or the kind of planted data
	Size   int    // training examples
	Draw   uint64 // seed of the planted data, or of the random split
	Test   int    // test examples
	Method string
	Lambda float64 // chosen on the training examples
	// Strength is that of the gate's split; see gated.SplitByMistakes. Zero where there is none.
	Strength float64
	Column   int // of the split
	Scores   crankpkg.Scores
}

// byInput is a way to let the pairs depend on the input. Its fit trains at a lambda to a gap, and
// returns what predicts.
type byInput struct {
	name string
	fit  func(ctx context.Context, s crankpkg.Settings, lambda float64, train *crankpkg.Dataset) (labeler, error)
}

// labeler is a model, by what it predicts, and the split that it has.
type labeler struct {
	all      func(*crankpkg.Matrix) []uint8
	split    gated.Split
	strength float64
}

// inputMethods lists what is compared: labels alone, one tree, a tree with weights that are linear in x, and by two
// regions of the input labels alone, one tree with weights for each, and a tree for each. The regions are found by the
// mistakes of labels alone, by k-means, or are those of the truth, where there is one.
func inputMethods(planted bool) []byInput {
	last := byInput{"trees by clusters", plainGate(crankpkg.CRANK{Restarts: 1}, func(train *crankpkg.Dataset) (gated.Gate, error) { return gated.NewClusters(train.X, 2, 1) })}
	if planted {
		last = byInput{"trees by the true split", plainGate(crankpkg.CRANK{Restarts: 1}, func(*crankpkg.Dataset) (gated.Gate, error) { return gated.Planted{}.Gate(), nil })}
	}
	return []byInput{
		{"Empty", oneModel(crankpkg.Empty{}, false)},
		{"one tree", oneModel(crankpkg.CRANK{Restarts: 1}, false)},
		{"linear weights", oneModel(crankpkg.CRANK{Restarts: 1}, true)},
		{"Empty by split", bySplit(func(context.Context, crankpkg.Settings, float64, *crankpkg.Dataset) (crankpkg.Trainer, error) {
			return crankpkg.Empty{}, nil
		})},
		{"one tree, weights by split", bySplit(oneTree)},
		{"trees by split", bySplit(func(context.Context, crankpkg.Settings, float64, *crankpkg.Dataset) (crankpkg.Trainer, error) {
			return crankpkg.CRANK{Restarts: 1}, nil
		})},
		last,
	}
}

// oneModel trains t on all examples.
func oneModel(t crankpkg.Trainer, linear bool) func(context.Context, crankpkg.Settings, float64, *crankpkg.Dataset) (labeler, error) {
	return func(ctx context.Context, s crankpkg.Settings, lambda float64, train *crankpkg.Dataset) (labeler, error) {
		s.EdgeFeatures.All = linear
		m, _, err := with(t, s, lambda).Train(ctx, train)
		if notConverged(err) != nil {
			return labeler{}, err
		}
		return labeler{all: m.PredictAll}, nil
	}
}

// with returns t at a lambda with the settings.
func with(t crankpkg.Trainer, s crankpkg.Settings, lambda float64) crankpkg.Trainer {
	return adjust(t, func(own *crankpkg.Settings) { *own = s }).WithLambda(lambda)
}

// oneTree returns what trains weights on the tree that CRANK learns on all examples.
func oneTree(ctx context.Context, s crankpkg.Settings, lambda float64, train *crankpkg.Dataset) (crankpkg.Trainer, error) {
	m, _, err := with(crankpkg.CRANK{Restarts: 1}, s, lambda).Train(ctx, train)
	if notConverged(err) != nil {
		return nil, err
	}
	return crankpkg.FixedGraph{Edges: m.Edges}, nil
}

// bySplit trains what of returns on both sides of the split that the mistakes of labels alone tell.
func bySplit(of func(context.Context, crankpkg.Settings, float64, *crankpkg.Dataset) (crankpkg.Trainer, error)) func(context.Context, crankpkg.Settings, float64, *crankpkg.Dataset) (labeler, error) {
	return func(ctx context.Context, s crankpkg.Settings, lambda float64, train *crankpkg.Dataset) (labeler, error) {
		alone, _, err := with(crankpkg.Empty{}, s, lambda).Train(ctx, train)
		if notConverged(err) != nil {
			return labeler{}, err
		}
		split, strength, err := gated.SplitByMistakes(train, alone)
		if err != nil {
			return labeler{}, err
		}
		t, err := of(ctx, s, lambda, train)
		if err != nil {
			return labeler{}, err
		}
		m, err := gated.Train(ctx, with(t, s, lambda), split, train)
		if notConverged(err) != nil {
			return labeler{}, err
		}
		return labeler{m.PredictAll, split, strength}, nil
	}
}

// plainGate trains t in each region of a gate that looks at no labels.
func plainGate(t crankpkg.Trainer, of func(*crankpkg.Dataset) (gated.Gate, error)) func(context.Context, crankpkg.Settings, float64, *crankpkg.Dataset) (labeler, error) {
	return func(ctx context.Context, s crankpkg.Settings, lambda float64, train *crankpkg.Dataset) (labeler, error) {
		gate, err := of(train)
		if err != nil {
			return labeler{}, err
		}
		m, err := gated.Train(ctx, with(t, s, lambda), gate, train)
		if notConverged(err) != nil {
			return labeler{}, err
		}
		return labeler{all: m.PredictAll}, nil
	}
}

// scored chooses lambda by cross-validation on the training examples for the mean of the paper's measures, trains on all of them, and
// tests.
func (b byInput) scored(ctx context.Context, s crankpkg.Settings, grid []float64, train, test *crankpkg.Dataset) (inputRow, error) {
	row := inputRow{Size: train.Len(), Test: test.Len(), Method: b.name}
	folds, err := train.Folds(3, 7)
	if err != nil {
		return row, err
	}
	best := 0.0
	for _, lambda := range grid {
		var means []float64
		for _, f := range folds {
			coarse := s
			coarse.Gap = 0.03
			p, err := b.fit(ctx, coarse, lambda, train.Subset(f.Train))
			if err != nil {
				return row, err
			}
			held := train.Subset(f.Test)
			means = append(means, metrics.Evaluate(held.Y, p.all(held.X), train.NumLabels()).Of(metrics.MeanOfThree))
		}
		if mean := stat.Mean(means, nil); row.Lambda == 0 || mean > best {
			best, row.Lambda = mean, lambda
		}
	}
	p, err := b.fit(ctx, s, row.Lambda, train)
	if err != nil {
		return row, err
	}
	row.Strength, row.Column = p.strength, p.split.Column
	row.Scores = metrics.Evaluate(test.Y, p.all(test.X), test.NumLabels())
	return row, nil
}

// inputGrid has the lambdas that are chosen from.
func inputGrid(scaling crankpkg.Scaling, planted bool) []float64 {
	switch {
	case planted:
		return []float64{0.01, 0.003, 0.001, 0.0003}
	case scaling == crankpkg.ZScore:
		return []float64{3, 1, 0.3, 0.1}
	}
	return []float64{0.03, 0.01, 0.003, 0.001}
}

// inputs makes question_input.json: trees that depend on the input, on planted data of three kinds and on random splits of
// real sets.
func (mk *maker) inputs(ctx context.Context) error {
	var rows []inputRow
	for kind := gated.OneTree; kind <= gated.Linear; kind++ {
		for _, size := range pick(mk, []int{100, 300, 1000}, []int{40}) {
			for seed := range uint64(pick(mk, 10, 1)) {
				train, test, _ := gated.Planted{Tree: crankpkg.PlantedTree{N: pick(mk, 6, 4), Noise: 0.02, Seed: seed + 1}, Kind: kind}.Generate(size, pick(mk, 1000, 100))
				more, err := mk.byInput(ctx, kind.String(), seed+1, inputMethods(true), inputGrid("", true), train, test)
				if err != nil {
					return err
				}
				rows = append(rows, more...)
			}
		}
	}
	for _, set := range pick(mk, []string{"emotions", "scene", "yeast"}, []string{"emotions"}) {
		for seed := range uint64(pick(mk, 5, 1)) {
			train, test, err := mk.Sets.Seeded(set, 2./3, seed+1)
			if err != nil {
				return err
			}
			more, err := mk.byInput(ctx, set, seed+1, inputMethods(false), inputGrid(standing[set].scaling, false), train, test)
			if err != nil {
				return err
			}
			rows = append(rows, more...)
		}
	}
	return writeReport(mk, "question_input.json", rows)
}

// byInput measures all methods on one draw.
func (mk *maker) byInput(ctx context.Context, set string, draw uint64, methods []byInput, grid []float64, train, test *crankpkg.Dataset) ([]inputRow, error) {
	s := crankpkg.Settings{Gap: mk.gap(0.005), Scaling: standing[set].scaling, Workers: mk.Workers}
	key := s
	key.Workers = 0
	grid = pick(mk, grid, grid[:2])
	return kept(ctx, mk, []string{set, fmt.Sprint(train.Len()), fmt.Sprint(draw)}, []any{train, test, key, grid}, func() (rows []inputRow, err error) {
		for _, b := range methods {
			row, err := b.scored(ctx, s, grid, train, test)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.name, err)
			}
			row.Set, row.Draw = set, draw
			rows = append(rows, row)
		}
		return rows, nil
	})
}
