package results

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/floats"
)

// TestLambdas has two lambdas to a decade.
func TestLambdas(t *testing.T) {
	t.Parallel()
	grid := lambdas(0.01, 2)
	for k, want := range []float64{1, math.Sqrt(0.1), 0.1, math.Sqrt(0.001), 0.01} {
		if len(grid) != 5 || math.Abs(grid[k]-want) > 1e-12 {
			t.Errorf("%v: value %d is not %v", grid, k, want)
		}
	}
}

// TestHalfDecades checks the grids of full runs: of two neighbors one is three times the other, or ten times where a grid has decades; the
// committed files have no lambda beside them.
func TestHalfDecades(t *testing.T) {
	t.Parallel()
	mk, planned := full(t, "loss")
	mk.compute = func(e experiment.Experiment, _ context.Context) (*experiment.Table, error) {
		if *planned = append(*planned, e); e.Select != nil {
			return nil, errPlanned
		}
		return &experiment.Table{Cells: make([]experiment.Cell, len(e.Sets))}, nil
	}
	if err := mk.loss(context.Background()); !errors.Is(err, errPlanned) {
		t.Fatal(err)
	}
	ofLoss := (*planned)[1].Select.Lambdas
	for _, grid := range [][]float64{inputGrid("", true), inputGrid("", false), inputGrid(crankpkg.ZScore, false), ofLoss, manyLabelsLambdas} {
		for k := range len(grid) - 1 {
			if ratio := grid[k] / grid[k+1]; !near(ratio, 3) && !near(ratio, 10./3) {
				t.Errorf("%v falls by %v", grid, ratio)
			}
		}
	}
	inputs, _ := rowsOf[inputRow](t, committed, "question_input.json")
	for _, r := range inputs {
		_, real := realLabels[r.Set]
		if grid := inputGrid(standing[r.Set].scaling, !real); !slices.Contains(grid, r.Lambda) || len(grid) != 4 {
			t.Errorf("%s: %v has no %v", r.Set, grid, r.Lambda)
		}
	}
	losses, _ := rowsOf[lossRow](t, committed, "question_loss.json")
	for _, r := range losses {
		if !slices.Contains(ofLoss, r.Lambda) {
			t.Errorf("%s, %s: %v has no %v", r.Set, r.Loss, ofLoss, r.Lambda)
		}
	}
}

// TestPreferUnscaled checks that no scaling is preferred within one standard
// error.
func TestPreferUnscaled(t *testing.T) {
	t.Parallel()
	point := func(s crankpkg.Scaling, values ...float64) crossval.Point {
		p := crossval.Point{Scaling: s}
		for _, v := range values {
			p.Folds = append(p.Folds, crankpkg.Scores{HammingAccuracy: v})
		}
		return p
	}
	// ZScore has 51 +- 1.
	s := &crossval.Selection{Criterion: metrics.HammingAccuracy, Best: 1, Curve: []crossval.Point{
		point(crankpkg.NoScaling, 40, 42), point(crankpkg.ZScore, 50, 52), point(crankpkg.NoScaling, 50.1, 50.3),
	}}
	if got := preferUnscaled(s); got != 2 {
		t.Errorf("point %d", got)
	}
	s.Curve[2] = point(crankpkg.NoScaling, 49.7, 49.9)
	if got := preferUnscaled(s); got != 1 {
		t.Errorf("point %d", got)
	}
}

// TestChoiceGrid checks the range of lambda: 0.01 and 0.1 are within one standard
// error of the best, and half a decade is added to either side.
func TestChoiceGrid(t *testing.T) {
	t.Parallel()
	s := &crossval.Selection{Criterion: metrics.HammingAccuracy, Best: 1}
	for k, mean := range []float64{40, 50, 49.5, 30} {
		s.Curve = append(s.Curve, crossval.Point{
			Lambda: math.Pow(10, float64(k-3)), Folds: []crankpkg.Scores{{HammingAccuracy: mean - 1}, {HammingAccuracy: mean + 1}},
		})
	}
	grid := newChoice(s).grid(2)
	for k, want := range []float64{math.Sqrt(0.1), 0.1, math.Sqrt(0.001), 0.01, math.Sqrt(0.00001)} {
		if len(grid) != 5 || math.Abs(grid[k]-want) > 1e-12 {
			t.Errorf("%v: value %d is not %v", grid, k, want)
		}
	}
}

// TestPlainFW checks plain Frank-Wolfe against the library's solver: the gap
// closes, and both come to the same objective.
func TestPlainFW(t *testing.T) {
	t.Parallel()
	train, _, _ := crankpkg.PlantedTree{N: 4, D: 3, Noise: 0.1, Seed: 2}.Generate(50, 0)
	const lambda = 0.1
	f := newPlainFW(train, lambda, labelgraph.AllPairs(4), 1)
	for range 400 {
		f.pass()
	}
	m, gap := f.model("Full")
	if gap < -1e-9 || gap > 0.001 {
		t.Errorf("gap %v after 400 passes", gap)
	}
	want, _, err := crankpkg.Full{Lambda: lambda, Settings: crankpkg.Settings{Gap: 1e-6}}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	got, best := crankpkg.Primal(train, m, lambda), crankpkg.Primal(train, want, lambda)
	if got < best*(1-1e-6) || got > best*1.001 {
		t.Errorf("objective %v, the library's solver has %v", got, best)
	}
	if tree := f.spanningTree(); len(tree) != 3 || !labelgraph.IsForest(4, tree) {
		t.Errorf("%v is no spanning tree", tree)
	}
}

// TestPlainFWSteps checks that steps are those of an exact line search: where a step
// ends inside of the line, the objective has no slope along it, and where it ends at
// the labeling, it still would fall.
func TestPlainFWSteps(t *testing.T) {
	t.Parallel()
	inside := 0
	for seed := range uint64(30) {
		train, _, _ := crankpkg.PlantedTree{N: 3, D: 2, Noise: 0.1, Seed: seed + 1}.Generate(1, 0)
		f := newPlainFW(train, 0.05+0.4*float64(seed%5), labelgraph.AllPairs(3), seed)
		before := slices.Clone(f.mu[0])
		f.pass() // one example, so one step
		move := slices.Clone(f.mu[0])
		floats.Sub(move, before)
		m, _ := f.model("Full")
		c, augmented := make([]float64, 3), make([]float64, 3)
		m.Predictor().ScoresTo(c, train.Row(0))
		infer.AugmentTo(augmented, c, train.Labels(0))
		slope := floats.Dot(augmented, move[:3]) + floats.Dot(f.pair, move[3:])
		end := make([]float64, 6) // the nearest labeling on the line
		y := make(crankpkg.Labeling, 3)
		for i, v := range f.mu[0][:3] {
			y[i] = uint8(2 * math.Round(v))
		}
		f.pointTo(end, y)
		if !floats.EqualApprox(f.mu[0], end, 1e-9) {
			inside++
			if !(math.Abs(slope) <= 1e-9) {
				t.Errorf("seed %d: slope %v inside of the line", seed, slope)
			}
		} else if slope < -1e-9 {
			t.Errorf("seed %d: slope %v at the end", seed, slope)
		}
	}
	if inside < 5 || inside == 30 {
		t.Errorf("%d of 30 steps end inside of the line", inside)
	}
}
