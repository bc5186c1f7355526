package main

import (
	"errors"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
)

// extraScaling are the scalings of the sets that the paper did not have: z-scores
// where features are measurements of different units, none for words and motifs.
var extraScaling = map[string]crankpkg.Scaling{
	"birds": crankpkg.ZScore, "flags": crankpkg.ZScore, "cal500": crankpkg.ZScore,
	"enron": crankpkg.NoScaling, "genbase": crankpkg.NoScaling,
}

// extra makes extra.json: Table 1 for sets that the paper did not have, with
// lambda chosen by 3-fold cross-validation. CAL500, for which no split is
// published, is split 10 times.
func (mk *maker) extra() error {
	all := &crankpkg.Table{Seeds: []uint64{1}, Measures: crankpkg.PaperMeasures()}
	for _, set := range append(crankpkg.NamedSets("birds", "flags", "genbase", "enron"), crankpkg.SeededSplits("cal500", 2./3)) {
		table, err := mk.extraSet(set)
		if err != nil {
			return err
		}
		fmt.Fprintln(mk.log, table)
		all.Sets, all.Cells = append(all.Sets, set.Name), append(all.Cells, table.Cells...)
		if len(all.Methods) == 0 {
			all.Methods = table.Methods
		}
	}
	return errors.Join(mk.writeTable("extra.json", all, nil), mk.writeSignificance("extra_significance.json", all))
}

func (mk *maker) extraSet(set crankpkg.ExperimentSet) (*crankpkg.Table, error) {
	scaling := extraScaling[set.Name]
	set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, scaling) }
	e := crankpkg.Experiment{
		Sets: []crankpkg.ExperimentSet{set}, Trainers: methods(meanGap), SelectWith: selectWith,
		Select: &crankpkg.CrossValidation{Lambdas: lambdas(0.0003, 2), Folds: 3, Gap: 2 * choiceGap, MaxPasses: choicePasses / 3},
	}
	if set.Name == "cal500" {
		e.Trainers = forManyLabels(e.Trainers)
		e.Select.Lambdas, e.SelectWith = e.Select.Lambdas[:5], selectByCRANK
		for seed := range 10 {
			e.Seeds = append(e.Seeds, uint64(seed+1))
		}
	}
	return mk.experiment("extra-"+set.Name, e)
}

// selectByCRANK lets MST, whose own search would take most of the time, have the
// lambda of CRANK.
func selectByCRANK(t crankpkg.Trainer) crankpkg.Trainer {
	if t, ok := t.(crankpkg.MST); ok {
		return crankpkg.CRANK{Restarts: 1, Settings: t.Settings}
	}
	return t
}

// forManyLabels leaves out what trains on the graph of all pairs, and Greedy's
// n^3 trees: with 174 labels that takes hours. CRANK has one start.
func forManyLabels(trainers []crankpkg.Trainer) []crankpkg.Trainer {
	var kept []crankpkg.Trainer
	for _, t := range trainers {
		switch t := t.(type) {
		case crankpkg.Full, crankpkg.Greedy, crankpkg.Project:
		case crankpkg.CRANK:
			t.Restarts = 1
			kept = append(kept, t)
		default:
			kept = append(kept, t)
		}
	}
	return kept
}
