package results

import (
	"context"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/experiment"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// lossRow is the outcome of training one tree for one label loss.
type lossRow struct {
	Set              string
	Loss             string
	Hamming, ZeroOne float64 // weights of the losses
	Lambda           float64 // chosen by cross-validation
	Scores           crankpkg.Scores
	// Differences to the Hamming loss, on the same test examples.
	DHamming, DZeroOne, DF1 metrics.Difference
}

// mixes are the losses, the Hamming loss first.
var mixes = []crankpkg.Loss{
	{Hamming: 1}, {Hamming: 1, ZeroOne: 0.5}, {Hamming: 1, ZeroOne: 1}, {Hamming: 1, ZeroOne: 2},
	{Hamming: 1, ZeroOne: 4}, {Hamming: 1, ZeroOne: 8}, {Hamming: 1, ZeroOne: 16}, {ZeroOne: 1},
}

// loss makes question_loss.json: the weights of CRANK's tree (found with the
// Hamming loss) for several losses. Each has a lambda of its own, chosen for the
// mean of the three measures, since a zero-one loss is much smaller than a Hamming
// loss.
func (mk *maker) loss(ctx context.Context) error {
	sets := mk.named(pick(mk, []string{"scene", "yeast"}, []string{"scene"})...)
	for k, set := range sets {
		sets[k].Prepare = standing[set.Name].fit
	}
	trees, err := mk.experiment(ctx, "loss-trees", experiment.Experiment{Sets: sets, Trainers: []crankpkg.Trainer{paperCRANK(crankpkg.Settings{})}})
	if err != nil {
		return err
	}
	var rows []lossRow
	for k, set := range sets {
		e := experiment.Experiment{Sets: []experiment.Set{set}, Select: &crossval.Search{
			Lambdas: pick(mk, []float64{0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001}, []float64{0.1, 0.01}), Folds: pick(mk, 5, 3),
		}}
		for _, mix := range mixes {
			e.Trainers = append(e.Trainers, crankpkg.Named(mix.String(),
				crankpkg.FixedGraph{Edges: trees.Cells[k].Edges, Settings: crankpkg.Settings{Loss: mix}}))
		}
		table, err := mk.experiment(ctx, "loss", e)
		if err != nil {
			return err
		}
		for q, c := range table.Cells {
			rows = append(rows, newLossRow(mixes[q], c, table.Cells[0].Examples()))
		}
	}
	return writeReport(mk, "question_loss.json", rows)
}

// newLossRow compares with the scores of the Hamming loss.
func newLossRow(mix crankpkg.Loss, c experiment.Cell, hamming metrics.ExampleScores) lossRow {
	difference := func(m metrics.Measure) metrics.Difference {
		return metrics.Bootstrap{Seed: 1}.Compare(c.Examples().Of(m), hamming.Of(m))
	}
	return lossRow{
		Set: c.Set, Loss: c.Method, Hamming: mix.Hamming, ZeroOne: mix.ZeroOne, Lambda: c.Lambda, Scores: c.Scores,
		DHamming: difference(metrics.HammingAccuracy), DZeroOne: difference(metrics.SubsetAccuracy), DF1: difference(metrics.ExampleF1),
	}
}
