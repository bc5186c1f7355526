package main

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg"
)

// criteria are what models are chosen by.
var criteria = append(crankpkg.PaperMeasures(), crankpkg.MeanOfThree)

// choice is the outcome of a search by one criterion.
type choice struct {
	criterion crankpkg.Measure
	settings  crankpkg.Settings
	lambda    float64
	mean      float64 // of the criterion over the folds
	stdErr    float64
}

// stage lists variants of one thing, given what was found best so far.
type stage struct {
	name     string
	variants func(best crankpkg.Settings, ds *crankpkg.Dataset) []crankpkg.Settings
}

// The search improves one thing after the other: for each variant it looks for the
// best lambda and SeenLabelings, and it keeps the best variant. It begins with the
// Hamming loss.
var stages = []stage{
	{"features", inputs}, {"loss", losses}, {"cap", caps}, {"edge features", edgeFeatures}, {"more features", neighbors},
}

// search looks for the best settings by each criterion.
func (mk *maker) search(set string, train *crankpkg.Dataset) ([]choice, error) {
	var choices []choice
	for _, criterion := range criteria {
		best := choice{criterion: criterion, mean: -1, lambda: 0.001}
		for k, st := range stages {
			lambdas := around(best.lambda, 3)
			if k == 0 {
				lambdas = around(best.lambda, 7)
			}
			for _, settings := range st.variants(best.settings, train) {
				found, err := mk.validate(train, settings, criterion, lambdas)
				if err != nil {
					return nil, err
				}
				if found.mean > best.mean {
					best = found
				}
			}
			fmt.Fprintf(mk.log, "%s by %s, %s: %.2f +- %.2f with lambda %.2g and %s\n",
				set, criterion.Label(), st.name, best.mean, best.stdErr, best.lambda, describe(best.settings))
		}
		choices = append(choices, best)
	}
	return choices, nil
}

// around returns an odd number of lambdas in half decades around the middle one,
// from a common grid.
func around(middle float64, count int) []float64 {
	k := int(math.Round(2 * math.Log10(middle)))
	var lambdas []float64
	for q := k - count/2; q <= k+count/2; q++ {
		lambdas = append(lambdas, math.Pow(10, float64(q)/2))
	}
	return lambdas
}

// fourierCount is the number of Fourier features; the search tries twice as many
// at its end.
const fourierCount = 1000

// inputs are the features as they are, in each scaling, and Fourier features of
// z-scores of several widths.
func inputs(s crankpkg.Settings, ds *crankpkg.Dataset) []crankpkg.Settings {
	var list []crankpkg.Settings
	for _, scaling := range []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore, crankpkg.UnitRows} {
		s.Scaling = scaling
		list = append(list, s)
	}
	s.Scaling = crankpkg.ZScore
	for _, width := range []float64{0.1, 0.2, 0.4, 0.8} {
		s.Fourier = crankpkg.FourierFeatures{Count: fourierCount, Gamma: width / float64(ds.NumFeatures())}
		list = append(list, s)
	}
	return list
}

// neighbors are twice as many Fourier features, and such of neighboring widths.
func neighbors(s crankpkg.Settings, _ *crankpkg.Dataset) []crankpkg.Settings {
	if s.Fourier.Count == 0 || len(s.EdgeFeatures.Columns) > 0 {
		return nil
	}
	var list []crankpkg.Settings
	gamma := s.Fourier.Gamma
	s.Fourier.Count *= 2
	for _, factor := range []float64{0.7, 1, 1.4} {
		s.Fourier.Gamma = factor * gamma
		list = append(list, s)
	}
	return list
}

func losses(s crankpkg.Settings, _ *crankpkg.Dataset) []crankpkg.Settings {
	var list []crankpkg.Settings
	for _, loss := range []crankpkg.Loss{
		{ZeroOne: 1}, {Hamming: 1, ZeroOne: 2}, {Hamming: 1, ExampleF1: 2}, {Hamming: 1, ExampleF1: 4},
		{Hamming: 1, ZeroOne: 2, ExampleF1: 4},
	} {
		s.Loss = loss
		list = append(list, s)
	}
	return list
}

// seen are all labelings, and those seen with several weights of their frequency.
func seen() []crankpkg.SeenLabelings {
	list := []crankpkg.SeenLabelings{{}}
	for _, prior := range []float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2} {
		list = append(list, crankpkg.SeenLabelings{Only: true, Prior: prior})
	}
	return list
}

func caps(s crankpkg.Settings, _ *crankpkg.Dataset) []crankpkg.Settings {
	var list []crankpkg.Settings
	for _, most := range []float64{4, 6, 9} {
		s.HingeCap = most
		list = append(list, s)
	}
	return list
}

// edgeFeatures are all features of up to 300, or a twentieth of the Fourier
// features, in pairs of cosines and sines.
func edgeFeatures(s crankpkg.Settings, ds *crankpkg.Dataset) []crankpkg.Settings {
	if half := s.Fourier.Count / 2; half > 0 {
		for k := range half / 10 {
			s.EdgeFeatures.Columns = append(s.EdgeFeatures.Columns, k)
		}
		for k := range half / 10 {
			s.EdgeFeatures.Columns = append(s.EdgeFeatures.Columns, half+k)
		}
	} else if ds.NumFeatures() > 300 {
		return nil
	} else {
		s.EdgeFeatures.All = true
	}
	s.EdgeFeatures.Scale = 0.5
	return []crankpkg.Settings{s}
}

// describe tells the settings that the search chooses.
func describe(s crankpkg.Settings) string {
	text := "loss " + s.Loss.String()
	switch {
	case s.Fourier.Count > 0:
		text += fmt.Sprintf(", %d Fourier features of gamma %.3g", s.Fourier.Count, s.Fourier.Gamma)
	case s.Scaling != crankpkg.NoScaling:
		text += ", " + string(s.Scaling)
	}
	if s.Seen.Only {
		text += fmt.Sprintf(", seen labelings with prior %.3g", s.Seen.Prior)
	}
	if s.HingeCap > 0 {
		text += fmt.Sprintf(", cap %.3g", s.HingeCap)
	}
	switch f := s.EdgeFeatures; {
	case f.All:
		text += ", all features on the edges"
	case len(f.Columns) > 0:
		text += fmt.Sprintf(", %d features on the edges", len(f.Columns))
	}
	return text
}
