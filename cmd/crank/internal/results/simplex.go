package results

import (
	"fmt"
	"math"
	"time"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/infer"
	"github.com/crank-ml/crank/crankpkg/simplex"
)

// simplexTime returns the mean time that the simplex method takes to predict one
// of the first examples of test. It checks each optimum against the oracle.
func simplexTime(m *crankpkg.Model, test *crankpkg.Dataset, sample int) (float64, error) {
	g := m.Graph()
	oracle, y, c := infer.NewLPOracle(g), make(crankpkg.Labeling, m.NumLabels()), make([]float64, m.NumLabels())
	predictor := m.Predictor()
	var total time.Duration
	for k := range sample {
		predictor.ScoresTo(c, test.Row(k))
		begin := time.Now()
		value, err := simplex.Value(g, c)
		total += time.Since(begin)
		if err != nil {
			return 0, fmt.Errorf("the simplex method on example %d: %w", k, err)
		}
		if want := oracle.Maximize(y, c); math.Abs(value-want) > 1e-6*(1+math.Abs(want)) {
			return 0, fmt.Errorf("example %d: the simplex method has the optimum %v and roof duality %v", k, value, want)
		}
	}
	return total.Seconds() / float64(sample), nil
}
