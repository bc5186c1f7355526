package arff_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/internal/arff"
	"github.com/crank-ml/crank/crankpkg/internal/errs"
	"github.com/crank-ml/crank/crankpkg/internal/testkit"
)

const imputeHead = "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute n numeric\n@attribute b {1,0}\n@attribute k {x,y,z}\n@attribute s {p,q}\n@data\n"

// The means and the most frequent values are those of the training rows.
func TestImputer(t *testing.T) {
	trainForms := []string{
		imputeHead + "0,1,1,y,p\n1,NaN,0,z,q\n0,3,?,?,?\n1,8,0,z,q\n",
		imputeHead + "{1 1,3 y}\n{0 1,1 ?,2 0,3 z,4 q}\n{1 3,2 ?,3 ?,4 ?}\n{0 1,1 8,2 0,3 z,4 q}\n",
	}
	testForms := []string{
		imputeHead + "1,?,?,?,?\n0,-7,1,x,p\n",
		imputeHead + "{0 1,1 ?,2 ?,3 ?,4 ?}\n{1 -7}\n",
	}
	wantTrain := [][]float64{
		{1, 1, 0, 1, 0, 0},
		{4, 0, 0, 0, 1, 1}, // (1+3+8)/3
		{3, 0, 0, 0, 1, 1}, // b is 0 twice in three, k is z twice in three, s is q
		{8, 0, 0, 0, 1, 1},
	}
	wantTest := [][]float64{{4, 0, 0, 0, 1, 1}, {-7, 1, 1, 0, 0, 0}}
	for f := range trainForms {
		fill := &arff.Imputer{}
		train, err := crankpkg.ParseARFF(strings.NewReader(trainForms[f]), "train.arff", arff.Options{Imputer: fill})
		if err != nil {
			t.Fatal(err)
		}
		if got := testkit.DenseRows(train.X); !reflect.DeepEqual(got, wantTrain) {
			t.Errorf("train %v, want %v", got, wantTrain)
		}
		fitted := slices.Clone(fill.Fill)
		for g := range testForms {
			test, err := crankpkg.ParseARFF(strings.NewReader(testForms[g]), "test.arff", arff.Options{Imputer: fill})
			if err != nil {
				t.Fatal(err)
			}
			if got := testkit.DenseRows(test.X); !reflect.DeepEqual(got, wantTest) {
				t.Errorf("test %v, want %v", got, wantTest)
			}
			if err := test.Validate(); err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(fill.Fill, fitted) {
			t.Errorf("the test file changed the imputer from %v to %v", fitted, fill.Fill)
		}
	}
}

// Of values that are equally frequent the first declared one is taken.
func TestImputerTies(t *testing.T) {
	fill := &arff.Imputer{}
	_, err := crankpkg.ParseARFF(strings.NewReader(imputeHead+"0,1,1,z,q\n0,1,0,y,p\n"), "x", arff.Options{Imputer: fill})
	if want := []float64{1, 1, 0, 1, 0, 0}; err != nil || !slices.Equal(fill.Fill, want) {
		t.Errorf("fill %v, error %v, want %v", fill.Fill, err, want)
	}
}

func TestImputerRefuses(t *testing.T) {
	_, err := crankpkg.ParseARFF(strings.NewReader(imputeHead+"0,?,1,z,q\n0,?,0,y,p\n"), "all.arff", arff.Options{Imputer: &arff.Imputer{}})
	if !errors.Is(err, errs.ErrData) || !strings.Contains(err.Error(), `all.arff:3: attribute "n"`) {
		t.Errorf("every value missing: error %v", err)
	}
	other := &arff.Imputer{Columns: []string{"n"}, Fill: []float64{1}}
	_, err = crankpkg.ParseARFF(strings.NewReader(imputeHead+"0,?,1,z,q\n"), "all.arff", arff.Options{Imputer: other})
	if !errors.Is(err, errs.ErrSettings) {
		t.Errorf("an imputer of other features: error %v", err)
	}
}

// Large values do not overflow while they are averaged.
func TestImputerLargeValues(t *testing.T) {
	fill := &arff.Imputer{}
	_, err := crankpkg.ParseARFF(strings.NewReader(imputeHead+strings.Repeat("0,1.5e308,1,z,q\n", 4)), "x", arff.Options{Imputer: fill})
	if err != nil || fill.Fill[0] != 1.5e308 {
		t.Errorf("mean %v, error %v, want 1.5e308", fill.Fill, err)
	}
}
