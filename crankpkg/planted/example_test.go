package planted_test

import (
	"context"
	"fmt"
	"log"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/planted"
)

// The plain hinge predicts labels off that are rare and that the words tell little of.
// With squared slacks more of them are found, and all are ranked better.
func Example() {
	train, test := planted.Tags{}.Generate(2000, 1000)
	score := func(loss crankpkg.Loss) (precision, f1 float64) {
		m, _, err := crankpkg.Empty{Lambda: 0.01, Settings: crankpkg.Settings{Loss: loss}}.Train(context.Background(), train)
		if err != nil {
			log.Fatal(err)
		}
		report, err := m.Report(test)
		if err != nil {
			log.Fatal(err)
		}
		return report.Ranking.AveragePrecision, report.Scores.ExampleF1
	}
	plain, plainF1 := score(crankpkg.Loss{})
	squared, squaredF1 := score(crankpkg.Loss{Squared: true})
	fmt.Println("average precision is higher:", squared > plain+1)
	fmt.Println("example F1 is 1.5 times as high:", squaredF1 > 1.5*plainF1)
	fmt.Println("the rarest label is on in", train.LabelCounts()[27], "of", train.Len())
	// Output:
	// average precision is higher: true
	// example F1 is 1.5 times as high: true
	// the rarest label is on in 7 of 2000
}
