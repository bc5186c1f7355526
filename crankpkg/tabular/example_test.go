package tabular_test

import (
	"fmt"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// A table with names and a missing cell, and a test file whose columns stand in another
// order. The same options read both, so that they are coded alike.
func ExampleParseCSV() {
	train := `income,member,city,buys_books,buys_music
31,yes,Oslo,1,0
45,no,Rome,0,1
,no,Lima,1,1
`
	test := `city,income,member,buys_books,buys_music
Rome,28,yes,1,0
`
	opts := tabular.CSVOptions{LabelPrefix: "buys_", Imputer: &crankpkg.Imputer{}, Coding: &tabular.Coding{}}
	for _, text := range []string{train, test} {
		ds, err := tabular.ParseCSV(strings.NewReader(text), "shop.csv", opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(ds.FeatureNames, ds.LabelNames)
		fmt.Println(ds.X.Value, ds.Y)
	}
	// Output:
	// [income member city=Lima city=Oslo city=Rome] [buys_books buys_music]
	// [31 1 0 1 0 45 0 0 0 1 38 0 1 0 0] [1 0 0 1 1 1]
	// [income member city=Lima city=Oslo city=Rome] [buys_books buys_music]
	// [28 1 0 0 1] [1 0]
}

// What is refused is named by file, line and column.
func ExampleParseCSV_refused() {
	text := "year,genres\n1994,drama|crime\nunknown,drama\n"
	_, err := tabular.ParseCSV(strings.NewReader(text), "films.csv", tabular.CSVOptions{LabelColumn: "genres", Separator: "|"})
	fmt.Println(err)
	// Output:
	// crankpkg: unusable data: films.csv:3: column "year": "unknown" is not a finite number; if it stands for a missing value, list it in CSVOptions.Missing
}

func ExampleParseLIBSVM() {
	ds, err := tabular.ParseLIBSVM(strings.NewReader("1,3 2:0.5 7:1\n2 1:4\n"), "sparse.svm", tabular.LIBSVMOptions{OneBased: true, OneBasedLabels: true})
	fmt.Println(ds, err)
	fmt.Println(ds.LabelNames, ds.Labels(0), ds.Row(0))
	// Output:
	// sparse: 2 examples, 7 sparse features, 3 labels, cardinality 1.500 <nil>
	// [y1 y2 y3] [1 0 1] {[1 6] [0.5 1]}
}

func ExampleFromRows() {
	x := [][]float64{{21, 0.3}, {4, 0.9}}
	ds, err := tabular.FromRows(x, tabular.Sets([][]string{{"warm"}, {"cold", "wet"}}), tabular.Names{Features: []string{"degrees", "humidity"}})
	fmt.Println(ds, err)
	fmt.Println(ds.LabelNames, ds.Y)
	// Output:
	// data: 2 examples, 2 dense features, 3 labels, cardinality 1.500 <nil>
	// [cold warm wet] [0 1 0 1 0 1]
}
