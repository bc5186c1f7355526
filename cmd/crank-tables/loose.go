package main

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
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

// loose makes loose.json, at the fixed lambdas: what becomes of Project and MST
// when the weights or gains that they choose a tree by are far from optimal. The
// weights of the tree are always solved well.
func (mk *maker) loose() error {
	s := crankpkg.Settings{Gap: meanGap}
	e := crankpkg.Experiment{Trainers: []crankpkg.Trainer{crankpkg.CRANK{Settings: s}}, Seeds: []uint64{1, 2, 3, 4, 5}}
	if mk.quick {
		e.Seeds = e.Seeds[:2]
	}
	of := map[string]loosePoint{"CRANK": {Method: "CRANK"}}
	for _, gap := range []float64{0.9, 0.5, 0.2, 0.1, 0.05, 0.01, 0.001} {
		for _, t := range []crankpkg.Trainer{crankpkg.Project{FullGap: gap, Settings: s}, crankpkg.MST{GainGap: gap, Settings: s}} {
			name := fmt.Sprintf("%s %g", t.Name(), gap)
			of[name] = loosePoint{Method: t.Name(), Gap: gap}
			e.Trainers = append(e.Trainers, crankpkg.Named(name, t))
		}
	}
	e.Sets = append(crankpkg.NamedSets(tableSets...), crankpkg.PlantedSet("planted 200", crankpkg.PlantedTree{}, 200, 1000))
	for k, set := range e.Sets {
		e.Sets[k].Prepare = func(t crankpkg.Trainer) crankpkg.Trainer {
			return scaled(t, fixedScaling[set.Name]).WithLambda(fixedLambda[set.Name])
		}
	}
	table, err := mk.experiment("loose", e)
	if err != nil {
		return err
	}
	var points []loosePoint
	for _, c := range table.Cells {
		p := of[c.Method]
		p.Set, p.Seed, p.Lambda, p.Primal, p.Dual, p.Scores = c.Set, c.Seed, c.Lambda, c.Primal, c.Dual, c.Scores
		points = append(points, p)
	}
	return write(mk, "loose.json", points)
}
