package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
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
func (mk *maker) path(ctx context.Context) error {
	s := crankpkg.Settings{Gap: mk.gap(meanGap), MaxPasses: 10 * choicePasses}
	e, of := experiment.Experiment{Sets: mk.named(tableSets...)}, map[string]string{}
	for _, scaling := range []crankpkg.Scaling{crankpkg.NoScaling, crankpkg.ZScore} {
		for _, lambda := range lambdas(0.001, pick(mk, 4, 1)) {
			for _, t := range []crankpkg.Trainer{
				crankpkg.CRANK{Restarts: 1, Settings: s}, crankpkg.Full{Settings: s}, crankpkg.Project{Settings: s}, crankpkg.Empty{Settings: s},
			} {
				name := fmt.Sprintf("%s %s %.4g", t.Name(), scaling, lambda)
				of[name] = t.Name()
				e.Trainers = append(e.Trainers, crankpkg.Named(name, scaled(t, scaling).WithLambda(lambda)))
			}
		}
	}
	table, err := mk.experiment(ctx, "path", e)
	if err != nil {
		return err
	}
	var points []pathPoint
	for _, c := range table.Cells {
		points = append(points, pathPoint{c.Set, c.Scaling, of[c.Method], c.Lambda, gapOf(c), c.Scores})
	}
	return writeRows(mk, "path.json", points)
}

// gapOf returns the relative gap that was reached.
func gapOf(c experiment.Cell) float64 { return (&crankpkg.Trace{Primal: c.Primal, Dual: c.Dual}).Gap() }
