package crankpkg

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// labeled returns the examples that have a label.
func labeled(ds *Dataset) *Dataset {
	var rows []int
	for m := range ds.Len() {
		if slices.Contains(ds.Labels(m), 1) {
			rows = append(rows, m)
		}
	}
	return ds.Subset(rows)
}

// TestLimitedTraining trains all methods for labelings with a label: the bounds are those of the
// definition, no higher than where all labelings are rivals, and predictions have a label.
func TestLimitedTraining(t *testing.T) {
	t.Parallel()
	train, test := planted(t, 4, 40, 6)
	train = labeled(train)
	loss := Loss{Least: 1, Most: 3}
	train = train.Subset(slices.DeleteFunc(indices(train.Len()), func(m int) bool { return !decision.Rule{Most: 3}.Allows(train.Labels(m)) }))
	set := Settings{Gap: 0.005, Scaling: ZScore, Loss: loss}
	all := set
	all.Loss = Loss{Most: 4}
	plain := set
	plain.Loss = Loss{}
	for k, tr := range trainers(set) {
		m, trace, err := tr.WithLambda(0.01).Train(context.Background(), train)
		if err != nil {
			t.Fatalf("%s: %v", tr.Name(), err)
		}
		o := NewObjective(train, m.Scaler, trace.Lambda)
		o.LabelLoss = loss
		if got := o.Loss(m); !testkit.Near(got, trace.Primal, 1e-6) {
			t.Errorf("%s: objective %v, trace %v", tr.Name(), got, trace.Primal)
		}
		if m.Rule.Least != 1 || m.Rule.Most != 3 {
			t.Errorf("%s: rule %v", tr.Name(), m.Rule)
		}
		for r := range test.Len() {
			if y := m.Predict(test.Row(r)); !m.Rule.Allows(y) {
				t.Fatalf("%s: %v", tr.Name(), y)
			}
		}
		switch tr.Name() {
		case "Empty", "Full", "Chow-Liu": // of which the graph is the same
			_, free, err := trainers(plain)[k].WithLambda(0.01).Train(context.Background(), train)
			if err != nil || trace.Dual > free.Primal {
				t.Errorf("%s: dual %v, %v among all labelings, error %v", tr.Name(), trace.Dual, free.Primal, err)
			}
			_, most, err := trainers(all)[k].WithLambda(0.01).Train(context.Background(), train)
			if err != nil || tr.Name() != "Full" && (most.Dual > free.Primal || free.Dual > most.Primal) {
				t.Errorf("%s: at most all labels %v, all %v, error %v", tr.Name(), most, free, err)
			}
		}
	}
}

// TestLimitedTrainingOnScene compares with the same limit at prediction alone, where every
// scene has a label and the model was not told: more test examples are right.
func TestLimitedTrainingOnScene(t *testing.T) {
	t.Parallel()
	train, test, err := LoadSplit("scene")
	if err != nil {
		t.Fatal(err)
	}
	right := func(loss Loss) float64 {
		m, _, err := Empty{Lambda: 0.003, Settings: Settings{Loss: loss}}.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		m.Rule = decision.Rule{Least: 1}
		return Evaluate(m, test).SubsetAccuracy
	}
	if told, limited := right(Loss{Least: 1}), right(Loss{}); !(told > limited+1) {
		t.Errorf("subset accuracy %.1f, with the limit at prediction alone %.1f", told, limited)
	}
}

func TestLimitedRefuses(t *testing.T) {
	t.Parallel()
	train, _ := planted(t, 4, 40, 6)
	train = labeled(train)
	clear(train.Labels(7))
	_, _, err := Empty{Settings: Settings{Loss: Loss{Least: 1}}}.Train(context.Background(), train)
	if !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "example 7 has 0 labels, not 1 or more") {
		t.Errorf("an example without a label: %v", err)
	}
	for _, loss := range []Loss{{Least: -1}, {Most: -1}, {Least: 3, Most: 2}, {Least: 1, Squared: true}} {
		if _, _, err := (Empty{Settings: Settings{Loss: loss}}).Train(context.Background(), train); !errors.Is(err, ErrSettings) {
			t.Errorf("%v: %v", loss, err)
		}
	}
	if _, _, err := (Full{Settings: Settings{Loss: Loss{Least: 1}}}).Train(context.Background(), grouped(20, 1)); !errors.Is(err, ErrSettings) {
		t.Errorf("labels in groups: %v", err)
	}
}

func indices(size int) []int {
	list := make([]int, size)
	for k := range list {
		list[k] = k
	}
	return list
}
