package main

import (
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg"
)

// tableOf runs the six methods on catalog sets: lambda by cross-validation, over
// the range that the choice of the scaling found to be good; or at fixed lambdas.
func (mk *maker) tableOf(name string, sets []string, gap float64) (*crankpkg.Table, error) {
	all := &crankpkg.Table{Seeds: []uint64{1}, Measures: crankpkg.PaperMeasures()}
	choices, err := mk.chooseScalings(name, sets)
	if err != nil {
		return nil, err
	}
	for _, set := range crankpkg.NamedSets(sets...) {
		e := crankpkg.Experiment{Trainers: methods(gap)}
		if mk.fixed {
			set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer {
				return scaled(t, fixedScaling[set.Name]).WithLambda(fixedLambda[set.Name])
			}
		} else {
			choice := choices[set.Name]
			set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, choice.scaling) }
			e.Select, e.SelectWith = mk.selection(choice.grid(mk.perDecade())), selectWith
		}
		e.Sets = []crankpkg.ExperimentSet{set}
		table, err := mk.experiment(name, e)
		if err != nil {
			return nil, err
		}
		all.Sets, all.Methods = append(all.Sets, set.Name), table.Methods
		all.Cells = append(all.Cells, table.Cells...)
	}
	return all, nil
}

// chooseScalings cross-validates Full, the method that the paper measures the
// others by, with each scaling and a coarse grid of lambda. The features of a set
// stay as they are unless another scaling is better by more than one standard
// error.
func (mk *maker) chooseScalings(name string, sets []string) (map[string]choice, error) {
	if mk.fixed {
		return nil, nil
	}
	cv := mk.selection(lambdas(0.0001, 2))
	cv.Scalings = []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore, crankpkg.MinMax, crankpkg.UnitRows}
	cv.Repeats, cv.MaxPasses = 1, choicePasses/3
	table, err := mk.experiment(name+"-scalings", crankpkg.Experiment{
		Sets: crankpkg.NamedSets(sets...), Select: cv,
		Trainers: []crankpkg.Trainer{crankpkg.Full{Settings: crankpkg.Settings{Gap: choiceGap, MaxPasses: choicePasses}}},
	})
	if err != nil {
		return nil, err
	}
	choices := map[string]choice{}
	for _, c := range table.Cells {
		choices[c.Set] = newChoice(c.Selection)
		fmt.Fprintf(mk.log, "%s: %+v; best: %v\n", c.Set, choices[c.Set], c.Selection)
	}
	return choices, mk.writeCurves(name+"_scalings.json", table)
}

// choice is a scaling, and the lambdas whose criterion comes, with it, within one
// standard error of the best.
type choice struct {
	scaling   crankpkg.Scaling
	low, high float64
}

func newChoice(s *crankpkg.Selection) choice {
	p := s.Curve[preferUnscaled(s)]
	mean, stdErr := p.Of(s.Criterion)
	c := choice{p.Scaling, p.Lambda, p.Lambda}
	for _, q := range s.Curve {
		if value, _ := q.Of(s.Criterion); q.Scaling == p.Scaling && value >= mean-stdErr {
			c.low, c.high = min(c.low, q.Lambda), max(c.high, q.Lambda)
		}
	}
	return c
}

// grid returns lambdas from half a decade below the range to half a decade above.
func (c choice) grid(perDecade int) []float64 {
	top := c.high * math.Sqrt(10)
	grid := lambdas(c.low/math.Sqrt(10)/top, perDecade)
	for k := range grid {
		grid[k] *= top
	}
	return grid
}

// preferUnscaled returns the position of the best point, or of the best one
// without scaling where that comes within one standard error.
func preferUnscaled(s *crankpkg.Selection) int {
	value := func(k int) float64 { mean, _ := s.Curve[k].Of(s.Criterion); return mean }
	unscaled := -1
	for k, p := range s.Curve {
		if p.Scaling == crankpkg.NoScaling && (unscaled < 0 || value(k) >= value(unscaled)) {
			unscaled = k
		}
	}
	if best, stdErr := s.Curve[s.Best].Of(s.Criterion); unscaled >= 0 && value(unscaled) >= best-stdErr {
		return unscaled
	}
	return s.Best
}
