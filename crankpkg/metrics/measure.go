package metrics

import "fmt"

// Measure names one of the Scores, or the mean of the paper's three.
type Measure string

// The measures. Those of the paper's Table 1 are the first three; it calls subset
// accuracy, the share of examples with every label right, zero-one.
const (
	HammingAccuracy Measure = "HammingAccuracy"
	SubsetAccuracy  Measure = "SubsetAccuracy"
	ExampleF1       Measure = "ExampleF1"
	MicroF1         Measure = "MicroF1"
	MacroF1         Measure = "MacroF1"
	MeanOfThree     Measure = "MeanOfThree" // of the paper's three
)

// PaperMeasures returns the measures of the paper's Table 1, in its order.
func PaperMeasures() []Measure { return []Measure{HammingAccuracy, SubsetAccuracy, ExampleF1} }

// Label returns the measure as tables and axes have it: subset accuracy, F1.
func (m Measure) Label() string {
	switch m {
	case HammingAccuracy:
		return "Hamming accuracy"
	case SubsetAccuracy:
		return "subset accuracy"
	case ExampleF1:
		return "F1"
	case MicroF1:
		return "micro F1"
	case MacroF1:
		return "macro F1"
	case MeanOfThree:
		return "mean of three"
	}
	return string(m)
}

// Valid reports whether there is such a measure.
func (m Measure) Valid() bool {
	switch m {
	case HammingAccuracy, SubsetAccuracy, ExampleF1, MicroF1, MacroF1, MeanOfThree:
		return true
	}
	return false
}

// Of returns the value of one measure. It panics if there is no such measure.
func (s Scores) Of(m Measure) float64 {
	switch m {
	case HammingAccuracy:
		return s.HammingAccuracy
	case SubsetAccuracy:
		return s.SubsetAccuracy
	case ExampleF1:
		return s.ExampleF1
	case MicroF1:
		return s.MicroF1
	case MacroF1:
		return s.MacroF1
	case MeanOfThree:
		return (s.HammingAccuracy + s.SubsetAccuracy + s.ExampleF1) / 3
	}
	panic(fmt.Sprintf("metrics: no measure is called %q", string(m)))
}

// Of returns the values of one of the paper's three measures. It panics on any
// other.
func (s ExampleScores) Of(m Measure) []float64 {
	switch m {
	case HammingAccuracy:
		return s.HammingAccuracy
	case SubsetAccuracy:
		return s.SubsetAccuracy
	case ExampleF1:
		return s.ExampleF1
	}
	panic(fmt.Sprintf("metrics: no measure of an example is called %q", string(m)))
}
