package results

import (
	"context"
	"fmt"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/gated"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// checkInput trains some of the methods on all training examples at the lambda that was chosen, without the functions of the part.
func checkInput(t *testing.T, o Options) {
	rows := trial[inputRow](t, o, "input", "question_input.json")
	if want := 4 * 7; len(rows) != want {
		t.Fatalf("%d rows, and not %d", len(rows), want)
	}
	for k, r := range rows {
		s := crankpkg.Settings{Gap: 0.02, Scaling: standing[r.Set].scaling}
		var ds, test *crankpkg.Dataset
		var err error
		if k < 3*7 {
			ds, test, _ = gated.Planted{Tree: crankpkg.PlantedTree{N: 4, Noise: 0.02, Seed: 1}, Kind: gated.Kind(k / 7)}.Generate(40, 100)
		} else if ds, test, err = testSets.Seeded("emotions", 2./3, 1); err != nil {
			t.Fatal(err)
		}
		linear := s
		linear.EdgeFeatures.All = true
		tree := crankpkg.CRANK{Lambda: r.Lambda, Restarts: 1, Settings: s}
		alone := trainOn(t, ds, test, crankpkg.Empty{Lambda: r.Lambda, Settings: s})
		split, strength, err := gated.SplitByMistakes(ds, alone.Model)
		if err != nil {
			t.Fatal(err)
		}
		var want crankpkg.Scores
		switch r.Method {
		case "Empty":
			want = alone.scores
		case "one tree":
			want = trainOn(t, ds, test, tree).scores
		case "linear weights":
			want = trainOn(t, ds, test, crankpkg.CRANK{Lambda: r.Lambda, Restarts: 1, Settings: linear}).scores
		case "trees by the true split":
			want = gatedScores(t, tree, gated.Split{}, ds, test)
		case "Empty by split":
			want = gatedScores(t, crankpkg.Empty{Lambda: r.Lambda, Settings: s}, split, ds, test)
		case "trees by split":
			want = gatedScores(t, tree, split, ds, test)
		case "one tree, weights by split":
			m := trainOn(t, ds, test, tree).Model
			want = gatedScores(t, crankpkg.FixedGraph{Lambda: r.Lambda, Edges: m.Edges, Settings: s}, split, ds, test)
		case "trees by clusters":
			c, err := gated.NewClusters(ds.X, 2, 1)
			if err != nil {
				t.Fatal(err)
			}
			want = gatedScores(t, tree, c, ds, test)
		}
		if r.Scores != want || r.Size != ds.Len() || r.Test != test.Len() || r.Draw != 1 {
			t.Errorf("%+v, directly %v", r, want)
		}
		if r.Strength != 0 && (r.Strength != strength || r.Column != split.Column) {
			t.Errorf("%+v, and the split is %+v of %v", r, split, strength)
		}
	}
}

func gatedScores(t *testing.T, trainer crankpkg.Trainer, gate gated.Gate, train, test *crankpkg.Dataset) crankpkg.Scores {
	t.Helper()
	m, err := gated.Train(context.Background(), trainer, gate, train)
	if err != nil {
		t.Fatal(err)
	}
	return gated.Evaluate(m, test)
}

// TestInputChoosesLambda lets a method have its best fold at a known lambda.
func TestInputChoosesLambda(t *testing.T) {
	t.Parallel()
	train, test, _ := crankpkg.PlantedTree{N: 3, Seed: 1}.Generate(30, 30)
	right := map[string]uint8{} // y of each row, by its features
	for _, ds := range []*crankpkg.Dataset{train, test} {
		for m := range ds.Len() {
			for i, y := range ds.Labels(m) {
				right[string(rune('a'+i))+fmt.Sprint(ds.Row(m).Value)] = y
			}
		}
	}
	b := byInput{"oracle", func(_ context.Context, s crankpkg.Settings, lambda float64, _ *crankpkg.Dataset) (labeler, error) {
		return labeler{all: func(x *crankpkg.Matrix) (y []uint8) {
			for m := range x.NumRows {
				for i := range 3 {
					v := right[string(rune('a'+i))+fmt.Sprint(x.Row(m).Value)]
					if lambda != 0.2 {
						v = 1 - v
					}
					y = append(y, v)
				}
			}
			return y
		}}, nil
	}}
	r, err := b.scored(context.Background(), crankpkg.Settings{}, []float64{0.1, 0.2, 0.3}, train, test)
	if err != nil || r.Lambda != 0.2 || r.Scores.Of(metrics.SubsetAccuracy) != 100 {
		t.Errorf("%+v, %v", r, err)
	}
}

func checkBound(t *testing.T, o Options) {
	rows := trial[boundRow](t, o, "bound", "question_bound.json")
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		s := crankpkg.Settings{Gap: 0.02, Scaling: standing[r.Set].scaling}
		for _, of := range []struct {
			crankpkg.Trainer
			got outcome
		}{{crankpkg.Empty{Settings: s}, r.Empty}, {crankpkg.CRANK{Settings: s}, r.CRANK}, {crankpkg.Full{Settings: s}, r.Full}} {
			want := train(t, r.Set, of.WithLambda(r.Lambda))
			if of.got.Primal != want.Primal || of.got.Dual != want.Dual || of.got.CPU <= 0 {
				t.Errorf("%s, %s: %+v, directly %v, %v", r.Set, of.Name(), of.got, want.Primal, want.Dual)
			}
		}
		// Fewer pairs can do no better: each lower bound is below the upper bounds of those with fewer pairs.
		if r.Full.Dual > r.CRANK.Primal || r.CRANK.Dual > r.Empty.Primal || r.Scaling != s.Scaling {
			t.Errorf("%+v", r)
		}
	}
}
