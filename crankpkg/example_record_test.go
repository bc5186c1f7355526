package crankpkg_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/tabular"
)

// A model keeps what the columns of its training file mean: raw records go in, names of
// labels come out.
func ExamplePredictor_PredictRecord() {
	text := `temperature,sky,rain,wind
21,clear,0,0
12,clear,0,0
9,dark,1,1
14,cloudy,0,1
,dark,1,0
`
	train, err := tabular.ParseCSV(strings.NewReader(text), "weather.csv", tabular.CSVOptions{LabelCount: -2, Imputer: &crankpkg.Imputer{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _, err := crankpkg.Empty{Lambda: 0.01, Settings: crankpkg.Settings{Scaling: crankpkg.ZScore}}.Train(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := m.Predictor()
	for _, record := range []map[string]any{
		{"sky": "dark", "temperature": 8},
		{"sky": "clear"}, // the mean temperature stands in
		{"sky": "green", "temperature": 8},
		{"sky": "dark", "temperatur": 8},
	} {
		labels, err := p.PredictRecord(record)
		fmt.Println(labels, err)
	}
	// Output:
	// [rain wind] <nil>
	// [] <nil>
	// [] crankpkg: unusable data: column "sky": "green" is none of the values "{clear,cloudy,dark}"
	// [] crankpkg: unusable data: column "temperatur" is unknown; the nearest: "temperature"
}

// A coding of one's own, for a model of features that were coded elsewhere.
func ExampleCoding() {
	m := &crankpkg.Model{
		FeatureNames: []string{"hours", "day=sun"}, LabelNames: []string{"open"}, Unary: []float64{0, -2, 1},
		Coding: crankpkg.Coding{
			Columns: []tabular.Column{
				{Name: "hours", Fill: []float64{8}},
				{Name: "day", Values: []string{"mon", "sun"}},
			},
			IgnoreUnseen: true,
		},
	}
	p := m.Predictor()
	for _, day := range []string{"mon", "sun", "tue"} {
		x, err := p.EncodeRecord(map[string]any{"day": day})
		fmt.Println(x.Value, p.PredictLabels(x), err)
	}
	// Output:
	// [8 0] [open] <nil>
	// [8 1] [] <nil>
	// [8 0] [open] <nil>
}
