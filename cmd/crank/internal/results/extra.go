package results

import (
	"cmp"
	"context"
	"fmt"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// splitSet is the set for which no split is published.
const splitSet = "cal500"

// extra makes extra.json and extra_significance.json: Table 1 for sets that the
// paper did not have, with lambda chosen by 3-fold cross-validation. CAL500 is
// split 10 times.
func (mk *maker) extra(ctx context.Context) error {
	all := &experiment.Table{Seeds: seeds(1), Measures: metrics.PaperMeasures()}
	for _, set := range mk.named(pick(mk, []string{"birds", "flags", "genbase", "enron", splitSet},
		[]string{"flags", "genbase", splitSet})...) {
		table, err := mk.extraSet(ctx, set)
		if err != nil {
			return err
		}
		fmt.Fprintln(mk.Log, table)
		appendTable(all, table)
	}
	return cmp.Or(writeRows(mk, "extra.json", entriesOf(all)), writeRows(mk, "extra_significance.json", testsOf(all)))
}

func (mk *maker) extraSet(ctx context.Context, set experiment.Set) (*experiment.Table, error) {
	set.Prepare = func(t crankpkg.Trainer) crankpkg.Trainer { return scaled(t, standing[set.Name].scaling) }
	e := experiment.Experiment{
		Trainers: mk.methods(meanGap), SelectWith: selectWith,
		Select: &crossval.Search{
			Lambdas: pick(mk, lambdas(0.0003, 2), []float64{0.1, 0.01}), Folds: 3, Gap: 2 * choiceGap, MaxPasses: choicePasses / 3,
		},
	}
	if set.Name == splitSet {
		set.Load = func(seed uint64) (train, test *crankpkg.Dataset, err error) {
			return mk.Sets.Seeded(set.Name, 2./3, seed)
		}
		e.Trainers, e.SelectWith, e.Seeds = forManyLabels(e.Trainers), selectByCRANK, seeds(pick(mk, 10, 2))
		e.Select.Lambdas = e.Select.Lambdas[:pick(mk, 5, 2)]
	}
	e.Sets = []experiment.Set{set}
	return mk.experiment(ctx, "extra", e)
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
