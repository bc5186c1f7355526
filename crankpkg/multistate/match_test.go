package multistate

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// reordered returns ds with features, variables and states in random orders.
func reordered(ds *Dataset, rng *rand.Rand) *Dataset {
	columns, order := rng.Perm(ds.NumFeatures()), rng.Perm(ds.NumLabels())
	other := &Dataset{Name: "reordered", X: ds.X.SelectColumns(columns), Y: make([]uint8, len(ds.Y))}
	for _, k := range columns {
		other.FeatureNames = append(other.FeatureNames, ds.FeatureNames[k])
	}
	for p, i := range order {
		states := rng.Perm(len(ds.StateNames[i]))
		names := make([]string, len(states))
		for s, place := range states {
			names[place] = ds.StateNames[i][s]
		}
		other.LabelNames, other.StateNames = append(other.LabelNames, ds.LabelNames[i]), append(other.StateNames, names)
		for m := range ds.Len() {
			other.Y[m*ds.NumLabels()+p] = uint8(states[ds.Labels(m)[i]])
		}
	}
	return other
}

// TestEvaluateGoesByNames evaluates on the same rows in other orders of everything.
func TestEvaluateGoesByNames(t *testing.T) {
	t.Parallel()
	_, test, truth := Planted{N: 4, D: 3, Noise: 0.2, Seed: 3}.Generate(0, 40)
	want := Evaluate(truth, test)
	rng := rand.New(rand.NewPCG(3, 3))
	for range 10 {
		other := reordered(test, rng)
		if got := Evaluate(truth, other); got != want {
			t.Errorf("%v %v: %v, want %v", other.LabelNames, other.StateNames, got, want)
		}
		matched, err := truth.Match(other)
		if err != nil || !slices.Equal(matched.Y, test.Y) || !slices.Equal(matched.X.Value, test.X.Value) {
			t.Errorf("matched to other rows, error %v", err)
		}
		other.StateNames[1][0] = "another"
		if _, err := truth.Match(other); !errors.Is(err, crankpkg.ErrData) || !strings.Contains(err.Error(), "another") {
			t.Errorf("another state: error %v", err)
		}
	}
	if same, err := truth.Match(test); same != test || err != nil {
		t.Errorf("the same order does not give the data set itself: error %v", err)
	}
}
