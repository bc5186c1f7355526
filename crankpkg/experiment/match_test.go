package experiment

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// TestExperimentGoesByNames has a test set whose features and labels are in another
// order, and one that lacks a feature.
func TestExperimentGoesByNames(t *testing.T) {
	t.Parallel()
	run := func(change func(test *crankpkg.Dataset) (*crankpkg.Dataset, error)) (*Cell, error) {
		e := Experiment{
			Sets: []Set{{Name: "planted", Load: func(seed uint64) (train, test *crankpkg.Dataset, err error) {
				train, test, _ = crankpkg.PlantedTree{N: 3, D: 4, Seed: seed}.Generate(40, 30)
				test, err = change(test)
				return train, test, err
			}}},
			Trainers: []crankpkg.Trainer{crankpkg.Empty{Lambda: 0.01}}, Seeds: []uint64{1},
		}
		table, err := e.Run(context.Background())
		if err != nil {
			return nil, err
		}
		return &table.Cells[0], nil
	}
	want, err := run(func(test *crankpkg.Dataset) (*crankpkg.Dataset, error) { return test, nil })
	if err != nil {
		t.Fatal(err)
	}
	got, err := run(func(test *crankpkg.Dataset) (*crankpkg.Dataset, error) {
		features, labels := slices.Clone(test.FeatureNames), slices.Clone(test.LabelNames)
		slices.Reverse(features)
		slices.Reverse(labels)
		return test.MatchNames(features, labels)
	})
	if err != nil || got.Scores != want.Scores || !slices.Equal(got.Predicted, want.Predicted) || !slices.Equal(got.Truth, want.Truth) {
		t.Errorf("%+v, error %v; want %+v", got, err, want)
	}
	_, err = run(func(test *crankpkg.Dataset) (*crankpkg.Dataset, error) {
		test.FeatureNames = slices.Clone(test.FeatureNames)
		test.FeatureNames[2] = "another"
		return test, nil
	})
	if !errors.Is(err, crankpkg.ErrData) || !strings.Contains(err.Error(), `"another"`) {
		t.Errorf("another feature: error %v", err)
	}
}
