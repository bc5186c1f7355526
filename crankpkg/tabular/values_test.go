package tabular_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

var (
	rows = [][]float64{{1, 2, 3}, {4, 5, 6}}
	sets = [][]string{{"wet", "cold"}, {}}
)

// All forms of the same values give the same data set.
func TestFromValues(t *testing.T) {
	names := tabular.Names{Dataset: "d", Features: []string{"a", "b", "c"}, Labels: []string{"cold", "wet"}}
	x := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	y := mat.NewDense(2, 2, []float64{1, 1, 0, 0})
	for name, labels := range map[string]tabular.Labels{
		"bool":   tabular.Indicators([][]bool{{true, true}, {false, false}}),
		"int":    tabular.ZeroOne([][]int{{1, 1}, {0, 0}}),
		"float":  tabular.ZeroOne([][]float64{{1, 1}, {0, 0}}),
		"uint8":  tabular.ZeroOne([][]uint8{{1, 1}, {0, 0}}),
		"matrix": tabular.ZeroOneMatrix(y),
		"sets":   tabular.Sets(sets),
	} {
		byRows, err := tabular.FromRows(rows, labels, names)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		byMatrix, err := tabular.FromMatrix(x.T().T(), labels, names)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, ds := range []*crankpkg.Dataset{byRows, byMatrix} {
			if ds.Name != "d" || !slices.Equal(ds.X.Value, []float64{1, 2, 3, 4, 5, 6}) || !slices.Equal(ds.Y, []uint8{1, 1, 0, 0}) ||
				!slices.Equal(ds.FeatureNames, names.Features) || !slices.Equal(ds.LabelNames, names.Labels) {
				t.Errorf("%s: %v with x %v, y %v, names %q and %q", name, ds, ds.X.Value, ds.Y, ds.FeatureNames, ds.LabelNames)
			}
		}
	}
}

// Nothing of what comes out shares memory with what went in.
func TestFromRowsCopies(t *testing.T) {
	x, y := [][]float64{{1}}, [][]int{{1}}
	names := tabular.Names{Features: []string{"a"}, Labels: []string{"l"}}
	ds, err := tabular.FromRows(x, tabular.ZeroOne(y), names)
	if err != nil {
		t.Fatal(err)
	}
	x[0][0], y[0][0], names.Features[0], names.Labels[0] = 9, 0, "z", "z"
	if ds.X.Value[0] != 1 || ds.Y[0] != 1 || ds.FeatureNames[0] != "a" || ds.LabelNames[0] != "l" {
		t.Errorf("%v changed with the values that it was made of", ds)
	}
}

func TestFromValuesNames(t *testing.T) {
	ds, err := tabular.FromRows(rows, tabular.ZeroOne([][]int{{1, 0}, {0, 1}}), tabular.Names{})
	if err != nil || ds.Name != "data" || !slices.Equal(ds.FeatureNames, []string{"x1", "x2", "x3"}) || !slices.Equal(ds.LabelNames, []string{"y1", "y2"}) {
		t.Errorf("%v, error %v", ds, err)
	}
	if ds, err = tabular.FromRows(rows, tabular.Sets(sets), tabular.Names{}); err != nil || !slices.Equal(ds.LabelNames, []string{"cold", "wet"}) {
		t.Errorf("%v, error %v", ds, err)
	}
}

func TestFromValuesRefuses(t *testing.T) {
	y := tabular.ZeroOne([][]int{{1}, {0}})
	for _, test := range []struct {
		name   string
		x      [][]float64
		labels tabular.Labels
		names  tabular.Names
		in     string
	}{
		{"no rows", nil, tabular.ZeroOne[int](nil), tabular.Names{}, "no examples"},
		{"nothing", nil, tabular.Labels{}, tabular.Names{}, "no labels"},
		{"no features", [][]float64{{}, {}}, y, tabular.Names{}, "no features"},
		{"no labels", rows, tabular.Indicators([][]bool{{}, {}}), tabular.Names{}, "no labels"},
		{"no sets", rows, tabular.Sets([][]string{{}, {}}), tabular.Names{}, "no labels"},
		{"more rows than labels", [][]float64{{1}}, y, tabular.Names{}, "1 rows of features and 2 of labels"},
		{"a short row", [][]float64{{1, 2}, {1}}, y, tabular.Names{}, "row 1 has 1 values, not 2"},
		{"too few names", rows, y, tabular.Names{Features: []string{"a"}}, "row 0 has 3 values, not 1"},
		{"two features of one name", rows, y, tabular.Names{Features: []string{"a", "b", "a"}}, `two features are called "a"`},
		{"two labels of one name", rows, tabular.ZeroOne([][]int{{1, 0}, {0, 0}}), tabular.Names{Labels: []string{"l", "l"}}, `two labels are called "l"`},
		{"NaN", [][]float64{{1, 2}, {1, math.NaN()}}, y, tabular.Names{}, `row 1, feature "x2": NaN`},
		{"infinity", [][]float64{{1, 2}, {math.Inf(-1), 1}}, y, tabular.Names{}, `row 1, feature "x1": -Inf`},
		{"another number", rows, tabular.ZeroOne([][]float64{{1, 0}, {0, 0.5}}), tabular.Names{}, `row 1, label "y2": 0.5 is neither`},
		{"NaN as a label", rows, tabular.ZeroOneMatrix(mat.NewDense(2, 1, []float64{0, math.NaN()})), tabular.Names{}, `row 1, label "y1": NaN is neither`},
		{"a short row of labels", rows, tabular.ZeroOne([][]int{{1, 0}, {0}}), tabular.Names{}, "row 1 has 1 labels, not 2"},
		{"too few label names", rows, y, tabular.Names{Labels: []string{}}, "row 0 has 1 labels, not 0"},
		{"an unknown label", rows, tabular.Sets(sets), tabular.Names{Labels: []string{"wet"}}, `row 0: "cold" is none of the 1 labels`},
	} {
		ds, err := tabular.FromRows(test.x, test.labels, test.names)
		if !errors.Is(err, crankpkg.ErrData) || ds != nil || !strings.Contains(err.Error(), test.in) {
			t.Errorf("%s: %v, error %v; want one that says %s", test.name, ds, err, test.in)
		}
	}
	_, err := tabular.FromMatrix(mat.NewDense(1, 2, nil), y, tabular.Names{Features: []string{"a"}})
	if !errors.Is(err, crankpkg.ErrData) || !strings.Contains(err.Error(), "1 feature names for 2 columns") {
		t.Errorf("error %v", err)
	}
}
