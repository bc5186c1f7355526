package main

import (
	"fmt"
	"time"

	"github.com/crank-ml/crank/crankpkg"
)

// largeSet is a set with many labels.
type largeSet struct {
	name    string
	scaling crankpkg.Scaling
	// methods are those that end within minutes: MST trains a pair for each two
	// labels.
	methods []string
}

var largeSets = []largeSet{
	{"bibtex", crankpkg.NoScaling, []string{"Empty", "Chow-Liu", "MST", "CRANK", "CRANK, beta grows", "Full"}},
	{"cal500", crankpkg.ZScore, []string{"Empty", "Chow-Liu", "MST", "CRANK", "CRANK, beta grows", "Full"}},
	{"corel5k", crankpkg.NoScaling, []string{"Empty", "Chow-Liu", "CRANK", "CRANK, beta grows", "Full"}},
	{"delicious", crankpkg.NoScaling, []string{"Empty", "Chow-Liu", "CRANK"}},
}

// largeLambdas are tried on the examples held out.
var largeLambdas = []float64{0.003, 0.001, 0.0003, 0.0001}

// large makes large.json: for each set lambda is what Empty does best with on
// examples held out, by the mean of the three measures; the methods then train
// at that lambda on all training examples, to a relative gap of 1 %.
func large(r *runner, limit time.Duration) error {
	for _, set := range largeSets {
		best, lambda := -1.0, 0.0
		for _, l := range largeLambdas {
			for _, method := range []string{"Empty", "CRANK"} {
				res, err := r.do(job{
					Part: "large", Set: set.name, Scaling: set.scaling, HoldOut: true,
					Method: method, Lambda: l, Target: 0.05, Limit: limit,
				})
				if err != nil {
					return err
				}
				if s := res.Scores.Of(crankpkg.MeanOfThree); method == "Empty" && s > best {
					best, lambda = s, l
				}
			}
		}
		fmt.Fprintf(r.log, "%s: lambda %g\n", set.name, lambda)
		for _, method := range set.methods {
			_, err := r.do(job{
				Part: "large", Set: set.name, Scaling: set.scaling,
				Method: method, Lambda: lambda, Target: 0.01, Limit: limit,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
