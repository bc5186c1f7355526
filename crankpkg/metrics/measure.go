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

// definition is what there is to know of one of the Scores.
type definition struct {
	measure Measure
	label   string // in tables and at axes
	title   string // in reports, which have other F1s beside it
	field   func(s *Scores) *float64
}

// definitions has a line for each field of Scores.
var definitions = []definition{
	{HammingAccuracy, "Hamming accuracy", "Hamming accuracy", func(s *Scores) *float64 { return &s.HammingAccuracy }},
	{SubsetAccuracy, "subset accuracy", "subset accuracy", func(s *Scores) *float64 { return &s.SubsetAccuracy }},
	{ExampleF1, "F1", "example F1", func(s *Scores) *float64 { return &s.ExampleF1 }},
	{MicroF1, "micro F1", "micro F1", func(s *Scores) *float64 { return &s.MicroF1 }},
	{MacroF1, "macro F1", "macro F1", func(s *Scores) *float64 { return &s.MacroF1 }},
}

// find returns the definition of m, nil where it is no field of Scores.
func (m Measure) find() *definition {
	for k := range definitions {
		if definitions[k].measure == m {
			return &definitions[k]
		}
	}
	return nil
}

// Measures returns the measures that Scores has fields for, in their order.
func Measures() []Measure {
	list := make([]Measure, len(definitions))
	for k, d := range definitions {
		list[k] = d.measure
	}
	return list
}

// Label returns the measure as tables and axes have it: subset accuracy, F1.
func (m Measure) Label() string {
	if d := m.find(); d != nil {
		return d.label
	}
	if m == MeanOfThree {
		return "mean of three"
	}
	return string(m)
}

// Valid reports whether there is such a measure.
func (m Measure) Valid() bool { return m == MeanOfThree || m.find() != nil }

// Of returns the value of one measure. It panics if there is no such measure.
func (s Scores) Of(m Measure) float64 {
	if m == MeanOfThree {
		return (s.HammingAccuracy + s.SubsetAccuracy + s.ExampleF1) / 3
	}
	return *s.field(m)
}

// Set sets the value of one of the Measures. It panics if m is none.
func (s *Scores) Set(m Measure, value float64) { *s.field(m) = value }

func (s *Scores) field(m Measure) *float64 {
	d := m.find()
	if d == nil {
		panic(fmt.Sprintf("metrics: no measure is called %q", string(m)))
	}
	return d.field(s)
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
