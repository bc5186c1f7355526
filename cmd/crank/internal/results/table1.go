package results

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// tableEntry is an entry of table1.json and extra.json; Paper is null where the
// paper has no value.
type tableEntry struct {
	experiment.Entry
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
	Set     string          `json:"set"`
	Against string          `json:"against"`
	Measure metrics.Measure `json:"measure"`
	Mean    float64         `json:"mean"`
	Low     *float64        `json:"low"` // nil, as High, where equal differences tell nothing of their spread
	High    *float64        `json:"high"`
	P       float64         `json:"p"`
	McNemar *float64        `json:"mcnemar"` // exact p of zero-one
}

// table1 makes table1.json, curves.json, table1_scalings.json, significance.json and
// objectives.json.
func (mk *maker) table1(ctx context.Context) error {
	table, scalings, err := mk.crossValidated(ctx, tableSets, mk.methods(scoreGap))
	if err != nil {
		return err
	}
	fmt.Fprintln(mk.Log, table)
	common, err := mk.objectives(ctx, table)
	if err != nil {
		return err
	}
	return cmp.Or(
		writeRows(mk, "table1.json", entriesOf(table)),
		writeRows(mk, "table1_scalings.json", curvesOf(scalings)),
		writeRows(mk, "curves.json", curvesOf(table)),
		writeRows(mk, "significance.json", testsOf(table)),
		writeRows(mk, "objectives.json", common))
}

// entriesOf returns the entries of a table beside those of the paper.
func entriesOf(table *experiment.Table) []tableEntry {
	var entries []tableEntry
	for _, e := range table.Entries() {
		entry := tableEntry{Entry: e, Scaling: table.Runs(e.Set, e.Method)[0].Scaling}
		if v, ok := paperScores(e.Set, e.Method)[e.Measure]; ok {
			entry.Paper = &v
		}
		entries = append(entries, entry)
	}
	return entries
}

// curvesOf returns the validation curves of all cells.
func curvesOf(table *experiment.Table) []curvePoint {
	var points []curvePoint
	for _, c := range table.Cells {
		for k, p := range c.Selection.Curve {
			mean, stdErr := p.Of(metrics.MeanOfThree)
			points = append(points, curvePoint{c.Set, c.Method, p.Scaling, p.Lambda, mean, stdErr, k == c.Selection.Chosen})
		}
	}
	return points
}

// testsOf compares CRANK with all other methods.
func testsOf(table *experiment.Table) []testResult {
	var tests []testResult
	for _, c := range table.Compare("CRANK", metrics.Bootstrap{Seed: 1}) {
		d := c.Difference
		t := testResult{Set: c.Set, Against: c.B, Measure: c.Measure, Mean: d.Mean, Low: known(d.Low), High: known(d.High), P: d.P}
		if c.McNemar != nil {
			t.McNemar = &c.McNemar.Exact
		}
		tests = append(tests, t)
	}
	return tests
}

// known returns an end of an interval, nil for an infinite one, which JSON does not have.
func known(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// objectives trains all methods, CRANK with a shrinking beta, and the tree of
// CRANK improved by swaps, at the lambda that CRANK has in the table.
func (mk *maker) objectives(ctx context.Context, table *experiment.Table) ([]objective, error) {
	s := crankpkg.Settings{Gap: mk.gap(scoreGap)}
	e := experiment.Experiment{Trainers: append(mk.methods(scoreGap),
		crankpkg.ChowLiu{Settings: s},
		crankpkg.Named("CRANK, shrinking", crankpkg.CRANK{Restarts: 10, Path: crankpkg.ShrinkBeta, Growth: 1.2, InnerGap: 0.02, Settings: s}),
		crankpkg.Named("CRANK, swaps", crankpkg.SwapSearch{Start: paperCRANK(crankpkg.Settings{}), Settings: s}))}
	for _, set := range mk.named(tableSets...) {
		crank := table.Runs(set.Name, "CRANK")[0]
		set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, crank.Scaling).WithLambda(crank.Lambda) }
		e.Sets = append(e.Sets, set)
	}
	common, err := mk.experiment(ctx, "objectives", e)
	if err != nil {
		return nil, err
	}
	var all []objective
	for _, c := range common.Cells {
		all = append(all, objective{c.Set, c.Method, c.Lambda, c.Primal, c.Dual})
	}
	return all, nil
}
