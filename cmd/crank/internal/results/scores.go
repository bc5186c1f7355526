package results

import (
	"context"
	"fmt"
	"io"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// Scores prints the README's table of scores: four methods on the paper's four
// sets, in the standing settings, to a relative gap of 0.1 %, beside the paper's
// CRANK.
func Scores(ctx context.Context, sets Sets, out io.Writer) error {
	s := crankpkg.Settings{Gap: 0.001}
	trainers := []crankpkg.Trainer{crankpkg.Empty{Settings: s}, crankpkg.Full{Settings: s}, crankpkg.Project{Settings: s},
		crankpkg.CRANK{Settings: s}}
	fmt.Fprintln(out, "| set, lambda | Empty | Full | Project | CRANK | the paper's CRANK |\n|---|---|---|---|---|---|")
	for _, set := range tableSets {
		train, test, err := sets.Split(set)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| %s, %v |", set, standing[set].lambda)
		for _, t := range trainers {
			m, _, err := standing[set].fit(t).Train(ctx, train)
			if err != nil {
				return err
			}
			scores := crankpkg.Evaluate(m, test)
			fmt.Fprintf(out, " %.1f / %.1f / %.1f |", scores.HammingAccuracy, scores.SubsetAccuracy, scores.ExampleF1)
		}
		paper := paperScores(set, "CRANK")
		fmt.Fprintf(out, " %.1f / %.1f / %.1f |\n", paper[metrics.HammingAccuracy], paper[metrics.SubsetAccuracy], paper[metrics.ExampleF1])
	}
	return nil
}

// paperScores returns what the paper's Table 1 has for a method on a set.
func paperScores(set, method string) map[metrics.Measure]float64 {
	scores := map[metrics.Measure]float64{}
	for _, e := range experiment.PaperTable1() {
		if e.Set == set && e.Method == method {
			scores[e.Measure] = e.Value
		}
	}
	return scores
}
