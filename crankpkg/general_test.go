package crankpkg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/labelgraph"
)

// generalSettings are the label losses and edge features of the tests.
func generalSettings() (losses []Loss, features []EdgeFeatures) {
	return []Loss{{}, {Hamming: 0.5}, {ZeroOne: 1}, {Hamming: 0.2, ZeroOne: 0.8, ExampleF1: 0.5}},
		[]EdgeFeatures{{}, {All: true}, {Columns: []int{1}, Scale: 0.3}, {Columns: []int{0, 2}}}
}

// TestGeneralTrainers trains every method with every label loss and kind of edge
// features, and compares its bounds with those computed from the definitions.
func TestGeneralTrainers(t *testing.T) {
	t.Parallel()
	train, test := planted(t, 4, 9, 6)
	const gap = 0.03
	losses, features := generalSettings()
	for l, loss := range losses {
		for i, f := range features {
			set := Settings{Gap: gap, Loss: loss, EdgeFeatures: f, Scaling: ZScore, Workers: 1, Seed: 3}
			workers := set
			workers.Workers = 3
			for k, tr := range trainers(set) {
				name := fmt.Sprintf("%s, %v, %+v", tr.Name(), loss, f)
				m, trace, err := tr.Train(context.Background(), train)
				if err != nil {
					t.Fatal(name, err)
				}
				if err := m.Validate(); err != nil {
					t.Fatal(name, err)
				}
				if trace.Status != Converged || trace.Gap() > gap || trace.Gap() < -1e-9 {
					t.Errorf("%s: %s at gap %v", name, trace.Status, trace.Gap())
				}
				o := NewObjective(train, m.Scaler, trace.Lambda)
				o.LabelLoss = loss
				if got := o.Loss(m); !(math.Abs(got-trace.Primal) <= 1e-9*(1+got)) {
					t.Errorf("%s: objective %v, by definition %v", name, trace.Primal, got)
				}
				if cyclic := tr.Name() == "Full" || tr.Name() == "Fixed"; !cyclic && !labelgraph.IsForest(4, m.Edges) {
					t.Errorf("%s: %v has a cycle", name, m.Edges)
				}
				checkPredictions(t, name, m, test)
				if i != l%len(features) {
					continue // each loss and each kind of features once
				}
				again, _, err := trainers(workers)[k].Train(context.Background(), train)
				if err != nil || !reflect.DeepEqual(m, again) {
					t.Errorf("%s: other bits with three workers (%v)", name, err)
				}
			}
		}
	}
}

// checkPredictions compares predictions on a forest with enumeration.
func checkPredictions(t *testing.T, name string, m *Model, test *Dataset) {
	t.Helper()
	n := m.NumLabels()
	all := m.PredictAll(test.X)
	bits := make([]uint8, n)
	for k := range 40 {
		x := test.Row(k)
		g, c := m.GraphAt(x), m.Scores(x)
		if !labelgraph.IsForest(n, m.Edges) {
			return
		}
		best := math.Inf(-1)
		for _, y := range infer.AllLabelings(n) {
			best = max(best, y.Value(g, c))
		}
		for i, v := range m.Predict(x) {
			if bits[i] = v; all[k*n+i] != v {
				t.Fatalf("%s: row %d: %v alone, %v in a batch", name, k, m.Predict(x), all[k*n:(k+1)*n])
			}
		}
		if got := m.Score(x, bits); !(math.Abs(got-best) <= 1e-9*(1+math.Abs(best))) {
			t.Fatalf("%s: row %d: predicted score %v, best %v", name, k, got, best)
		}
	}
}

// TestLossOfManyLabels checks that a loss which is no sum over labels is refused
// where graphs with cycles are too large to enumerate, and taken on forests.
func TestLossOfManyLabels(t *testing.T) {
	train, _ := planted(t, infer.EnumerableLabels+1, 20, 1)
	set := Settings{Loss: Loss{ZeroOne: 1}, MaxPasses: 1}
	for _, tr := range []Trainer{Full{Settings: set}, Project{Settings: set}, CRANK{Settings: set}} {
		if _, _, err := tr.WithLambda(0.1).Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: error %v", tr.Name(), err)
		}
	}
	if _, _, err := (ChowLiu{Lambda: 0.1, Settings: set}).Train(context.Background(), train); errs.OrNotConverged(err) != nil {
		t.Errorf("Chow-Liu: %v", err)
	}
}

// TestConstantEdgeFeatures trains with z(x) = (1, 0): the vectors of the pairs
// then are scalars, and every method has to come to the objective it has without
// features on the edges.
func TestConstantEdgeFeatures(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 4, 80, 8)
	d := train.NumFeatures()
	wider := *train
	wider.FeatureNames = append(numberedNames("x", d), "nothing")
	wider.X = &Matrix{NumRows: train.Len(), NumCols: d + 1}
	for m := range train.Len() {
		wider.X.Value = append(append(wider.X.Value, train.X.Dense().Row(m).Value...), 0)
	}
	set := Settings{Gap: 0.001}
	vector := set
	vector.EdgeFeatures = EdgeFeatures{Columns: []int{d}}
	for k, tr := range trainers(set) {
		_, scalar, err := tr.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		m, trace, err := trainers(vector)[k].Train(context.Background(), &wider)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.PairFeatures) != len(m.Edges) {
			t.Errorf("%s: %d weights of features on %d edges", tr.Name(), len(m.PairFeatures), len(m.Edges))
		}
		if !(math.Abs(trace.Primal-scalar.Primal) <= 0.001*scalar.Primal) {
			t.Errorf("%s: objective %v, %v with scalars", tr.Name(), trace.Primal, scalar.Primal)
		}
	}
}
