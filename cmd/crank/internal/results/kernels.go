package results

import (
	"context"
	"fmt"
	"strings"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/crossval"
	"github.com/crank-ml/crank/crankpkg/decision"
	"github.com/crank-ml/crank/crankpkg/feature"
	"github.com/crank-ml/crank/crankpkg/metrics"
)

// kernelRow is a method on the features of a kernel: what cross-validation on the training
// examples chooses for each measure, and how that does on the test examples.
type kernelRow struct {
	Set, Method string
	Candidates  int // kernels and lambdas that were tried
	Chosen      []kernelEntry
}

// kernelEntry is what was chosen by one measure.
type kernelEntry struct {
	Measure metrics.Measure
	Kernel  feature.KernelFeatures
	Lambda  float64
	Rule    decision.Rule
	HeldOut float64 // the measure on what the folds hold out
	Scores  crankpkg.Scores
}

// kernels makes kernels.json: Empty and CRANK on features of kernels with all training rows
// as landmarks.
func (mk *maker) kernels(ctx context.Context) error {
	var rows []kernelRow
	for _, set := range pick(mk, tableSets, []string{"emotions"}) {
		train, test, err := mk.Sets.Split(set)
		if err != nil {
			return err
		}
		for _, t := range kernelMethods(mk.gap(choiceGap)) {
			t = scaled(t, standing[set].scaling)
			row, err := kept(ctx, mk, []string{set, t.Name()}, []any{train, test, t}, func() (kernelRow, error) { return mk.onKernels(ctx, t, train, test) })
			if err != nil {
				return err
			}
			row.Set = set
			rows = append(rows, row)
			fmt.Fprintln(mk.Log, row.markdown())
		}
	}
	return writeReport(mk, "kernels.json", rows)
}

// kernelMethods are Empty, and CRANK's tree with one start for two label losses.
func kernelMethods(gap float64) []crankpkg.Trainer {
	s := crankpkg.Settings{Gap: gap}
	tree := crankpkg.CRANK{Restarts: 1, Settings: s}
	subset := tree
	subset.Loss = crankpkg.Loss{Hamming: 1, ZeroOne: 1}
	return []crankpkg.Trainer{crankpkg.Empty{Settings: s}, tree, crankpkg.Named("CRANK, Hamming + zero-one", subset)}
}

// kernelCandidates are Gaussian kernels of three widths about the default for the rows.
func kernelCandidates(t crankpkg.Trainer, train *crankpkg.Dataset) ([]feature.KernelFeatures, error) {
	var scaling crankpkg.Scaling
	adjust(t, func(s *crankpkg.Settings) { scaling = s.Scaling })
	scaler, err := feature.FitScaler(scaling, train.X)
	if err != nil {
		return nil, err
	}
	f := feature.KernelFeatures{Kind: feature.Gaussian}.Resolve(scaler.Apply(train.X))
	unit := f.Gamma
	var all []feature.KernelFeatures
	for _, factor := range []float64{1. / 4, 1, 4} {
		f.Gamma = factor * unit
		all = append(all, f)
	}
	return all, nil
}

// onKernels chooses by cross-validation, trains and tests.
func (mk *maker) onKernels(ctx context.Context, t crankpkg.Trainer, train, test *crankpkg.Dataset) (kernelRow, error) {
	row := kernelRow{Method: t.Name()}
	candidates, err := kernelCandidates(t, train)
	if err != nil {
		return row, err
	}
	grid := pick(mk, []float64{0.002, 0.0005, 0.000125}, []float64{0.002})
	best := make([]*crossval.RuleSelection, len(metrics.PaperMeasures()))
	chosen := make([]feature.KernelFeatures, len(best))
	for _, f := range candidates {
		search := crossval.Search{Trainer: onKernel(t, f), Lambdas: grid, Workers: mk.Workers}
		held, err := search.HeldOutScores(ctx, train)
		if err != nil {
			return row, err
		}
		row.Candidates += len(grid)
		for k, measure := range metrics.PaperMeasures() {
			s, err := held.Choose(ctx, decision.Search{Measure: measure, Workers: mk.Workers})
			if err != nil {
				return row, err
			}
			if best[k] == nil || s.Best().Choice.Best().Nested > best[k].Best().Choice.Best().Nested {
				best[k], chosen[k] = s, f
			}
		}
	}
	for k, measure := range metrics.PaperMeasures() {
		m, _, _, err := mk.train(ctx, best[k].Apply(onKernel(t, chosen[k])), train)
		if err != nil {
			return row, err
		}
		m.Rule = best[k].Rule()
		row.Chosen = append(row.Chosen, kernelEntry{
			Measure: measure, Kernel: chosen[k], Lambda: m.Lambda, Rule: m.Rule,
			HeldOut: best[k].Best().Choice.Best().Nested, Scores: metrics.Evaluate(test.Y, m.PredictAll(test.X), test.NumLabels()),
		})
	}
	return row, nil
}

// onKernel returns t on the features of a kernel.
func onKernel(t crankpkg.Trainer, f feature.KernelFeatures) crankpkg.Trainer {
	return adjust(t, func(s *crankpkg.Settings) { s.Kernel = f })
}

// markdown is the row of the README's table: of each choice the measure that it was made by.
func (r kernelRow) markdown() string {
	var scores, choices []string
	for _, e := range r.Chosen {
		scores = append(scores, fmt.Sprintf("%.1f", e.Scores.Of(e.Measure)))
		choices = append(choices, fmt.Sprintf("%.2g, %.2g", e.Kernel.Gamma, e.Lambda))
	}
	return fmt.Sprintf("| %s, %s | %s | %s |", r.Set, r.Method, strings.Join(scores, " / "), strings.Join(choices, "; "))
}
