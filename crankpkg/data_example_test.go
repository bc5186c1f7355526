package crankpkg_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/feature"
)

// A MEKA file says in its relation name that the first two attributes are
// labels. The nominal feature of three values becomes three columns.
func ExampleParseARFF() {
	text := `@relation 'weather: -C 2'
@attribute rain {0,1}
@attribute wind {0,1}
@attribute pressure numeric
@attribute sky {clear, cloudy, dark}
@data
0, 1, 1021, clear
1, 1,  992, dark
`
	ds, err := crankpkg.ParseARFF(strings.NewReader(text), "weather.arff", crankpkg.ARFFOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ds)
	fmt.Println(ds.LabelNames, ds.Labels(1))
	fmt.Println(ds.FeatureNames, ds.Row(1).Value)
	// Output:
	// weather: 2 examples, 4 dense features, 2 labels, cardinality 1.500
	// [rain wind] [1 1]
	// [pressure sky=clear sky=cloudy sky=dark] [992 0 0 1]
}

// What is refused is named by file, line and attribute.
func ExampleParseARFF_refused() {
	text := "@relation r\n@attribute x real\n@attribute y {0,1}\n@data\n0.5,1\n?,0\n"
	_, err := crankpkg.ParseARFF(strings.NewReader(text), "r.arff", crankpkg.ARFFOptions{Labels: []string{"y"}})
	fmt.Println(err)
	// Output:
	// crankpkg: unusable data: r.arff:6: attribute "x": a value is missing; ARFFOptions.Imputer fills it in
}

// An imputer is fitted to the training file, and fills in the test file too.
func ExampleImputer() {
	head := "@relation r\n@attribute x real\n@attribute y {0,1}\n@data\n"
	opts := crankpkg.ARFFOptions{LabelCount: -1, Imputer: &crankpkg.Imputer{}}
	train, _ := crankpkg.ParseARFF(strings.NewReader(head+"1,0\n3,1\n?,1\n"), "train.arff", opts)
	test, _ := crankpkg.ParseARFF(strings.NewReader(head+"?,0\n"), "test.arff", opts)
	fmt.Println(train.X.Value, test.X.Value)
	// Output: [1 3 2] [2]
}

func ExamplePlantedTree() {
	train, test, truth := crankpkg.PlantedTree{N: 5, Seed: 1}.Generate(100, 1000)
	fmt.Println(train.Len(), test.Len(), train.NumLabels(), len(truth.Edges))
	fmt.Println("the truth predicts:", crankpkg.Evaluate(truth, test))
	// Output:
	// 100 1000 5 4
	// the truth predicts: Hamming accuracy 100.0  subset accuracy 100.0  F1 100.0
}

func ExampleFitScaler() {
	train := feature.NewDense(2, [][]float64{{0, 10}, {4, 30}})
	test := feature.NewDense(2, [][]float64{{1, 20}})
	s, err := feature.FitScaler(crankpkg.MinMax, train)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Apply(test).Row(0).Value)
	// Output: [0.25 0.5]
}

func ExampleDataset_Folds() {
	ds, _, _ := crankpkg.PlantedTree{}.Generate(10, 0)
	folds, err := ds.Folds(3, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range folds {
		fmt.Println(ds.Subset(f.Train).Len(), ds.Subset(f.Test).Len())
	}
	// Output:
	// 7 3
	// 7 3
	// 6 4
}

// Each fold tests on its share of a rare label.
func ExampleDataset_StratifiedFolds() {
	ds := &crankpkg.Dataset{
		FeatureNames: []string{"x"}, LabelNames: []string{"rare", "even"},
		X: &crankpkg.Matrix{NumRows: 30, NumCols: 1, Value: make([]float64, 30)}, Y: make([]uint8, 60),
	}
	for m := range ds.Len() {
		ds.Labels(m)[1] = uint8(m % 2)
	}
	for m := range 3 {
		ds.Labels(m)[0] = 1
	}
	folds, err := ds.StratifiedFolds(3, 1, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, fold := range folds {
		fmt.Println(ds.Subset(fold.Test).LabelCounts())
	}
	// Output:
	// [1 5]
	// [1 5]
	// [1 5]
}
