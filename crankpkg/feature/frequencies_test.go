package feature

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

func TestFourierFrequenciesAreOrthogonal(t *testing.T) {
	const d = 5
	waves := FourierFeatures{Count: 24, Gamma: 2}.frequencies(d)
	for k := range 12 {
		for l := k / d * d; l < k; l++ {
			if dot := floats.Dot(waves[k*d:(k+1)*d], waves[l*d:(l+1)*d]); !(math.Abs(dot) <= 1e-9) {
				t.Errorf("frequencies %d and %d: product %v", l, k, dot)
			}
		}
	}
}
