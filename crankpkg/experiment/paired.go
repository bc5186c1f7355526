package experiment

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg/metrics"
	"gonum.org/v1/gonum/stat/distuv"
)

// Effect is a paired difference: how far a setting changes a measure.
type Effect struct {
	Label string // what is compared
	Mean  float64
	// Low and High are the ends of the 95 % confidence interval of Mean; NaN where there is one
	// difference alone.
	Low, High float64
	P         float64 // of no difference, two-sided, for this comparison by itself
	N         int     // independent differences
}

// effectJSON is an Effect whose unknown numbers are null, since JSON has no NaN.
type effectJSON struct {
	Label        string
	Mean         float64
	Low, High, P *float64
	N            int
}

// MarshalJSON writes the effect, null for NaN.
func (e Effect) MarshalJSON() ([]byte, error) {
	known := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return json.Marshal(effectJSON{e.Label, e.Mean, known(e.Low), known(e.High), known(e.P), e.N})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (e *Effect) UnmarshalJSON(data []byte) error {
	var read effectJSON
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	or := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	*e = Effect{read.Label, read.Mean, or(read.Low), or(read.High), or(read.P), read.N}
	return nil
}

// String returns the effect in one line.
func (e Effect) String() string {
	if e.N < 2 {
		return fmt.Sprintf("%s: %+.2f (%d difference)", e.Label, e.Mean, e.N)
	}
	return fmt.Sprintf("%s: %+.2f, 95 %% interval %+.2f to %+.2f, p %.4f (%d differences)", e.Label, e.Mean, e.Low, e.High, e.P, e.N)
}

// pairedEffect is the place of the test: the paired t interval of differences over
// draws that are independent. Where they come from random splits of the same examples,
// overlap is the number of test examples for each training example, and the variance is that
// of Nadeau and Bengio (2003): (1/n + overlap) times the sample variance.
func pairedEffect(label string, differences []float64, overlap float64) Effect {
	n := len(differences)
	e := Effect{Label: label, N: n, Low: math.NaN(), High: math.NaN(), P: math.NaN()}
	mean, stdErr := metrics.MeanStdErr(differences)
	e.Mean = mean
	if n < 2 {
		return e
	}
	deviation := stdErr * math.Sqrt(1+overlap*float64(n))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}
	half := t.Quantile(0.975) * deviation
	e.Low, e.High = mean-half, mean+half
	switch {
	case deviation > 0:
		e.P = 2 * t.Survival(math.Abs(mean)/deviation)
	case mean != 0:
		e.P = 0
	default:
		e.P = 1
	}
	return e
}
