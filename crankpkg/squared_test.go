package crankpkg

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

// rareLabels returns planted trees with some labels that are seldom on.
func rareLabels(n, size int) *Dataset {
	train, _, _ := PlantedTree{N: n, Seed: 5}.Generate(size, 0)
	for m := range size {
		for i := range train.Labels(m) {
			if i%2 == 0 && m%5 > 0 {
				train.Labels(m)[i] = 0
			}
		}
	}
	return train
}

// TestSquaredMethods trains every method with squared slacks: the certified primal is that
// of the model by the definitions, and Empty's is an upper bound for those that have it in
// their reach.
func TestSquaredMethods(t *testing.T) {
	t.Parallel()
	train := rareLabels(4, 24)
	const gap = 3e-3
	set := Settings{Gap: gap, Workers: 1, Loss: Loss{Squared: true, Costs: &infer.Costs{Balanced: true}}}
	empty, trace, err := Empty{Lambda: 0.01, Settings: set}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	most := trace.Primal
	for _, method := range []Trainer{
		Full{}, Project{}, MST{}, Greedy{}, ChowLiu{}, CRANK{Restarts: 2}, CRANK{Restarts: 1, Path: ShrinkBeta}, BestTree{}, SwapSearch{},
		FixedGraph{Edges: []Edge{{I: 0, J: 2}}}, CCCPStep{Beta: 0.001},
	} {
		adjusted, _ := Adjust(method.WithLambda(0.01), func(s *Settings) { *s = set })
		m, trace, err := adjusted.Train(context.Background(), train)
		if err != nil {
			t.Errorf("%s: %v", method.Name(), err)
			continue
		}
		workers, _ := Adjust(adjusted, func(s *Settings) { s.Workers = 3 })
		if again, _, err := workers.Train(context.Background(), train); err != nil || !reflect.DeepEqual(m, again) {
			t.Errorf("%s: other bits with three workers (%v)", method.Name(), err)
		}
		o := NewObjective(train, m.Scaler, 0.01)
		o.LabelLoss = set.Loss
		if c, ok := method.(CCCPStep); ok {
			o.Beta = c.Beta
		}
		if want := o.Primal(m); math.Abs(trace.Primal-want) > gap*want || trace.Primal > most*(1+gap) {
			t.Errorf("%s certifies %v, by definition it is %v, Empty has %v", method.Name(), trace.Primal, want, most)
		}
	}
	o := NewObjective(train, empty.Scaler, 0.01)
	o.LabelLoss = set.Loss
	testkit.CheckNear(t, "Empty", most, o.Loss(empty))
}

// TestSquaredBestTree finds the tree that training all of them finds.
func TestSquaredBestTree(t *testing.T) {
	t.Parallel()
	train := rareLabels(4, 60)
	set := Settings{Gap: 1e-4, Loss: Loss{Squared: true}}
	_, found, err := BestTree{Lambda: 0.02, Settings: set}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	_, all, err := BestTree{Lambda: 0.02, Enumerate: true, Settings: set}.Train(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(found.Primal-all.Primal) > 2e-4*all.Primal || found.Dual > all.Primal*(1+1e-9) {
		t.Errorf("the search has %v to %v, enumeration %v", found.Dual, found.Primal, all.Primal)
	}
}

// TestSlackSettings refuses what cannot be trained, and names the field.
func TestSlackSettings(t *testing.T) {
	t.Parallel()
	train := rareLabels(4, 40)
	grouped := *train
	grouped.Y = make([]uint8, len(train.Y))
	for k := range grouped.Y {
		grouped.Y[k] = uint8(k % 2)
	}
	grouped.Groups = []int{2, 2}
	costs := &infer.Costs{Missed: []float64{1, 2, 3, 4}}
	for name, c := range map[string]struct {
		method Trainer
		ds     *Dataset
		loss   Loss
		cap    float64
	}{
		"costs with pairs": {Full{}, train, Loss{Costs: costs}, 0},
		"cap":              {Empty{}, train, Loss{Squared: true}, 2},
		"groups":           {Full{}, &grouped, Loss{Squared: true}, 0},
		"F1":               {Empty{}, train, Loss{Squared: true, ExampleF1: 1}, 0},
		"Hamming 2":        {Empty{}, train, Loss{Hamming: 2, Costs: costs}, 0},
		"few costs":        {Empty{}, train, Loss{Costs: &infer.Costs{False: []float64{1}}}, 0},
		"zero cost":        {Empty{}, train, Loss{Costs: &infer.Costs{Missed: []float64{1, 1, 0, 1}}}, 0},
		"NaN":              {Empty{}, train, Loss{Squared: true, Costs: &infer.Costs{Missed: []float64{1, math.NaN(), 1, 1}}}, 0},
	} {
		method, _ := Adjust(c.method, func(s *Settings) { s.Loss, s.HingeCap = c.loss, c.cap })
		if _, _, err := method.Train(context.Background(), c.ds); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBalancedCosts weighs both sides of a label alike: repeating the examples in which it
// is on changes nothing, up to the scale of the objective.
func TestBalancedCosts(t *testing.T) {
	t.Parallel()
	train := rareLabels(1, 60)
	rows := make([]int, 0, 120)
	for m := range train.Len() {
		rows = append(rows, m)
		if train.Labels(m)[0] == 1 {
			rows = append(rows, m, m)
		}
	}
	repeated := train.Subset(rows)
	for _, squared := range []bool{false, true} {
		method := Empty{Lambda: 0.01, Settings: Settings{Gap: 1e-8, Loss: Loss{Squared: squared, Costs: &infer.Costs{Balanced: true}}}}
		_, once, err := method.Train(context.Background(), train)
		if err != nil {
			t.Fatal(err)
		}
		_, thrice, err := method.Train(context.Background(), repeated)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(once.Primal-thrice.Primal) <= 1e-7*once.Primal) {
			t.Errorf("squared %v: %v, with repeated examples %v", squared, once.Primal, thrice.Primal)
		}
	}
}
