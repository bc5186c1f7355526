package main

import (
	"context"
	"flag"

	"github.com/crank-ml/crank/cmd/crank/internal/results"
)

var scoresCommand = subcommand{
	name:    "scores",
	summary: "print the README's table of scores",
	help: `Trains Empty, Full, Project and CRANK on the paper's four sets, which takes a few
seconds, and prints Hamming, zero-one and F1 on the test examples, in percent, as
a Markdown table. The sets have to be there: fetch scene emotions medical yeast.`,
	example: "scores",
	setup: func(p *program, _ *flag.FlagSet) action {
		return func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("scores takes no arguments")
			}
			return results.Scores(ctx, p.sets, p.stdout)
		}
	},
}
