package multistate

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// A model whose weights are of other groups than its variables, or of none, is
// refused: it would decode nonsense.
func TestValidateComparesGroups(t *testing.T) {
	t.Parallel()
	for name, groups := range map[string][]int{"none": nil, "others": {2, 4, 3}} {
		_, _, truth := Planted{N: 3, Seed: 1}.Generate(1, 0)
		if err := truth.Validate(); err != nil {
			t.Fatal(err)
		}
		one := *truth.Indicators
		one.Groups, one.Edges, one.Pair = groups, nil, nil
		truth.Indicators = &one
		if err := truth.Validate(); !errors.Is(err, crankpkg.ErrData) || !strings.Contains(err.Error(), "variables of [3 3 3] states") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Evaluate panics where there is nothing to measure, or too much.
func TestEvaluateRefuses(t *testing.T) {
	t.Parallel()
	train, test, truth := Planted{N: 3, Seed: 1}.Generate(4, 4)
	if s := Evaluate(truth, test); s.SubsetAccuracy != 100 || s.HammingAccuracy != 100 || s.Optimal != 100 {
		t.Errorf("the truth scores %+v", s)
	}
	fewer := *test
	fewer.LabelNames, fewer.StateNames = test.LabelNames[:2], test.StateNames[:2]
	none := train.Subset(nil)
	for name, ds := range map[string]*Dataset{"fewer variables": &fewer, "no examples": none} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			Evaluate(truth, ds)
		}()
	}
	wrong := *test
	wrong.Y = slices.Clone(test.Y)
	wrong.Y[0] = (wrong.Y[0] + 1) % 3
	if s := Evaluate(truth, &wrong); s.SubsetAccuracy != 75 || s.HammingAccuracy != 100*11./12 {
		t.Errorf("one of 12 states wrong: %+v", s)
	}
}

// A name that JSON cannot carry is refused before anything is written.
func TestWriteRefusesNames(t *testing.T) {
	t.Parallel()
	_, _, truth := Planted{N: 3, Seed: 1}.Generate(1, 0)
	one := *truth.Indicators
	one.FeatureNames = append([]string{"\xff"}, one.FeatureNames[1:]...)
	truth.Indicators = &one
	var b bytes.Buffer
	if n, err := truth.WriteTo(&b); !errors.Is(err, crankpkg.ErrData) || n != 0 || b.Len() != 0 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// TestModelWithoutWeights is refused, and not taken for one that predicts.
func TestModelWithoutWeights(t *testing.T) {
	t.Parallel()
	m := &Model{LabelNames: []string{"weather"}, StateNames: [][]string{{"dry", "wet"}}}
	if err := m.Validate(); !errors.Is(err, crankpkg.ErrData) || !strings.Contains(err.Error(), "no weights") {
		t.Errorf("error %v", err)
	}
}
