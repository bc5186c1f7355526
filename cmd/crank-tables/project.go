package main

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// projectPoint is an entry of project.json: Project after a Full that was solved
// to a relative gap, beside CRANK, whose full_gap is 0.
type projectPoint struct {
	Set     string          `json:"set"`
	FullGap float64         `json:"full_gap"`
	Seed    uint64          `json:"seed"`
	Lambda  float64         `json:"lambda"`
	Primal  float64         `json:"primal"`
	Dual    float64         `json:"dual"`
	Scores  crankpkg.Scores `json:"scores"`
}

// project makes project.json, at the fixed lambdas: what is left of Project when
// the weights that it projects are far from optimal.
func (mk *maker) project() error {
	s := crankpkg.Settings{Gap: scoreGap}
	e := crankpkg.Experiment{Trainers: []crankpkg.Trainer{crankpkg.CRANK{Settings: s}}, Seeds: []uint64{1, 2, 3, 4, 5}}
	gaps := map[string]float64{}
	for _, gap := range []float64{0.9, 0.5, 0.2, 0.1, 0.05, 0.01, 0.001} {
		name := fmt.Sprintf("Project %g", gap)
		gaps[name] = gap
		e.Trainers = append(e.Trainers, crankpkg.Named(name, crankpkg.Project{FullGap: gap, Settings: s}))
	}
	for _, set := range crankpkg.NamedSets(tableSets...) {
		set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer {
			return scaled(t, fixedScaling[set.Name]).WithLambda(fixedLambda[set.Name])
		}
		e.Sets = append(e.Sets, set)
	}
	if mk.quick {
		e.Seeds = e.Seeds[:2]
	}
	table, err := mk.experiment("project", e)
	if err != nil {
		return err
	}
	var points []projectPoint
	for _, c := range table.Cells {
		points = append(points, projectPoint{c.Set, gaps[c.Method], c.Seed, c.Lambda, c.Primal, c.Dual, c.Scores})
	}
	return write(mk, "project.json", points)
}
