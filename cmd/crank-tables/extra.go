package main

import (
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// extra makes extra.json: Table 1 for sets that the paper did not have. CAL500,
// for which no split is published, is split 10 times.
func (mk *maker) extra() error {
	named := []string{"birds", "flags", "enron", "genbase"}
	scaling, err := mk.chooseScalings(named)
	if err != nil {
		return err
	}
	e := crankpkg.Experiment{Trainers: methods(choiceGap), Select: mk.selection(), SelectWith: selectWith}
	e.Select.Lambdas = lambdas(0.001, 2)
	for _, set := range crankpkg.NamedSets(named...) {
		set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, scaling[set.Name]) }
		e.Sets = append(e.Sets, set)
	}
	table, err := mk.experiment("extra", e)
	if err != nil {
		return err
	}
	split, err := mk.cal500()
	if err != nil {
		return err
	}
	fmt.Fprintln(mk.log, table)
	fmt.Fprintln(mk.log, split)
	table.Sets = append(table.Sets, split.Sets...)
	table.Cells = append(table.Cells, split.Cells...)
	return errors.Join(mk.writeTable("extra.json", table, nil), mk.writeSignificance("extra_significance.json", table))
}

// cal500 runs the methods on seeded splits, with lambda chosen on each.
func (mk *maker) cal500() (*crankpkg.Table, error) {
	e := crankpkg.Experiment{
		Sets: []crankpkg.ExperimentSet{crankpkg.SeededSplits("cal500", 2./3)}, Trainers: methods(choiceGap), Select: mk.selection(), SelectWith: selectWith,
	}
	e.Sets[0].Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, crankpkg.ZScore) }
	e.Select.Lambdas = lambdas(0.001, 2)
	for seed := range 10 {
		e.Seeds = append(e.Seeds, uint64(seed+1))
	}
	return mk.experiment("cal500", e)
}
