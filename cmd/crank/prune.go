package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/crank-ml/crank/crankpkg"
	"github.com/crank-ml/crank/crankpkg/sparse"
)

var pruneCommand = subcommand{
	name: "prune", args: "[flags] MODEL FILE|SET",
	summary: "drop the small weights of a model, at a price that is certified",
	help: `Drops the smallest weights of a model, as many as the objective of its training may
rise for, and saves the model that is left. Its file leaves zeros out, and prediction on
sparse rows passes over them.

MODEL is a file that crank train has saved, and FILE what it was trained on, with the
columns of that file, by name, in any of the formats; of a data set's name, the part for
training is taken. The objective, with the Hamming loss, is computed on all of its rows for
each set of weights that is tried. Where -gap says what crank train has certified, the gap
of the pruned model is certified, too.`,
	example: "prune -rise 0.001 -o small.model shop.model shop.csv",
	setup:   setupPrune,
}

func setupPrune(p *program, flags *flag.FlagSet) action {
	var r reading
	rise := flags.Float64("rise", 0.01, "by how much the objective may rise, relative to what it is: a `number` above 0")
	gap := flags.Float64("gap", 1, "the certified relative `gap` of the model; 1 stands for one that is not known")
	digits := flags.Int("digits", 0, "round weights to this `number` of significant digits first; 0 stands for all")
	again := flags.Bool("again", false, "train what is left anew, which drops far more and takes longer; for models without pairs")
	out := flags.String("o", "", "`file` to save the model in; without it nothing is saved")
	workers := flags.Int("workers", 0, "`number` of rows at a time, which changes no result; 0 stands for that of the processors")
	r.modelFlags(flags)
	r.trueFlag(flags)
	return func(ctx context.Context, args []string) error {
		switch {
		case len(args) != 2:
			return usageError("name the file of the model and the file or data set that it was trained on")
		case !(*rise > 0) || math.IsInf(*rise, 0):
			return usageError(fmt.Sprintf("-rise %v is not above 0", *rise))
		case !(*gap >= 0 && *gap <= 1):
			return usageError(fmt.Sprintf("-gap %v is not between 0 and 1", *gap))
		case *digits < 0 || *digits > 17:
			return usageError(fmt.Sprintf("-digits %d is not from 0 to 17", *digits))
		case *workers < 0:
			return usageError(fmt.Sprintf("-workers %d is negative", *workers))
		case *out == "-":
			return usageError("-o - : a model is saved in a file")
		}
		if err := checkTarget(*out, args...); err != nil {
			return err
		}
		m, err := loadModel(args[0])
		if err != nil {
			return err
		}
		ds, err := p.examples(args[1], false, func(in *input) (*crankpkg.Dataset, error) { return r.readFor(m, in, true) })
		if err != nil {
			return err
		}
		p.tellIgnored(ds, r.drop)
		pruned, report, err := sparse.Pruner{Rise: *rise, Digits: *digits, Again: *again, Workers: *workers}.Prune(ctx, ds, m, 0)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", args[0], args[1], err)
		}
		report.Dual = (1 - *gap) * report.Before
		return p.tellPruned(*out, pruned, report, *gap < 1)
	}
}

// tellPruned tells what pruning has done, and saves the model.
func (p *program) tellPruned(out string, m *crankpkg.Model, r sparse.Report, certified bool) error {
	fmt.Fprintf(p.stdout, "%d of %d weights kept, those of at least %.3g; %d of %d pairs of labels\n",
		r.Kept, r.Weights, r.Threshold, r.KeptEdges, r.Edges)
	rise := 0.0
	if r.Before > 0 {
		rise = 100 * (r.After/r.Before - 1)
	}
	fmt.Fprintf(p.stdout, "objective %.6g, before %.6g: %+.3f %%\n", r.After, r.Before, rise)
	if certified {
		fmt.Fprintf(p.stdout, "certified relative gap %.2g, before %.2g\n", r.GapAfter(), r.GapBefore())
	}
	if out == "" {
		fmt.Fprintln(p.stdout, "not saved: -o FILE saves it")
		return nil
	}
	if err := m.Save(out); err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, "saved in", out)
	return nil
}
