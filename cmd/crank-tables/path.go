package main

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// pathPoint is an entry of path.json: the scores on the test examples at one
// lambda. Nothing is chosen by them: they show what another lambda or scaling
// would have given.
type pathPoint struct {
	Set     string           `json:"set"`
	Scaling crankpkg.Scaling `json:"scaling"`
	Method  string           `json:"method"`
	Lambda  float64          `json:"lambda"`
	Gap     float64          `json:"gap"` // that was reached
	Scores  crankpkg.Scores  `json:"scores"`
}

// path makes path.json, for features as they are and z-scored.
func (mk *maker) path() error {
	s := crankpkg.Settings{Gap: meanGap, MaxPasses: 10 * choicePasses}
	e := crankpkg.Experiment{Trainers: []crankpkg.Trainer{
		crankpkg.CRANK{Restarts: 1, Settings: s}, crankpkg.Full{Settings: s}, crankpkg.Project{Settings: s}, crankpkg.Empty{Settings: s},
	}}
	grid := lambdas(0.001, 4)
	if mk.quick {
		grid = lambdas(0.001, 1)
	}
	var points []pathPoint
	for _, scaling := range []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore} {
		for _, lambda := range grid {
			e.Sets = nil
			for _, set := range crankpkg.NamedSets(tableSets...) {
				set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, scaling).WithLambda(lambda) }
				e.Sets = append(e.Sets, set)
			}
			table, err := mk.experiment(pathFolder(scaling, lambda), e)
			if err != nil {
				return err
			}
			for _, c := range table.Cells {
				gap := (&crankpkg.Trace{Primal: c.Primal, Dual: c.Dual}).Gap()
				points = append(points, pathPoint{c.Set, c.Scaling, c.Method, c.Lambda, gap, c.Scores})
			}
		}
	}
	return write(mk, "path.json", points)
}

// pathFolder names the folder of the cells at one scaling and lambda.
func pathFolder(scaling crankpkg.Scaling, lambda float64) string {
	return fmt.Sprintf("path-%s-%.4g", scaling, lambda)
}
