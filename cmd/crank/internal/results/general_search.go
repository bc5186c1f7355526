package results

import (
	"context"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// found is the best that was found by one criterion.
type found struct {
	method    string // that was trained so
	criterion metrics.Measure
	settings  crankpkg.Settings
	lambda    float64
	mean      float64 // of the criterion over the folds
	stdErr    float64
}

// search looks for the best settings on one set.
type search struct {
	mk    *maker
	set   string
	train *crankpkg.Dataset
}

// run improves one thing after the other: for each variant it looks for the best
// lambda and LabelPowerset, and it keeps the best variant. It begins with the
// Hamming loss.
func (s *search) run(ctx context.Context, criterion metrics.Measure) (found, error) {
	best := found{criterion: criterion, mean: -1, lambda: 0.001}
	for k, stage := range []struct {
		name     string
		variants func(crankpkg.Settings) []crankpkg.Settings
	}{{"features", s.inputs}, {"loss", losses}, {"cap", caps}, {"edge features", s.edgeFeatures}, {"more features", neighbors}} {
		grid := around(best.lambda, 3)
		if k == 0 {
			grid = around(best.lambda, pick(s.mk, 7, 3))
		}
		for _, settings := range stage.variants(best.settings) {
			f, err := s.validate(ctx, settings, criterion, grid)
			if err != nil {
				return found{}, err
			}
			if f.mean > best.mean {
				best = f
			}
		}
		fmt.Fprintf(s.mk.Log, "%s by %s, %s: %.2f +- %.2f with lambda %.2g and %s\n",
			s.set, criterion.Label(), stage.name, best.mean, best.stdErr, best.lambda, describe(best.settings))
	}
	return best, nil
}

// validate returns the best lambda and LabelPowerset for the given settings by
// cross-validation, which all criteria share. It trains on the Chow-Liu tree: which
// tree it is matters less than the settings, and that one costs next to nothing.
func (s *search) validate(ctx context.Context, settings crankpkg.Settings, criterion metrics.Measure, grid []float64) (found, error) {
	settings.Powerset = crankpkg.LabelPowerset{}
	cv := crossval.Search{
		Trainer: crankpkg.ChowLiu{Settings: settings}, Lambdas: grid, Powersets: seen(),
		Folds: pick(s.mk, 5, 3), Repeats: 1, Gap: 0.03, MaxPasses: 300, Seed: 7,
	}
	if !s.mk.Quick && s.train.Len() < 1000 {
		cv.Repeats = 4 // chance counts more where examples are few
	}
	inputs := []any{s.train, cv}
	cv.Workers = s.mk.Workers
	selection, err := kept(ctx, s.mk, []string{s.set, experiment.StoreKey(inputs...)[:16]}, inputs,
		func() (*crossval.Selection, error) { return cv.Run(ctx, s.train) })
	if err != nil {
		return found{}, err
	}
	best := found{criterion: criterion, settings: settings, mean: -1}
	for _, p := range selection.Curve {
		if mean, stdErr := p.Of(criterion); mean > best.mean {
			best.mean, best.stdErr, best.lambda, best.settings.Powerset = mean, stdErr, p.Lambda, p.Powerset
		}
	}
	return best, nil
}

// around returns an odd number of lambdas in half decades around the middle one,
// from a common grid.
func around(middle float64, count int) []float64 {
	k := int(math.Round(2 * math.Log10(middle)))
	var grid []float64
	for q := k - count/2; q <= k+count/2; q++ {
		grid = append(grid, math.Pow(10, float64(q)/2))
	}
	return grid
}

// vary returns the settings with each of the values.
func vary[T any](s crankpkg.Settings, set func(*crankpkg.Settings, T), values ...T) []crankpkg.Settings {
	list := make([]crankpkg.Settings, len(values))
	for k, v := range values {
		list[k] = s
		set(&list[k], v)
	}
	return list
}

// inputs are the features as they are, in each scaling, and Fourier features of
// z-scores of several widths. The search tries twice as many of these at its end.
func (s *search) inputs(from crankpkg.Settings) []crankpkg.Settings {
	fourier := scaling(from, crankpkg.ZScore)[0]
	fourier.Fourier.Count = pick(s.mk, 1000, 40)
	return append(scaling(from, crankpkg.NoScaling, crankpkg.ZScore, crankpkg.UnitRows),
		widths(fourier, 1/float64(s.train.NumFeatures()), 0.1, 0.2, 0.4, 0.8)...)
}

func scaling(from crankpkg.Settings, values ...crankpkg.Scaling) []crankpkg.Settings {
	return vary(from, func(s *crankpkg.Settings, v crankpkg.Scaling) { s.Scaling = v }, values...)
}

// widths are Fourier features whose gamma is a multiple of unit.
func widths(from crankpkg.Settings, unit float64, factors ...float64) []crankpkg.Settings {
	return vary(from, func(s *crankpkg.Settings, factor float64) { s.Fourier.Gamma = factor * unit }, factors...)
}

// neighbors are twice as many Fourier features, and such of neighboring widths.
func neighbors(from crankpkg.Settings) []crankpkg.Settings {
	if from.Fourier.Count == 0 || len(from.EdgeFeatures.Columns) > 0 {
		return nil
	}
	from.Fourier.Count *= 2
	return widths(from, from.Fourier.Gamma, 0.7, 1, 1.4)
}

func losses(from crankpkg.Settings) []crankpkg.Settings {
	return vary(from, func(s *crankpkg.Settings, v crankpkg.Loss) { s.Loss = v },
		crankpkg.Loss{ZeroOne: 1}, crankpkg.Loss{Hamming: 1, ZeroOne: 2}, crankpkg.Loss{Hamming: 1, ExampleF1: 2},
		crankpkg.Loss{Hamming: 1, ExampleF1: 4}, crankpkg.Loss{Hamming: 1, ZeroOne: 2, ExampleF1: 4})
}

func caps(from crankpkg.Settings) []crankpkg.Settings {
	return vary(from, func(s *crankpkg.Settings, v float64) { s.HingeCap = v }, 4, 6, 9)
}

// seen are all labelings, and those seen with several weights of their frequency.
func seen() []crankpkg.LabelPowerset {
	list := []crankpkg.LabelPowerset{{}}
	for _, prior := range []float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2} {
		list = append(list, crankpkg.LabelPowerset{Only: true, Prior: prior})
	}
	return list
}

// edgeFeatures are all features of up to 300, or a twentieth of the Fourier
// features, in pairs of cosines and sines.
func (s *search) edgeFeatures(set crankpkg.Settings) []crankpkg.Settings {
	set.EdgeFeatures.Scale = 0.5
	switch half := set.Fourier.Count / 2; {
	case half > 0:
		for _, first := range []int{0, half} {
			for k := range half / 10 {
				set.EdgeFeatures.Columns = append(set.EdgeFeatures.Columns, first+k)
			}
		}
	case s.train.NumFeatures() > 300:
		return nil
	default:
		set.EdgeFeatures.All = true
	}
	return []crankpkg.Settings{set}
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
	if s.Powerset.Only {
		text += fmt.Sprintf(", seen labelings with prior %.3g", s.Powerset.Prior)
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
