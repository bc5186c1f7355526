package main

import (
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// extra makes extra.json: Table 1 for sets that the paper did not have. CAL500,
// for which no split is published, is split 10 times.
func (mk *maker) extra() error {
	table, err := mk.tableOf("extra", []string{"birds", "flags", "enron", "genbase"}, meanGap)
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
		Sets: []crankpkg.ExperimentSet{crankpkg.SeededSplits("cal500", 2./3)}, Trainers: methods(meanGap),
		Select: mk.selection(lambdas(0.01, 2)), SelectWith: selectWith,
	}
	e.Sets[0].Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, crankpkg.ZScore) }
	e.Select.Repeats = 1
	for seed := range 10 {
		e.Seeds = append(e.Seeds, uint64(seed+1))
	}
	return mk.experiment("cal500", e)
}
