package main

import (
	"math"

	"github.com/crank-ml/crank/crankpkg"
)

// tableSets are the sets of the paper's Table 1.
var tableSets = []string{"scene", "emotions", "medical10", "yeast"}

// fixedLambda and fixedScaling are what -fixed trains with: about what
// cross-validation chooses.
var (
	fixedLambda  = map[string]float64{"scene": 0.003, "emotions": 0.03, "medical10": 0.01, "yeast": 0.001, "planted 200": 0.0003}
	fixedScaling = map[string]crankpkg.Scaling{"emotions": crankpkg.ZScore}
)

// Gaps: a choice of lambda needs less than a mean over repetitions, and that less
// than scores that are printed with one decimal or objectives that differ in the
// third digit.
const (
	choiceGap = 0.01
	meanGap   = 0.002
	scoreGap  = 0.0005
)

// choicePasses bounds the passes of a training during cross-validation. Features
// of very different sizes (Emotions, unscaled) need more at small lambdas; the
// scores then tell that such a lambda is no good.
const choicePasses = 300

// methods returns the six methods of the paper, solved to the relative gap.
func methods(gap float64) []crankpkg.Trainer {
	s := crankpkg.Settings{Gap: gap}
	return []crankpkg.Trainer{
		crankpkg.CRANK{Settings: s}, crankpkg.Full{Settings: s}, crankpkg.Greedy{Settings: s},
		crankpkg.Project{Settings: s}, crankpkg.MST{Settings: s}, crankpkg.Empty{Settings: s},
	}
}

// lambdas returns a grid from 1 down to low with the given number of values to a
// decade.
func lambdas(low float64, perDecade int) []float64 {
	var grid []float64
	for k := 0; ; k++ {
		lambda := math.Pow(10, -float64(k)/float64(perDecade))
		if lambda < low*0.999 {
			return grid
		}
		grid = append(grid, lambda)
	}
}

// selection returns the cross-validation of all methods over the grid.
func (mk *maker) selection(grid []float64) *crankpkg.CrossValidation {
	cv := &crankpkg.CrossValidation{Lambdas: grid, Folds: 10, Repeats: 3, Gap: choiceGap, MaxPasses: choicePasses}
	if mk.quick {
		cv.Folds, cv.Repeats = 3, 1
	}
	return cv
}

// perDecade is how fine the grid of lambda is.
func (mk *maker) perDecade() int {
	if mk.quick {
		return 2
	}
	return 4
}

// selectWith returns what cross-validation trains: CRANK from one start, for
// itself and for Greedy, whose own search would take most of the time.
func selectWith(t crankpkg.Trainer) crankpkg.Trainer {
	switch t := t.(type) {
	case crankpkg.CRANK:
		t.Restarts = 1
		return t
	case crankpkg.Greedy:
		return crankpkg.CRANK{Restarts: 1, Settings: t.Settings}
	}
	return t
}

// scaled returns t with another scaling.
func scaled(t crankpkg.Trainer, s crankpkg.Scaling) crankpkg.Trainer {
	return t.(crankpkg.Adjustable).Adjust(func(set *crankpkg.Settings) { set.Scaling = s })
}
