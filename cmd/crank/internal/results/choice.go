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

// crossValidated runs trainers on sets: lambda by cross-validation, over the range
// that the choice of the scaling found to be good. It returns the table of those
// choices too.
func (mk *maker) crossValidated(ctx context.Context, sets []string, trainers []crankpkg.Trainer) (all, scalings *experiment.Table, err error) {
	scalings, err = mk.chooseScalings(ctx, sets)
	if err != nil {
		return nil, nil, err
	}
	all = &experiment.Table{Seeds: seeds(1), Measures: metrics.PaperMeasures()}
	for k, set := range mk.named(sets...) {
		c := newChoice(scalings.Cells[k].Selection)
		fmt.Fprintf(mk.Log, "%s: %+v; best: %v\n", set.Name, c, scalings.Cells[k].Selection)
		set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, c.scaling) }
		table, err := mk.experiment(ctx, "table1", experiment.Experiment{
			Sets: []experiment.Set{set}, Trainers: trainers,
			Select: mk.selection(c.grid(pick(mk, 4, 2))), SelectWith: selectWith,
		})
		if err != nil {
			return nil, nil, err
		}
		appendTable(all, table)
	}
	return all, scalings, nil
}

// appendTable adds the sets and cells of another table. The first one has all
// methods.
func appendTable(all, more *experiment.Table) {
	all.Sets, all.Cells = append(all.Sets, more.Sets...), append(all.Cells, more.Cells...)
	if all.Methods == nil {
		all.Methods = more.Methods
	}
}

// chooseScalings cross-validates Full, the method that the paper measures the
// others by, with each scaling and a coarse grid of lambda. The features of a set
// stay as they are unless another scaling is better by more than one standard
// error.
func (mk *maker) chooseScalings(ctx context.Context, sets []string) (*experiment.Table, error) {
	cv := mk.selection(lambdas(0.0001, pick(mk, 2, 1)))
	cv.Scalings = []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore, crankpkg.MinMax, crankpkg.UnitRows}
	cv.Repeats, cv.MaxPasses = 1, choicePasses/3
	return mk.experiment(ctx, "table1-scalings", experiment.Experiment{
		Sets: mk.named(sets...), Select: cv,
		Trainers: []crankpkg.Trainer{crankpkg.Full{Settings: crankpkg.Settings{Gap: mk.gap(choiceGap), MaxPasses: choicePasses}}},
	})
}

// choice is a scaling, and the lambdas whose criterion comes, with it, within one
// standard error of the best.
type choice struct {
	scaling   crankpkg.Scaling
	low, high float64
}

func newChoice(s *crossval.Selection) choice {
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
func preferUnscaled(s *crossval.Selection) int {
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
