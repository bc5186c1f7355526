package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg/metrics"
)

// largeSet is a set with many labels.
type largeSet struct {
	name string
	// methods are those that end within minutes: MST trains a pair for each two
	// labels.
	methods []string
}

var largeSets = []largeSet{
	{"bibtex", []string{"Empty", "Chow-Liu", "MST", "CRANK", "CRANK, beta grows", "Full"}},
	{"cal500", []string{"Empty", "Chow-Liu", "MST", "CRANK", "CRANK, beta grows", "Full"}},
	{"corel5k", []string{"Empty", "Chow-Liu", "CRANK", "CRANK, beta grows", "Full"}},
	{"delicious", []string{"Empty", "Chow-Liu", "CRANK"}},
}

// large makes large.json: for each set lambda is what Empty does best with on
// examples held out, by the mean of the three measures; the methods then train
// at that lambda on all training examples, to a relative gap of 1 %.
func (mk *maker) large(ctx context.Context) error {
	var rows []JobResult
	for _, set := range pick(mk, largeSets, []largeSet{{"bibtex", []string{"Empty", "Chow-Liu", "CRANK"}}}) {
		j := Job{Part: "large", Set: set.name, Scaling: standing[set.name].scaling}
		lambda, tried, err := mk.holdOut(ctx, j)
		if err != nil {
			return err
		}
		rows = append(rows, tried...)
		j.Lambda, j.Target = lambda, 0.01
		for _, j.Method = range set.methods {
			r, err := mk.run(ctx, j)
			if err != nil {
				return err
			}
			rows = append(rows, r)
		}
	}
	return writeRows(mk, "large.json", rows)
}

// holdOut tries lambdas on examples held out, and returns that of Empty's best
// scores.
func (mk *maker) holdOut(ctx context.Context, j Job) (lambda float64, rows []JobResult, err error) {
	j.HoldOut, j.Target = true, 0.05
	best := -1.0
	for _, j.Lambda = range pick(mk, []float64{0.003, 0.001, 0.0003, 0.0001}, []float64{0.003, 0.001}) {
		for _, j.Method = range []string{"Empty", "CRANK"} {
			r, err := mk.run(ctx, j)
			if err != nil {
				return 0, nil, err
			}
			rows = append(rows, r)
			if s := r.Scores.Of(metrics.MeanOfThree); j.Method == "Empty" && s > best {
				best, lambda = s, j.Lambda
			}
		}
	}
	fmt.Fprintf(mk.Log, "%s: lambda %g\n", j.Set, lambda)
	return lambda, rows, nil
}
