package results

import (
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
)

// loosePoint is an entry of loose.json: Project after a Full, or MST after gains,
// that were solved to a relative gap. The scores are those of one seed. CRANK
// stands beside them with the gap 0.
type loosePoint struct {
	Set    string          `json:"set"`
	Method string          `json:"method"`
	Gap    float64         `json:"gap"`
	Seed   uint64          `json:"seed"`
	Lambda float64         `json:"lambda"`
	Primal float64         `json:"primal"`
	Dual   float64         `json:"dual"`
	Scores crankpkg.Scores `json:"scores"`
}

// loose makes loose.json, in the standing settings: what becomes of Project and MST
// when the weights or gains that they choose a tree by are far from optimal. The
// weights of the tree are always solved well.
func (mk *maker) loose(ctx context.Context) error {
	s := crankpkg.Settings{Gap: mk.gap(meanGap)}
	e := experiment.Experiment{Trainers: []crankpkg.Trainer{paperCRANK(s)}, Seeds: seeds(pick(mk, 5, 1))}
	of := map[string]loosePoint{"CRANK": {Method: "CRANK"}}
	for _, gap := range pick(mk, []float64{0.9, 0.5, 0.2, 0.1, 0.05, 0.01, 0.001}, []float64{0.1}) {
		for _, t := range []crankpkg.Trainer{crankpkg.Project{FullGap: gap, Settings: s}, crankpkg.MST{GainGap: gap, Settings: s}} {
			name := fmt.Sprintf("%s %g", t.Name(), gap)
			of[name] = loosePoint{Method: t.Name(), Gap: gap}
			e.Trainers = append(e.Trainers, crankpkg.Named(name, t))
		}
	}
	e.Sets = append(mk.named(tableSets...), experiment.PlantedSet("planted 200", crankpkg.PlantedTree{N: pick(mk, 0, 4)}, pick(mk, 200, 50), pick(mk, 1000, 100)))
	for k, set := range e.Sets {
		e.Sets[k].Prepare = standing[set.Name].fit
	}
	table, err := mk.experiment(ctx, "loose", e)
	if err != nil {
		return err
	}
	var points []loosePoint
	for _, c := range table.Cells {
		p := of[c.Method]
		p.Set, p.Seed, p.Lambda, p.Primal, p.Dual, p.Scores = c.Set, c.Seed, c.Lambda, c.Primal, c.Dual, c.Scores
		points = append(points, p)
	}
	return writeRows(mk, "loose.json", points)
}
