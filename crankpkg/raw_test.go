package crankpkg_test

import (
	"context"
	"testing"

	"github.com/crank-ml/crank/crankpkg"
)

// TestRawFeaturesAreCertified trains with pairs on features in units of their own, where steps of first order crawl: also
// where these seem hopeless before the interior point method has had its turn.
func TestRawFeaturesAreCertified(t *testing.T) {
	t.Parallel()
	train, _, err := crankpkg.LoadSplit("flags")
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range []float64{1 / float64(train.Len()), 0.01, 0.001, 0.0001} {
		for _, method := range []crankpkg.Trainer{crankpkg.Full{}, crankpkg.ChowLiu{}} {
			m, trace, err := method.WithLambda(lambda).Train(context.Background(), train)
			if err != nil {
				t.Errorf("%s at %g: %v", method.Name(), lambda, err)
				continue
			}
			if primal := crankpkg.Primal(train, m, lambda); !(primal-trace.Dual <= 0.01*primal) {
				t.Errorf("%s at %g: primal %v, dual %v", method.Name(), lambda, primal, trace.Dual)
			}
		}
	}
}
