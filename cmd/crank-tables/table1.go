package main

import (
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// tableEntry is an entry of table1.json and extra.json; Paper is null where the
// paper has no value.
type tableEntry struct {
	crankpkg.Entry
	Scaling crankpkg.Scaling `json:"scaling"`
	Paper   *float64         `json:"paper"`
}

// objective is an entry of objectives.json: certified bounds on the smallest
// objective with the method's edges.
type objective struct {
	Set    string  `json:"set"`
	Method string  `json:"method"`
	Lambda float64 `json:"lambda"`
	Primal float64 `json:"primal"`
	Dual   float64 `json:"dual"`
}

// curvePoint is an entry of curves.json: the mean of the three measures over the
// folds.
type curvePoint struct {
	Set     string           `json:"set"`
	Method  string           `json:"method"`
	Scaling crankpkg.Scaling `json:"scaling"`
	Lambda  float64          `json:"lambda"`
	Mean    float64          `json:"mean"`
	StdErr  float64          `json:"stderr"`
	Chosen  bool             `json:"chosen"`
}

// testResult is an entry of significance.json: CRANK minus another method.
type testResult struct {
	Set     string           `json:"set"`
	Against string           `json:"against"`
	Measure crankpkg.Measure `json:"measure"`
	Mean    float64          `json:"mean"`
	Low     float64          `json:"low"`
	High    float64          `json:"high"`
	P       float64          `json:"p"`
	McNemar *float64         `json:"mcnemar"` // exact p of zero-one
}

// table1 makes table1.json, curves.json, scalings.json, significance.json and
// objectives.json.
func (mk *maker) table1() error {
	table, err := mk.tableOf("table1", tableSets, scoreGap)
	if err != nil {
		return err
	}
	fmt.Fprintln(mk.log, table)
	if err := mk.writeTable("table1.json", table, crankpkg.PaperTable1()); err != nil {
		return err
	}
	if err := mk.writeCurves("curves.json", table); err != nil {
		return err
	}
	if err := mk.writeSignificance("significance.json", table); err != nil {
		return err
	}
	return mk.objectives(table)
}

// writeTable writes the entries of a table beside those of the paper.
func (mk *maker) writeTable(name string, table *crankpkg.Table, paper []crankpkg.Entry) error {
	var entries []tableEntry
	for _, e := range table.Entries() {
		entry := tableEntry{Entry: e, Scaling: table.Runs(e.Set, e.Method)[0].Scaling}
		for _, p := range paper {
			if p.Set == e.Set && p.Method == e.Method && p.Measure == e.Measure {
				entry.Paper = &p.Value
			}
		}
		entries = append(entries, entry)
	}
	return write(mk, name, entries)
}

func (mk *maker) writeCurves(name string, table *crankpkg.Table) error {
	var points []curvePoint
	for _, c := range table.Cells {
		if c.Selection == nil {
			continue
		}
		for k, p := range c.Selection.Curve {
			mean, stdErr := p.Of(crankpkg.MeanOfThree)
			points = append(points, curvePoint{c.Set, c.Method, p.Scaling, p.Lambda, mean, stdErr, k == c.Selection.Chosen})
		}
	}
	if points == nil {
		return nil
	}
	return write(mk, name, points)
}

func (mk *maker) writeSignificance(name string, table *crankpkg.Table) error {
	var tests []testResult
	for _, c := range table.Compare("CRANK", crankpkg.Bootstrap{Seed: 1}) {
		d := c.Difference
		t := testResult{Set: c.Set, Against: c.B, Measure: c.Measure, Mean: d.Mean, Low: d.Low, High: d.High, P: d.P}
		if c.McNemar != nil {
			t.McNemar = &c.McNemar.Exact
		}
		tests = append(tests, t)
	}
	return write(mk, name, tests)
}

// objectives trains all methods, CRANK with a shrinking beta, and the tree of
// CRANK improved by swaps, at the lambda that CRANK has in the table.
func (mk *maker) objectives(table *crankpkg.Table) error {
	s := crankpkg.Settings{Gap: scoreGap}
	e := crankpkg.Experiment{Trainers: append(methods(scoreGap),
		crankpkg.ChowLiu{Settings: s},
		crankpkg.Named("CRANK, shrinking", crankpkg.CRANK{Path: crankpkg.ShrinkBeta, Growth: 1.2, InnerGap: 0.02, Settings: s}),
		crankpkg.Named("CRANK, swaps", crankpkg.SwapSearch{Start: crankpkg.CRANK{}, Settings: s}))}
	for _, set := range crankpkg.NamedSets(tableSets...) {
		crank := table.Runs(set.Name, "CRANK")[0]
		set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, crank.Scaling).WithLambda(crank.Lambda) }
		e.Sets = append(e.Sets, set)
	}
	common, err := mk.experiment("objectives", e)
	if err != nil {
		return err
	}
	var all []objective
	for _, c := range common.Cells {
		all = append(all, objective{c.Set, c.Method, c.Lambda, c.Primal, c.Dual})
	}
	return write(mk, "objectives.json", all)
}
